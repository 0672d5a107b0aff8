// The description of a conversion in an op, and helpers of its handlers and its decoding.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "device/virtual/isa/bind.hpp"
#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/semantics/convert.hpp"

namespace warpcheck::isa {

/// The types and modifiers of a conversion, stored in Op::immediate.
struct Conversion {
  Type to = Type::none;
  Type from = Type::none;
  semantics::Rounding rounding = semantics::Rounding::rn;
  bool to_integral = false;  // .rni, .rzi, .rmi, .rpi: `rounding` is to an integer
  bool ftz = false;
  bool sat = false;
  bool relu = false;
  bool satfinite = false;
};
static_assert(sizeof(Conversion) == sizeof(std::int64_t));

/// Extends a value of the type to 64 bits, by sign or by zeros.
inline std::uint64_t extend(std::uint64_t value, Type type) {
  const unsigned unused = 64 - bits_of(type);
  value <<= unused;
  return ptx::is_signed(type)
             ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> unused)
             : value >> unused;
}

/// The quiet NaN of a narrower type with the sign and the upper payload bits of a f64 NaN.
template <class D>
constexpr std::uint64_t narrowed_nan(std::uint64_t bits) {
  using F = semantics::Format<D>;
  constexpr unsigned lost = 52 - F::fraction_bits;
  constexpr std::uint64_t fraction = (std::uint64_t{1} << F::fraction_bits) - 1;
  constexpr std::uint64_t quiet = std::uint64_t{1} << (F::fraction_bits - 1);
  return (bits >> 63 != 0 ? F::sign : 0U) | F::infinity | quiet | (bits >> lost & fraction);
}

using WideLanes = std::array<std::uint64_t, machine::kLanes>;

inline void read_wide(const machine::Warp& warp, const machine::Op& op, unsigned operand,
                      WideLanes& lanes) {
  const machine::Slot slot = op.operand[operand];
  const auto read = [&]<class T>(std::type_identity<T>) {
    const T* values = warp.lanes<T>(slot);
    machine::for_lanes([&](unsigned lane) { lanes[lane] = values[lane]; });
  };
  switch (op.bits[operand]) {
    case 8:
      return read(std::type_identity<std::uint8_t>());
    case 16:
      return read(std::type_identity<std::uint16_t>());
    case 32:
      return read(std::type_identity<std::uint32_t>());
    default:
      return read(std::type_identity<std::uint64_t>());
  }
}

inline void write_wide(const machine::Warp& warp, const machine::Op& op, const WideLanes& lanes) {
  const machine::Slot slot = op.operand[0];
  const auto write = [&]<class T>(std::type_identity<T>) {
    machine::write_lanes<T>(warp, slot, [&](unsigned lane) { return static_cast<T>(lanes[lane]); });
  };
  switch (op.bits[0]) {
    case 8:
      return write(std::type_identity<std::uint8_t>());
    case 16:
      return write(std::type_identity<std::uint16_t>());
    case 32:
      return write(std::type_identity<std::uint32_t>());
    default:
      return write(std::type_identity<std::uint64_t>());
  }
}

/// Executes an op: compute(sources of one lane) gives the result of each lane.
template <class F>
machine::Flow by_lane(machine::Warp& warp, const machine::Op& op, unsigned sources, F compute) {
  const machine::Mask active = warp.active();
  machine::Mask defined = machine::kAllLanes;
  std::array<WideLanes, 3> lanes;
  for (unsigned i = 0; i < sources; ++i) {
    defined &= warp.defined(op.operand[i + 1]);
    read_wide(warp, op, i + 1, lanes[i]);
  }
  const machine::Mask unknown = active & ~defined;
  const machine::Mask known =
      unknown == 0 ? machine::kAllLanes : machine::propagate_undefined(warp, op, unknown);
  for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
    lanes[0][lane] = compute(lanes[0][lane], lanes[1][lane], lanes[2][lane]);
  }
  write_wide(warp, op, lanes[0]);
  warp.set_defined(op.operand[0], active, known);
  return machine::Flow::next;
}

// Handlers for all conversions: convert_value.cpp.

/// Converts one value.
machine::Flow convert_any(machine::Warp& warp, const machine::Op& op);
/// Converts two values to the halves of one: a to the upper, b to the lower.
machine::Flow convert_pair(machine::Warp& warp, const machine::Op& op);
/// Converts both halves of one register.
machine::Flow convert_packed(machine::Warp& warp, const machine::Op& op);

// Specialised handlers for conversions in the inner loops of kernels: convert_fast.cpp.

/// Returns null if there is none or registers are wider than the types.
[[nodiscard]] Handler fast_handler(const Conversion& c, unsigned from_bits, unsigned to_bits);
/// The same for two floats to the halves of one register.
[[nodiscard]] Handler fast_pair_handler(const Conversion& c);

}  // namespace warpcheck::isa
