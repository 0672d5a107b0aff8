// Integer arithmetic (PTX ISA 9.7.1). T is the type of the instruction and of its operands:
// (u)int16_t, (u)int32_t or (u)int64_t. Arithmetic wraps; no result is undefined.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace warpcheck::semantics {

__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

namespace detail {

/// The type of intermediate results: unsigned, so that it wraps, and at least as wide as unsigned
/// int, so that C++ does not promote it to a signed type.
template <std::integral T>
using Wrapping =
    std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned, std::make_unsigned_t<T>>;

template <std::integral T>
using DoubleWidth = std::conditional_t<
    std::is_signed_v<T>,
    std::conditional_t<sizeof(T) == 2, std::int32_t,
                       std::conditional_t<sizeof(T) == 4, std::int64_t, int128>>,
    std::conditional_t<sizeof(T) == 2, std::uint32_t,
                       std::conditional_t<sizeof(T) == 4, std::uint64_t, uint128>>>;

template <std::integral T>
inline constexpr int width = 8 * sizeof(T);

/// The value clamped to the range of T.
template <std::integral T>
[[nodiscard]] constexpr T clamp_to(std::int64_t value) {
  constexpr std::int64_t low = std::numeric_limits<T>::min();
  constexpr std::int64_t high = std::numeric_limits<T>::max();
  const std::int64_t above = value < low ? low : value;
  return static_cast<T>(above > high ? high : above);
}

}  // namespace detail

template <std::integral T>
[[nodiscard]] constexpr T add(T a, T b) {
  using U = detail::Wrapping<T>;
  return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
}
template <std::integral T>
[[nodiscard]] constexpr T sub(T a, T b) {
  using U = detail::Wrapping<T>;
  return static_cast<T>(static_cast<U>(a) - static_cast<U>(b));
}
/// add.sat.s32, sub.sat.s32
[[nodiscard]] constexpr std::int32_t add_sat(std::int32_t a, std::int32_t b) {
  return detail::clamp_to<std::int32_t>(std::int64_t{a} + b);
}
[[nodiscard]] constexpr std::int32_t sub_sat(std::int32_t a, std::int32_t b) {
  return detail::clamp_to<std::int32_t>(std::int64_t{a} - b);
}

template <std::integral T>
[[nodiscard]] constexpr T mul_lo(T a, T b) {
  using U = detail::Wrapping<T>;
  return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
}
/// The full product, which is twice as wide. For 64-bit T it is a 128-bit integer, which PTX does
/// not have.
template <std::integral T>
[[nodiscard]] constexpr detail::DoubleWidth<T> mul_wide(T a, T b) {
  using D = detail::DoubleWidth<T>;
  return static_cast<D>(static_cast<D>(a) * static_cast<D>(b));
}
template <std::integral T>
[[nodiscard]] constexpr T mul_hi(T a, T b) {
  return static_cast<T>(mul_wide(a, b) >> detail::width<T>);
}

template <std::integral T>
[[nodiscard]] constexpr T mad_lo(T a, T b, T c) {
  return add(mul_lo(a, b), c);
}
template <std::integral T>
[[nodiscard]] constexpr T mad_hi(T a, T b, T c) {
  return add(mul_hi(a, b), c);
}
template <std::integral T>
[[nodiscard]] constexpr detail::DoubleWidth<T> mad_wide(T a, T b, detail::DoubleWidth<T> c) {
  return add(mul_wide(a, b), c);
}
/// mad.hi.sat.s32
[[nodiscard]] constexpr std::int32_t mad_hi_sat(std::int32_t a, std::int32_t b, std::int32_t c) {
  return add_sat(mul_hi(a, b), c);
}

namespace detail {
/// The low 24 bits, extended by zeros or by the sign.
template <std::integral T>
[[nodiscard]] constexpr T low24(T a) {
  return static_cast<T>(static_cast<T>(static_cast<std::uint32_t>(a) << 8) >> 8);
}
}  // namespace detail

/// mul24 and mad24 on 32-bit registers: .lo is bits 31..0, .hi bits 47..16 of the 48-bit product.
template <std::integral T>
[[nodiscard]] constexpr T mul24_lo(T a, T b) {
  return mul_lo(detail::low24(a), detail::low24(b));
}
template <std::integral T>
[[nodiscard]] constexpr T mul24_hi(T a, T b) {
  return static_cast<T>(mul_wide(detail::low24(a), detail::low24(b)) >> 16);
}
template <std::integral T>
[[nodiscard]] constexpr T mad24_lo(T a, T b, T c) {
  return add(mul24_lo(a, b), c);
}
template <std::integral T>
[[nodiscard]] constexpr T mad24_hi(T a, T b, T c) {
  return add(mul24_hi(a, b), c);
}
[[nodiscard]] constexpr std::int32_t mad24_hi_sat(std::int32_t a, std::int32_t b, std::int32_t c) {
  return add_sat(mul24_hi(a, b), c);
}

/// The manual does not specify division by zero; code of ptxas computes all ones for quotient and
/// remainder. The smallest value divided by -1 wraps to itself, with remainder 0.
template <std::integral T>
[[nodiscard]] constexpr T div(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return sub(T{0}, a);
  return static_cast<T>(a / b);
}
template <std::integral T>
[[nodiscard]] constexpr T rem(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
  return static_cast<T>(a % b);
}

template <std::signed_integral T>
[[nodiscard]] constexpr T neg(T a) {
  return sub(T{0}, a);
}
/// The absolute value; the smallest value stays unchanged.
template <std::signed_integral T>
[[nodiscard]] constexpr T abs(T a) {
  return a < 0 ? neg(a) : a;
}

/// <relu>: a negative result becomes 0 (s32, s16x2).
template <bool relu = false, std::integral T>
[[nodiscard]] constexpr T min(T a, T b) {
  const T result = a < b ? a : b;
  return relu && result < T{0} ? T{0} : result;
}
template <bool relu = false, std::integral T>
[[nodiscard]] constexpr T max(T a, T b) {
  const T result = a > b ? a : b;
  return relu && result < T{0} ? T{0} : result;
}

/// c + |a - b|
template <std::integral T>
[[nodiscard]] constexpr T sad(T a, T b, T c) {
  return add(c, a < b ? sub(b, a) : sub(a, b));
}

/// dp4a: c plus the four products of the bytes of a (type A) and b (type B: int8_t or uint8_t).
template <std::integral A, std::integral B>
[[nodiscard]] constexpr std::uint32_t dp4a(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  for (int i = 0; i < 32; i += 8)
    c += static_cast<std::uint32_t>(static_cast<A>(a >> i) * static_cast<B>(b >> i));
  return c;
}
/// dp2a.lo, dp2a.hi: c plus the two products of the halves of a (type A: int16_t or uint16_t) and
/// the bytes of b's low or high half (type B: int8_t or uint8_t).
template <bool high, std::integral A, std::integral B>
[[nodiscard]] constexpr std::uint32_t dp2a(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  b >>= high ? 16 : 0;
  for (int i = 0; i < 2; ++i)
    c += static_cast<std::uint32_t>(static_cast<A>(a >> 16 * i) * static_cast<B>(b >> 8 * i));
  return c;
}

}  // namespace warpcheck::semantics
