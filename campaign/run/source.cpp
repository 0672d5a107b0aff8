#include "campaign/run/source.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "contract/compile/ptx_source.hpp"
#include "contract/kernel_source.hpp"
#include "contract/source/kernel_declaration.hpp"

namespace warpcheck::campaign::run {
namespace {

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

SourcePlace definition(const contract::Variant& variant, std::string_view kernel) {
  const contract::Compiled& compiled = *variant.compiled;
  const Location found = contract::is_ptx(compiled.source_file)
                             ? contract::first_line(compiled, kernel)
                             : contract::kernel_location(compiled.source, kernel);
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
