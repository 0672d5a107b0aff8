// The elements of a buffer that the stores of a kernel write, as few sets.
#pragma once

#include <vector>

#include "proof/prove/kernel.hpp"
#include "proof/solve/integer_sets.hpp"

namespace warpcheck::proof {

/// Elements that a store writes: `count` along the last axis, from the first one on.
struct StoredElements {
  std::vector<Polynomial> indices;
  Polynomial count;
  std::vector<Formula> path;
};

/// Joins two axes, time and again, if each store computes both indices from one number, its
/// quotient and its remainder.
void join_divided_axes(const Terms& terms, std::vector<StoredElements>& stores,
                       std::vector<Polynomial>& extents);

/// Splits an axis of a * b elements into a and b, if the grid has as many blocks along an axis and
/// each store has the index of the block in it.
void split_product_axes(const Domain& domain, std::vector<StoredElements>& stores,
                        std::vector<Polynomial>& extents);

/// Removes stores of which the threads of a block together write tiles, and returns the tiles. A
/// store is one instruction whose place in the tile depends on the thread alone. `extents`: those
/// of the buffer. Takes none if they are more than the stores.
[[nodiscard]] std::vector<Image> take_tiles(const Kernel& kernel, const IntegerSets& sets,
                                            std::vector<StoredElements>& stores,
                                            const std::vector<Polynomial>& extents);

}  // namespace warpcheck::proof
