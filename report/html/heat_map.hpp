// The map of errors as a picture: cells coloured by how wrong they are, the grid of tiles over it.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "properties/judge/error_map.hpp"

namespace warpcheck::report::html {

/// Six levels, by the largest |error| / bound of a cell. What is wrong starts at level 2, whatever
/// its error.
inline constexpr std::array<std::string_view, 6> kLevels = {
    "no error",         "error within its bound", "wrong: up to 10 times its bound",
    "up to 1000 times", "more than 1000 times",   "wrong: must be equal, or is NaN"};

[[nodiscard]] std::size_t level_of(const properties::judge::ErrorCell& cell);

/// A figure with its legend and caption, and the wrong elements by residue beneath it.
[[nodiscard]] std::string heat_map(const properties::judge::ErrorMap& map);

}  // namespace warpcheck::report::html
