#include "device/virtual/machine/block/diagnose_hang.hpp"

#include <fmt/format.h>

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
  return same_line && here.calls == there.calls && first.what == second.what &&
         first.stays == second.stays;
}

/// The number of other places that `found` polls by the instruction of the first poll of `known`.
std::uint64_t other_places(const Wait& known, const Wait& found) {
  if (known.polls.empty()) return 0;
  return static_cast<std::uint64_t>(
      std::count_if(found.polls.begin(), found.polls.end(), [&](const Poll* poll) {
        const Poll& first = *known.polls.front();
        return same_place(*poll, first) && poll->what != first.what;
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

/// "lanes 0 to 3 and 8".
std::string lanes_text(Mask lanes) {
  std::string text;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    const unsigned last = lane + static_cast<unsigned>(std::countr_one(lanes >> lane)) - 1;
    if (!text.empty()) text += ", ";
    text += last == lane ? fmt::format("{}", lane) : fmt::format("{} to {}", lane, last);
    lane = last;
  }
  return (count(lanes) == 1 ? "lane " : "lanes ") + text;
}

/// Describes the lanes of a warp that have not arrived, and their place.
std::string absent_text(const Wait& wait) {
  const Warp& warp = *wait.block->warps()[wait.warp];
  Mask come = 0;
  Mask elsewhere = 0;
  std::string places;
  for (const Fragment& fragment : warp.fragments()) {
    const Wait other = wait_of(*wait.block, warp, fragment);
    if (same_place(other, wait) && fragment.expected == wait.expected) come |= fragment.lanes;
    if (same_place(other, wait) || (fragment.lanes & wait.expected) == 0) continue;
    elsewhere |= fragment.lanes;
    places = fmt::format(", {} at {}",
                         fragment.state == FragmentState::ready ? "which run" : "which wait",
                         line_of(source_of(other)));
  }
  const Mask absent = wait.expected & ~come;
  if (absent == 0) return {};
  if ((absent & ~elsewhere) != 0) places = ", which have ended or are not in step";
  return fmt::format(" for {} of their warp{}", lanes_text(absent), places);
}

/// "line 65 (ld.volatile.global.u32), called from line 45".
std::string place_text(const SourcePlace& place) {
  const std::string operation = place.instruction.substr(0, place.instruction.find_first_of(" \t"));
  const std::string text = fmt::format("{} ({})", line_of(place), operation);
  if (place.calls.empty() || place.calls.front().line == 0) return text;
  return fmt::format("{}, called from line {},", text, place.calls.front().line);
}

/// "4-byte element 0 of out stays 1 and 4-byte element 1 of out stays 0": the text has one place
/// for each instruction that reads memory in the loop.
std::string polls_text(const Wait& wait) {
  constexpr std::size_t kMost = 4;
  std::vector<const Poll*> described;
  std::string text;
  for (const Poll* poll : wait.polls) {
    const bool known = std::any_of(described.begin(), described.end(), [&](const Poll* earlier) {
      return same_place(*earlier, *poll);
    });
    if (known) continue;
    if (described.size() == kMost) return text + " and others stay as they are";
    if (!text.empty()) text += " and ";
    text += fmt::format("{} stays {}", poll->what, poll->stays);
    if (described.empty() && wait.other_places != 0) text += ", or others likewise,";
    described.push_back(poll);
  }
  if (text.ends_with(',')) text.pop_back();
  return text;
}

std::string describe(const Wait& wait, bool several_blocks) {
  const bool one = wait.threads == 1;
  std::string text = fmt::format("{} thread{}", wait.threads, one ? "" : "s");
  if (wait.blocks > 1) {
    text += fmt::format(" of {} blocks", wait.blocks);
  } else if (several_blocks) {
    text += " of block " + triple(wait.block->index());
  }
  const bool spins = wait.state == FragmentState::ready;
  text += fmt::format(" {}{} at {}", spins ? "spin" : "wait", one ? "s" : "",
                      place_text(source_of(wait)));
  if (wait.state == FragmentState::at_barrier) {
    if (wait.barrier == kClusterBarrier) {
      const Cluster& cluster = *wait.block->cluster();
      return text +
             fmt::format(" for the barrier of the cluster, to which {} of {} threads have come",
                         cluster.arrivals(), cluster.live());
    }
    const Barrier& barrier = wait.block->barrier(wait.barrier);
    if (wait.barrier >= kFirstWarpgroupBarrier) {
      return text +
             fmt::format(" for the products of a warpgroup, {} of whose {} threads have come",
                         barrier.arrived, barrier.expected);
    }
    const std::uint32_t exited = barrier.whole_block ? wait.block->exited() : 0;
    text += fmt::format(" for barrier {}, to which {} of {} have come", wait.barrier,
                        barrier.arrived, barrier.expected - exited);
  } else if (wait.state == FragmentState::at_warp_sync) {
    text += absent_text(wait);
  } else if (!wait.polls.empty()) {
    text += " while " + polls_text(wait);
  }
  return text;
}

ThreadGroup group_of(const Wait& wait) {
  ThreadGroup group;
  const bool spins = wait.state == FragmentState::ready;
  group.state = spins ? ThreadGroup::State::spins : ThreadGroup::State::waits;
  group.threads = wait.threads;
  group.first = wait.block->place(wait.warp, wait.lane);
  group.source = source_of(wait);
  if (wait.state == FragmentState::at_barrier) {
    group.waits_for.kind = wait.barrier == kClusterBarrier  ? WaitEvent::Kind::cluster_barrier
                           : wait.barrier > kClusterBarrier ? WaitEvent::Kind::warpgroup_products
                                                            : WaitEvent::Kind::barrier;
    group.waits_for.barrier = wait.barrier;
  } else if (!wait.polls.empty()) {
    group.waits_for = wait.polls.front()->event;
    std::size_t& bytes = group.waits_for.memory.bytes;
    bytes = std::min(bytes, sizeof(std::uint64_t));  // a vector: its first value
  }
  return group;
}

/// Adds the threads of a block that have ended, if there are any.
void add_ended(const Block& block, std::uint64_t ended, std::vector<ThreadGroup>& groups) {
  for (const auto& warp : block.warps()) {
    const Mask gone = warp->started() & ~warp->live();
    if (gone == 0 || ended == 0) continue;
    const ThreadPlace first = block.place(warp->index(), lowest(gone));
    groups.push_back({ThreadGroup::State::exited, ended, first, {}, {}});
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
  std::string message;
  for (const Wait& wait : waits) {
    waiting += wait.threads;
    if (!message.empty()) message += "; ";
    message += describe(wait, blocks.size() > 1);
  }
  std::uint64_t threads = 0;
  for (const Block* block : blocks) threads += block->threads();
  const std::uint64_t ended = threads - waiting;
  if (ended != 0 && blocks.size() == 1) {
    message += fmt::format("; {} of the block's {} threads have ended", ended, threads);
  }
  if (not_resident != 0) {
    message += fmt::format("; {} more block{} cannot become resident before one of these {} ends",
                           not_resident, not_resident == 1 ? "" : "s", blocks.size());
  }

  const Wait& first = waits.front();
  const bool spins = first.state == FragmentState::ready;
  const bool fits = std::all_of(waits.begin(), waits.end(), waits_for_the_block);
  const bool all_at_barriers = std::all_of(waits.begin(), waits.end(), [](const Wait& wait) {
    return wait.state == FragmentState::at_barrier;
  });
  Finding finding;
  if (spins && first.polls.empty()) {
    finding.kind = FindingClass::timeout;
    message = "the loop repeats itself and reads no memory: " + message;
  } else if (!spins && fits && (ended != 0 || !all_at_barriers)) {
    finding.kind = FindingClass::barrier_divergence;
  } else {
    finding.kind = FindingClass::deadlock;
    if (spins) message = "no thread that runs will change memory again: " + message;
  }
  finding.message = std::move(message);
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
    poll.what =
        fmt::format("{}-byte element {} of {}", word, offset / word, poll.event.memory.name);
    poll.stays = fmt::format("{}", value);
    lanes &= ~poll.lanes;
    warp.block().note_poll(std::move(poll));
  }
}

}  // namespace warpcheck::machine
