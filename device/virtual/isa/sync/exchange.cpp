// Exchanges between the lanes of a warp: shfl, vote, match, redux, elect, activemask
// (PTX ISA 9.7.9.6, 9.7.13.8 to 9.7.13.13).
#include <algorithm>
#include <array>
#include <cstdint>

#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/core/shuffle.hpp"
#include "device/virtual/machine/lanes/lane_masks.hpp"
#include "device/virtual/machine/lanes/lanewise.hpp"

namespace warpcheck::isa {
namespace {

using machine::Flow;
using machine::kAllLanes;
using machine::kLanes;
using machine::lowest;
using machine::Mask;
using machine::Op;
using machine::Shuffle;
using machine::Slot;
using machine::Warp;

constexpr Mask bit(unsigned lane) { return Mask{1} << lane; }

/// Calls body(lanes) for every group of lanes that have all arrived. Operand 3 of the op is the
/// mask of the group. Lanes of the other groups wait.
template <class Body>
Flow exchange(Warp& warp, const Op& op, Body body) {
  const Slot members = op.operand[3];
  const Mask unknown = warp.active() & ~warp.defined(members);
  if (unknown != 0 &&
      !warp.goes_on_with_undefined(op, members, unknown, "the mask of lanes is undefined")) {
    return Flow::leave;
  }
  machine::LaneMasks masks(warp, members);
  if (!masks.name_their_lanes(warp, op, "takes part")) return Flow::leave;
  const Mask ready = warp.gather_lanes(op, masks.data());
  for (Mask rest = ready; rest != 0;) {
    Mask group = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((rest & bit(lane)) != 0 && masks[lane] == masks[lowest(rest)]) group |= bit(lane);
    }
    rest &= ~group;
    body(group);
  }
  return ready != 0 ? Flow::next : Flow::leave;
}

void set_lane(Warp& warp, Slot slot, unsigned lane, bool value) {
  Mask& target = warp.predicate(slot);
  target = value ? target | bit(lane) : target & ~bit(lane);
}

/// Operands. 0: the result; 1: the value; 2: b; 3: members; 4: the predicate or kNoSlot. c is an
/// element of the detail.
template <Shuffle mode>
Flow shuffle(Warp& warp, const Op& op) {
  return exchange(warp, op, [&](Mask group) {
    const Slot value = op.operand[1];
    const Slot target = op.operand[0];
    const Slot c = op.detail->elements[0];
    std::array<std::uint32_t, kLanes> values{};
    std::copy_n(warp.lanes<std::uint32_t>(value), kLanes, values.begin());
    const Mask known = warp.defined(value) & group;
    const Mask known_places = warp.defined(op.operand[2]) & warp.defined(c);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((group & bit(lane)) == 0) continue;
      const machine::ShuffleSource source =
          machine::shuffle_source(mode, lane, warp.lanes<std::uint32_t>(op.operand[2])[lane],
                                  warp.lanes<std::uint32_t>(c)[lane]);
      const bool place_known = (known_places & bit(lane)) != 0;
      if (target != machine::kNoSlot) {
        warp.lanes<std::uint32_t>(target)[lane] = values[source.lane];
        const bool defined = place_known && (known & bit(source.lane)) != 0;
        warp.set_defined(target, bit(lane), defined ? kAllLanes : 0);
        if (!defined) reinterpret_cast<std::uint32_t*>(warp.undefined_bits(target))[lane] = ~0U;
      }
      if (op.operand[4] != machine::kNoSlot) {
        set_lane(warp, op.operand[4], lane, source.within);
        warp.set_defined(op.operand[4], bit(lane), place_known ? kAllLanes : 0);
      }
    }
  });
}

/// The predicate operand 1 of each lane, including its `!`.
Mask votes(const Warp& warp, const Op& op) {
  return warp.predicate(op.operand[1]) ^ (op.guard_negated ? kAllLanes : 0);
}

/// Checks that the contributed values of all lanes are defined, since each result depends on all of
/// them.
bool all_defined(Warp& warp, const Op& op, Mask group, Slot slot) {
  const Mask unknown = group & ~warp.defined(slot);
  return unknown == 0 || warp.goes_on_with_undefined(
                             op, slot, unknown, "the value that the lane contributes is undefined");
}

enum class Vote { all, any, uni, ballot };

template <Vote mode>
Flow vote(Warp& warp, const Op& op) {
  return exchange(warp, op, [&](Mask group) {
    if (!all_defined(warp, op, group, op.operand[1])) return;
    const Mask for_it = votes(warp, op) & group;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((group & bit(lane)) == 0) continue;
      if constexpr (mode == Vote::ballot) {
        warp.lanes<std::uint32_t>(op.operand[0])[lane] = for_it;
      } else {
        const bool holds = mode == Vote::all   ? for_it == group
                           : mode == Vote::any ? for_it != 0
                                               : for_it == group || for_it == 0;
        set_lane(warp, op.operand[0], lane, holds);
      }
    }
    warp.set_defined(op.operand[0], group, kAllLanes);
  });
}

