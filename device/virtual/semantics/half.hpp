// Packed f16 and bf16, and .relu (PTX ISA 9.7.4). Their arithmetic is in float.hpp and minmax.hpp.
#pragma once

#include "device/virtual/semantics/float.hpp"
#include "device/virtual/semantics/minmax.hpp"

namespace warpcheck::semantics {

/// The low (high) half of a register as a T of 16 bits: f16, bf16, std::int16_t or std::uint16_t.
template <class T>
[[nodiscard]] constexpr T low_half(std::uint32_t word) {
  return std::bit_cast<T>(static_cast<std::uint16_t>(word));
}
template <class T>
[[nodiscard]] constexpr T high_half(std::uint32_t word) {
  return std::bit_cast<T>(static_cast<std::uint16_t>(word >> 16));
}
template <class T>
[[nodiscard]] constexpr std::uint32_t pack_halves(T low, T high) {
  return std::bit_cast<std::uint16_t>(low) |
         static_cast<std::uint32_t>(std::bit_cast<std::uint16_t>(high)) << 16;
}

/// Applies f to both halves: the .f16x2, .bf16x2, .s16x2 and .u16x2 forms of an instruction.
template <class T, class Function, class... Words>
[[nodiscard]] constexpr std::uint32_t packed(Function f, Words... words) {
  return pack_halves<T>(f(low_half<T>(words)...), f(high_half<T>(words)...));
}

}  // namespace warpcheck::semantics
