#include "campaign/run/source.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/text/characters.hpp"
#include "contract/compile/ptx_source.hpp"
#include "contract/kernel_source.hpp"

namespace warpcheck::campaign::run {
namespace {

/// "ns::sgemm<128, 8>" -> "sgemm".
std::string_view plain_name(std::string_view kernel) {
  kernel = kernel.substr(0, kernel.find('<'));
  const std::size_t scope = kernel.rfind("::");
  if (scope != std::string_view::npos) kernel.remove_prefix(scope + 2);
  while (!kernel.empty() && kernel.back() == ' ') kernel.remove_suffix(1);
  return kernel;
}

/// Returns the text with spaces in place of comments, so that a name in a comment is no definition.
std::string without_comments(std::string_view source) {
  std::string text(source);
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const bool to_line_end = text[i] == '/' && text[i + 1] == '/';
    const bool block = text[i] == '/' && text[i + 1] == '*';
    if (!to_line_end && !block) continue;
    std::size_t end = block ? text.find("*/", i + 2) : text.find('\n', i);
    end = end == std::string::npos ? text.size() : end + (block ? 2 : 0);
    std::replace_if(
        text.begin() + static_cast<std::ptrdiff_t>(i),
        text.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c != '\n'; }, ' ');
    i = end - 1;
  }
  return text;
}

bool same_file(std::string_view one, std::string_view other) {
  const auto ends_with_path = [](std::string_view longer, std::string_view tail) {
    return longer.ends_with(tail) &&
           (longer.size() == tail.size() || longer[longer.size() - tail.size() - 1] == '/');
  };
  return ends_with_path(one, other) || ends_with_path(other, one);
}

std::string text_of(const contract::Variant& variant, const std::string& file) {
  if (variant.compiled && same_file(variant.compiled->source_file, file)) {
    return variant.compiled->source;
  }
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

Location definition(std::string_view source, std::string_view kernel) {
  const std::string_view name = plain_name(kernel);
  if (name.empty()) return {};
  const std::string text = without_comments(source);
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at > 0 && is_identifier_character(text[at - 1])) ||
        (end < text.size() && is_identifier_character(text[end]))) {
      continue;
    }
    const std::size_t declared = text.find_last_of(";{}", at);
    const std::size_t begin = declared == std::string::npos ? 0 : declared + 1;
    if (text.substr(begin, at - begin).find("__global__") == std::string::npos) continue;
    const std::string_view before = std::string_view(text).substr(0, at);
    const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
    return {"", 1 + static_cast<unsigned>(std::count(before.begin(), before.end(), '\n')),
            1 + static_cast<unsigned>(at - line_begin)};
  }
  return {};
}

SourcePlace definition(const contract::Variant& variant, std::string_view kernel) {
  const contract::Compiled& compiled = *variant.compiled;
  const Location found = contract::is_ptx(compiled.source_file)
                             ? contract::first_line(compiled, kernel)
                             : definition(compiled.source, kernel);
  SourcePlace place;
  place.file = found.file.empty() ? compiled.source_file : found.file;
  place.line = found.line;
  place.column = found.column;
  return place;
}

run::Excerpt excerpt(const contract::Variant& variant, const SourcePlace& place) {
  constexpr unsigned kAround = 2;
  run::Excerpt result;
  if (place.line == 0) return result;
  const std::string text = text_of(variant, place.file);
  const auto lines = static_cast<unsigned>(std::count(text.begin(), text.end(), '\n')) +
                     (text.empty() || text.back() == '\n' ? 0U : 1U);
  if (place.line > lines) return result;
  result.file = place.file;
  result.line = place.line;
  result.first_line = place.line > kAround ? place.line - kAround : 1;
  for (unsigned line = result.first_line; line <= std::min(place.line + kAround, lines); ++line) {
    result.lines.emplace_back(line_of(text, line));
  }
  return result;
}

}  // namespace warpcheck::campaign::run
