// Loads and stores of one element per lane, with its shadow, after the checks of access().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "device/virtual/machine/core/eight.hpp"
#include "device/virtual/machine/lanes/access.hpp"

namespace warpcheck::machine {

/// Loads the definedness of lanes, some of which are not completely defined.
template <class M, class D>
[[gnu::noinline, gnu::cold]] void load_definedness(Warp& warp, const ResolvedAccess& resolved,
                                                   Mask lanes, std::size_t displacement,
                                                   Slot target) {
  D* undefined = reinterpret_cast<D*>(warp.undefined_bits(target));
  Mask defined = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    M known;
    std::memcpy(&known, resolved.shadow + displacement + resolved.offset[lane], sizeof known);
    const auto bits = static_cast<M>(~known);  // `bits` is sign-extended with the value
    undefined[lane] = static_cast<D>(bits);
    if (bits == 0) defined |= Mask{1} << lane;
  }
  warp.set_defined(target, lanes, defined);
}

/// Loads eight elements at a distance of `bytes`.
template <class M>
inline void load_contiguous(Eight<M>& eight, const std::byte* from, std::size_t bytes) {
  if (bytes == sizeof(M)) {
    std::memcpy(&eight, from, sizeof eight);
  } else {
    std::array<M, 8> values;
    for (unsigned i = 0; i < 8; ++i) std::memcpy(&values[i], from + i * bytes, sizeof(M));
    std::memcpy(&eight, &values, sizeof eight);
  }
}

/// Gives eight lanes one value. GCC would unroll the loop before it could vectorise it.
template <class D>
inline void fill_eight(D* values, D value) {
#if !defined(__clang__)
#pragma GCC unroll 1
#pragma GCC ivdep
#endif
  for (unsigned i = 0; i < 8; ++i) values[i] = value;
}

/// Loads and widens the element of each lane at byte `displacement` of its access of `bytes`.
/// Returns false if any bit is undefined.
template <class M, class D>
inline bool gather(const ResolvedAccess& resolved, std::size_t bytes, std::size_t displacement,
                   D* values) {
  const std::byte* const data = resolved.data + displacement;
  const std::byte* const shadow = resolved.shadow + displacement;
  const std::uint32_t* const offset = resolved.offset;
  const auto load_one = [](const std::byte* from) {
    M value;
    std::memcpy(&value, from, sizeof value);
    return value;
  };
  constexpr M kKnown = static_cast<M>(~M{0});
  M known = kKnown;
  if (resolved.pattern == Pattern::equal) {
    for (unsigned first = 0; first < kLanes; first += 8) {
      const auto value = static_cast<D>(load_one(data + offset[first]));
      known &= load_one(shadow + offset[first]);
      fill_eight(values + first, value);
    }
  } else if (resolved.pattern == Pattern::contiguous) {
    Eight<M> unknown{};
    for (unsigned first = 0; first < kLanes; first += 8) {
      Eight<M> eight;
      load_contiguous<M>(eight, data + offset[first], bytes);
      const auto wide = __builtin_convertvector(eight, Eight<D>);
      std::memcpy(values + first, &wide, sizeof wide);
      load_contiguous<M>(eight, shadow + offset[first], bytes);
      unknown |= ~eight;
    }
    return !any(unknown);
  } else {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      values[lane] = static_cast<D>(load_one(data + offset[lane]));
      known &= load_one(shadow + offset[lane]);
    }
  }
  return known == kKnown;
}

/// Loads `sizeof(M)` bytes per lane at byte `displacement` of an access of `bytes`, and widens them
/// to a register.
template <class M, class D>
inline void load_element(Warp& warp, const ResolvedAccess& resolved, Mask lanes, std::size_t bytes,
                         std::size_t displacement, Slot target) {
  D* const values = warp.lanes<D>(target);
  bool known = false;
  if (lanes == kAllLanes) {
    known = gather<M, D>(resolved, bytes, displacement, values);
  } else {
    alignas(64) D loaded[kLanes];
    known = gather<M, D>(resolved, bytes, displacement, loaded);
    for_lanes([&](unsigned lane) {
      values[lane] = (lanes >> lane & 1) != 0 ? loaded[lane] : values[lane];
    });
  }
  if (known) {
    warp.defined(target) |= lanes;
  } else {
    load_definedness<M, D>(warp, resolved, lanes, displacement, target);
  }
}

/// Stores the low `sizeof(M)` bytes of all lanes to contiguous memory. Returns the lanes whose
/// store did not change the value.
template <class M, class D>
inline Mask store_contiguous(const D* values, std::byte* data, std::byte* shadow,
                             const std::uint32_t* offset) {
  const Eight<M> known = ~Eight<M>{};
  Eight<Mask> rewrites{};
  for (unsigned first = 0; first < kLanes; first += 8) {
    Eight<D> wide;
    load<D>(wide, values + first);
    const auto value = __builtin_convertvector(wide, Eight<M>);
    Eight<M> old;
    load<M>(old, data + offset[first]);
    const auto same = __builtin_convertvector(old == value, Eight<std::int32_t>);
    const Eight<Mask> lane = Eight<Mask>{1, 2, 4, 8, 16, 32, 64, 128} << first;
    rewrites |= reinterpret_cast<Eight<Mask>>(same) & lane;
    std::memcpy(data + offset[first], &value, sizeof value);
    std::memcpy(shadow + offset[first], &known, sizeof known);
  }
  Mask all = 0;
  for (unsigned i = 0; i < 8; ++i) all |= rewrites[i];
  return all;
}

/// Stores the low `sizeof(M)` bytes of each lane's register at byte `displacement` of an access of
/// `bytes`. If lanes collide, the highest lane wins. Returns the lanes whose store did not change
/// the value.
template <class M, class D>
inline Mask store_element(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                          std::size_t bytes, std::size_t displacement, Slot source) {
  const D* const values = warp.lanes<D>(source);
  std::byte* const data = resolved.data + displacement;
  std::byte* const shadow = resolved.shadow + displacement;
  const Mask unknown = lanes & ~warp.defined(source);
  if (unknown == 0 && lanes == kAllLanes && resolved.pattern == Pattern::contiguous &&
      bytes == sizeof(M)) {
    return store_contiguous<M, D>(values, data, shadow, resolved.offset);
  }
  constexpr M kKnown = static_cast<M>(~M{0});
  const D* const undefined =
      unknown == 0 ? nullptr : reinterpret_cast<const D*>(warp.undefined_bits(source));
  Mask rewrites = 0;
  Mask reported = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    const auto value = static_cast<M>(values[lane]);
    M old;
    std::memcpy(&old, data + resolved.offset[lane], sizeof old);
    rewrites |= Mask{old == value} << lane;
    M known = kKnown;
    if ((unknown >> lane & 1) != 0) known = static_cast<M>(~undefined[lane]);
    if (known != kKnown) reported |= Mask{1} << lane;
    std::memcpy(data + resolved.offset[lane], &value, sizeof value);
    std::memcpy(shadow + resolved.offset[lane], &known, sizeof known);
  }
  if (reported != 0 && resolved.container->allocation != nullptr) {
    report_undefined_store(warp, op, resolved, reported, displacement, sizeof(M));
  }
  return rewrites;
}

}  // namespace warpcheck::machine
