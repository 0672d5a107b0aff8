#include "device/virtual/checks/global_races.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::checks {
namespace {

constexpr std::size_t kCoarsest = 4;  // bytes of a unit
constexpr std::size_t kSpareMemories = 16;

// Accesses are aligned to their size, and so are units, even if the allocation is not.
std::size_t lead_of(std::uint64_t address) { return address % kCoarsest; }

/// True if each lane accesses the `bytes` bytes after those of the previous lane.
bool follow_each_other(const Offsets& offsets, std::size_t bytes) {
  std::uint64_t apart = 0;
  for (unsigned lane = 1; lane < kLanes; ++lane) {
    apart |= offsets[lane] ^ (offsets[0] + lane * bytes);
  }
  return apart == 0;
}

/// Sorts ranges, and merges ranges of one instruction with the same kinds that overlap or are
/// adjacent.
void unite(std::vector<device::AccessedRange>& ranges) {
  const auto key = [](const device::AccessedRange& one) {
    return std::tie(one.kinds, one.op, one.address, one.bytes);
  };
  std::sort(ranges.begin(), ranges.end(),
            [&](const auto& one, const auto& other) { return key(one) < key(other); });
  std::vector<device::AccessedRange> united;
  for (const device::AccessedRange& one : ranges) {
    const std::uint64_t end = one.address + one.bytes;
    if (!united.empty() && united.back().kinds == one.kinds && united.back().op == one.op &&
        one.address <= united.back().address + united.back().bytes) {
      united.back().bytes =
          std::max(united.back().address + united.back().bytes, end) - united.back().address;
    } else {
      united.push_back(one);
    }
  }
  ranges = std::move(united);
}

}  // namespace

GlobalRaces::Tracked GlobalRaces::new_memory(std::size_t unit, std::size_t bytes) {
  const std::size_t units = (bytes + unit - 1) / unit;
  const auto same = std::find_if(spare_.begin(), spare_.end(), [&](const Tracked& memory) {
    return memory.unit == unit && memory.units == units;
  });
  if (same == spare_.end()) return {unit, units, Shadow(units)};
  Tracked memory = std::move(*same);
  spare_.erase(same);
  memory.shadow.reset();
  return memory;
}

GlobalRaces::Tracked& GlobalRaces::tracked(std::uint64_t address, std::size_t size,
                                           std::size_t bytes) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) {
    const std::size_t unit = std::min(bytes, kCoarsest);
    return allocations_.emplace(address, new_memory(unit, lead_of(address) + size)).first->second;
  }
  Tracked& known = found->second;
  if (bytes < known.unit) {
    const std::size_t parts = known.unit / bytes;
    known.shadow = known.shadow.finer(static_cast<unsigned>(parts));
    known.unit = bytes;
    known.units *= parts;
  }
  return known;
}

