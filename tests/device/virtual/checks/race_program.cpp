#include "tests/device/virtual/checks/race_program.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>
#include <set>
#include <utility>

#include "device/virtual/checks/global_races.hpp"
#include "device/virtual/checks/shared_races.hpp"

namespace warpcheck::checks {
namespace {

constexpr unsigned kMemories = 1 + kModelBlocks;      // global memory, and the shared ones
constexpr std::uint64_t kAddress = 0x7000'0000'0000;  // start of the global memory
constexpr unsigned kNamedBarrier = 3;

unsigned thread_of(unsigned block, unsigned warp, unsigned lane) {
  return block * kThreadsOfModelBlock + warp * kLanes + lane;
}

RaceModel::Threads threads_of(unsigned block, unsigned warp, Mask lanes) {
  RaceModel::Threads threads;
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    threads.push_back(thread_of(block, warp, machine::lowest(rest)));
  }
  return threads;
}

RaceModel::Threads threads_of_block(unsigned block) {
  RaceModel::Threads threads;
  for (unsigned warp = 0; warp < kModelWarps; ++warp) {
    const auto more = threads_of(block, warp, machine::kAllLanes);
    threads.insert(threads.end(), more.begin(), more.end());
  }
  return threads;
}

unsigned offset_of(const RaceStep& step, unsigned lane) {
  return (step.begin + lane * step.stride) % kRaceBytes;
}

unsigned memory_of(const RaceStep& step) { return step.shared ? 1 + step.block : 0; }

/// The last of `lanes` whose access begins where that of `lane` does, and all of them.
Mask lanes_at(const RaceStep& step, Mask lanes, unsigned offset) {
  Mask same = 0;
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = machine::lowest(rest);
    if (offset_of(step, lane) == offset) same |= Mask{1} << lane;
  }
  return same;
}

/// A program on both sides.
class BothSides {
 public:
  BothSides() {
    for (unsigned block = 0; block < kModelBlocks; ++block) {
      shared_[block].start(block, nullptr);
      clocks(block).join_cluster(cluster_of_model_block(block));
    }
  }

  /// Returns false if the sides disagree.
  bool execute(const RaceStep& step);

  [[nodiscard]] const std::set<std::size_t>& racing() const { return model_.racing(); }
  [[nodiscard]] const std::set<std::size_t>& accessed() const { return accessed_; }
  [[nodiscard]] bool sizes_raced() const { return model_.sizes_raced(); }

 private:
  BlockClocks& clocks(unsigned block) { return shared_[block].clocks(); }

  void access(const RaceStep& step);
  void enter_in_detector(const RaceStep& step, Mask lanes);
  void read(const RaceStep& step, const SharedAccess& access, const std::uint32_t* offsets);
  void order_in_detector(const RaceStep& step, Mask lanes);
  void enter_in_model(const RaceStep& step, unsigned lane);
  void take_conflicts(const std::vector<Conflict>& conflicts, unsigned memory, unsigned bytes);

  std::array<SharedRaces, kModelBlocks> shared_{SharedRaces(kThreadsOfModelBlock, kRaceBytes, 1),
                                                SharedRaces(kThreadsOfModelBlock, kRaceBytes, 1),
                                                SharedRaces(kThreadsOfModelBlock, kRaceBytes, 1)};
  struct LastRead {
    RecordedPlace place;
    unsigned begin = 0;
    unsigned stride = 0;
  };
  std::array<std::array<LastRead, kModelWarps>, kModelBlocks> last_reads_;
  GlobalRaces global_;
  unsigned unit_ = 4;  // bytes: the granularity of the global memory
  VectorClock released_;
  std::set<std::size_t> reported_;  // bytes with a race, of all memories

  RaceModel model_;
  RaceModel::Clock released_in_model_{};
  std::array<RaceModel::Arrived, kModelBlocks> arrived_{};
  std::set<std::size_t> accessed_;
};

