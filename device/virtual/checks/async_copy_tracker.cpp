#include "device/virtual/checks/async_copy_tracker.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <utility>

namespace warpcheck::checks {

void AsyncCopyTracker::start(std::size_t shared_bytes, std::uint32_t block) {
  block_ = block;
  words_ = shared_bytes / kCellBytes + 1;
  if (taken_ != 0) layers_.clear();
  taken_ = 0;
  region_shift_ = static_cast<unsigned>(std::bit_width((words_ - 1) / 64));
  taken_in_ = {};
  taken_regions_ = 0;
  any_reduces_ = false;
  copies_.clear();
  copies_.emplace_back();  // the entry of kNoAsyncCopy
}

AsyncCopyId AsyncCopyTracker::add(AsyncCopy copy) {
  if (layers_.empty()) layers_.emplace_back();
  for (std::vector<Cell>& layer : layers_) layer.resize(words_);
  any_reduces_ = any_reduces_ || copy.reduction.combine != nullptr;
  copies_.push_back(std::make_unique<AsyncCopy>(std::move(copy)));
  return copies_.size() - 1;
}

void AsyncCopyTracker::retire(AsyncCopyId id) {
  copies_[id]->retired = true;
  if (copies_[id]->cells == 0) copies_[id].reset();
}

/// Removes a copy from cells, all of which refer to it.
void AsyncCopyTracker::clear(std::vector<Cell>& layer, std::size_t first, std::size_t count) {
  std::unique_ptr<AsyncCopy>& copy = copies_[layer[first] >> 5];
  std::fill_n(&layer[first], count, Cell{0});
  taken_ -= count;
  for (std::size_t cell = first; cell < first + count; ++cell) {
    const std::size_t region = cell >> region_shift_;
    if (--taken_in_[region] == 0) taken_regions_ &= ~(Regions{1} << region);
  }
  copy->cells -= count;
  if (copy->cells == 0 && copy->retired) copy.reset();
}

/// True if the cells refer to the same copies.
bool AsyncCopyTracker::is_uniform(std::size_t first, std::size_t count) const {
  return std::all_of(layers_.begin(), layers_.end(), [&](const std::vector<Cell>& layer) {
    const Cell* const cells = &layer[first];
    return std::all_of(cells, cells + count, [&](Cell cell) { return cell == *cells; });
  });
}

/// Returns a layer with room for the copy in cells that refer to the same copies. A copy that
/// overwrites cells is in the first layer, and is the only copy there.
std::vector<AsyncCopyTracker::Cell>& AsyncCopyTracker::layer_for(const AsyncCopy& copy,
                                                                 std::size_t first,
                                                                 std::size_t count) {
  std::vector<Cell>* free = nullptr;
  for (std::vector<Cell>& layer : layers_) {
    const Cell place = layer[first];
    if (place != 0) {
      const AsyncCopy& other = *copies_[place >> 5];
      const bool one_sequence =
          copy.multiplies == other.multiplies && copy.sequence == other.sequence;
      const bool both =
          (copy.reads && other.reads) || copy.reduction.commutes_with(other.reduction);
      if (both && !one_sequence) continue;
      clear(layer, first, count);
    }
    if (free == nullptr && !(copy.reads && &layer == &layers_.front())) free = &layer;
  }
  return free != nullptr ? *free : layers_.emplace_back(words_);
}

void AsyncCopyTracker::take_uniform(AsyncCopyId id, unsigned lane, std::size_t first,
                                    std::size_t count) {
  AsyncCopy& copy = *copies_[id];
  copy.cells += count;
  std::fill_n(&layer_for(copy, first, count)[first], count, id << 5 | lane);
  taken_ += count;
  for (std::size_t cell = first; cell < first + count; ++cell) {
    const std::size_t region = cell >> region_shift_;
    ++taken_in_[region];
    taken_regions_ |= Regions{1} << region;
  }
}

void AsyncCopyTracker::take(AsyncCopyId id, unsigned lane, std::size_t first, std::size_t count) {
  if (count != 0 && is_uniform(first, count)) return take_uniform(id, lane, first, count);
  for (std::size_t cell = first; cell < first + count; ++cell) take_uniform(id, lane, cell, 1);
}

void AsyncCopyTracker::give_back(AsyncCopyId id, unsigned lane, std::size_t first,
                                 std::size_t count) {
  for (std::size_t cell = first; cell < first + count; ++cell) {
    if (layers_[0][cell] == (id << 5 | lane)) clear(layers_[0], cell, 1);
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
      const auto witness_lane = static_cast<unsigned>(std::countr_zero(lanes));
      const bool same_thread =
          witness.block == clocks.block() && witness.warp == warp && witness_lane == lane;
      if (same_thread ||
          clocks.ordered(witness.block, witness.warp, witness_lane, witness.interval, warp, lane)) {
        informed |= Mask{1} << lane;
        return true;
      }
    }
  }
  return false;
}

void AsyncCopyTracker::access_layer(std::vector<Cell>& layer, unsigned warp, Mask lanes,
                                    const std::array<std::size_t, kLanes>& first, std::size_t count,
                                    Manner manner, const BlockClocks& clocks,
                                    std::vector<AsyncCopyConflict>& met) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    for (std::size_t cell = first[lane]; cell < first[lane] + count; ++cell) {
      if (layer[cell] == 0) continue;
      const AsyncCopyId id = layer[cell] >> 5;
      AsyncCopy& copy = *copies_[id];
      if (copy.reads && !manner.writes) continue;
      const bool after = copy.waited_for && comes_after(copy, warp, lane, clocks);
      if (!after && !copy.reduction.commutes_with(manner.reduction)) {
        met.push_back({id, static_cast<unsigned>(layer[cell] & 31), lane, cell});
      }
      if (after && manner.writes) clear(layer, cell, 1);
    }
  }
}

namespace {

/// True if a copy refers to one of the cells: the `count` cells from each of the first cells on.
bool is_any_taken(const std::vector<std::uint64_t>& layer,
                  const std::array<std::size_t, kLanes>& first, std::size_t count) {
  using Four [[gnu::vector_size(32)]] = std::uint64_t;
  constexpr std::size_t kFour = 4;  // number of cells of an access of 16 bytes
  std::uint64_t any = 0;
  if (count == kFour) {
    Four all{};
    for (const std::size_t cell : first) {
      Four four;
      std::memcpy(&four, &layer[cell], sizeof four);
      all |= four;
    }
    return (all[0] | all[1] | all[2] | all[3]) != 0;
  }
  for (const std::size_t cell : first) {
    for (std::size_t at = 0; at < count; ++at) any |= layer[cell + at];
  }
  return any != 0;
}

}  // namespace

std::vector<AsyncCopyConflict> AsyncCopyTracker::access(
    unsigned warp, Mask lanes, const std::array<std::size_t, kLanes>& first, std::size_t count,
    Manner manner, const BlockClocks& clocks) {
  std::vector<AsyncCopyConflict> met;
  std::size_t lowest = first[0];
  std::size_t highest = first[0];
  for (const std::size_t cell : first) {
    lowest = std::min(lowest, cell);
    highest = std::max(highest, cell);
  }
  if ((regions(lowest, highest + count - 1) & taken_regions_) == 0) return met;
  for (std::vector<Cell>& layer : layers_) {
    // The other layers hold only reads.
    if (!manner.writes && &layer != &layers_.front() && !any_reduces_) break;
    if (is_any_taken(layer, first, count))
      access_layer(layer, warp, lanes, first, count, manner, clocks, met);
  }
  return met;
}

}  // namespace warpcheck::checks
