#include "device/virtual/checks/vector_clock.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "device/virtual/machine/core/eight.hpp"

namespace warpcheck::checks {

Mask BlockClock::covered(unsigned warp, Mask lanes, Interval interval) const {
  if (interval < block_) return lanes;
  if (warp >= warps_.size()) return 0;
  if (std::has_single_bit(lanes)) {
    return interval < warps_[warp][machine::lowest(lanes)] ? lanes : Mask{0};
  }
  Mask covered = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    covered |= Mask{interval < warps_[warp][lane]} << lane;
  }
  return covered & lanes;
}

void BlockClock::cover(unsigned warp, Mask lanes, Interval before) {
  if (warps_.size() <= warp) warps_.resize(warp + 1);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    Interval& bound = warps_[warp][lane];
    if ((lanes >> lane & 1) != 0) bound = std::max(bound, before);
  }
}

void BlockClock::join(const BlockClock& other) {
  block_ = std::max(block_, other.block_);
  if (warps_.size() < other.warps_.size()) warps_.resize(other.warps_.size());
  using Eight = machine::Eight<Interval>;
  for (std::size_t warp = 0; warp < other.warps_.size(); ++warp) {
    for (unsigned lane = 0; lane < kLanes; lane += 8) {
      Eight mine;
      Eight theirs;
      machine::load<Interval>(mine, &warps_[warp][lane]);
      machine::load<Interval>(theirs, &other.warps_[warp][lane]);
      mine = mine > theirs ? mine : theirs;
      std::memcpy(&warps_[warp][lane], &mine, sizeof mine);
    }
  }
}

bool GridClock::has_ended(std::uint32_t block) const {
  return std::any_of(ended.begin(), ended.end(), [block](const BlockRange& range) {
    return range.begin <= block && block < range.end;
  });
}

void join(VectorClock& into, const VectorClock& from) {
  for (const auto& [block, clock] : from) into[block].join(clock);
}

}  // namespace warpcheck::checks
