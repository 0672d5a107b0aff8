#include "device/virtual/checks/async_copy_tracker.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

namespace warpcheck::checks {

void AsyncCopyTracker::start(std::size_t shared_bytes, std::uint32_t block) {
  block_ = block;
  words_ = shared_bytes / kCellBytes + 1;
  if (taken_ != 0) std::fill(cells_.begin(), cells_.end(), Cell{0});
  taken_ = 0;
  copies_.clear();
  copies_.emplace_back();  // the entry of kNoAsyncCopy
}

AsyncCopyId AsyncCopyTracker::add(AsyncCopy copy) {
  cells_.resize(words_);
  copies_.push_back(std::make_unique<AsyncCopy>(std::move(copy)));
  return copies_.size() - 1;
}

void AsyncCopyTracker::retire(AsyncCopyId id) {
  copies_[id]->retired = true;
  if (copies_[id]->cells == 0) copies_[id].reset();
}

void AsyncCopyTracker::clear(std::size_t cell) {
  std::unique_ptr<AsyncCopy>& copy = copies_[std::exchange(cells_[cell], 0) >> 5];
  --taken_;
  if (--copy->cells == 0 && copy->retired) copy.reset();
}

void AsyncCopyTracker::take(AsyncCopyId id, unsigned lane, std::size_t first, std::size_t count) {
  for (std::size_t cell = first; cell < first + count; ++cell) {
    ++copies_[id]->cells;
    if (cells_[cell] != 0) clear(cell);
    cells_[cell] = id << 5 | lane;
    ++taken_;
  }
}

void AsyncCopyTracker::give_back(AsyncCopyId id, unsigned lane, std::size_t first,
                                 std::size_t count) {
  for (std::size_t cell = first; cell < first + count; ++cell) {
    if (cells_[cell] == (id << 5 | lane)) clear(cell);
  }
}

void AsyncCopyTracker::witness(AsyncCopy& copy, unsigned warp, Mask lanes,
                               const BlockClocks& clocks) {
  copy.waited_for = true;
  if (clocks.block() == block_) {
    if ((lanes & ~copy.informed[warp]) == 0) return;
    copy.informed[warp] |= lanes;
  }
  copy.witnesses.push_back({clocks.block(), warp, lanes, clocks.now(warp)});
}

bool AsyncCopyTracker::comes_after(AsyncCopy& copy, unsigned warp, unsigned lane,
                                   const BlockClocks& clocks) const {
  Mask none = 0;
  Mask& informed = clocks.block() == block_ ? copy.informed[warp] : none;
  if ((informed >> lane & 1) != 0) return true;
  for (const AsyncCopy::Witness& witness : copy.witnesses) {
    for (Mask lanes = witness.lanes; lanes != 0; lanes &= lanes - 1) {
      const auto of_lane = static_cast<unsigned>(std::countr_zero(lanes));
      const bool same_thread =
          witness.block == clocks.block() && witness.warp == warp && of_lane == lane;
      if (same_thread ||
          clocks.ordered(witness.block, witness.warp, of_lane, witness.interval, warp, lane)) {
        informed |= Mask{1} << lane;
        return true;
      }
    }
  }
  return false;
}

std::vector<AsyncCopyConflict> AsyncCopyTracker::access(
    unsigned warp, Mask lanes, const std::array<std::size_t, kLanes>& first, std::size_t count,
    bool writes, const BlockClocks& clocks) {
  Cell any = 0;
  for (std::size_t at = 0; at < count; ++at) {
    for (unsigned lane = 0; lane < kLanes; ++lane) any |= cells_[first[lane] + at];
  }
  std::vector<AsyncCopyConflict> met;
  if (any == 0) return met;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    for (std::size_t cell = first[lane]; cell < first[lane] + count; ++cell) {
      if (cells_[cell] == 0) continue;
      const AsyncCopyId id = cells_[cell] >> 5;
      AsyncCopy& copy = *copies_[id];
      if (copy.reads && !writes) continue;
      const bool after = copy.waited_for && comes_after(copy, warp, lane, clocks);
      if (!after) met.push_back({id, static_cast<unsigned>(cells_[cell] & 31), lane, cell});
      if (after && writes) clear(cell);
    }
  }
  return met;
}

}  // namespace warpcheck::checks
