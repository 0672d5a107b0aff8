#include "base/located_text.hpp"

#include <utility>

namespace warpcheck {

Diagnostic located(std::string_view text, const Location& where, std::size_t offset,
                   std::string message) {
  Location place = where;
  std::size_t line_begin = 0;
  for (std::size_t i = 0; i < offset; ++i) {
    if (text[i] != '\n') continue;
    ++place.line;
    place.column = 1;
    line_begin = i + 1;
  }
  std::string excerpt;
  if (place.column != 0) {
    excerpt.assign(place.column - 1, ' ');
    excerpt += line_of(text.substr(line_begin), 1);
    place.column += static_cast<unsigned>(offset - line_begin);
  }
  return {std::move(place), std::move(message), std::move(excerpt)};
}

}  // namespace warpcheck
