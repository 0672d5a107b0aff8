// Bar charts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warpcheck::report::html {

struct Bar {
  std::string name;
  std::int64_t count = 0;
  bool bad = false;  // it counts errors
};

/// A figure with a title. The height of a bar is its share of the sum of all, which the axis shows
/// in percent; `thing` is the singular of what is counted. Its name is below it if there is room.
/// Its text for screen readers is the title and the bars that are not 0; if there are many, only
/// the longest ones.
[[nodiscard]] std::string bar_chart(std::string_view title, std::string_view thing,
                                    std::span<const Bar> bars);

}  // namespace warpcheck::report::html
