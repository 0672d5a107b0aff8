// The mbarrier objects of a block (PTX ISA 9.7.13.15): phases that complete when all arrivals that
// they expect have come and all bytes that were announced to them have landed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "device/virtual/checks/async_copy_tracker.hpp"
#include "device/virtual/checks/block_clocks.hpp"
#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::machine {

/// Copies that some lanes of a warp issued: those with numbers from `first` up to, and without,
/// `before`.
struct IssuedCopies {
  unsigned warp = 0;
  Mask lanes = 0;
  std::uint64_t first = 0;
  std::uint64_t before = 0;
};

struct Mbarrier {
  static constexpr std::uint32_t kLargestCount = (1U << 20) - 1;  // PTX ISA 9.7.13.15.2

  std::uint32_t expected = 0;  // arrivals of the next phase
  std::uint32_t pending = 0;   // arrivals that the current phase still waits for
  std::int64_t bytes = 0;      // that were announced to the current phase and have not come
  std::uint64_t phase = 0;     // phases that have completed

  // What those who wait for a phase learn: all that was released to the object up to then.
  checks::BlockClocks::Clock arrived;
  checks::BlockClocks::Clock completed;
  bool relaxed = false;  // there were arrivals that release only what a fence released before

  std::vector<IssuedCopies> attached;       // to the current phase
  std::vector<IssuedCopies> due;            // to completed ones, for which nobody has waited
  std::vector<checks::AsyncCopyId> landed;  // copies that whoever waits may touch

  /// The object as its 8 bytes of shared memory hold it.
  [[nodiscard]] std::uint64_t word() const;
  /// What an arrival at the object at `offset` gives to wait with.
  [[nodiscard]] std::uint64_t token(std::uint64_t offset) const;

  /// Completes the phase if nothing is missing; says whether it did.
  bool complete_if_due();
};

/// What a token says.
struct MbarrierToken {
  std::uint32_t pending;  // arrivals that were missing before this one
  std::uint64_t phase;
  std::uint64_t offset;  // of the object in the block's shared memory

  explicit MbarrierToken(std::uint64_t token);
};

using Mbarriers = std::unordered_map<std::uint64_t, Mbarrier>;  // by offset in shared memory

}  // namespace warpcheck::machine