void GlobalRaces::access(std::uint64_t address, std::size_t size, const Event& event,
                         const Offsets& offsets, Mask lanes, std::size_t bytes, Mask rewrites,
                         const BlockClocks& clocks, std::vector<Conflict>& conflicts,
                         const machine::LaneOrder* order) {
  const std::lock_guard lock(mutex_);
  if (tracks_early_) note_early(address, event, offsets, lanes, bytes, clocks);
  Tracked& memory = tracked(address, size, bytes);
  const EventId id = memory.shadow.note(event);
  const std::size_t before = conflicts.size();
  const std::size_t lead = lead_of(address);
  const auto units = static_cast<unsigned>(bytes / memory.unit);
  const std::size_t first = (lead + offsets[0]) / memory.unit;
  const auto for_each_unit = [&](unsigned lane, auto next) {
    const std::uint64_t begin = lead + offsets[lane];
    for (std::size_t unit = begin / memory.unit; unit * memory.unit < begin + bytes; ++unit) {
      next(unit);
    }
  };
  if (event.path != machine::ReadPath::coherent) {
    const bool once = lanes != 0 && share_value(lanes, offsets);
    for_each_lane(once ? lanes & (~lanes + 1) : lanes, nullptr, [&](unsigned lane) {
      for_each_unit(lane, [&](std::size_t unit) {
        memory.shadow.read_incoherently(unit, id, lane, clocks, conflicts);
      });
    });
    const bool is_complete = event.path == machine::ReadPath::read_only && !several_grids_;
    if (is_complete) return give_offsets(memory, lead, event, before, conflicts);
  }
  if (event.write && !event.strong && lanes == machine::kAllLanes &&
      follow_each_other(offsets, bytes) && memory.shadow.is_settled(first, kLanes * units)) {
    return memory.shadow.stamp(first, units, id);
  }
  if (lanes != 0 && !event.observes && share_value(lanes, offsets)) {
    for_each_unit(machine::lowest(lanes), [&](std::size_t unit) {
      memory.shadow.access_together(unit, id, lanes, rewrites, false, clocks, conflicts);
    });
    lanes = 0;
  }
  for_each_lane(lanes, event.observes ? order : nullptr, [&](unsigned lane) {
    for_each_unit(lane, [&](std::size_t unit) {
      memory.shadow.access(unit, id, lane, {(rewrites >> lane & 1) != 0, false}, clocks, conflicts);
    });
  });
  memory.shadow.silence_volatile(conflicts, before);
  give_offsets(memory, lead, event, before, conflicts);
}

void GlobalRaces::look(std::uint64_t address, std::size_t size, const Event& event,
                       const Offsets& offsets, Mask lanes, std::size_t bytes,
                       const BlockClocks& clocks, std::vector<Conflict>& conflicts) {
  const std::lock_guard lock(mutex_);
  if (tracks_early_) note_early(address, event, offsets, lanes, bytes, clocks);
  Tracked& memory = tracked(address, size, bytes);
  const EventId id = memory.shadow.note(event);
  const std::size_t before = conflicts.size();
  const std::size_t lead = lead_of(address);
  const bool one_clock = clocks.share_clock(event.warp, lanes);
  Shadow::OrderedWrite ordered = 0;
  for_each_lane(lanes, nullptr, [&](unsigned lane) {
    if (!one_clock) ordered = 0;
    const std::uint64_t begin = lead + offsets[lane];
    for (std::size_t unit = begin / memory.unit; unit * memory.unit < begin + bytes; ++unit) {
      memory.shadow.look(unit, id, lane, clocks, conflicts, ordered);
    }
  });
  give_offsets(memory, lead, event, before, conflicts);
}

/// A wait orders the previous kernels before what follows it in its thread, and before what other
/// threads do after they have synchronised with that thread (PTX ISA 9.7.13.14).
bool GlobalRaces::is_after_wait(unsigned warp, unsigned lane, const BlockClocks& clocks) const {
  const auto orders = [&](std::uint32_t block, const Wait& wait) {
    if (block == clocks.block() && wait.warp == warp && (wait.lanes >> lane & 1) != 0) return true;
    return clocks.ordered_lanes(block, wait.warp, wait.lanes, wait.interval, warp, lane) != 0;
  };
  const auto any_orders = [&](const auto& waits) {
    return std::ranges::any_of(waits.second,
                               [&](const Wait& wait) { return orders(waits.first, wait); });
  };
  const auto own = waits_.find(clocks.block());
  if (own != waits_.end() && any_orders(*own)) return true;
  return !clocks.sees_only_own_block(warp, lane) && std::ranges::any_of(waits_, any_orders);
}

Mask GlobalRaces::lanes_before_wait(unsigned warp, Mask lanes, const BlockClocks& clocks) {
  Mask& after = lanes_after_wait_[std::uint64_t{clocks.block()} << 8 | warp];
  for_each_lane(lanes & ~after, nullptr, [&](unsigned lane) {
    if (is_after_wait(warp, lane, clocks)) after |= Mask{1} << lane;
  });
  return lanes & ~after;
}

