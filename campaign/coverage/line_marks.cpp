#include "campaign/coverage/line_marks.hpp"

#include <algorithm>

namespace warpcheck::campaign::coverage {

std::set<unsigned> marked_lines(std::string_view source) {
  std::set<unsigned> marked;
  bool inside = false;
  for (unsigned number = 1; !source.empty(); ++number) {
    const std::size_t end = std::min(source.find('\n'), source.size());
    const std::string_view line = source.substr(0, end);
    source.remove_prefix(std::min(end + 1, source.size()));
    const auto has = [line](std::string_view mark) {
      return line.find(mark) != std::string_view::npos;
    };
    if (has("LCOV_EXCL_START")) inside = true;
    if (inside || has("LCOV_EXCL_LINE")) marked.insert(number);
    if (has("LCOV_EXCL_STOP")) inside = false;
  }
  return marked;
}

}  // namespace warpcheck::campaign::coverage
