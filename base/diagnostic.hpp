// Errors in a user's text, with their places. The only renderer of located errors.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck {

/// A place in a text. Lines and columns count from 1; line 0 is the whole file, column 0 the whole
/// line.
struct Location {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;

  friend bool operator==(const Location&, const Location&) = default;
};

/// One error in a user's text. `message` is lower case, has no final period, and names what was
/// found and what was expected.
struct Diagnostic {
  Location where;
  std::string message;
  std::string excerpt;    // the source line that `where` points into; may be empty
  bool verbatim = false;  // `message` is another tool's output, which is printed as it is
};

/// "file:line:column: error: message", then the excerpt and a caret under the column. In UTF-8 and
/// without control characters: see visible(). Later lines of the message are indented.
[[nodiscard]] std::string render(const Diagnostic& diagnostic);

/// The text of line `line` (from 1) of `text`, without its line ending; empty past the end.
[[nodiscard]] std::string_view line_of(std::string_view text, unsigned line);

/// The user's input is wrong. Holds every error found, in the order of the text. Exit status 2.
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

/// The machine lacks something that the request requires, such as a GPU or nvcc. The message names
/// the remedy. Exit status 3.
class EnvironmentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace warpcheck
