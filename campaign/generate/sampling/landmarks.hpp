// Sizes at which a kernel may act differently, according to its contract and its PTX.
#pragma once

#include <cstdint>
#include <vector>

#include "campaign/generate/sampling/tiles.hpp"
#include "contract/compile/variant.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

/// Sizes of each extent, in the order of the schema. Each list begins with the sizes that the
/// contract names, then has those of the PTX, each part ascending, without repetition.
using Landmarks = std::vector<std::vector<std::int64_t>>;

/// Returns the literals of `requires` in conjuncts with the extent, and those of the grid and of
/// the block as numbers of elements and as numbers of tiles: "min(ceil_div(m, 16), 64)" has 64 and
/// 1024. Sizes of up to three whole tiles, which each campaign has, are left out.
[[nodiscard]] Landmarks landmarks(const contract::Contract& contract, const Tiles& tiles);

/// Includes the numbers of the kernels' PTX, see ptx_numbers.hpp.
[[nodiscard]] Landmarks landmarks(const contract::Variant& variant, const Tiles& tiles);

}  // namespace warpcheck::campaign::generate
