// Waits of a warp's lanes, at a barrier of the block or for other lanes of the warp, and the
// barriers of the block.
#include <bit>
#include <optional>
#include <utility>

#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/block/cluster.hpp"
#include "device/virtual/machine/block/warp.hpp"
#include "device/virtual/machine/core/source_place.hpp"

namespace warpcheck::machine {
namespace {

/// Threads of the block that wait at one instruction.
struct Waiting {
  const Op* op = nullptr;
  const FunctionCode* code = nullptr;
  ThreadPlace first;
  std::uint64_t threads = 0;

  void add(const Block& block, const Warp& warp, const Fragment& fragment) {
    if (op == nullptr) {
      op = fragment.waits_at;
      code = fragment.frame->code;
      first = block.place(warp.index(), lowest(fragment.lanes));
    }
    threads += static_cast<std::uint64_t>(std::popcount(fragment.lanes));
  }
};

/// True if both are one barrier of the source. Compilers copy the body of a loop, so that one
/// barrier becomes several instructions.
bool is_one_barrier(const SourcePlace& one, const SourcePlace& other) {
  return one.line != 0 && one.line == other.line && one.file == other.file &&
         one.calls == other.calls;
}

/// Adds a note if the threads of a completing barrier wait at different lines. Must be called when
/// a barrier of the whole block completes. CUDA C++ allows __syncthreads() in conditional code only
/// if the condition has the same value in all threads of the block.
void note_different_barriers(Block& block, unsigned barrier) {
  Waiting first;   // threads at the first such instruction of the program
  Waiting second;  // threads at the next one
  const auto each_waiting = [&](auto visit) {
    for (const auto& warp : block.warps()) {
      for (const Fragment& fragment : warp->fragments()) {
        if (fragment.state == FragmentState::at_barrier && fragment.barrier == barrier) {
          visit(*warp, fragment);
        }
      }
    }
  };
  const Op* lowest_op = nullptr;
  bool differ = false;
  each_waiting([&](const Warp&, const Fragment& fragment) {
    const Op* const op = fragment.waits_at;
    differ = differ || (lowest_op != nullptr && op != lowest_op);
    if (lowest_op == nullptr || op->number < lowest_op->number) lowest_op = op;
  });
  if (!differ || block.is_repeated_note(*lowest_op)) return;
  const Program& program = *block.launch().program;
  const auto place = [&](const Waiting& waiting) {
    return source_place(program, *waiting.code, *waiting.op);
  };
  each_waiting([&](const Warp& warp, const Fragment& fragment) {
    if (fragment.waits_at == lowest_op) first.add(block, warp, fragment);
  });
  each_waiting([&](const Warp& warp, const Fragment& fragment) {
    const bool is_new = second.op == nullptr && fragment.waits_at != lowest_op;
    if (is_new || fragment.waits_at == second.op) second.add(block, warp, fragment);
  });
  if (is_one_barrier(place(first), place(second))) return;
  Finding note;
  note.kind = FindingClass::barrier_divergence;
  note.grade = Grade::different_barriers;
  note.source = place(first);
  note.thread = first.first;
  note.groups.push_back({ThreadGroup::State::waits, second.threads, second.first, place(second)});
  note.hang = Hang{.threads = block.threads()};
  block.add_note(*lowest_op, std::move(note));
}

}  // namespace

Flow Warp::wait_at_barrier(const Op& op, unsigned barrier) {
  Fragment& fragment = fragments_[current_];
  fragment.state = FragmentState::at_barrier;
  fragment.waits_at = &op;
  fragment.barrier = barrier;
  fragment.lanes = lanes_;
  return Flow::leave;
}

void Warp::release(unsigned barrier) {
  fingerprint_.reset();
  for (Fragment& fragment : fragments_) {
    if (fragment.state == FragmentState::at_barrier && fragment.barrier == barrier) {
      fragment.go_on();
    }
  }
}

Mask Warp::gather_lanes(const Op& op, const std::uint32_t* masks) {
  leave_fragment();
  const Mask alive = live();
  const Mask all = lanes_;
  Mask ready = 0;
  for (Mask rest = all; rest != 0;) {
    const Mask expected = masks[lowest(rest)];
    Mask group = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((rest >> lane & 1) != 0 && masks[lane] == expected) group |= Mask{1} << lane;
    }
    rest &= ~group;
    if ((expected & alive & ~group) == 0) {
      ready |= group;
    } else {
      Fragment waiting = fragments_[current_];
      waiting.lanes = group;
      waiting.pc = pc_ - 1;  // the exchange is executed when the missing lanes have arrived
      waiting.state = FragmentState::at_warp_sync;
      waiting.waits_at = &op;
      waiting.expected = expected;
      fragments_.push_back(std::move(waiting));
    }
  }
  if (ready == all && masks[lowest(all)] == all)
    fragments_[current_].convergence = Convergence::waited;
  lanes_ = ready;
  active_ = ready;
  return ready;
}

