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

/// A figure with a title and a name below each bar if there is room. Its text for screen readers is
/// the title and the bars that are not 0; if there are many, only the longest ones.
[[nodiscard]] std::string bar_chart(std::string_view title, std::span<const Bar> bars);

}  // namespace warpcheck::report::html
