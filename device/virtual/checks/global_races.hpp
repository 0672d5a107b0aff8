// Detection of races in global memory, within a block and between blocks. It works as for shared
// memory, but only scoped releases and acquires order blocks. Read-only memory is not tracked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "device/virtual/checks/bulk_destinations.hpp"
#include "device/virtual/checks/shadow.hpp"

namespace warpcheck::checks {

/// The offset in its allocation of each lane's access, in bytes.
using Offsets = std::array<std::uint64_t, kLanes>;

class GlobalRaces {
 public:
  /// Each of `lanes` accesses `bytes` bytes from its offset on in the allocation of `size` bytes at
  /// `address`. If the event observes, they do so in `order`. Conflicts are appended to
  /// `conflicts`, with byte offsets as units. Several host threads may call this at once.
  void access(std::uint64_t address, std::size_t size, const Event& event, const Offsets& offsets,
              Mask lanes, std::size_t bytes, Mask rewrites, const BlockClocks& clocks,
              std::vector<Conflict>& conflicts, const machine::LaneOrder* order = nullptr);

  /// The same as access(), for a read with which no later write conflicts.
  void look(std::uint64_t address, std::size_t size, const Event& event, const Offsets& offsets,
            Mask lanes, std::size_t bytes, const BlockClocks& clocks,
            std::vector<Conflict>& conflicts);

  /// Removes the memory at `address`, which no thread accesses again.
  void forget(std::uint64_t address);

  /// The accesses of the launch to the allocation at `address` of `size` bytes.
  void add_accesses(std::uint64_t address, std::size_t size,
                    std::vector<device::AccessedRange>& accesses) const;

  /// Must be called first if threads of the kernel may launch grids.
  void expect_several_grids() { several_grids_ = true; }
  /// Records the accesses that no wait for the previous kernels happens before.
  void track_early_accesses() { tracks_early_ = true; }
  /// Records that lanes of a warp of the block with these clocks have waited for them.
  void wait_for_kernels_ahead(unsigned warp, Mask lanes, const BlockClocks& clocks);
  /// Appends the recorded accesses to the allocation at `address`.
  void add_early_accesses(std::uint64_t address,
                          std::vector<device::AccessedRange>& accesses) const;

  /// The addresses of the memory that was accessed, in ascending order.
  [[nodiscard]] std::vector<std::uint64_t> accessed() const;

  /// The flags in global memory.
  [[nodiscard]] BlockClocks::Flags& flags() { return flags_; }

  /// The global memory that bulk copies in flight write.
  [[nodiscard]] BulkDestinations& bulk_destinations() { return bulk_destinations_; }

  /// True if two blocks may have raced. The order of their accesses depends on the host's threads.
  [[nodiscard]] bool blocks_raced() const { return blocks_raced_; }

  /// The memory that this object uses, in bytes.
  [[nodiscard]] std::size_t footprint() const;

 private:
  struct Tracked {
    std::size_t unit;  // size of the smallest access so far in bytes, at most 4
    std::size_t units;
    Shadow shadow;
  };
  /// A wait for the previous kernels. Each of the lanes waits.
  struct Wait {
    unsigned warp = 0;
    Mask lanes = 0;
    Interval interval = 0;
  };

  void note_early(std::uint64_t address, const Event& event, const Offsets& offsets, Mask lanes,
                  std::size_t bytes, const BlockClocks& clocks);
  [[nodiscard]] bool is_after_wait(unsigned warp, unsigned lane, const BlockClocks& clocks) const;
  /// The lanes of a warp for which no wait happens before their next access.
  [[nodiscard]] Mask lanes_before_wait(unsigned warp, Mask lanes, const BlockClocks& clocks);
  [[nodiscard]] Tracked new_memory(std::size_t unit, std::size_t bytes);
  Tracked& tracked(std::uint64_t address, std::size_t size, std::size_t bytes);
  void give_offsets(const Tracked& memory, std::size_t lead, const Event& event, std::size_t before,
                    std::vector<Conflict>& conflicts);

  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Tracked> allocations_;
  std::vector<Tracked> spare_;  // shadows of memory that is not accessed again
  BlockClocks::Flags flags_;
  BulkDestinations bulk_destinations_;
  bool blocks_raced_ = false;
  bool tracks_early_ = false;
  bool several_grids_ = false;
  std::map<std::uint32_t, std::vector<Wait>> waits_;          // waits of each block
  std::unordered_map<std::uint64_t, Mask> lanes_after_wait_;  // the key is a warp of the launch
  std::unordered_map<std::uint64_t, std::vector<device::AccessedRange>> early_;
};

}  // namespace warpcheck::checks
