// Checks a large product at some of its rows and columns.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "campaign/run/problem.hpp"

namespace warpcheck::workflows::bench {

/// Compares the elements where 24 rows and 24 columns meet, the first and the last ones among them,
/// with the reference, each within the bound of its K products. `d`: the bytes of the output's
/// buffer. Returns the first wrong element and its value; empty if there is none.
[[nodiscard]] std::string spot_check(const campaign::run::Problem& problem,
                                     std::span<const std::byte> d);

}  // namespace warpcheck::workflows::bench
