// Choices that CUDA leaves open. They are computed from the seed of a job, so that every run of the
// job makes the same choices.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hash.hpp"

namespace warpcheck::machine {

/// Two seeds that differ in this bit alone give opposite orders of the warps in the first turn of a
/// block.
inline constexpr std::uint64_t kOppositeOrder = std::uint64_t{1} << 63;

class Schedule {
 public:
  /// Different values of `occasion` give different choices for one seed.
  Schedule(std::uint64_t seed, std::uint64_t occasion) : state_(mixed(seed ^ mixed(occasion))) {}

  [[nodiscard]] std::size_t below(std::size_t limit) {
    state_ = mixed(state_);
    return static_cast<std::size_t>(state_ % limit);
  }

 private:
  std::uint64_t state_;
};

/// The order in which the lanes of one instruction execute; ascending for seed 0.
class LaneOrder {
 public:
  LaneOrder(std::uint64_t seed, std::uint64_t occasion) {
    if (seed == 0) return;
    const std::uint64_t bits = mixed(seed ^ mixed(occasion));
    first_ = static_cast<unsigned>(bits);
    step_ = static_cast<unsigned>(bits >> 32) | 1;  // odd, so that every lane has a turn
  }

  [[nodiscard]] unsigned lane(unsigned turn) const { return (first_ + turn * step_) % 32; }

 private:
  unsigned first_ = 0;
  unsigned step_ = 1;
};

}  // namespace warpcheck::machine
