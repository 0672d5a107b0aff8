// Streams of random draws.
#pragma once

#include <rapidcheck.h>

#include <cstdint>

#include "base/hash.hpp"

namespace warpcheck::properties::generate {

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

}  // namespace warpcheck::properties::generate
