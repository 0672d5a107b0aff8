#include "device/virtual/checks/vector_clock.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "device/virtual/machine/core/eight.hpp"

namespace warpcheck::checks {

namespace {

/// Returns the shared value for a change; copies it first if others share it.
template <class Value>
Value& own(std::shared_ptr<Value>& shared) {
  if (shared == nullptr) {
    shared = std::make_shared<Value>();
  } else if (shared.use_count() != 1) {
    shared = std::make_shared<Value>(*shared);
  }
  return *shared;
}

}  // namespace

bool BlockClock::covers_any(Interval interval) const {
  if (interval < block_) return true;
  if (warps_ == nullptr) return false;
  return std::any_of(warps_->begin(), warps_->end(), [interval](const Bounds& bounds) {
    return std::any_of(bounds.begin(), bounds.end(),
                       [interval](Interval bound) { return interval < bound; });
  });
}

Mask BlockClock::covered(unsigned warp, Mask lanes, Interval interval) const {
  if (interval < block_) return lanes;
  if (warps_ == nullptr || warp >= warps_->size()) return 0;
  const Bounds& bounds = (*warps_)[warp];
  if (std::has_single_bit(lanes)) {
    return interval < bounds[machine::lowest(lanes)] ? lanes : Mask{0};
  }
  Mask covered = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    covered |= Mask{interval < bounds[lane]} << lane;
  }
  return covered & lanes;
}

BlockClock::Warps& BlockClock::own_warps(std::size_t count) {
  Warps& warps = own(warps_);
  if (warps.size() < count) warps.resize(count);
  return warps;
}

void BlockClock::cover(unsigned warp, Mask lanes, Interval before) {
  Bounds& bounds = own_warps(warp + std::size_t{1})[warp];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) != 0) bounds[lane] = std::max(bounds[lane], before);
  }
}

void BlockClock::join(const BlockClock& other) {
  block_ = std::max(block_, other.block_);
  if (includes(other)) return;
  if (warps_ == nullptr) {
    warps_ = other.warps_;
    return;
  }
  Warps& warps = own_warps(other.warps_->size());
  using Eight = machine::Eight<Interval>;
  for (std::size_t warp = 0; warp < other.warps_->size(); ++warp) {
    for (unsigned lane = 0; lane < kLanes; lane += 8) {
      Eight mine;
      Eight theirs;
      machine::load<Interval>(mine, &warps[warp][lane]);
      machine::load<Interval>(theirs, &(*other.warps_)[warp][lane]);
      mine = mine > theirs ? mine : theirs;
      std::memcpy(&warps[warp][lane], &mine, sizeof mine);
    }
  }
}

const VectorClock::Entries& VectorClock::entries() const {
  static const Entries none;
  return entries_ != nullptr ? *entries_ : none;
}

VectorClock::Entries& VectorClock::own_entries() { return own(entries_); }

namespace {

template <class Entries>
auto first_not_below(Entries& entries, std::uint32_t block) {
  return std::lower_bound(entries.begin(), entries.end(), block,
                          [](const auto& entry, std::uint32_t end) { return entry.first < end; });
}

}  // namespace

VectorClock::const_iterator VectorClock::find(std::uint32_t block) const {
  const auto at = first_not_below(entries(), block);
  return at != end() && at->first == block ? at : end();
}

BlockClock& VectorClock::operator[](std::uint32_t block) {
  Entries& entries = own_entries();
  auto at = first_not_below(entries, block);
  if (at == entries.end() || at->first != block) at = entries.emplace(at, block, BlockClock{});
  return at->second;
}

void VectorClock::erase(std::uint32_t block) {
  if (find(block) == end()) return;
  Entries& entries = own_entries();
  entries.erase(first_not_below(entries, block));
  if (entries.empty()) clear();
}

void VectorClock::join(const VectorClock& other) {
  if (entries_ == nullptr) entries_ = other.entries_;
  if (entries_ == other.entries_) return;
  for (const auto& [block, clock] : other) {
    const auto mine = find(block);
    if (mine == end() || !mine->second.includes(clock)) (*this)[block].join(clock);
  }
}

bool GridClock::has_ended(std::uint32_t block) const {
  return std::any_of(ended.begin(), ended.end(), [block](const BlockRange& range) {
    return range.begin <= block && block < range.end;
  });
}

}  // namespace warpcheck::checks
