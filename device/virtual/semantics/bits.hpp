// Logic, shifts and byte permutation (PTX ISA 9.7.8, and prmt of 9.7.9).
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace warpcheck::semantics {

template <std::unsigned_integral T>
[[nodiscard]] constexpr T bit_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <std::unsigned_integral T>
[[nodiscard]] constexpr T bit_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <std::unsigned_integral T>
[[nodiscard]] constexpr T bit_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <std::unsigned_integral T>
[[nodiscard]] constexpr T bit_not(T a) {
  if constexpr (std::same_as<T, bool>) {
    return !a;
  } else {
    return static_cast<T>(~a);
  }
}
/// cnot: 1 if a is 0, otherwise 0.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T cnot(T a) {
  return a == 0 ? T{1} : T{0};
}

/// shl, shr: amounts above the width of T count as the width; shr of a signed T copies the sign.
template <std::integral T>
[[nodiscard]] constexpr T shl(T a, std::uint32_t amount) {
  using U = std::make_unsigned_t<T>;
  constexpr std::uint32_t width = 8 * sizeof(T);
  const U shifted = static_cast<U>(static_cast<U>(a) << (amount & (width - 1)));
  return static_cast<T>(amount >= width ? U{0} : shifted);
}
template <std::integral T>
[[nodiscard]] constexpr T shr(T a, std::uint32_t amount) {
  constexpr std::uint32_t width = 8 * sizeof(T);
  if constexpr (std::is_signed_v<T>)
    return static_cast<T>(a >> (amount >= width ? width - 1 : amount));
  const T shifted = static_cast<T>(a >> (amount & (width - 1)));
  return amount >= width ? T{0} : shifted;
}

/// shf.l, shf.r: the high (low) half of b:a shifted left (right) by the amount clamped to 32 or
/// modulo 32.
template <bool clamp>
[[nodiscard]] constexpr std::uint32_t shf_l(std::uint32_t a, std::uint32_t b,
                                            std::uint32_t amount) {
  const std::uint32_t n = clamp ? (amount > 32 ? 32 : amount) : amount & 31;
  const std::uint64_t both = static_cast<std::uint64_t>(b) << 32 | a;
  return static_cast<std::uint32_t>((both << n) >> 32);
}
template <bool clamp>
[[nodiscard]] constexpr std::uint32_t shf_r(std::uint32_t a, std::uint32_t b,
                                            std::uint32_t amount) {
  const std::uint32_t n = clamp ? (amount > 32 ? 32 : amount) : amount & 31;
  const std::uint64_t both = static_cast<std::uint64_t>(b) << 32 | a;
  return static_cast<std::uint32_t>(both >> n);
}

/// lop3: the result is bit i of the table, where i is the number with the bits (a, b, c); a is the
/// highest bit. The bits of the table select in a tree of multiplexers, which a loop over lanes
/// computes once.
[[nodiscard]] constexpr std::uint32_t lop3(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                           std::uint32_t table) {
  const auto row = [table](int i) { return std::uint32_t{0} - (table >> i & 1); };
  const auto choose = [](std::uint32_t where, std::uint32_t one, std::uint32_t zero) {
    return zero ^ (where & (one ^ zero));
  };
  const std::uint32_t without_a = choose(b, choose(c, row(3), row(2)), choose(c, row(1), row(0)));
  const std::uint32_t with_a = choose(b, choose(c, row(7), row(6)), choose(c, row(5), row(4)));
  return choose(a, with_a, without_a);
}

/// prmt without a mode: four-bit selectors select four bytes of b:a. The highest bit of a selector
/// selects the sign of the byte.
[[nodiscard]] constexpr std::uint32_t prmt(std::uint32_t a, std::uint32_t b,
                                           std::uint32_t selectors) {
  const std::uint64_t both = static_cast<std::uint64_t>(b) << 32 | a;
  std::uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t selector = selectors >> 4 * i;
    const auto byte = static_cast<std::uint32_t>(both >> (8 * (selector & 7))) & 0xff;
    const std::uint32_t sign = (std::uint32_t{0} - (byte >> 7)) & 0xff;
    result |= ((selector & 8) != 0 ? sign : byte) << 8 * i;
  }
  return result;
}

enum class PermuteMode : std::uint8_t { f4e, b4e, rc8, ecl, ecr, rc16 };

/// prmt with a mode: forward 4 extract, backward 4 extract, replicate 8, edge clamp left, edge
/// clamp right, replicate 16. The two low bits of c choose the selectors.
template <PermuteMode mode>
[[nodiscard]] constexpr std::uint32_t prmt(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  constexpr std::array<std::array<std::uint32_t, 4>, 6> selectors{
      {{0x3210, 0x4321, 0x5432, 0x6543},
       {0x5670, 0x6701, 0x7012, 0x0123},
       {0x0000, 0x1111, 0x2222, 0x3333},
       {0x3210, 0x3211, 0x3222, 0x3333},
       {0x0000, 0x1110, 0x2210, 0x3210},
       {0x1010, 0x3232, 0x1010, 0x3232}}};
  return prmt(a, b, selectors[static_cast<std::size_t>(mode)][c & 3]);
}

}  // namespace warpcheck::semantics