void GlobalRaces::note_early(std::uint64_t address, const Event& event, const Offsets& offsets,
                             Mask lanes, std::size_t bytes, const BlockClocks& clocks) {
  constexpr std::size_t kFew = 4096;
  lanes = lanes_before_wait(event.warp, lanes, clocks);
  if (lanes == 0) return;
  std::vector<device::AccessedRange>& ranges = early_[address];
  device::AccessKinds kinds;
  add_kind(event, kinds);
  for_each_lane(lanes, nullptr, [&](unsigned lane) {
    const std::uint64_t begin = address + offsets[lane];
    if (!ranges.empty() && ranges.back().kinds == kinds && ranges.back().op == event.op &&
        ranges.back().address + ranges.back().bytes == begin) {
      ranges.back().bytes += bytes;
    } else {
      ranges.push_back({begin, bytes, kinds, true, event.op});
    }
  });
  if (ranges.size() >= kFew && std::has_single_bit(ranges.size())) unite(ranges);
}

void GlobalRaces::wait_for_kernels_ahead(unsigned warp, Mask lanes, const BlockClocks& clocks) {
  const std::lock_guard lock(mutex_);
  if (!tracks_early_) return;
  // A thread that waits again orders no more than before.
  lanes = lanes_before_wait(warp, lanes, clocks);
  if (lanes != 0) waits_[clocks.block()].push_back({warp, lanes, clocks.now(warp)});
}

void GlobalRaces::add_early_accesses(std::uint64_t address,
                                     std::vector<device::AccessedRange>& accesses) const {
  const auto found = early_.find(address);
  if (found == early_.end()) return;
  std::vector<device::AccessedRange> ranges = found->second;
  unite(ranges);
  accesses.insert(accesses.end(), ranges.begin(), ranges.end());
}

/// Replaces the units of the conflicts from number `before` on by offsets in bytes.
void GlobalRaces::give_offsets(const Tracked& memory, std::size_t lead, const Event& event,
                               std::size_t before, std::vector<Conflict>& conflicts) {
  for (std::size_t i = before; i < conflicts.size(); ++i) {
    conflicts[i].unit = std::max(conflicts[i].unit * memory.unit, lead) - lead;
    blocks_raced_ = blocks_raced_ || conflicts[i].first.block != event.block ||
                    conflict_by_path(conflicts[i].first, conflicts[i].second);
  }
}

void GlobalRaces::forget(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) return;
  if (spare_.size() < kSpareMemories) spare_.push_back(std::move(found->second));
  allocations_.erase(found);
}

void GlobalRaces::add_accesses(std::uint64_t address, std::size_t size,
                               std::vector<device::AccessedRange>& accesses) const {
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) return;
  const std::size_t before = accesses.size();
  const Tracked& memory = found->second;
  memory.shadow.add_accesses(address - lead_of(address), memory.unit, accesses);
  if (accesses.size() == before) return;
  // A unit may begin before the allocation, or end after it.
  device::AccessedRange& first = accesses[before];
  const std::uint64_t lead = std::max(first.address, address) - first.address;
  first.address += lead;
  first.bytes -= lead;
  device::AccessedRange& last = accesses.back();
  last.bytes = std::min<std::uint64_t>(last.address + last.bytes, address + size) - last.address;
}

std::vector<std::uint64_t> GlobalRaces::accessed() const {
  std::vector<std::uint64_t> addresses;
  for (const auto& [address, memory] : allocations_) addresses.push_back(address);
  std::sort(addresses.begin(), addresses.end());
  return addresses;
}

std::size_t GlobalRaces::footprint() const {
  std::size_t bytes = 0;
  for (const auto& [address, memory] : allocations_) bytes += memory.shadow.footprint();
  return bytes;
}

}  // namespace warpcheck::checks
