// What a user's text did wrong, and where. The one renderer of located errors.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck {

/// A place in a text. Lines and columns count from 1; 0 means "the whole file" / "the whole line".
struct Location {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;

  friend bool operator==(const Location&, const Location&) = default;
};

/// One error in a user's text. `message` is lower case, without a final period, and says what was
/// found and what was expected.
struct Diagnostic {
  Location where;
  std::string message;
  std::string excerpt;    // the source line that `where` points into; may be empty
  bool verbatim = false;  // `message` is another tool's output, to be shown as it is
};

/// "file:line:column: error: message", then the excerpt and a caret under the column.
[[nodiscard]] std::string render(const Diagnostic& diagnostic);

/// The text of line `line` (from 1) of `text`, without its line ending; empty past the end.
[[nodiscard]] std::string_view line_of(std::string_view text, unsigned line);

/// The user's input is wrong: every error found, in the order of the text. Exit status 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> diagnostics);
  explicit InputError(Diagnostic diagnostic);

  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// An error in a request as a whole, which has no place in a text.
[[nodiscard]] InputError request_error(std::string message);

/// The machine lacks what was asked for: no GPU, no nvcc. Says how to get it. Exit status 3.
class EnvironmentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace warpcheck