bool BothSides::execute(const RaceStep& step) {
  BlockClocks& clocks = this->clocks(step.block);
  const auto threads = threads_of(step.block, step.warp, step.lanes);
  switch (step.kind) {
    case RaceStep::Kind::access:
      access(step);
      break;
    case RaceStep::Kind::block_barrier:
      for (unsigned warp = 0; warp < kModelWarps; ++warp) {
        clocks.arrive(0, warp, machine::kAllLanes, true);
      }
      shared_[step.block].complete(0, 0);
      model_.synchronize(threads_of_block(step.block));
      arrived_[step.block] = {};
      break;
    case RaceStep::Kind::warp_barrier:
      clocks.warp_barrier(step.warp, step.lanes);
      model_.synchronize(threads);
      break;
    case RaceStep::Kind::arrive:
      clocks.arrive(kNamedBarrier, step.warp, step.lanes, false);
      model_.arrive(threads, arrived_[step.block]);
      break;
    case RaceStep::Kind::named_barrier: {
      RaceModel::Threads waiting = threads_of(step.block, step.warp, machine::kAllLanes);
      const unsigned next = (step.warp + 1) % kModelWarps;
      const auto more = threads_of(step.block, next, machine::kAllLanes);
      waiting.insert(waiting.end(), more.begin(), more.end());
      clocks.arrive(kNamedBarrier, step.warp, machine::kAllLanes, true);
      clocks.arrive(kNamedBarrier, next, machine::kAllLanes, true);
      shared_[step.block].complete(kNamedBarrier, 0);
      model_.synchronize(waiting, std::exchange(arrived_[step.block], {}));
      break;
    }
    case RaceStep::Kind::release:
      released_ = {};
      clocks.release(step.warp, step.lanes, released_);
      released_in_model_ = model_.release(threads);
      break;
    case RaceStep::Kind::release_fenced:
      released_ = {};
      clocks.release_fenced(step.warp, step.lanes, released_);
      released_in_model_ = model_.release_fenced(threads);
      break;
    case RaceStep::Kind::acquire:
      clocks.acquire(step.warp, step.lanes, released_);
      model_.acquire(threads, released_in_model_);
      break;
    case RaceStep::Kind::fence:
      clocks.fence(step.warp, step.lanes, {step.scope, step.order.acquires, step.order.releases});
      model_.fence(threads, step.scope, step.order);
      break;
  }
  return reported_ == model_.racing();
}

/// The lanes whose bytes have not raced.
void BothSides::access(const RaceStep& step) {
  Mask lanes = step.lanes;
  for (Mask rest = step.lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = machine::lowest(rest);
    const std::size_t begin = memory_of(step) * kRaceBytes + offset_of(step, lane);
    for (std::size_t byte = begin; byte < begin + step.bytes; ++byte) {
      if (reported_.contains(byte)) lanes &= ~(Mask{1} << lane);
      accessed_.insert(byte);
    }
  }
  if (lanes == 0) return;
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) enter_in_model(step, machine::lowest(rest));
  enter_in_detector(step, lanes);
  order_in_detector(step, lanes);
}

void BothSides::enter_in_model(const RaceStep& step, unsigned lane) {
  Event event;
  event.block = step.block;
  event.write = step.write;
  event.strong = step.strong;
  event.scope = step.shared ? Scope::block : step.scope;
  event.update = step.update;
  event.observes = step.observes;
  event.bytes = static_cast<std::uint8_t>(step.strong ? step.bytes : 0);
  const unsigned thread = thread_of(step.block, step.warp, lane);
  const std::size_t begin = memory_of(step) * kRaceBytes + offset_of(step, lane);
  for (std::size_t byte = begin; byte < begin + step.bytes; ++byte) {
    model_.access(byte, event, thread, step.looks);
  }
  event.scope = step.scope;
  if (!step.strong && !step.write) return;
  model_.access_word({begin, step.bytes}, event, step.order, thread);
}

void BothSides::enter_in_detector(const RaceStep& step, Mask lanes) {
  SharedRaces& shared = shared_[step.block];
  if (step.shared) {
    const SharedAccess access{step.warp,   lanes,         step.op,
                              step.bytes,  step.strong,   step.is_volatile,
                              step.update, step.observes, static_cast<std::uint8_t>(step.bytes),
                              nullptr};
    std::array<std::uint32_t, kLanes> offsets;
    for (unsigned lane = 0; lane < kLanes; ++lane) offsets[lane] = offset_of(step, lane);
    if (step.write) {
      shared.write(access, offsets.data(), 0, 0);
    } else if (step.looks) {
      shared.look(access, offsets.data(), 0);
    } else {
      read(step, access, offsets.data());
    }
    take_conflicts(std::exchange(shared.conflicts(), {}), memory_of(step), 1);
    return;
  }
  const BlockClocks& clocks = shared.clocks();
  Event event{
      step.block,    clocks.now(step.warp), step.op,    static_cast<std::uint8_t>(step.warp),
      step.write,    step.strong,           step.scope, step.update,
      step.observes, step.is_volatile};
  if (step.strong) event.bytes = static_cast<std::uint8_t>(step.bytes);
  event.cluster = clocks.cluster();
  Offsets offsets;
  for (unsigned lane = 0; lane < kLanes; ++lane) offsets[lane] = offset_of(step, lane);
  std::vector<Conflict> conflicts;
  if (step.looks) {
    global_.look(kAddress, kRaceBytes, event, offsets, lanes, step.bytes, clocks, conflicts);
  } else {
    global_.access(kAddress, kRaceBytes, event, offsets, lanes, step.bytes, 0, clocks, conflicts);
  }
  unit_ = std::min(unit_, step.bytes);
  take_conflicts(conflicts, 0, unit_);
}

