// Lanes of a warp that wait: at a barrier of their block, or for one another.
#include <utility>

#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/block/warp.hpp"

namespace warpcheck::machine {

Flow Warp::wait_at_barrier(const Op& op, unsigned barrier) {
  Fragment& fragment = fragments_[current_];
  fragment.state = FragmentState::at_barrier;
  fragment.waits_at = &op;
  fragment.barrier = barrier;
  return Flow::leave;
}

void Warp::release(unsigned barrier) {
  fingerprint_.reset();
  for (Fragment& fragment : fragments_) {
    if (fragment.state == FragmentState::at_barrier && fragment.barrier == barrier) {
      fragment.state = FragmentState::ready;
      fragment.waits_at = nullptr;
    }
  }
}

Mask Warp::come_together(const Op& op, const std::uint32_t* masks) {
  leave_fragment();
  const Mask alive = live();
  const Mask all = lanes_;
  Mask ready = 0;
  for (Mask rest = all; rest != 0;) {
    const Mask awaited = masks[lowest(rest)];
    Mask group = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((rest >> lane & 1) != 0 && masks[lane] == awaited) group |= Mask{1} << lane;
    }
    rest &= ~group;
    if ((awaited & alive & ~group) == 0) {
      ready |= group;
    } else {
      Fragment waiting = fragments_[current_];
      waiting.lanes = group;
      waiting.pc = pc_ - 1;  // the exchange is carried out when the missing lanes have come to it
      waiting.state = FragmentState::at_warp_sync;
      waiting.waits_at = &op;
      waiting.awaited = awaited;
      fragments_.push_back(std::move(waiting));
    }
  }
  lanes_ = ready;
  active_ = ready;
  return ready;
}

Flow Warp::warp_barrier(const Op& op, Mask awaited) {
  if ((awaited & ~lanes_) == 0) {
    block_->races().clocks().warp_barrier(index_, awaited & lanes_);
    return Flow::next;
  }
  Fragment& fragment = fragments_[current_];
  fragment.state = FragmentState::at_warp_sync;
  fragment.waits_at = &op;
  fragment.awaited = awaited;
  return Flow::leave;
}

/// Lanes that wait for one another have all come when the waits with the same mask (at an exchange
/// also: at the same instruction) cover every lane of the mask that is still there.
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
    const Mask awaited = first.awaited;
    const bool exchange = &first.frame->code->ops[first.pc] == first.waits_at;
    const auto together = [&](const Fragment& other) {
      return other.state == FragmentState::at_warp_sync && other.awaited == awaited &&
             (!exchange || (other.pc == first.pc && other.frame == first.frame));
    };
    Mask come = 0;
    for (const Fragment& other : fragments_) come |= together(other) ? other.lanes : 0;
    if ((awaited & alive & ~come) != 0) continue;
    for (Fragment& other : fragments_) {
      if (&other == &first || !together(other)) continue;
      other.state = FragmentState::ready;
    }
    first.state = FragmentState::ready;
    if (!exchange) block_->races().clocks().warp_barrier(index_, come);
  }
}

}  // namespace warpcheck::machine
