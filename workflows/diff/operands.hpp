// The operands of a comparison: from what the user names to pairs of variants.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "workflows/targets/targets.hpp"

namespace warpcheck::workflows::diff {

/// The old or the new side of a comparison.
struct Operand {
  std::string label;                     // operand as the user may spell it
  std::vector<targets::Target> targets;  // one, or all of a file or folder
  std::string revision;                  // empty: the files of the checkout
  std::filesystem::path worktree;        // the temporary checkout of the revision
};

/// Resolves operands. Owns the temporary checkouts that their files are in.
class DiffOperands {
 public:
  DiffOperands();
  DiffOperands(const DiffOperands&) = delete;
  DiffOperands& operator=(const DiffOperands&) = delete;
  ~DiffOperands();

  /// Resolves a file or folder, the name of a built-in variant, or "REVISION:PATH" as `git show`
  /// spells it, where PATH is relative to the top of the repository or, with ./, to the current
  /// folder. ":VARIANT" after a file selects one of its variants. Throws InputError,
  /// EnvironmentError.
  [[nodiscard]] Operand resolve(const std::string& operand);

  /// Resolves `path`, relative to the current folder and perhaps with ":VARIANT", in a revision.
  [[nodiscard]] Operand at_revision(const std::string& revision, const std::string& path);

  /// Resolves two operands, or one operand in two revisions, or in one revision and the checkout.
  /// Throws InputError for any other number of them.
  [[nodiscard]] std::pair<Operand, Operand> resolve_both(const std::vector<std::string>& operands,
                                                         const std::vector<std::string>& revisions);

 private:
  struct Checkouts;
  [[nodiscard]] Operand in_commit(const std::string& revision, const std::string& path,
                                  const std::string& folder);

  std::unique_ptr<Checkouts> checkouts_;  // null until a revision is resolved
};

/// Pairs of variants with the same name. If each operand has one variant, these two, whatever their
/// names. Throws InputError if there is no pair.
[[nodiscard]] std::vector<std::pair<targets::Target, targets::Target>> pair_variants(
    const Operand& before, const Operand& after);

}  // namespace warpcheck::workflows::diff
