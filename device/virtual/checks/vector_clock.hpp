// Vector clocks (Mattern 1989): the accesses that happen before a moment of a launch. For each
// thread a clock holds a bound: all accesses in intervals of its warp before the bound. A bound
// that holds for a whole block is stored once.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::checks {

using machine::kLanes;
using machine::Mask;

/// Logical time of a warp: the number of its synchronisations so far, from 1.
using Interval = std::uint32_t;

/// The bounds of the threads of one block.
class BlockClock {
 public:
  [[nodiscard]] bool covers(unsigned warp, unsigned lane, Interval interval) const {
    return interval < block_ || (warp < warps_.size() && interval < warps_[warp][lane]);
  }
  /// Those of `lanes` whose accesses in `interval` the clock covers.
  [[nodiscard]] Mask covered(unsigned warp, Mask lanes, Interval interval) const;
  [[nodiscard]] bool empty() const { return block_ == 0 && warps_.empty(); }

  /// Sets the bound of every thread of the block to `before`.
  void reset(Interval before) {
    block_ = before;
    warps_.clear();
  }
  /// Raises the bounds of `lanes` to at least `before`.
  void cover(unsigned warp, Mask lanes, Interval before);
  /// Raises each bound to at least that of `other`: the least upper bound of both clocks.
  void join(const BlockClock& other);

 private:
  using Bounds = std::array<Interval, kLanes>;  // by lane
  Interval block_ = 0;
  std::vector<Bounds> warps_;  // bounds beyond that of the block
};

/// The clocks of the blocks of a launch, by the number of the block. Blocks without an entry have
/// the bound 0.
using VectorClock = std::map<std::uint32_t, BlockClock>;

/// Blocks from `begin` to before `end`.
struct BlockRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// The accesses that happen before every thread of a grid begins, if a thread launched it.
struct GridClock {
  VectorClock at_launch;
  std::vector<BlockRange> ended;  // all of their accesses

  [[nodiscard]] bool has_ended(std::uint32_t block) const;
};

/// Joins `from` to `into`, block by block.
void join(VectorClock& into, const VectorClock& from);

}  // namespace warpcheck::checks
