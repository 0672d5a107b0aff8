// Races in global memory, within a block and between blocks: as in shared memory, but only scoped
// releases and acquires order blocks. What no kernel may write is not looked at.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "device/virtual/checks/shadow.hpp"

namespace warpcheck::checks {

/// Where in its allocation each lane's access begins, in bytes.
using Offsets = std::array<std::uint64_t, kLanes>;

class GlobalRaces {
 public:
  /// The allocation that begins at `address`, of `size` bytes, is accessed: `bytes` from where
  /// each of `lanes` points. Conflicts are appended to `conflicts`, their units in bytes. Safe to
  /// call for several blocks at once.
  void access(std::uint64_t address, std::size_t size, const Event& event, const Offsets& offsets,
              Mask lanes, std::size_t bytes, Mask rewrites, const BlockClocks& clocks,
              std::vector<Conflict>& conflicts);

  /// The flags of global memory, by address.
  [[nodiscard]] BlockClocks::Flags& flags() { return flags_; }

  /// Two blocks raced: which came first depends on how the host's threads ran them.
  [[nodiscard]] bool blocks_raced() const { return blocks_raced_; }

  /// What all this takes, in bytes.
  [[nodiscard]] std::size_t footprint() const;

 private:
  struct Tracked {
    std::size_t unit;  // bytes: of the smallest access so far, at most 4
    Shadow shadow;
  };
  Tracked& tracked(std::uint64_t address, std::size_t size, std::size_t bytes);

  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Tracked> allocations_;
  BlockClocks::Flags flags_;
  bool blocks_raced_ = false;
};

}  // namespace warpcheck::checks
