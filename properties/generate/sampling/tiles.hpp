// The tile sizes that a contract suggests.
#pragma once

#include <cstdint>
#include <vector>

#include "contract/contract.hpp"

namespace warpcheck::properties::generate {

/// Tile sizes of each extent, ascending, each from 2 to 512, never empty: literals of the grid
/// expressions with m or n, extents of the block, numbers in the kernel's name ("sgemm<128, 8>")
/// and literals of `requires`. A contract seldom states the step along k, so k has all of them and
/// 4, 8 and 16. If blocks share k, k also has each of them times the number of blocks.
struct Tiles {
  std::vector<std::int64_t> m;
  std::vector<std::int64_t> n;
  std::vector<std::int64_t> k;
  std::int64_t split_k = 1;  // blocks that share k
};

[[nodiscard]] Tiles tiles(const contract::Contract& contract);

}  // namespace warpcheck::properties::generate
