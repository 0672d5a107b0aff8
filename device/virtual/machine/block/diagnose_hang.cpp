#include "device/virtual/machine/block/diagnose_hang.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/block/cluster.hpp"
#include "device/virtual/machine/memory/resolved_access.hpp"

namespace warpcheck::machine {
namespace {

unsigned count(Mask lanes) { return static_cast<unsigned>(std::popcount(lanes)); }

/// Threads that wait or spin at one place in the program.
struct Wait {
  const Block* block = nullptr;  // first block that has such threads
  unsigned warp = 0;             // warp of the first such thread
  unsigned lane = 0;
  const FunctionCode* function = nullptr;
  const Op* op = nullptr;
  FragmentState state = FragmentState::ready;
  unsigned barrier = 0;
  Mask expected = 0;
  std::vector<const Poll*> polls;  // spinning threads: the memory that they poll
  const Op* loop = nullptr;        // spinning threads: the jump that closes the loop, if known
  const Block* last = nullptr;     // last block that has such threads
  std::uint64_t threads = 0;
  std::uint64_t blocks = 0;
  // Number of other places that they poll by the op of the first poll.
  std::uint64_t other_places = 0;
};

std::vector<const Poll*> polls_of(const Block& block, unsigned warp, Mask lanes) {
  std::vector<const Poll*> polls;
  for (const Poll& poll : block.polls()) {
    if (poll.warp == warp && (poll.lanes & lanes) != 0) polls.push_back(&poll);
  }
  return polls;
}

/// The backward jump to the place of a fragment: the turn of a fragment ends with one (Warp::jump).
const Op* loop_of(const Fragment& fragment) {
  const std::vector<Op>& ops = fragment.frame->code->ops;
  for (std::size_t i = fragment.pc; i < ops.size(); ++i) {
    const bool jumps =
        ops[i].successors == Successors::target || ops[i].successors == Successors::next_or_target;
    if (jumps && ops[i].target == fragment.pc) return &ops[i];
  }
  return nullptr;
}

Wait wait_of(const Block& block, const Warp& warp, const Fragment& fragment) {
  Wait wait;
  wait.block = &block;
  wait.warp = warp.index();
  wait.lane = lowest(fragment.lanes);
  wait.function = fragment.frame->code;
  wait.op = fragment.waits_at;
  wait.state = fragment.state;
  wait.barrier = fragment.barrier;
  wait.expected = fragment.expected;
  if (fragment.state == FragmentState::ready) {
    wait.polls = polls_of(block, warp.index(), fragment.lanes);
    wait.loop = loop_of(fragment);
    wait.op = wait.polls.empty() ? &wait.function->ops[fragment.pc] : wait.polls.front()->op;
  }
  return wait;
}

/// The line of the loop, and the instruction that reads memory.
SourcePlace source_of(const Wait& wait) {
  const Program& program = *wait.block->launch().program;
  const FunctionCode& function =
      wait.polls.empty() ? *wait.function : *wait.polls.front()->function;
  SourcePlace place = source_place(program, function, *wait.op);
  if (wait.loop == nullptr) return place;
  const SourcePlace loop = source_place(program, *wait.function, *wait.loop);
  place.file = loop.file;
  place.line = loop.line;
  place.column = loop.column;
  return place;
}

/// The bytes of a poll whose value is reported: the first value of a vector.
std::size_t word_of(const WaitEvent& event) {
  return std::min(event.memory.bytes, sizeof(std::uint64_t));
}

bool same_object(const WaitEvent& one, const WaitEvent& other) {
  return one.memory.name == other.memory.name && one.memory.offset == other.memory.offset &&
         word_of(one) == word_of(other);
}

bool same_state(const WaitEvent& one, const WaitEvent& other) {
  return one.value == other.value && one.expected == other.expected && one.bytes == other.bytes;
}

bool same_place(const Poll& one, const Poll& other) {
  return one.op == other.op && one.call == other.call;
}

bool same_place(const Wait& one, const Wait& other) {
  const bool same_polls = one.polls.empty() || other.polls.empty() ||
                          same_place(*one.polls.front(), *other.polls.front());
  return one.op == other.op && one.state == other.state && one.barrier == other.barrier &&
         same_polls;
}

/// True for threads of one block that poll the same object from copies of one line. The compiler
/// copies lines when it unrolls a loop.
bool same_poll(const Wait& one, const Wait& other) {
  if (one.polls.empty() || other.polls.empty() || one.block != other.block) return false;
  const Poll& first = *one.polls.front();
  const Poll& second = *other.polls.front();
  const SourcePlace here = source_of(one);
  const SourcePlace there = source_of(other);
  const bool same_line = here.line != 0 && here.line == there.line && here.file == there.file;
  return same_line && here.calls == there.calls && same_object(first.event, second.event) &&
         same_state(first.event, second.event);
}

/// The number of other places that `found` polls by the instruction of the first poll of `known`.
std::uint64_t other_places(const Wait& known, const Wait& found) {
  if (known.polls.empty()) return 0;
  return static_cast<std::uint64_t>(
      std::count_if(found.polls.begin(), found.polls.end(), [&](const Poll* poll) {
        const Poll& first = *known.polls.front();
        return same_place(*poll, first) && !same_object(poll->event, first.event);
      }));
}

std::vector<Wait> waits_of(std::span<const Block* const> blocks) {
  std::vector<Wait> waits;
  for (const Block* block : blocks) {
    for (const auto& warp : block->warps()) {
      for (const Fragment& fragment : warp->fragments()) {
        const Wait found = wait_of(*block, *warp, fragment);
        auto known = std::find_if(waits.begin(), waits.end(), [&](const Wait& wait) {
          return same_place(wait, found) || same_poll(wait, found);
        });
        if (known == waits.end()) known = waits.insert(waits.end(), found);
        known->threads += count(fragment.lanes);
        if (std::exchange(known->last, block) != block) ++known->blocks;
        known->other_places += other_places(*known, found);
      }
    }
  }
  return waits;
}

/// The lanes of a warp that have not arrived, and their place; empty: none.
std::optional<MissingLanes> missing_lanes(const Wait& wait) {
  const Warp& warp = *wait.block->warps()[wait.warp];
  Mask come = 0;
  Mask elsewhere = 0;
  MissingLanes missing;
  for (const Fragment& fragment : warp.fragments()) {
    const Wait other = wait_of(*wait.block, warp, fragment);
    if (same_place(other, wait) && fragment.expected == wait.expected) come |= fragment.lanes;
    if (same_place(other, wait) || (fragment.lanes & wait.expected) == 0) continue;
    elsewhere |= fragment.lanes;
    missing.state = fragment.state == FragmentState::ready ? MissingLanes::State::runs
                                                           : MissingLanes::State::waits;
    missing.at = source_of(other);
  }
  missing.lanes = wait.expected & ~come;
  if (missing.lanes == 0) return std::nullopt;
  if ((missing.lanes & ~elsewhere) != 0) missing.state = MissingLanes::State::elsewhere;
  return missing;
}

WaitEvent barrier_of(const Wait& wait) {
  WaitEvent event;
  event.barrier = wait.barrier;
  if (wait.barrier == kClusterBarrier) {
    event.kind = WaitEvent::Kind::cluster_barrier;
    event.arrived = wait.block->cluster()->arrivals();
    event.expected = wait.block->cluster()->live();
    return event;
  }
  const Barrier& barrier = wait.block->barrier(wait.barrier);
  const bool is_product = wait.barrier >= kFirstWarpgroupBarrier;
  event.kind = is_product ? WaitEvent::Kind::warpgroup_products : WaitEvent::Kind::barrier;
  event.arrived = barrier.arrived;
  event.expected = barrier.expected;
  if (!is_product && barrier.whole_block) event.expected -= wait.block->exited();
  return event;
}

/// Adds one place for each instruction that reads memory in the loop.
void add_polls(const Wait& wait, ThreadGroup& group) {
  constexpr std::size_t kMost = 4;
  std::vector<const Poll*> described;
  for (const Poll* poll : wait.polls) {
    const bool known = std::any_of(described.begin(), described.end(), [&](const Poll* earlier) {
      return same_place(*earlier, *poll);
    });
    if (known) continue;
    group.polls_more = described.size() == kMost;
    if (group.polls_more) break;
    WaitEvent event = poll->event;
    event.memory.bytes = word_of(event);
    if (described.empty()) {
      group.waits_for = std::move(event);
    } else {
      group.also.push_back(std::move(event));
    }
    described.push_back(poll);
  }
  group.others_alike = wait.other_places != 0;
}

ThreadGroup group_of(const Wait& wait) {
  ThreadGroup group;
  const bool spins = wait.state == FragmentState::ready;
  group.state = spins ? ThreadGroup::State::spins : ThreadGroup::State::waits;
  group.threads = wait.threads;
  group.blocks = wait.blocks;
  group.first = wait.block->place(wait.warp, wait.lane);
  group.source = source_of(wait);
  if (wait.state == FragmentState::at_barrier) group.waits_for = barrier_of(wait);
  if (wait.state == FragmentState::at_warp_sync) group.lanes = missing_lanes(wait);
  add_polls(wait, group);
  return group;
}

/// Adds the threads of a block that have ended, if there are any.
void add_ended(const Block& block, std::uint64_t ended, std::vector<ThreadGroup>& groups) {
  for (const auto& warp : block.warps()) {
    const Mask gone = warp->started() & ~warp->live();
    if (gone == 0 || ended == 0) continue;
    const ThreadPlace first = block.place(warp->index(), lowest(gone));
    groups.push_back({ThreadGroup::State::exited, ended, first, {}});
    return;
  }
}

int urgency(FragmentState state) {
  return state == FragmentState::ready ? 0 : state == FragmentState::at_warp_sync ? 1 : 2;
}

bool waits_for_the_block(const Wait& wait) {
  return wait.state != FragmentState::at_barrier || wait.barrier >= kClusterBarrier ||
         wait.block->barrier(wait.barrier).expected == wait.block->threads();
}

}  // namespace

Finding diagnose_hang(std::span<const Block* const> blocks, std::uint64_t not_resident) {
  std::vector<Wait> waits = waits_of(blocks);
  // Spinning threads come first, because the waiting threads depend on them. Lanes that wait for
  // their warp come next: they cannot reach a barrier.
  std::stable_sort(waits.begin(), waits.end(), [](const Wait& one, const Wait& other) {
    return urgency(one.state) < urgency(other.state);
  });
  std::uint64_t waiting = 0;
  for (const Wait& wait : waits) waiting += wait.threads;
  std::uint64_t threads = 0;
  for (const Block* block : blocks) threads += block->threads();
  const std::uint64_t ended = threads - waiting;

  const Wait& first = waits.front();
  const bool spins = first.state == FragmentState::ready;
  const bool fits = std::all_of(waits.begin(), waits.end(), waits_for_the_block);
  const bool all_at_barriers = std::all_of(waits.begin(), waits.end(), [](const Wait& wait) {
    return wait.state == FragmentState::at_barrier;
  });
  Finding finding;
  if (spins && first.polls.empty()) {
    finding.kind = FindingClass::timeout;
  } else if (!spins && fits && (ended != 0 || !all_at_barriers)) {
    finding.kind = FindingClass::barrier_divergence;
  } else {
    finding.kind = FindingClass::deadlock;
  }
  finding.hang = Hang{threads, ended, blocks.size(), not_resident};
  for (const Wait& wait : waits) finding.groups.push_back(group_of(wait));
  if (blocks.size() == 1) add_ended(*blocks.front(), ended, finding.groups);
  finding.source = source_of(first);
  finding.thread = first.block->place(first.warp, first.lane);
  if (!first.polls.empty() && first.polls.front()->in_buffer) {
    finding.memory = first.polls.front()->event.memory;
  }
  return finding;
}

void note_poll(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
               std::size_t bytes) {
  const Container& container = *resolved.container;
  const std::size_t word = std::min<std::size_t>(bytes, sizeof(std::uint64_t));
  while (lanes != 0) {
    const unsigned lane = lowest(lanes);
    std::uint64_t value = 0;
    std::memcpy(&value, resolved.data + resolved.offset[lane], word);
    Poll poll;
    poll.warp = warp.index();
    const std::uint64_t offset = resolved.at(lane);
    poll.lanes = resolved.lanes_at(offset) & lanes;
    poll.function = warp.frame().code;
    poll.op = &op;
    poll.call = warp.frame().call;
    poll.event.kind = WaitEvent::Kind::change;
    poll.event.memory = {name_of(container), static_cast<std::ptrdiff_t>(offset), bytes, false};
    poll.in_buffer = container.allocation != nullptr;
    poll.event.value = value;
    lanes &= ~poll.lanes;
    warp.block().note_poll(std::move(poll));
  }
}

}  // namespace warpcheck::machine
