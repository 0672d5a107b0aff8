// What is ordered before a moment of a launch: of each thread, all that it did before some interval
// of its warp. Vector clocks (Mattern 1989), kept short where whole blocks are covered alike.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::checks {

using machine::kLanes;
using machine::Mask;

/// A warp's own time: how many times it had synchronised. The first is 1.
using Interval = std::uint32_t;

/// Of one block: every access of thread (warp, lane) in an interval before a bound of its own.
class BlockClock {
 public:
  [[nodiscard]] bool covers(unsigned warp, unsigned lane, Interval interval) const {
    return interval < block_ || (warp < warps_.size() && interval < warps_[warp][lane]);
  }
  [[nodiscard]] bool empty() const { return block_ == 0 && warps_.empty(); }

  /// Covers the whole block up to `before`, and nothing else.
  void reset(Interval before) {
    block_ = before;
    warps_.clear();
  }
  void cover(unsigned warp, Mask lanes, Interval before);
  void join(const BlockClock& other);

 private:
  using Bounds = std::array<Interval, kLanes>;  // by lane
  Interval block_ = 0;
  std::vector<Bounds> warps_;  // of those that are covered further than the block
};

/// Of the blocks of a launch, by their number.
using VectorClock = std::map<std::uint32_t, BlockClock>;

void join(VectorClock& into, const VectorClock& from);

}  // namespace warpcheck::checks
