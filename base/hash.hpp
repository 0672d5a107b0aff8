// Numbers from numbers, as if at random.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpcheck {

/// The finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): every bit of the arguments
/// moves every bit of the result.
constexpr std::uint64_t mixed(std::uint64_t state, std::uint64_t value = 0) {
  state += 0x9E3779B97F4A7C15U + value;
  state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9U;
  state = (state ^ (state >> 27)) * 0x94D049BB133111EBU;
  return state ^ (state >> 31);
}

constexpr std::uint64_t mixed(std::uint64_t state, std::string_view text) {
  for (const char c : text) state = mixed(state, static_cast<unsigned char>(c));
  return state;
}

}  // namespace warpcheck
