// What an atomic operation makes of the value in memory (PTX ISA 9.7.13: atom, red): a function of
// the old value and the operands. Atomicity is the machine's business. min and max, and or and xor
// are those of integer.hpp and bits.hpp; exch stores its operand.
#pragma once

#include "device/virtual/semantics/float.hpp"
#include "device/virtual/semantics/half.hpp"
#include "device/virtual/semantics/integer.hpp"

namespace warpcheck::semantics {

/// atom.add on integers wraps.
template <std::integral T>
[[nodiscard]] constexpr T atomic_add(T old, T operand) {
  return add(old, operand);
}
/// atom.add on f32, f64, f16 and bf16 rounds to nearest even. f32 in global memory flushes
/// subnormal operands and results (ftz = true), in shared memory it doesn't; f16 and bf16 are
/// .noftz. Of two f64 NaNs the one in memory stays, as in an H200's shared memory.
template <bool ftz = false, Floating T>
[[nodiscard]] inline T atomic_add(T old, T operand) {
  return add<Rounding::rn, ftz>(operand, old);
}
/// atom.add.noftz.f16x2 and bf16x2, T the type of a half; each half is an atomic operation of its
/// own.
template <Floating T>
[[nodiscard]] inline std::uint32_t atomic_add2(std::uint32_t old, std::uint32_t operand) {
  return packed<T>([](T a, T b) { return add(a, b); }, old, operand);
}
/// Counts up to the bound, then from 0 again.
[[nodiscard]] constexpr std::uint32_t atomic_inc(std::uint32_t old, std::uint32_t bound) {
  return old >= bound ? 0 : old + 1;
}
/// Counts down to 0, then from the bound again; from the bound as well where old is above it.
[[nodiscard]] constexpr std::uint32_t atomic_dec(std::uint32_t old, std::uint32_t bound) {
  return old == 0 || old > bound ? bound : old - 1;
}
template <class T>
[[nodiscard]] constexpr T atomic_exch(T, T operand) {
  return operand;
}
/// Compares bits, so that NaN equals itself: T is an unsigned integer.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T atomic_cas(T old, T expected, T desired) {
  return old == expected ? desired : old;
}

}  // namespace warpcheck::semantics
