// Counting, finding, extracting and inserting bits (PTX ISA 9.7.1: popc clz bfind fns brev bfe bfi
// bmsk szext).
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace warpcheck::semantics {

inline constexpr std::uint32_t not_found = 0xffffffff;

template <std::unsigned_integral T>
[[nodiscard]] constexpr std::uint32_t popc(T a) {
  return static_cast<std::uint32_t>(std::popcount(a));
}
template <std::unsigned_integral T>
[[nodiscard]] constexpr std::uint32_t clz(T a) {
  return static_cast<std::uint32_t>(std::countl_zero(a));
}

/// The position of the highest bit that differs from the sign; with shiftamt, the shift that moves
/// it to the top.
template <bool shiftamt, std::integral T>
[[nodiscard]] constexpr std::uint32_t bfind(T a) {
  using U = std::make_unsigned_t<T>;
  constexpr std::uint32_t top = 8 * sizeof(T) - 1;
  const U magnitude = static_cast<U>(a < T{0} ? ~a : a);
  if (magnitude == 0) return not_found;
  return shiftamt ? clz(magnitude) : top - clz(magnitude);
}

/// The position of the |offset|-th set bit of the mask, upward from base for a positive offset,
/// downward for a negative one. Offset 0: base, if its bit is set. No bit is found for a base above
/// 31.
[[nodiscard]] constexpr std::uint32_t fns(std::uint32_t mask, std::uint32_t base,
                                          std::int32_t offset) {
  if (base > 31) return not_found;
  if (offset == 0) return (mask >> base & 1) != 0 ? base : not_found;
  const int step = offset > 0 ? 1 : -1;
  std::int64_t wanted = offset > 0 ? std::int64_t{offset} : -std::int64_t{offset};
  for (int position = static_cast<int>(base); position >= 0 && position < 32; position += step)
    if ((mask >> position & 1) != 0 && --wanted == 0) return static_cast<std::uint32_t>(position);
  return not_found;
}

template <std::unsigned_integral T>
[[nodiscard]] constexpr T brev(T a) {
  T reversed = 0;
  for (std::size_t i = 0; i < 8 * sizeof(T); ++i)
    reversed = static_cast<T>(reversed | (a >> i & T{1}) << (8 * sizeof(T) - 1 - i));
  return reversed;
}

namespace detail {
/// A position or length of bfe and bfi: modulo 256 for 32-bit values; unchanged for 64-bit values,
/// as on an H200, although the manual defines both modulo 256.
template <std::size_t bytes>
[[nodiscard]] constexpr std::uint32_t field(std::uint32_t operand) {
  return bytes == 8 ? operand : operand & 0xff;
}
}  // namespace detail

/// bfe: `length` bits from `start` (see field), sign-extended for a signed T. Bits beyond the top
/// are the sign.
template <std::integral T>
[[nodiscard]] constexpr T bfe(T a, std::uint32_t start, std::uint32_t length) {
  using U = std::make_unsigned_t<T>;
  constexpr std::uint32_t width = 8 * sizeof(T);
  start = detail::field<sizeof(T)>(start);
  length = detail::field<sizeof(T)>(length);
  if (length == 0) return 0;
  // Shifting right keeps the sign of a signed T, so that a field that reaches the top is complete.
  if constexpr (std::is_signed_v<T>) {
    if (start >= width) return static_cast<T>(a >> (width - 1));
  } else {
    if (start >= width) return 0;
  }
  const T shifted = static_cast<T>(a >> start);
  if (length >= width - start) return shifted;
  const std::uint32_t unused = width - length;
  return static_cast<T>(static_cast<T>(static_cast<U>(shifted) << unused) >> unused);
}

/// bfi: b with the low `length` bits of a at `start` (see field).
template <std::unsigned_integral T>
[[nodiscard]] constexpr T bfi(T a, T b, std::uint32_t start, std::uint32_t length) {
  constexpr std::uint32_t width = 8 * sizeof(T);
  start = detail::field<sizeof(T)>(start);
  length = detail::field<sizeof(T)>(length);
  if (start >= width) return b;
  const T field = length >= width ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - T{1});
  const T mask = static_cast<T>(field << start);
  return static_cast<T>((b & ~mask) | (static_cast<T>(a << start) & mask));
}

/// bmsk: `size` ones from bit `position` on. Both count modulo 32, or are clamped.
template <bool clamp>
[[nodiscard]] constexpr std::uint32_t bmsk(std::uint32_t position, std::uint32_t size) {
  if (clamp && position >= 32) return 0;
  const bool to_the_top = clamp && size >= 32;
  const std::uint32_t end = (position & 31) + (size & 31);
  const std::uint32_t from = 0xffffffffU << (position & 31);
  return from & (to_the_top || end >= 32 ? 0xffffffffU : (1U << end) - 1);
}

/// szext: the low `size` bits of a, zero-extended or, for a signed T, sign-extended. `size` counts
/// modulo 32, or is clamped.
template <bool clamp, std::integral T>
[[nodiscard]] constexpr T szext(T a, std::uint32_t size) {
  static_assert(sizeof(T) == 4);
  if (clamp && size >= 32) return a;
  size &= 31;
  if (size == 0) return 0;
  return static_cast<T>(static_cast<T>(static_cast<std::uint32_t>(a) << (32 - size)) >>
                        (32 - size));
}

}  // namespace warpcheck::semantics
