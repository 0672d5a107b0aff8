// The error map as a picture: cells coloured by their error, with the grid of tiles.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "campaign/judge/error_map.hpp"

namespace warpcheck::report::html {

/// Six levels, by the largest |error| / bound of a cell. Wrong cells have at least level 2, for any
/// error.
inline constexpr std::array<std::string_view, 6> kLevels = {"no error",
                                                            "error within the bound",
                                                            "wrong: up to 10 times the bound",
                                                            "wrong: up to 1000 times the bound",
                                                            "wrong: more than 1000 times the bound",
                                                            "wrong: must be equal, or is NaN"};

[[nodiscard]] std::size_t level_of(const campaign::judge::ErrorCell& cell);

/// A figure with legend and caption, and below it the wrong elements by residue.
[[nodiscard]] std::string heat_map(const campaign::judge::ErrorMap& map);

}  // namespace warpcheck::report::html
