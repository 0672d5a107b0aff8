// Sizes at which a kernel may act differently, according to its contract and its PTX.
#pragma once

#include <cstdint>
#include <vector>

#include "campaign/generate/sampling/tiles.hpp"
#include "contract/compile/variant.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

/// Returns the numbers from 2 to 8192 of grids, blocks, shared memory and `requires`, the threads
/// of a block and four times as many, ascending: sizes at which the kernel may act differently.
[[nodiscard]] std::vector<std::int64_t> contract_numbers(const contract::Contract& contract);

/// Returns the sizes near whose multiples each extent is sampled: those of its tiles, and the
/// numbers of the contract. Ascending.
[[nodiscard]] std::vector<std::vector<std::int64_t>> extent_sizes(
    const contract::Contract& contract, const Tiles& tiles);

/// Sizes of each extent, in the order of the schema. Each list begins with the sizes that the
/// contract names, then has those of the PTX, each part ascending, without repetition.
using Landmarks = std::vector<std::vector<std::int64_t>>;

/// Returns the literals of `requires` in conjuncts with the extent, and those of the grid and of
/// the block as numbers of elements and as numbers of tiles: "min(ceil_div(m, 16), 64)" has 64 and
/// 1024. Where blocks do not compute tiles, each number of the contract may be that of any extent.
/// Sizes of up to three whole tiles, which each campaign has, are left out.
[[nodiscard]] Landmarks landmarks(const contract::Contract& contract, const Tiles& tiles);

/// Includes the numbers of the kernels' PTX, see ptx_numbers.hpp.
[[nodiscard]] Landmarks landmarks(const contract::Variant& variant, const Tiles& tiles);

}  // namespace warpcheck::campaign::generate
