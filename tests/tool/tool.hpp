// Runs the built `warpcheck` in a scratch folder of its own and reads what it said.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::tool {

struct Result {
  int status = -1;  // exit status; 128 + the signal that ended it, as a shell has it
  std::string out;
  std::string error;
};

/// A folder that holds what a test writes, and the tool's cache; emptied when made. The folder's
/// name is the test's.
class Scratch {
 public:
  Scratch();

  /// Writes a file and returns its path relative to the folder, which is where the tool runs.
  std::string write(const std::string& name, std::string_view text) const;

  [[nodiscard]] std::string read(const std::string& name) const;

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  /// Runs the tool here, with these arguments and with environment variables "NAME=value" added.
  [[nodiscard]] Result run(const std::vector<std::string>& arguments,
                           const std::vector<std::string>& environment = {}) const;

  /// The same, in a folder of this one.
  [[nodiscard]] Result run_in(const std::string& folder,
                              const std::vector<std::string>& arguments) const;

  /// The same, killed (SIGKILL) where it has not ended after this time.
  [[nodiscard]] Result run_for(double seconds, const std::vector<std::string>& arguments) const;

  /// The same, with a SIGINT as soon as `ready` says so, which is asked over and over; after a
  /// minute it is sent all the same.
  [[nodiscard]] Result run_and_interrupt(const std::vector<std::string>& arguments,
                                         const std::function<bool()>& ready) const;

  /// Runs a line of the shell here.
  [[nodiscard]] Result shell(const std::string& line) const;

 private:
  [[nodiscard]] Result result_of(int status) const;

  std::filesystem::path folder_;
};

/// A contract's comment and a right kernel after it: one thread per element, any shape.
[[nodiscard]] std::string right_kernel(const std::string& name);

/// The same without the test of the edge, right where m and n are multiples of 8.
[[nodiscard]] std::string kernel_without_an_edge_test(const std::string& name);

/// The same, one term of each sum short.
[[nodiscard]] std::string kernel_that_drops_the_last_term(const std::string& name);

/// The same, and the threads of a column write to one place of shared memory, which changes no
/// result.
[[nodiscard]] std::string kernel_that_races(const std::string& name);

/// `text` with the first `what` in it, which must be there, replaced.
[[nodiscard]] std::string replaced(std::string text, const std::string& what,
                                   const std::string& with);

}  // namespace warpcheck::tool
