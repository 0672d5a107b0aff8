// The tile sizes that a contract suggests.
#pragma once

#include <cstdint>
#include <vector>

#include "campaign/case/schema.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

/// The sizes that a contract suggests for one extent.
struct ExtentTiles {
  /// Ascending, each from 2 to 512, never empty: literals of the grid expressions with the extent,
  /// and literals of `requires`. An extent of sums, or without literals in the grid, has those of
  /// the blocks, numbers in the kernel's name ("sgemm<128, 8>"), and 4, 8 and 16: a contract seldom
  /// states the step of a loop. If blocks share sums, these also occur times the number of blocks.
  std::vector<std::int64_t> sizes;
  /// The elements of one block, or the step of a loop over sums: the increase after which the grid
  /// has more blocks, otherwise the period, 1 if each index has blocks of its own, otherwise the
  /// largest of `sizes` up to 128, of sums up to 32.
  std::int64_t tile = 1;
  /// The distance between the values that the conjuncts about this extent alone admit:
  /// "k % 32 == 0" has the period 32; 1 if they admit neighbouring values.
  std::int64_t period = 1;

  /// Returns the number of tiles, the last of which may be partial.
  [[nodiscard]] std::int64_t count(std::int64_t size) const { return (size + tile - 1) / tile; }
};

struct Tiles {
  std::vector<ExtentTiles> extents;  // those of the schema, whose first fields they are
  std::int64_t split_k = 1;          // blocks that share sums
  /// Numbers from 2 to 8 among the template arguments: perhaps the stages of a pipeline. Ascending.
  std::vector<std::int64_t> stages;
};

[[nodiscard]] Tiles tiles(const contract::Contract& contract);

/// Returns the increase of an extent after which the grid of a launch has more blocks. The first
/// launch in which it exceeds 1 decides. 0 if there is none.
[[nodiscard]] std::int64_t grid_step(const contract::Contract& contract, const CaseField& extent);

/// Returns the extents with which blocks compute: each index of one of the others has blocks of its
/// own, as those of "heads" in the grid ["ceil_div(length, 32)", "heads"]. All, if none is left.
[[nodiscard]] std::vector<std::size_t> block_extents_of(const contract::Contract& contract,
                                                        const CaseSchema& schema);

/// Returns the greatest common divisor of the distances between the values up to 2048 that the
/// conjuncts of `requires` about one extent alone admit; 1 if there are fewer than two values.
[[nodiscard]] std::int64_t domain_period(const contract::Contract& contract,
                                         const CaseField& extent);

}  // namespace warpcheck::campaign::generate
