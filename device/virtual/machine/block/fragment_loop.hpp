// The loop that executes instructions. The observer of its block is a template parameter.
#pragma once

#include <cstdint>

#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/block/observer.hpp"
#include "device/virtual/machine/block/warp.hpp"

namespace warpcheck::machine {

/// The observer type of a launch without observers.
struct NoObserver {
  static void before(const Warp&, const Op&, Mask) {}
  static void after(const Warp&, const Op&) {}
  static void undefined_guard(const Warp&, const Op&) {}
};

template <class Observer>
[[nodiscard]] Observer& observer_of(Block& block) {
  return static_cast<Observer&>(*block.observer());
}
template <>
[[nodiscard]] inline NoObserver& observer_of<NoObserver>(Block&) {
  static NoObserver none;
  return none;
}

template <FragmentTurn Turn, class Observer>
std::uint64_t Warp::run_fragment(Warp& warp, std::uint64_t quantum) {
  Observer& observer = observer_of<Observer>(*warp.block_);
  const std::uint64_t begin = warp.executed_;
  warp.turn_ends_ = begin + quantum;
  while (true) {
    const Op& op = warp.frame_->code->ops[warp.pc_++];
    warp.active_ = warp.lanes_;
    ++warp.executed_;
    if (op.guarded) {
      const Mask holds = warp.predicate(op.guard);
      const Mask unknown = warp.active_ & ~warp.defined(op.guard);
      if (unknown != 0) {
        observer.undefined_guard(warp, op);
        if (!warp.goes_on_with_undefined(
                op, op.guard, unknown, "the predicate that guards the instruction is undefined")) {
          break;
        }
      }
      warp.active_ &= op.guard_negated ? ~holds : holds;
      if (warp.active_ == 0) {
        observer.before(warp, op, warp.lanes_);
        continue;
      }
    }
    observer.before(warp, op, warp.lanes_);
    if (op.run(warp, op) == Flow::leave) break;
    observer.after(warp, op);
    if constexpr (Turn != FragmentTurn::only) {
      if (warp.frame_->code->ops[warp.pc_].leader) break;
    }
    if constexpr (Turn == FragmentTurn::interrupted) {
      const bool complete = warp.frame_->code->ops[warp.pc_].instruction != op.instruction;
      if (complete && warp.executed_ - begin >= quantum) break;
    }
  }
  return warp.executed_ - begin;
}

template <class Observer>
[[nodiscard]] constexpr FragmentLoops loops_with() {
  return {Warp::run_fragment<FragmentTurn::only, Observer>,
          Warp::run_fragment<FragmentTurn::one_of_several, Observer>,
          Warp::run_fragment<FragmentTurn::interrupted, Observer>};
}

}  // namespace warpcheck::machine
