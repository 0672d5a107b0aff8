// The description of a conversion in an op, and helpers of its handlers and its decoding.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "device/virtual/isa/bind.hpp"
#include "device/virtual/isa/by_lane.hpp"
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

// Handlers for all conversions: convert_value.cpp.

/// Converts one value.
machine::Flow convert_any(machine::Warp& warp, const machine::Op& op);
/// Converts two values to the halves of one: a to the upper, b to the lower.
machine::Flow convert_pair(machine::Warp& warp, const machine::Op& op);
/// Converts both halves of one register.
machine::Flow convert_packed(machine::Warp& warp, const machine::Op& op);

// Specialised handlers for conversions in the inner loops of kernels: convert_fast.cpp.

/// Returns null if no such handler exists, or if registers are wider than the types.
[[nodiscard]] Handler fast_handler(const Conversion& c, unsigned from_bits, unsigned to_bits);
/// Returns the handler that converts two floats to the halves of one register; null if there is
/// none.
[[nodiscard]] Handler fast_pair_handler(const Conversion& c);

}  // namespace warpcheck::isa