template <class T, bool all>
Flow match(Warp& warp, const Op& op) {
  return exchange(warp, op, [&](Mask group) {
    if (!all_defined(warp, op, group, op.operand[1])) return;
    std::array<T, kLanes> values{};
    std::copy_n(warp.lanes<T>(op.operand[1]), kLanes, values.begin());
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((group & bit(lane)) == 0) continue;
      Mask same = 0;
      for (unsigned other = 0; other < kLanes; ++other) {
        if ((group & bit(other)) != 0 && values[other] == values[lane]) same |= bit(other);
      }
      if (all && same != group) same = 0;
      if (op.operand[0] != machine::kNoSlot) warp.lanes<std::uint32_t>(op.operand[0])[lane] = same;
      if (op.operand[4] != machine::kNoSlot) set_lane(warp, op.operand[4], lane, same != 0);
    }
    if (op.operand[0] != machine::kNoSlot) warp.set_defined(op.operand[0], group, kAllLanes);
    if (op.operand[4] != machine::kNoSlot) warp.set_defined(op.operand[4], group, kAllLanes);
  });
}

struct Sum {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  }
};
struct Least {
  template <class T>
  static T apply(T a, T b) {
    return std::min(a, b);
  }
};
struct Greatest {
  template <class T>
  static T apply(T a, T b) {
    return std::max(a, b);
  }
};
struct And {
  template <class T>
  static T apply(T a, T b) {
    return a & b;
  }
};
struct Or {
  template <class T>
  static T apply(T a, T b) {
    return a | b;
  }
};
struct Xor {
  template <class T>
  static T apply(T a, T b) {
    return a ^ b;
  }
};

template <class F, class T>
Flow reduce(Warp& warp, const Op& op) {
  return exchange(warp, op, [&](Mask group) {
    if (!all_defined(warp, op, group, op.operand[1])) return;
    const T* values = warp.lanes<T>(op.operand[1]);
    T result = values[lowest(group)];
    for (unsigned lane = lowest(group) + 1; lane < kLanes; ++lane) {
      if ((group & bit(lane)) != 0) result = F::apply(result, values[lane]);
    }
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((group & bit(lane)) != 0) warp.lanes<T>(op.operand[0])[lane] = result;
    }
    warp.set_defined(op.operand[0], group, kAllLanes);
  });
}

/// Elects one lane of each group: the lowest, as on every GPU seen so far.
Flow elect(Warp& warp, const Op& op) {
  return exchange(warp, op, [&](Mask group) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((group & bit(lane)) == 0) continue;
      if (op.operand[0] != machine::kNoSlot)
        warp.lanes<std::uint32_t>(op.operand[0])[lane] = lowest(group);
      if (op.operand[4] != machine::kNoSlot)
        set_lane(warp, op.operand[4], lane, lane == lowest(group));
    }
    if (op.operand[0] != machine::kNoSlot) warp.set_defined(op.operand[0], group, kAllLanes);
    if (op.operand[4] != machine::kNoSlot) warp.set_defined(op.operand[4], group, kAllLanes);
  });
}

/// Executes activemask. The mask has the lanes that happen to run together (CUDA C++ Programming
/// Guide, "Warp Vote Functions"): any of the lanes that may be apart.
Flow active_mask(Warp& warp, const Op& op) {
  const Mask all = warp.active();
  warp.postpone(all & ~warp.lanes_in_step());
  const Mask active = warp.active();
  machine::write_lanes<std::uint32_t>(warp, op.operand[0], [&](unsigned) { return active; });
  warp.set_defined(op.operand[0], active, kAllLanes);
  return active == all ? Flow::next : Flow::leave;
}

/// `d`, or `d|p` into operands 0 and 4.
void lower_results(Lowering& lowering, Type type) {
  const auto& first = lowering.instruction.operands.at(0);
  lowering.result.operand[4] = machine::kNoSlot;
  const auto* pair = std::get_if<ptx::Pair>(&first);
  if (pair == nullptr) {
    lowering.result.operand[0] = lowering.destination(first, type);
    return;
  }
  const auto half = [&](const std::optional<ptx::Register>& reg, Type of) {
    return reg ? lowering.destination(ptx::Operand(*reg), of) : machine::kNoSlot;
  };
  lowering.result.operand[0] = half(pair->first, type);
  lowering.result.operand[4] = half(pair->second, Type::pred);
}