Flow Warp::warp_barrier(const Op& op, Mask expected) {
  if ((expected & ~lanes_) == 0) {
    if (expected == lanes_) fragments_[current_].convergence = Convergence::waited;
    block_->races().clocks().warp_barrier(index_, expected & lanes_);
    return Flow::next;
  }
  Fragment& fragment = fragments_[current_];
  fragment.state = FragmentState::at_warp_sync;
  fragment.waits_at = &op;
  fragment.expected = expected;
  return Flow::leave;
}

/// Releases lanes that wait for each other. All have arrived when the waits with the same mask
/// (and, for an exchange, at the same instruction) include every live lane of the mask.
void Warp::release_warp_syncs() {
  bool waiting = false;
  for (const Fragment& fragment : fragments_) {
    waiting |= fragment.state == FragmentState::at_warp_sync;
  }
  if (!waiting) return;
  merge();
  const Mask alive = live();
  for (Fragment& first : fragments_) {
    if (first.state != FragmentState::at_warp_sync) continue;
    const Mask expected = first.expected;
    const bool exchange = &first.frame->code->ops[first.pc] == first.waits_at;
    const auto together = [&](const Fragment& other) {
      return other.state == FragmentState::at_warp_sync && other.expected == expected &&
             (!exchange || (other.pc == first.pc && other.frame == first.frame));
    };
    Mask come = 0;
    for (const Fragment& other : fragments_) come |= together(other) ? other.lanes : 0;
    if ((expected & alive & ~come) != 0) continue;
    for (Fragment& other : fragments_) {
      if (&other == &first || !together(other)) continue;
      other.go_on();
    }
    first.go_on();
    if (!exchange) block_->races().clocks().warp_barrier(index_, come);
  }
}

void Block::arrive(unsigned barrier, unsigned warp, std::uint32_t threads, std::uint32_t expected,
                   std::uint32_t holds, bool whole_block) {
  Barrier& state = barriers_[barrier];
  if (state.arrived == 0) {
    state.holds = 0;
    state.whole_block = true;
  }
  state.expected = expected;
  state.arrived += threads;
  state.holds += holds;
  state.whole_block = state.whole_block && whole_block;
  if (!whole_block && barrier < kClusterBarrier) {
    state.warps |= std::uint32_t{1} << warp;
    const auto warps = static_cast<unsigned>(std::popcount(state.warps));
    has_crowded_barrier_ = has_crowded_barrier_ || warps * kLanes > expected;
  }
  complete_if_all_came(barrier);
}

void Block::exit(std::uint32_t threads) {
  exited_ += threads;
  for (unsigned barrier = 0; barrier < barriers_.size(); ++barrier) {
    if (barriers_[barrier].arrived != 0) complete_if_all_came(barrier);
  }
  if (cluster_ != nullptr) cluster_->complete_if_all_came();
}

/// Completes the barrier if all threads have arrived. A barrier of the block waits for all of its
/// threads that have not exited (CUDA C++ Programming Guide, compute capability 7.x, independent
/// thread scheduling).
void Block::complete_if_all_came(unsigned barrier) {
  Barrier& state = barriers_[barrier];
  const std::uint32_t exited = state.whole_block ? exited_ : 0;
  if (state.arrived + exited < state.expected) return;
  if (exited != 0) note_exited(barrier);
  if (barrier == 0 && state.whole_block) note_different_barriers(*this, barrier);
  state.last_arrived = std::exchange(state.arrived, 0);
  state.last_holds = state.holds;
  if (barrier < kClusterBarrier) races_.complete(barrier, exited);
  for (const auto& warp : warps_) warp->release(barrier);
}

/// Adds a note that a barrier completes without threads that have exited. There is one note per
/// block: threads that miss a barrier miss all later ones, too.
void Block::note_exited(unsigned barrier) {
  if (exited_note_) {
    ++findings[*exited_note_].count;
    return;
  }
  std::optional<ThreadPlace> first;  // first thread that has exited
  const Fragment* waiting = nullptr;
  ThreadPlace waits;
  for (const auto& warp : warps_) {
    const Mask gone = warp->started() & ~warp->live();
    if (gone != 0 && !first) first = place(warp->index(), lowest(gone));
    for (const Fragment& fragment : warp->fragments()) {
      if (waiting != nullptr || fragment.state != FragmentState::at_barrier) continue;
      if (fragment.barrier != barrier) continue;
      waiting = &fragment;
      waits = place(warp->index(), lowest(fragment.lanes));
    }
  }
  if (waiting == nullptr || !first) return;
  Finding finding;
  finding.kind = FindingClass::barrier_divergence;
  finding.grade = Grade::exited_threads;
  finding.hang = Hang{.threads = threads_, .ended = exited_};
  finding.source = source_place(*launch_->program, *waiting->frame->code, *waiting->waits_at);
  finding.thread = waits;
  finding.groups.push_back({ThreadGroup::State::exited, exited_, *first, {}});
  exited_note_ = add_if_new(findings, std::move(finding));
}

}  // namespace warpcheck::machine
