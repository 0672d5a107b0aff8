#include "device/virtual/machine/block/observe.hpp"

#include <algorithm>
#include <utility>

#include "device/virtual/checks/global_races.hpp"
#include "device/virtual/machine/barriers/missing_barrier.hpp"
#include "device/virtual/machine/block/cluster.hpp"
#include "device/virtual/machine/family/grid_family.hpp"

namespace warpcheck::machine {
namespace {

using checks::Conflict;
using checks::Event;

SourcePlace place_of(const Block& block, const Event& event) {
  return source_place(*block.launch().program, event.op);
}

/// The two grids of a race, if they are different.
struct TwoGrids {
  const Grid* first = nullptr;
  const Grid* second = nullptr;

  [[nodiscard]] bool differ() const { return first != second; }
};

TwoGrids grids_of(const Block& block, const Conflict& conflict) {
  if (conflict.first.block == conflict.second.block) return {};
  const GridFamily& family = *block.launch().family;
  return {&family.grid_of(conflict.first.block), &family.grid_of(conflict.second.block)};
}

/// True if synchronisation cannot prevent the race, because the path of the read is not coherent
/// with the write.
bool is_by_path(const Block& block, const Conflict& conflict) {
  return checks::conflict_by_path(conflict.first, conflict.second) &&
         !grids_of(block, conflict).differ();
}

std::optional<MissingOrder> missing_order(const Block& block, const Conflict& conflict) {
  using Kind = MissingOrder::Kind;
  if (is_by_path(block, conflict)) return std::nullopt;
  if (conflict.first == conflict.second) return MissingOrder{};
  if (grids_of(block, conflict).differ()) return MissingOrder{Kind::launch};
  if (conflict.grade == Grade::volatile_order || conflict.grade == Grade::compared_read ||
      conflict.grade == Grade::unused_read) {
    return MissingOrder{};
  }
  if (conflict.grade == Grade::relaxed_order) return MissingOrder{Kind::fence};
  const Program& program = *block.launch().program;
  if (conflict.first.block == conflict.second.block) {
    return missing_barrier(program, block.findings, conflict);
  }
  return barrier_beside_flag(program, block.races().clocks(), conflict)
      .value_or(MissingOrder{Kind::release});
}

Race race_of(const Block& block, const Conflict& conflict) {
  Race race;
  race.two_blocks = conflict.first.block != conflict.second.block;
  const TwoGrids grids = grids_of(block, conflict);
  if (!grids.differ()) return race;
  race.grids = {{grids.first->kernel->source->name, grids.first->source},
                {grids.second->kernel->source->name, grids.second->source}};
  race.is_descendant = block.launch().family->descends(*grids.second, *grids.first);
  return race;
}

Finding finding_of(const Block& block, const Conflict& conflict, MemoryPlace memory) {
  Finding finding;
  finding.kind = FindingClass::race;
  finding.grade = conflict.grade;
  finding.source = place_of(block, conflict.second);
  finding.thread = block.place(conflict.second.warp, conflict.second_lane);
  finding.other =
      OtherAccess{place_of(block, conflict.first),
                  block.place_in(conflict.first.block, conflict.first.warp, conflict.first_lane),
                  conflict.first.write};
  finding.missing = missing_order(block, conflict);
  if (conflict.grade == Grade::volatile_order) finding.option = UserOption::weak_volatile;
  finding.race = race_of(block, conflict);
  finding.memory = std::move(memory);
  return finding;
}

/// Reports races. offset_of(conflict) returns the byte offset in the container.
template <class Offset>
void report(Block& block, const Container& container, std::size_t bytes,
            const std::vector<Conflict>& conflicts, Offset offset_of) {
  // Only the code of cooperative groups accesses the system's memory. It orders accesses by
  // volatile flags, which the detector does not follow completely.
  const bool is_system = container.space == Space::shared &&
                         container.shared_begin < block.launch().program->reserved_shared;
  for (Conflict conflict : conflicts) {
    if (is_system) continue;
    conflict.grade = block.conflict_grades().of(*block.launch().program, conflict);
    const RacingOps ops{conflict.first.op, conflict.second.op, conflict.grade};
    if (block.is_repeated_race(ops, conflict.count)) continue;
    const auto offset = static_cast<std::ptrdiff_t>(offset_of(conflict));
    Finding finding =
        finding_of(block, conflict, {name_of(container), offset, bytes, conflict.second.write});
    finding.count = conflict.count;
    block.add_race(ops, std::move(finding));
  }
}

}  // namespace

bool observes(const Op& atomic) {
  const auto& elements = atomic.detail->elements;  // the results come first
  return !elements.empty() && elements.front() != kNoSlot;
}

std::uint8_t scalar_bytes(const Block& block, const Op& op, std::size_t bytes) {
  constexpr std::size_t kLargest = 16;
  if (!block.is_strong(op)) return 0;
  if (op.scalar_bytes != 0) return op.scalar_bytes;
  return static_cast<std::uint8_t>(bytes <= kLargest ? bytes : 0);
}

namespace {

checks::SharedAccess shared_access(const Warp& warp, const Op& op, Mask lanes, std::size_t bytes,
                                   const LaneOrder* atomic = nullptr) {
  const bool observed = atomic != nullptr && observes(op);
  return {warp.index(),
          lanes,
          op.number,
          static_cast<std::uint32_t>(bytes),
          warp.block().is_strong(op),
          op.is_volatile,
          atomic != nullptr,
          observed,
          scalar_bytes(warp.block(), op, bytes),
          observed ? atomic : nullptr};
}

/// The address in the block's shared memory to which the offsets of the lanes are added.
std::uint32_t shared_base(const ResolvedAccess& resolved) {
  return static_cast<std::uint32_t>(resolved.container->shared_begin + resolved.begin);
}

void report_shared(Block& block, const ResolvedAccess& resolved, std::size_t bytes) {
  checks::SharedRaces& races = block.races();
  const auto conflicts = std::exchange(races.conflicts(), {});
  report(block, *resolved.container, bytes, conflicts, [&](const Conflict& conflict) {
    return (conflict.unit << races.unit_shift()) - resolved.container->shared_begin;
  });
}

}  // namespace

void digest_access(Warp& warp, const ResolvedAccess& resolved, Mask lanes, std::size_t bytes,
                   checks::Act act) {
  checks::AccessDigest::Addresses addresses;
  for_lanes([&](unsigned lane) { addresses[lane] = resolved.container->base + resolved.at(lane); });
  checks::AccessDigest& digest = warp.block().digest();
  if (act == checks::Act::read) {
    digest.access(warp.index(), lanes, act, addresses, bytes);
    return;
  }
  checks::AccessDigest::Contents contents;
  for_lanes([&](unsigned lane) { contents[lane] = resolved.data + resolved.offset[lane]; });
  if (act == checks::Act::poll) {
    digest.poll(warp.index(), lanes, addresses, contents, bytes);
  } else {
    digest.access(warp.index(), lanes, act, addresses, contents, bytes);
  }
}

namespace {

/// The memory of a container, as the races between blocks identify it.
struct TrackedMemory {
  std::uint64_t number = 0;
  std::size_t size = 0;
  std::size_t begin = 0;  // offset of the container in it
};

void observe_memory(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                    std::size_t bytes, bool write, Mask rewrites, const LaneOrder* atomic,
                    const TrackedMemory& memory);

/// The tracked memory for shared memory in a launch with clusters.
TrackedMemory memory_of(const Block& owner, const ResolvedAccess& resolved) {
  const LaunchContext& launch = owner.launch();
  return {owner.shared_number(), launch.program->dynamic_shared + launch.dynamic_shared_bytes,
          resolved.container->shared_begin};
}

/// Tracks shared memory that several blocks access in the same way as global memory.
void observe_in_cluster(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                        std::size_t bytes, bool write, Mask rewrites, const LaneOrder* atomic) {
  const Block& owner = owner_of(warp, resolved);
  if (&owner != &warp.block()) {
    Cluster& cluster = *warp.block().cluster();
    cluster.note_remote(cluster.rank_of(owner), warp, op, lanes, write);
  }
  observe_memory(warp, op, resolved, lanes, bytes, write, rewrites, atomic,
                 memory_of(owner, resolved));
}

}  // namespace

void observe_shared_read(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                         std::size_t bytes) {
  if (warp.block().cluster() != nullptr) {
    return observe_in_cluster(warp, op, resolved, lanes, bytes, false, 0, nullptr);
  }
  checks::SharedRaces& races = warp.block().races();
  const checks::RecordedPlace place =
      races.read(shared_access(warp, op, lanes, bytes), resolved.offset, shared_base(resolved));
  if (resolved.known != nullptr && lanes == kAllLanes) {
    resolved.known->recorded = place;
    resolved.known->recorded_at = static_cast<std::int64_t>(resolved.begin);
  }
  if (!races.conflicts().empty()) report_shared(warp.block(), resolved, bytes);
}

void observe_shared_write(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                          std::size_t bytes, Mask rewrites, const LaneOrder* atomic) {
  if (warp.block().cluster() != nullptr) {
    return observe_in_cluster(warp, op, resolved, lanes, bytes, true, rewrites, atomic);
  }
  checks::SharedRaces& races = warp.block().races();
  races.write(shared_access(warp, op, lanes, bytes, atomic), resolved.offset, shared_base(resolved),
              rewrites);
  if (!races.conflicts().empty()) report_shared(warp.block(), resolved, bytes);
}

namespace {

Event event_of(const Warp& warp, const Op& op, std::size_t bytes, bool write,
               const LaneOrder* atomic) {
  const checks::BlockClocks& clocks = warp.block().races().clocks();
  return {clocks.block(),
          clocks.now(warp.index()),
          op.number,
          static_cast<std::uint8_t>(warp.index()),
          write,
          warp.block().is_strong(op),
          op.scope,
          atomic != nullptr,
          atomic != nullptr && observes(op),
          op.is_volatile,
          op.path,
          scalar_bytes(warp.block(), op, bytes),
          clocks.cluster()};
}

checks::Offsets offsets_in(const TrackedMemory& memory, const ResolvedAccess& resolved) {
  checks::Offsets offsets;
  for_lanes([&](unsigned lane) { offsets[lane] = memory.begin + resolved.at(lane); });
  return offsets;
}

void report_conflicts(Warp& warp, const ResolvedAccess& resolved, std::size_t bytes,
                      const TrackedMemory& memory, const std::vector<Conflict>& conflicts) {
  report(warp.block(), *resolved.container, bytes, conflicts,
         [&](const Conflict& conflict) { return conflict.unit - memory.begin; });
}

void observe_memory(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                    std::size_t bytes, bool write, Mask rewrites, const LaneOrder* atomic,
                    const TrackedMemory& memory) {
  std::vector<Conflict> conflicts;
  warp.block().launch().global_races->access(memory.number, memory.size,
                                             event_of(warp, op, bytes, write, atomic),
                                             offsets_in(memory, resolved), lanes, bytes, rewrites,
                                             warp.block().races().clocks(), conflicts, atomic);
  report_conflicts(warp, resolved, bytes, memory, conflicts);
}

}  // namespace

void observe_completion(Warp& warp, const Op& op, const ResolvedAccess& object, Mask lane,
                        std::size_t bytes) {
  Block& block = warp.block();
  if (block.cluster() == nullptr) {
    checks::SharedAccess access = shared_access(warp, op, lane, bytes);
    access.strong = true;
    access.scalar_bytes = static_cast<std::uint8_t>(bytes);
    block.races().write(access, object.offset, shared_base(object), 0);
    if (!block.races().conflicts().empty()) report_shared(block, object, bytes);
    return;
  }
  Event event = event_of(warp, op, bytes, true, nullptr);
  event.strong = true;
  event.scope = Scope::cluster;
  event.bytes = static_cast<std::uint8_t>(bytes);
  const TrackedMemory memory = memory_of(owner_of(warp, object), object);
  std::vector<Conflict> conflicts;
  block.launch().global_races->access(memory.number, memory.size, event, offsets_in(memory, object),
                                      lane, bytes, 0, block.races().clocks(), conflicts, nullptr);
  report_conflicts(warp, object, bytes, memory, conflicts);
}

void observe_shared_look(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                         std::size_t bytes) {
  Block& block = warp.block();
  if (block.cluster() == nullptr) {
    block.races().look(shared_access(warp, op, lanes, bytes), resolved.offset,
                       shared_base(resolved));
    if (!block.races().conflicts().empty()) report_shared(block, resolved, bytes);
    return;
  }
  const TrackedMemory memory = memory_of(block, resolved);
  std::vector<Conflict> conflicts;
  block.launch().global_races->look(
      memory.number, memory.size, event_of(warp, op, bytes, false, nullptr),
      offsets_in(memory, resolved), lanes, bytes, block.races().clocks(), conflicts);
  report_conflicts(warp, resolved, bytes, memory, conflicts);
}

namespace {

/// Reports an access in which each lane accesses one mapping.
void observe_mappings(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                      std::size_t bytes, bool write, Mask rewrites, const LaneOrder* atomic) {
  while (lanes != 0) {
    const Mapping& mapping = mapping_at(*resolved.container->mappings, resolved.at(lowest(lanes)));
    Mask inside = 0;
    for_lanes([&](unsigned lane) {
      inside |= Mask{resolved.at(lane) - mapping.begin < mapping.bytes} << lane;
    });
    inside &= lanes;
    lanes &= ~inside;
    observe_memory(warp, op, resolved, inside, bytes, write, rewrites, atomic,
                   {mapping.memory, mapping.bytes, std::size_t{0} - mapping.begin});
  }
}

}  // namespace

void observe_global(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                    std::size_t bytes, bool write, Mask rewrites, const LaneOrder* atomic) {
  if (warp.block().launch().global_races->bulk_destinations().any()) {
    observe_bulk_stores(warp, op, resolved, lanes, bytes, write);
  }
  // An acquiring access comes after the release that it observes (PTX ISA 8.9.4).
  if (op.acquires && warp.block().is_strong(op)) {
    observe_flag(warp, op, resolved, lanes, bytes, true, false, atomic);
  }
  if (resolved.container->mappings != nullptr) {
    return observe_mappings(warp, op, resolved, lanes, bytes, write, rewrites, atomic);
  }
  observe_memory(warp, op, resolved, lanes, bytes, write, rewrites, atomic,
                 {resolved.container->base, resolved.container->bytes.size, 0});
}

}  // namespace warpcheck::machine
