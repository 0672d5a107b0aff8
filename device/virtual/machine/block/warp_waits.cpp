// Waits of a warp's lanes: at a barrier of the block, or for other lanes of the warp.
#include <utility>

#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/block/warp.hpp"

namespace warpcheck::machine {

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

/// Releases lanes that wait for each other. All have arrived when the waits with the same mask (for
/// an exchange also: at the same instruction) include every live lane of the mask.
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

}  // namespace warpcheck::machine
