// Choices that CUDA leaves open, drawn from the seed of a job: the same on every run of it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hash.hpp"

namespace warpcheck::machine {

class Schedule {
 public:
  /// `occasion` tells the draws of one seed apart.
  Schedule(std::uint64_t seed, std::uint64_t occasion) : state_(mixed(seed ^ mixed(occasion))) {}

  [[nodiscard]] std::size_t below(std::size_t limit) {
    state_ = mixed(state_);
    return static_cast<std::size_t>(state_ % limit);
  }

 private:
  std::uint64_t state_;
};

/// The order in which the lanes of one instruction take their turns: by number for seed 0.
class LaneOrder {
 public:
  LaneOrder(std::uint64_t seed, std::uint64_t occasion) {
    if (seed == 0) return;
    const std::uint64_t drawn = mixed(seed ^ mixed(occasion));
    first_ = static_cast<unsigned>(drawn);
    step_ = static_cast<unsigned>(drawn >> 32) | 1;  // odd, so that all lanes come
  }

  [[nodiscard]] unsigned lane(unsigned turn) const { return (first_ + turn * step_) % 32; }

 private:
  unsigned first_ = 0;
  unsigned step_ = 1;
};

}  // namespace warpcheck::machine
