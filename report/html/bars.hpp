// Counts as bars.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warpcheck::report::html {

struct Bar {
  std::string name;
  std::int64_t count = 0;
  bool bad = false;  // what it counts is wrong
};

/// A figure under its title, whose bars have their names beneath as far as there is room. Read
/// aloud it is its title and the bars that are not 0, the longest first where they are many.
[[nodiscard]] std::string bar_chart(std::string_view title, std::span<const Bar> bars);

}  // namespace warpcheck::report::html
