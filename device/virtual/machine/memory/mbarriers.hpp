// The mbarrier objects of a block (PTX ISA 9.7.13.15). A phase completes when all expected arrivals
// have occurred and all expected bytes have been copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "device/virtual/checks/async_copy_tracker.hpp"
#include "device/virtual/checks/block_clocks.hpp"
#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::machine {

/// Copies that some lanes of a warp issued: those numbered from `first` to `before` - 1.
struct IssuedCopies {
  unsigned warp = 0;
  Mask lanes = 0;
  std::uint64_t first = 0;
  std::uint64_t before = 0;
};

struct Mbarrier {
  static constexpr std::uint32_t kLargestCount = (1U << 20) - 1;  // PTX ISA 9.7.13.15.2

  std::uint32_t expected = 0;  // arrivals that the next phase expects
  std::uint32_t pending = 0;   // arrivals for which the current phase still waits
  std::int64_t bytes = 0;      // bytes for which the current phase still waits
  std::uint64_t phase = 0;     // number of completed phases

  // The clocks that were released to the object in all phases, and those up to the last completed
  // phase. A wait for that phase acquires `completed`.
  checks::BlockClocks::Clock arrived;
  checks::BlockClocks::Clock completed;
  // True: there were relaxed arrivals, which release the accesses before an earlier fence.
  bool relaxed = false;

  std::vector<IssuedCopies> attached;  // copies attached to the current phase
  std::vector<IssuedCopies> due;       // copies of completed phases for which no thread has waited
  // Completed copies, which waiting threads may access.
  std::vector<checks::AsyncCopyId> completed_copies;

  /// The 8 bytes that represent the object in shared memory.
  [[nodiscard]] std::uint64_t word() const;
  /// The token that an arrival at the object at `offset` returns.
  [[nodiscard]] std::uint64_t token(std::uint64_t offset) const;

  /// Completes the phase if it waits for nothing more. Returns true if it completed.
  bool complete_if_due();
};

/// The fields of a token.
struct MbarrierToken {
  std::uint32_t pending;  // arrivals that were missing before this one
  std::uint64_t phase;
  std::uint64_t offset;  // offset of the object in the block's shared memory

  explicit MbarrierToken(std::uint64_t token);
};

// Maps offsets in shared memory to objects.
using Mbarriers = std::unordered_map<std::uint64_t, Mbarrier>;

}  // namespace warpcheck::machine