void lower_shuffle(Lowering& lowering) {
  lowering.expect_operands(5);
  const auto& operands = lowering.instruction.operands;
  lower_results(lowering, Type::b32);
  lowering.result.operand[1] = lowering.source(operands[1], Type::b32);
  lowering.result.operand[2] = lowering.source(operands[2], Type::b32);
  lowering.detail().elements.push_back(lowering.source(operands[3], Type::b32));
  lowering.result.operand[3] = lowering.source(operands[4], Type::b32);
  lowering.result.run = lowering.selection.has("up")     ? shuffle<Shuffle::up>
                        : lowering.selection.has("down") ? shuffle<Shuffle::down>
                        : lowering.selection.has("bfly") ? shuffle<Shuffle::bfly>
                                                         : shuffle<Shuffle::idx>;
}

void lower_vote(Lowering& lowering) {
  lowering.expect_operands(3);
  const auto& operands = lowering.instruction.operands;
  const auto* predicate = lowering.operand<ptx::Register>(1);
  lowering.result.operand[0] = lowering.destination(operands[0], lowering.selection.type());
  if (predicate != nullptr) {
    lowering.result.guard_negated = predicate->negated;
    lowering.result.operand[1] =
        lowering.source(ptx::Operand(ptx::Register{predicate->index, false}), Type::pred);
  } else {
    lowering.result.operand[1] = lowering.source(operands[1], Type::pred);
  }
  lowering.result.operand[3] = lowering.source(operands[2], Type::b32);
  lowering.result.run = lowering.selection.has("all")   ? vote<Vote::all>
                        : lowering.selection.has("any") ? vote<Vote::any>
                        : lowering.selection.has("uni") ? vote<Vote::uni>
                                                        : vote<Vote::ballot>;
}

void lower_match(Lowering& lowering) {
  lowering.expect_operands(3);
  const auto& operands = lowering.instruction.operands;
  const Type type = lowering.selection.type();
  lower_results(lowering, Type::b32);
  lowering.result.operand[1] = lowering.source(operands[1], type);
  lowering.result.operand[3] = lowering.source(operands[2], Type::b32);
  const bool all = lowering.selection.has("all");
  lowering.result.run = type == Type::b64
                            ? (all ? match<std::uint64_t, true> : match<std::uint64_t, false>)
                            : (all ? match<std::uint32_t, true> : match<std::uint32_t, false>);
}

template <class F>
Handler reduction_of(Type type) {
  return type == Type::s32 ? reduce<F, std::int32_t> : reduce<F, std::uint32_t>;
}

void lower_redux(Lowering& lowering) {
  lowering.expect_operands(3);
  const auto& operands = lowering.instruction.operands;
  const Type type = lowering.selection.type();
  const Selection& selection = lowering.selection;
  lowering.result.operand[0] = lowering.destination(operands[0], type);
  lowering.result.operand[1] = lowering.source(operands[1], type);
  lowering.result.operand[3] = lowering.source(operands[2], Type::b32);
  lowering.result.run = selection.has("add")   ? reduction_of<Sum>(type)
                        : selection.has("min") ? reduction_of<Least>(type)
                        : selection.has("max") ? reduction_of<Greatest>(type)
                        : selection.has("and") ? reduction_of<And>(type)
                        : selection.has("or")  ? reduction_of<Or>(type)
                                               : reduction_of<Xor>(type);
}

void lower_elect(Lowering& lowering) {
  lowering.expect_operands(2);
  lower_results(lowering, Type::b32);
  lowering.result.operand[3] = lowering.source(lowering.instruction.operands[1], Type::b32);
  lowering.result.run = elect;
}

Handler bind_active_mask(const Selection&) { return active_mask; }

constexpr std::array kForms = {
    Form{"shfl", "sync up|down|bfly|idx", "b32", "", "9.7.9.6", nullptr, nullptr, lower_shuffle,
         true},
    Form{"vote", "sync all|any|uni", "pred", "", "9.7.13.9", nullptr, nullptr, lower_vote, true},
    Form{"vote", "sync ballot", "b32", "", "9.7.13.9", nullptr, nullptr, lower_vote, true},
    Form{"match", "any|all sync", "b32 b64", "", "9.7.13.10", nullptr, nullptr, lower_match, true},
    Form{"activemask", "", "b32", "=b32", "9.7.13.11", bind_active_mask},
    Form{"redux", "sync add|min|max", "u32 s32", "", "9.7.13.12", nullptr, nullptr, lower_redux,
         true},
    Form{"redux", "sync and|or|xor", "b32", "", "9.7.13.12", nullptr, nullptr, lower_redux, true},
    Form{"elect", "sync", "", "", "9.7.13.15", nullptr, nullptr, lower_elect, true},
};

}  // namespace

std::span<const Form> exchange_forms() { return kForms; }

}  // namespace warpcheck::isa
