// Streams of random draws.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <string_view>

namespace warpcheck::properties {

/// One stream of draws. RapidCheck's generators, each with a random state of its own split off.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : random_(seed) {}

  template <typename T>
  T operator()(const rc::Gen<T>& generator) {
    return generator(random_.split(), rc::kNominalSize).value();
  }

 private:
  rc::Random random_;
};

/// The finaliser of splitmix64 (Steele, Lea and Flood, 2014).
inline std::uint64_t mixed(std::uint64_t state, std::uint64_t value) {
  state += 0x9E3779B97F4A7C15U + value;
  state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9U;
  state = (state ^ (state >> 27)) * 0x94D049BB133111EBU;
  return state ^ (state >> 31);
}

inline std::uint64_t hashed(std::string_view text) {
  std::uint64_t state = text.size();
  for (const char c : text) state = mixed(state, static_cast<unsigned char>(c));
  return state;
}

}  // namespace warpcheck::properties
