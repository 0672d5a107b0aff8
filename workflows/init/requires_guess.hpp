// Guesses the `requires` of a kernel that does not accept every shape.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workflows/init/draft.hpp"

namespace warpcheck::workflows::init {

struct TileSteps {
  std::int64_t m = 0;  // 0: unknown
  std::int64_t n = 0;
  std::int64_t k = 0;
};

/// The steps that the grid shows, as in ceil_div(m, 16) and n / 32. `k` is that of `known`, or the
/// largest of m and n.
[[nodiscard]] TileSteps tile_steps(const Draft& draft, const TileSteps& known);

/// Sets of conditions in the order in which to try them; the first is empty. They are added to those
/// that the draft has.
[[nodiscard]] std::vector<std::vector<std::string>> guess_requires(const Draft& draft,
                                                                   const TileSteps& steps);

/// The conditions that keep the grid within the limits of y and z, 65535 blocks.
[[nodiscard]] std::vector<std::string> grid_limits(const Draft& draft);

}  // namespace warpcheck::workflows::init
