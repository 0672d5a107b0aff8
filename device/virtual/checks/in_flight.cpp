#include "device/virtual/checks/in_flight.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

namespace warpcheck::checks {

void InFlight::start(std::size_t shared_bytes) {
  words_ = shared_bytes / kCellBytes + 1;
  if (taken_ != 0) std::fill(cells_.begin(), cells_.end(), Cell{0});
  taken_ = 0;
  flights_.clear();
  flights_.emplace_back();  // no copy is called kNoFlight
}

AsyncCopyId InFlight::add(const machine::FunctionCode* code, const machine::Op* op, unsigned warp) {
  cells_.resize(words_);
  auto flight = std::make_unique<AsyncCopy>();
  flight->code = code;
  flight->op = op;
  flight->warp = warp;
  flights_.push_back(std::move(flight));
  return flights_.size() - 1;
}

void InFlight::retire(AsyncCopyId flight) {
  flights_[flight]->retired = true;
  if (flights_[flight]->cells == 0) flights_[flight].reset();
}

void InFlight::clear(std::size_t cell) {
  std::unique_ptr<AsyncCopy>& flight = flights_[std::exchange(cells_[cell], 0) >> 5];
  --taken_;
  if (--flight->cells == 0 && flight->retired) flight.reset();
}

void InFlight::take(AsyncCopyId flight, unsigned lane, std::size_t first, std::size_t count) {
  for (std::size_t cell = first; cell < first + count; ++cell) {
    ++flights_[flight]->cells;
    if (cells_[cell] != 0) clear(cell);
    cells_[cell] = flight << 5 | lane;
    ++taken_;
  }
}

void InFlight::give_back(AsyncCopyId flight, unsigned lane, std::size_t first, std::size_t count) {
  for (std::size_t cell = first; cell < first + count; ++cell) {
    if (cells_[cell] == (flight << 5 | lane)) clear(cell);
  }
}

void InFlight::witness(AsyncCopy& flight, unsigned warp, Mask lanes, const BlockClocks& clocks) {
  flight.landed = true;
  if ((lanes & ~flight.informed[warp]) == 0) return;
  flight.informed[warp] |= lanes;
  flight.witnesses.push_back({warp, lanes, clocks.now(warp)});
}

bool InFlight::comes_after(AsyncCopy& flight, unsigned warp, unsigned lane,
                           const BlockClocks& clocks) {
  Mask& informed = flight.informed[warp];
  if ((informed >> lane & 1) != 0) return true;
  for (const AsyncCopy::Witness& witness : flight.witnesses) {
    for (Mask lanes = witness.lanes; lanes != 0; lanes &= lanes - 1) {
      const auto of_lane = static_cast<unsigned>(std::countr_zero(lanes));
      if (clocks.ordered(clocks.block(), witness.warp, of_lane, witness.interval, warp, lane)) {
        informed |= Mask{1} << lane;
        return true;
      }
    }
  }
  return false;
}

std::vector<InFlightAccess> InFlight::meet(unsigned warp, Mask lanes,
                                           const std::array<std::size_t, kLanes>& first,
                                           std::size_t count, bool writes,
                                           const BlockClocks& clocks) {
  Cell any = 0;
  for (std::size_t at = 0; at < count; ++at) {
    for (unsigned lane = 0; lane < kLanes; ++lane) any |= cells_[first[lane] + at];
  }
  std::vector<InFlightAccess> met;
  if (any == 0) return met;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    for (std::size_t cell = first[lane]; cell < first[lane] + count; ++cell) {
      if (cells_[cell] == 0) continue;
      const AsyncCopyId id = cells_[cell] >> 5;
      AsyncCopy& flight = *flights_[id];
      const bool after = flight.landed && comes_after(flight, warp, lane, clocks);
      if (!after) met.push_back({id, static_cast<unsigned>(cells_[cell] & 31), lane, cell});
      if (after && writes) clear(cell);
    }
  }
  return met;
}

}  // namespace warpcheck::checks
