#include "report/requirements/error_text.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "report/path.hpp"

namespace warpcheck::report {
namespace {

/// nvcc prints "mine.cu(16): error: ..." for an error in a source.
std::vector<PlacedError> compiler_errors(std::string_view output) {
  constexpr std::string_view kError = "): error";
  std::vector<PlacedError> found;
  while (!output.empty()) {
    const std::string_view line = output.substr(0, output.find('\n'));
    output.remove_prefix(std::min(line.size() + 1, output.size()));
    const std::size_t close = line.find(kError);
    const std::size_t open = line.rfind('(', close);
    const std::size_t message = line.find(": ", close == line.npos ? close : close + 2);
    if (close == line.npos || open == line.npos || message == line.npos) continue;
    PlacedError error;
    std::from_chars(line.data() + open + 1, line.data() + close, error.where.line);
    if (error.where.line == 0) continue;
    error.where.file = line.substr(0, open);
    error.message = line.substr(message + 2);
    found.push_back(std::move(error));
  }
  return found;
}

}  // namespace

std::string error_text(const contract::TargetError& error) {
  std::string text;
  for (Diagnostic diagnostic : error.diagnostics) {
    diagnostic.where.file = shown_path(diagnostic.where.file);
    text += render(diagnostic);
  }
  return text;
}

std::vector<PlacedError> placed_errors(const contract::TargetError& error) {
  std::vector<PlacedError> all;
  for (const Diagnostic& diagnostic : error.diagnostics) {
    std::vector<PlacedError> inner;
    if (diagnostic.verbatim) inner = compiler_errors(diagnostic.message);
    if (inner.empty()) {
      const std::string& message = diagnostic.message;
      inner.push_back({diagnostic.where, message.substr(0, message.find('\n'))});
    }
    all.insert(all.end(), inner.begin(), inner.end());
  }
  return all;
}

}  // namespace warpcheck::report
