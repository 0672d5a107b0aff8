// The new value in memory of an atomic operation (PTX ISA 9.7.13: atom, red), as a function of the
// old value and the operands. The machine makes it atomic. min, max, and, or and xor are in
// integer.hpp and bits.hpp; exch stores its operand.
#pragma once

#include <cstdint>

#include "device/virtual/semantics/float.hpp"
#include "device/virtual/semantics/half.hpp"
#include "device/virtual/semantics/integer.hpp"

namespace warpcheck::semantics {

/// atom.add on integers wraps.
template <std::integral T>
[[nodiscard]] constexpr T atomic_add(T old, T operand) {
  return add(old, operand);
}
/// atom.add on f32, f64, f16 and bf16 rounds to nearest even. f32 flushes subnormal operands and
/// results in global memory (ftz = true), but not in shared memory; f16 and bf16 are .noftz. If
/// both operands are f64 NaNs, the one in memory stays, as in the shared memory of an H200.
template <bool ftz = false, Floating T>
[[nodiscard]] inline T atomic_add(T old, T operand) {
  return add<Rounding::rn, ftz>(operand, old);
}
/// Counts up to the bound, then continues from 0.
[[nodiscard]] constexpr std::uint32_t atomic_inc(std::uint32_t old, std::uint32_t bound) {
  return old >= bound ? 0 : old + 1;
}
/// Counts down to 0, then continues from the bound. Also continues from the bound if `old` exceeds
/// it.
[[nodiscard]] constexpr std::uint32_t atomic_dec(std::uint32_t old, std::uint32_t bound) {
  return old == 0 || old > bound ? bound : old - 1;
}
template <class T>
[[nodiscard]] constexpr T atomic_exch(T, T operand) {
  return operand;
}
/// Compares bits, so that NaN equals itself. T is therefore an unsigned integer.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T atomic_cas(T old, T expected, T desired) {
  return old == expected ? desired : old;
}

/// The reductions of bulk copies (PTX ISA 9.7.9.25.4.2).
enum class BulkReduction : std::uint8_t { add, min, max, inc, dec, conjunction, disjunction, xor_ };

/// The new value of an element from its old value and the operand, as bits.
using ReduceElement = std::uint64_t (*)(std::uint64_t old, std::uint64_t operand);

/// Null if the reduction does not exist for the type, a number of device::TensorMap::type.
[[nodiscard]] ReduceElement bulk_reduction(BulkReduction reduction, unsigned type);

}  // namespace warpcheck::semantics
