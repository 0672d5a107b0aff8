// What `diff` compares: from the user's words to pairs of variants.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands/repository.hpp"
#include "cli/commands/targets.hpp"

namespace warpcheck::cli {

/// OLD or NEW.
struct Side {
  std::string label;               // as the user may spell it
  std::vector<Target> targets;     // one, or those of a file or folder
  std::string revision;            // empty: as it lies here
  std::filesystem::path worktree;  // the temporary one of the revision
};

/// The sides of a comparison, and the checked-out commits that they lie in, which last as long.
class DiffOperands {
 public:
  DiffOperands();
  DiffOperands(const DiffOperands&) = delete;
  DiffOperands& operator=(const DiffOperands&) = delete;
  ~DiffOperands();

  /// A file or folder; the name of a built-in variant; "REVISION:PATH" as git show spells it, the
  /// path counted from the top of the repository or, with ./, from here. ":VARIANT" behind a file
  /// chooses one of its variants. Throws InputError, EnvironmentError.
  [[nodiscard]] Side resolve(const std::string& what);

  /// `path`, from here and perhaps with ":VARIANT" behind it, as a revision has it.
  [[nodiscard]] Side at_revision(const std::string& revision, const std::string& path);

 private:
  struct CheckedOut;
  [[nodiscard]] Side of_commit(const std::string& revision, const std::string& path,
                               const std::string& from);

  std::unique_ptr<CheckedOut> checked_out_;  // empty while no revision is asked for
};

/// Variants of the same name; the only two, whatever they are called. Throws InputError where there
/// is no pair.
[[nodiscard]] std::vector<std::pair<Target, Target>> pairs(const Side& before, const Side& after);

}  // namespace warpcheck::cli
