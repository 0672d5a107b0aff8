// Hash functions of numbers and texts. Their values are the same on every machine and in every
// version: the data of a case follows from them.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpcheck {

/// 2^64 divided by the golden ratio, made odd: the increment of SplitMix64 and the factor of
/// Fibonacci hashing.
inline constexpr std::uint64_t kGoldenRatio = 0x9E3779B97F4A7C15U;

/// The finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): each bit of the argument
/// changes about half of the bits of the result.
constexpr std::uint64_t finalized(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31);
}

/// The state of a hash after another value: SplitMix64's next number if there is none.
constexpr std::uint64_t mixed(std::uint64_t state, std::uint64_t value = 0) {
  return finalized(state + kGoldenRatio + value);
}

constexpr std::uint64_t mixed(std::uint64_t state, std::string_view text) {
  for (const char c : text) state = mixed(state, static_cast<unsigned char>(c));
  return state;
}

/// A cheaper step, for hashes of much data: a bijection of the state for each word, and of the word
/// for each state.
constexpr std::uint64_t folded(std::uint64_t state, std::uint64_t word) {
  state = (state ^ word) * kGoldenRatio;
  return state ^ (state >> 32);
}

/// Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4): the high bits of the result
/// are well distributed for consecutive numbers.
constexpr std::uint64_t fibonacci_hash(std::uint64_t value) { return value * kGoldenRatio; }

inline constexpr std::uint64_t kFnvOffset = 0xCBF29CE484222325U;

/// 64-bit FNV-1a (Fowler, Noll, Vo; draft-eastlake-fnv) of a text, continued from `state`.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t state = kFnvOffset) {
  for (const char c : text) state = (state ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return state;
}

}  // namespace warpcheck
