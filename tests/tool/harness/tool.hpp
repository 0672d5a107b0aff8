// Runs the built `warpcheck` in a scratch folder and reads its output.
#pragma once

#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::tool {

struct Result {
  int status = -1;  // exit status; as in a shell, 128 + the signal that ended it
  std::string out;
  std::string error;
  double seconds = 0.0;       // wall time of run()
  std::size_t megabytes = 0;  // peak of the resident memory of run()
};

/// The folder of a test's files and of the tool's cache. It has the name of the test and is emptied
/// on construction.
class Scratch {
 public:
  Scratch();

  /// Writes a file and returns its path relative to this folder, in which the tool runs.
  std::string write(const std::string& name, std::string_view text) const;

  [[nodiscard]] std::string read(const std::string& name) const;

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  /// Runs the tool with these arguments and additional environment variables "NAME=value".
  [[nodiscard]] Result run(const std::vector<std::string>& arguments,
                           const std::vector<std::string>& environment = {}) const;

  /// Runs the tool in a subfolder.
  [[nodiscard]] Result run_in(const std::string& folder,
                              const std::vector<std::string>& arguments) const;

  /// Runs the tool and kills it (SIGKILL) after this time.
  [[nodiscard]] Result run_for(double seconds, const std::vector<std::string>& arguments) const;

  /// Runs the tool and sends a signal as soon as `ready` returns true, or after four minutes.
  [[nodiscard]] Result run_and_interrupt(const std::vector<std::string>& arguments,
                                         const std::function<bool()>& ready, int signal = SIGINT,
                                         const std::vector<std::string>& environment = {}) const;

  /// Runs a shell command in this folder.
  [[nodiscard]] Result shell(const std::string& line) const;

 private:
  [[nodiscard]] Result result_of(int status) const;

  std::filesystem::path folder_;
};

/// The folder that run() sets as XDG_CACHE_HOME if an argument names kernels of the source tree.
[[nodiscard]] std::filesystem::path cache_of_tree();

/// A correct kernel with its contract in a comment: one thread per element, any shape.
[[nodiscard]] std::string correct_kernel(const std::string& name);

/// The same without its bounds check: correct if m and n are multiples of 8.
[[nodiscard]] std::string kernel_without_bounds_check(const std::string& name);

/// The same without the last term of each sum.
[[nodiscard]] std::string kernel_that_drops_the_last_term(const std::string& name);

/// The same with a race: the threads of a column write to one word of shared memory, which changes
/// no result.
[[nodiscard]] std::string kernel_that_races(const std::string& name);

/// Sums in f32 of products of f16 operands. The contract allows sums in f16.
[[nodiscard]] std::string kernel_with_f16_operands(const std::string& name);

/// The same with products rounded to f16 if they fit, which the contract allows too.
[[nodiscard]] std::string kernel_with_f16_products(const std::string& name);

/// Replaces the first `what` in `text`, which must contain it.
[[nodiscard]] std::string replaced(std::string text, const std::string& what,
                                   const std::string& with);

/// JSON Lines without their first event "start", which has the command line.
[[nodiscard]] std::string without_start(const std::string& lines);

}  // namespace warpcheck::tool
