// The tile sizes that a contract suggests.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "campaign/case/case.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

/// The extents m, n and k: fields of a case, and names in expressions.
inline constexpr std::array<std::int64_t Case::*, 3> kExtentFields = {&Case::m, &Case::n, &Case::k};
inline constexpr std::array<const char*, 3> kExtentNames = {"m", "n", "k"};

/// Tile sizes of each extent, ascending, each from 2 to 512, never empty: literals of the grid
/// expressions with m or n, extents of the block, numbers in the kernel's name ("sgemm<128, 8>")
/// and literals of `requires`. A contract seldom states the step along k, so k has all of them and
/// 4, 8 and 16. If blocks share k, k also has each of them times the number of blocks.
struct Tiles {
  std::vector<std::int64_t> m;
  std::vector<std::int64_t> n;
  std::vector<std::int64_t> k;
  std::int64_t split_k = 1;  // blocks that share k

  /// The extents of the tile that one block computes, and the step of its loop along k, in the
  /// order m, n, k: the increase of m and of n after which the grid has more blocks, otherwise the
  /// period, otherwise the largest of the sizes above up to 128, along k up to 32.
  std::array<std::int64_t, 3> tile = {1, 1, 1};
  /// The distance between the values that the conjuncts about one extent alone admit:
  /// "k % 32 == 0" has the period 32 along k; 1 if they admit neighbouring values.
  std::array<std::int64_t, 3> period = {1, 1, 1};
  /// Numbers from 2 to 8 among the template arguments: perhaps the stages of a pipeline. Ascending.
  std::vector<std::int64_t> stages;

  /// Returns the number of tiles, the last of which may be partial. `extent`: 0 for m, 1 for n, 2
  /// for k.
  [[nodiscard]] std::int64_t count(std::size_t extent, std::int64_t size) const {
    return (size + tile[extent] - 1) / tile[extent];
  }
};

[[nodiscard]] Tiles tiles(const contract::Contract& contract);

/// Returns the increase of an extent, named "m" or "n", after which the grid of a launch has more
/// blocks. The first launch in which it exceeds 1 decides. 0 if there is none.
[[nodiscard]] std::int64_t grid_step(const contract::Contract& contract, std::size_t extent);

/// Returns the greatest common divisor of the distances between the values up to 2048 that the
/// conjuncts of `requires` about one extent alone admit; 1 if there are fewer than two values.
[[nodiscard]] std::int64_t domain_period(const contract::Contract& contract, std::size_t extent);

}  // namespace warpcheck::campaign::generate
