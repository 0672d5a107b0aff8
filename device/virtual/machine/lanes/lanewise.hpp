// Adapters that make handlers over 32 lanes from pure functions of values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "device/virtual/machine/block/warp.hpp"
#include "device/virtual/machine/core/simd.hpp"

namespace warpcheck::machine {

/// A predicate register in the signature of a lanewise instruction; the function takes a bool.
struct Predicate {};

/// Returns the lanes of `lanes` whose result is fully defined although a source is undefined, and
/// records the undefined bits of the other results. Must be called before the result is written.
[[nodiscard]] Mask propagate_undefined(Warp& warp, const Op& op, Mask lanes);

/// A source operand: `source[lane]`.
template <class T>
struct Source {
  const T* values;
  Source(const Warp& warp, const Op& op, unsigned operand)
      : values(warp.lanes<T>(op.operand[operand])) {}
  T operator[](unsigned lane) const { return values[lane]; }
};
template <>
struct Source<Predicate> {
  Mask values;
  Source(const Warp& warp, const Op& op, unsigned operand)
      : values(warp.predicate(op.operand[operand]) ^
               ((op.negated_sources >> operand & 1) != 0 ? kAllLanes : Mask{0})) {}
  bool operator[](unsigned lane) const { return (values >> lane & 1) != 0; }
};

/// Writes the active lanes of a predicate.
inline void write_predicate(const Warp& warp, Slot slot, Mask holds) {
  Mask& target = warp.predicate(slot);
  target = (target & ~warp.active()) | (holds & warp.active());
}

/// Writes the active lanes of a register of type T from compute(lane).
template <class T, class F>
inline void write_lanes(const Warp& warp, Slot slot, F compute) {
  const Mask active = warp.active();
  if constexpr (std::is_same_v<T, Predicate>) {
    Mask holds = 0;
    for_lanes([&](unsigned lane) { holds |= Mask{compute(lane)} << lane; });
    write_predicate(warp, slot, holds);
  } else if (active == kAllLanes) {
    T* target = warp.lanes<T>(slot);
    for_lanes([&](unsigned lane) { target[lane] = compute(lane); });
  } else {
    T* target = warp.lanes<T>(slot);
    for_lanes([&](unsigned lane) {
      const T value = compute(lane);
      target[lane] = (active >> lane & 1) != 0 ? value : target[lane];
    });
  }
}

/// Applies F::apply to the sources of an instruction, lane by lane.
template <class F, class... S>
class Computation {
 public:
  Computation(Warp& warp, const Op& op) : Computation(warp, op, std::index_sequence_for<S...>{}) {}

  auto operator()(unsigned lane) const {
    return std::apply([&](const auto&... source) { return F::apply(source[lane]...); }, sources_);
  }

  /// The lanes whose result is true, if all operands are predicates.
  [[nodiscard]] Mask holds() const {
    return std::apply([](const auto&... source) { return holds_with<>(source.values...); },
                      sources_);
  }

  /// The active lanes whose results are fully defined. The undefined bits of the others are
  /// recorded.
  [[nodiscard]] Mask known() const { return known_; }

 private:
  template <std::size_t... I>
  Computation(Warp& warp, const Op& op, std::index_sequence<I...>)
      : known_(fully_defined(warp, op, (warp.defined(op.operand[I + 1]) & ... & kAllLanes))),
        sources_(Source<S>(warp, op, I + 1)...) {}

  /// Applies F to masks: returns the lanes of each combination of sources for which F is true.
  template <bool... values>
  static Mask holds_with() {
    return F::apply(values...) ? kAllLanes : Mask{0};
  }
  template <bool... values, class... Others>
  static Mask holds_with(Mask next, const Others&... others) {
    return (next & holds_with<values..., true>(others...)) |
           (~next & holds_with<values..., false>(others...));
  }

  static Mask fully_defined(Warp& warp, const Op& op, Mask defined) {
    const Mask unknown = warp.active() & ~defined;
    return unknown == 0 ? kAllLanes : propagate_undefined(warp, op, unknown);
  }

  Mask known_;
  std::tuple<Source<S>...> sources_;
};

template <class F, class D, class... S>
struct Lanewise {
  static Flow run(Warp& warp, const Op& op) {
    const Computation<F, S...> compute(warp, op);
    if constexpr ((std::is_same_v<Predicate, D> && ... && std::is_same_v<Predicate, S>)) {
      write_predicate(warp, op.operand[0], compute.holds());
    } else {
      write_lanes<D>(warp, op.operand[0], compute);
    }
    warp.set_defined(op.operand[0], warp.active(), compute.known());
    return Flow::next;
  }
};

/// The handler of `d = F::apply(s...)` for each lane. D and S are the C++ types of the registers
/// (std::uint32_t, float, Predicate ...).
template <class F, class D, class... S>
inline const Handler lanewise = best_handler<Lanewise<F, D, S...>>();

/// The handler of rare instructions, which are compiled for the baseline CPU only.
template <class F, class D, class... S>
inline constexpr Handler rare_lanewise = run_plainly<Lanewise<F, D, S...>>;

template <class F, class D, class E, class... S>
struct LanewisePair {
  static Flow run(Warp& warp, const Op& op) {
    const Computation<F, S...> compute(warp, op);
    // A buffer, because the first result may overwrite a source.
    decltype(compute(0)) results[kLanes];
    for_lanes([&](unsigned lane) { results[lane] = compute(lane); });
    if (op.operand[0] != kNoSlot) {
      write_lanes<D>(warp, op.operand[0], [&](unsigned lane) { return results[lane].first; });
      warp.set_defined(op.operand[0], warp.active(), compute.known());
    }
    if (op.operand[kSecondResult] != kNoSlot) {
      write_lanes<E>(warp, op.operand[kSecondResult],
                     [&](unsigned lane) { return results[lane].second; });
      warp.set_defined(op.operand[kSecondResult], warp.active(), compute.known());
    }
    return Flow::next;
  }
};

/// The handler of an instruction with two results, {first, second} = F::apply(s...). The second is
/// written to operand kSecondResult unless that is kNoSlot.
template <class F, class D, class E, class... S>
inline const Handler lanewise_pair = best_handler<LanewisePair<F, D, E, S...>>();

}  // namespace warpcheck::machine