/// Reads shared memory: if possible, at a distance from the last read of the whole warp.
void BothSides::read(const RaceStep& step, const SharedAccess& access,
                     const std::uint32_t* offsets) {
  SharedRaces& shared = shared_[step.block];
  const unsigned end = step.begin + (kLanes - 1) * step.stride + step.bytes;
  if (access.lanes != machine::kAllLanes || access.strong || end > kRaceBytes) {
    static_cast<void>(shared.read(access, offsets, 0));
    return;
  }
  LastRead& last = last_reads_[step.block][step.warp];
  const auto distance = static_cast<std::int32_t>(step.begin - last.begin);
  if (last.stride == step.stride &&
      shared.read_again(last.place, step.warp, step.op, distance, step.bytes)) {
    return;
  }
  last = {shared.read(access, offsets, 0), step.begin, step.stride};
}

/// The same as the machine does for each word (observe_flag).
void BothSides::order_in_detector(const RaceStep& step, Mask lanes) {
  if (!step.strong) return;
  BlockClocks& clocks = this->clocks(step.block);
  BlockClocks::Flags& flags = step.shared ? clocks.shared_flags() : global_.flags();
  if (flags.empty() && !clocks.fenced() && !step.order.releases) return;
  const Semantics access{step.scope, step.order.acquires, step.order.releases};
  while (lanes != 0) {
    const unsigned offset = offset_of(step, machine::lowest(lanes));
    const Mask same = lanes_at(step, lanes, offset);
    lanes &= ~same;
    Flag& flag = flags[{offset, step.bytes}];
    if (!step.write || step.observes) {
      clocks.load_flag(step.warp, same, flag, access, step.observes);
    }
    if (step.write) clocks.store_flag(step.warp, same, flag, access, step.update);
    if (step.observes) {
      const unsigned last = 31U - static_cast<unsigned>(std::countl_zero(same));
      clocks.load_flag(step.warp, Mask{1} << last, flag, access, true);
    }
  }
}

void BothSides::take_conflicts(const std::vector<Conflict>& conflicts, unsigned memory,
                               unsigned bytes) {
  for (const Conflict& conflict : conflicts) {
    if (conflict.grade == Grade::volatile_order) continue;
    const std::size_t first = memory * kRaceBytes + conflict.unit;
    for (unsigned byte = 0; byte < bytes; ++byte) reported_.insert(first + byte);
  }
}

}  // namespace

RaceResult run(const RaceProgram& program) {
  RaceResult result;
  BothSides sides;
  for (std::size_t i = 0; i < program.size() && !result.disagreement && !sides.sizes_raced(); ++i) {
    if (!sides.execute(program[i])) result.disagreement = i;
  }
  result.racing = static_cast<unsigned>(sides.racing().size());
  result.clean = static_cast<unsigned>(sides.accessed().size()) - result.racing;
  return result;
}

RaceProgram shrink(RaceProgram program) {
  const auto fails = [](const RaceProgram& candidate) {
    return run(candidate).disagreement.has_value();
  };
  for (std::size_t count = program.size(); count > 0; count /= 2) {
    for (std::size_t begin = program.size(); begin-- > 0;) {
      RaceProgram fewer = program;
      const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(begin);
      fewer.erase(first,
                  first + static_cast<std::ptrdiff_t>(std::min(count, program.size() - begin)));
      if (fails(fewer)) program = std::move(fewer);
      begin = std::min(begin, program.size());
    }
  }
  for (RaceStep& step : program) {
    const RaceStep before = step;
    for (Mask rest = before.lanes; rest != 0; rest &= rest - 1) {
      const Mask all = step.lanes;
      step.lanes &= ~(rest & -rest);
      if (step.lanes == 0 || !fails(program)) step.lanes = all;
    }
    for (const auto& simplify : std::initializer_list<void (*)(RaceStep&)>{
             [](RaceStep& one) { one.stride = 0; }, [](RaceStep& one) { one.order = {}; },
             [](RaceStep& one) { one.is_volatile = false; },
             [](RaceStep& one) { one.scope = Scope::device; }}) {
      const RaceStep kept = step;
      simplify(step);
      if (!fails(program)) step = kept;
    }
  }
  return program;
}

}  // namespace warpcheck::checks
