// The sizes that a contract reveals to be interesting.
#pragma once

#include <cstdint>
#include <vector>

#include "contract/contract.hpp"

namespace warpcheck::properties::generate {

/// Tile sizes per extent, ascending, each from 2 to 512. Literals of the grid's expressions that
/// speak of m or n, extents of the block, numbers in the kernel's name ("sgemm<128, 8>") and
/// literals of `requires`; never empty. The step along k is seldom declared, so k takes them all
/// and 4, 8, 16; where blocks share k between them, these times their number as well.
struct Tiles {
  std::vector<std::int64_t> m;
  std::vector<std::int64_t> n;
  std::vector<std::int64_t> k;
  std::int64_t split_k = 1;  // blocks that share k
};

[[nodiscard]] Tiles tiles(const contract::Contract& contract);

}  // namespace warpcheck::properties::generate
