// The bulk copies of a block's threads from shared to global memory (PTX ISA 9.7.9.25.4), in bulk
// groups. The source is read when a copy is issued; global memory is written when the thread waits
// for the writes of the group, or exits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/virtual/checks/async_copy_tracker.hpp"
#include "device/virtual/checks/bulk_destinations.hpp"
#include "device/virtual/machine/memory/memory.hpp"
#include "device/virtual/machine/memory/reduction.hpp"

namespace warpcheck::machine {

class Warp;

struct BulkStore {
  /// Consecutive bytes of an allocation that receive bytes of `data`.
  struct Piece {
    Container container;
    std::uint64_t offset = 0;
    std::size_t first = 0;
    std::size_t bytes = 0;
  };
  /// Bytes of a variable in shared memory that the copy reads.
  struct Source {
    Container container;
    std::uint64_t offset = 0;
    std::size_t bytes = 0;
  };
  const Op* op = nullptr;
  const FunctionCode* code = nullptr;
  unsigned lane = 0;
  std::vector<Source> sources;
  std::vector<Piece> pieces;
  std::vector<std::byte> data;
  std::vector<std::byte> shadow;
  Reduction reduction;

  std::uint32_t group = 0;
  // Tracks the reads until the thread waits for them.
  checks::AsyncCopyId id = checks::kNoAsyncCopy;
  bool was_read = false;                         // the thread has waited for the reads
  checks::BulkDestinations::Id destination = 0;  // tracks the writes; 0: races are not checked
};

class BulkStores {
 public:
  void start(std::size_t warps) { warps_.assign(warps, {}); }
  [[nodiscard]] bool any(unsigned warp) const { return !warps_[warp].in_flight.empty(); }

  void issue(Warp& warp, BulkStore store);
  /// Commits the open group of each lane.
  void commit(unsigned warp, Mask lanes);
  /// Completes all groups of the lanes, except the last `pending` groups: only the reads, or also
  /// the writes.
  void wait(Warp& warp, const Op& op, Mask lanes, std::uint32_t pending, bool only_reads);
  /// Completes the copies of lanes that exit. Reports those that may still read shared memory.
  void exit(Warp& warp, Mask lanes);

 private:
  struct PerWarp {
    std::vector<BulkStore> in_flight;  // sorted by issue
    std::array<std::uint32_t, kLanes> groups{};
  };

  static void track_reads(Warp& warp, BulkStore& store);
  static void track_writes(Warp& warp, BulkStore& store);
  static void add_destination(Warp& warp, BulkStore& store, bool with_content);
  static void complete_reads(Warp& warp, BulkStore& store);
  static void write(Warp& warp, const Op& op, const BulkStore& store);

  std::vector<PerWarp> warps_;
};

}  // namespace warpcheck::machine
