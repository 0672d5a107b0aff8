#include "base/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text/visible_text.hpp"

namespace warpcheck {
namespace {

std::string render_all(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += render(diagnostic);
  return text;
}

/// The message without control characters. Its later lines are indented: a line feed in a quoted
/// name must not begin a line that looks like another message.
std::string indented(std::string_view message) {
  std::string text;
  for (const char c : visible(message, true)) {
    text += c;
    if (c == '\n') text += "  ";
  }
  return text;
}

/// Blanks up to the caret's column. Keeps tabs, so that the caret is aligned in a terminal.
std::string indent_to(std::string_view excerpt, unsigned column) {
  std::string indent(excerpt.substr(0, column - 1));
  indent.resize(column - 1, ' ');
  std::replace_if(
      indent.begin(), indent.end(), [](char c) { return c != '\t'; }, ' ');
  return indent;
}

}  // namespace

std::string render(const Diagnostic& diagnostic) {
  if (diagnostic.verbatim) {
    std::string text = visible(diagnostic.message, true);
    return text.ends_with('\n') ? text : text + '\n';
  }
  const Location& where = diagnostic.where;
  std::string text = visible(where.file);
  if (where.line != 0) text += fmt::format(":{}", where.line);
  if (where.line != 0 && where.column != 0) text += fmt::format(":{}", where.column);
  text += fmt::format("{}error: {}\n", text.empty() ? "" : ": ", indented(diagnostic.message));
  if (!diagnostic.excerpt.empty()) {
    text += fmt::format("  {}\n", printable(diagnostic.excerpt));
    if (where.column != 0) {
      text += fmt::format("  {}^\n", indent_to(diagnostic.excerpt, where.column));
    }
  }
  return text;
}

std::string_view line_of(std::string_view text, unsigned line) {
  for (; line > 1; --line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(render_all(diagnostics)), diagnostics_(std::move(diagnostics)) {}

InputError::InputError(Diagnostic diagnostic)
    : InputError(std::vector<Diagnostic>{std::move(diagnostic)}) {}

InputError request_error(std::string message) {
  return InputError(Diagnostic{{}, std::move(message), {}});
}

}  // namespace warpcheck
