// Asynchronous copies between their issue and their completion: the cells of shared memory that
// each will write or read, and the threads that may access them. A copy completes at its wait (PTX
// ISA 9.7.9.25.3): before, the time at which its bytes arrive is undefined, and any access to them
// is a race.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/virtual/checks/block_clocks.hpp"
#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::checks {

using AsyncCopyId = std::uint64_t;
inline constexpr AsyncCopyId kNoAsyncCopy = 0;

/// How an access combines a cell with a value, in any order with equal ones.
struct ReductionKind {
  std::uint64_t (*combine)(std::uint64_t, std::uint64_t) = nullptr;  // null: no reduction

  /// True for two equal reductions: their order does not matter.
  [[nodiscard]] bool commutes_with(const ReductionKind& other) const {
    return combine != nullptr && combine == other.combine;
  }
};

/// The copies that the lanes of a warp issued with one instruction.
struct AsyncCopy {
  const machine::FunctionCode* code = nullptr;  // the instruction
  const machine::Op* op = nullptr;
  std::uint32_t block = 0;  // of the thread that issued it
  unsigned warp = 0;
  bool reads = false;          // the cells, rather than to write them
  bool multiplies = false;     // it is a product of a warpgroup
  std::uint32_t sequence = 0;  // of the thread or warpgroup, if it reads; of the mbarrier object,
                               // if it reduces: the copies of one complete in order
  ReductionKind reduction;     // if it combines the cells with its source
  bool waited_for = false;     // at least one thread has waited for it

  /// Threads that have waited for the copy, and the interval of their wait. The copy is complete
  /// for every access that is ordered after such a wait.
  struct Witness {
    std::uint32_t block;
    unsigned warp;
    Mask lanes;
    Interval interval;
  };
  std::vector<Witness> witnesses;
  std::array<Mask, 32> informed{};  // lanes of the warps of the memory's block that are ordered
                                    // after a witness

  /// A finding whose message is completed when a thread waits for the copy.
  struct PendingFinding {
    std::size_t number;  // among the findings of the block
    std::string access;  // the message without its last part, the explanation
  };
  std::vector<PendingFinding> pending_findings;
  std::size_t cells = 0;  // of shared memory that refer to this copy
  bool retired = false;   // all of its lanes have completed
};

/// An access to bytes of a copy whose completion is not ordered before it.
struct AsyncCopyConflict {
  AsyncCopyId copy = kNoAsyncCopy;
  unsigned copying_lane = 0;
  unsigned lane = 0;     // of the access
  std::size_t cell = 0;  // that both access
};

class AsyncCopyTracker {
 public:
  static constexpr std::size_t kCellBytes = 4;  // the smallest copy, which is aligned to its size

  /// How a thread accesses cells.
  struct Manner {
    bool writes = false;
    ReductionKind reduction;  // if it issues one
  };

  /// Starts block number `block` of the launch, with `shared_bytes` of shared memory.
  void start(std::size_t shared_bytes, std::uint32_t block);

  /// True if a copy refers to at least one cell.
  [[nodiscard]] bool any() const { return taken_ != 0; }

  /// False if no copy refers to cells of the bytes from `begin` to before `end`.
  [[nodiscard]] bool any_within(std::size_t begin, std::size_t end) const {
    return (regions(begin / kCellBytes, (end - 1) / kCellBytes) & taken_regions_) != 0;
  }

  [[nodiscard]] AsyncCopyId add(AsyncCopy copy);
  /// Null if the copy has completed and its bytes were overwritten.
  [[nodiscard]] AsyncCopy* find(AsyncCopyId id) { return copies_[id].get(); }
  /// All lanes of the copy have completed.
  void retire(AsyncCopyId id);

  /// The copy of `lane` will write, or read, `count` cells from `first` on. Of the copies that read
  /// a cell, or that reduce into it, the last one of each sequence is tracked.
  void take(AsyncCopyId id, unsigned lane, std::size_t first, std::size_t count);

  /// The copy of `lane` has written the cells. The caller reports the write to the race detector.
  void give_back(AsyncCopyId id, unsigned lane, std::size_t first, std::size_t count);

  /// These lanes have waited for the copy. Their later accesses are ordered after it.
  void witness(AsyncCopy& copy, unsigned warp, Mask lanes, const BlockClocks& clocks);

  /// Lane i of `lanes` of a warp of the block of `clocks` accesses `count` cells from first[i] on;
  /// entries of inactive lanes must be valid cells, too. Returns the conflicts. A write that is
  /// ordered after a completed copy removes the copy from the cell.
  [[nodiscard]] std::vector<AsyncCopyConflict> access(unsigned warp, Mask lanes,
                                                      const std::array<std::size_t, kLanes>& first,
                                                      std::size_t count, Manner manner,
                                                      const BlockClocks& clocks);

 private:
  using Cell = std::uint64_t;     // copy << 5 | lane; 0: no copy will write the cell
  using Regions = std::uint64_t;  // a bit for each 64th of shared memory

  [[nodiscard]] Regions regions(std::size_t first, std::size_t last) const {
    return (~Regions{0} << (first >> region_shift_)) &
           (~Regions{0} >> (63 - (last >> region_shift_)));
  }

  [[nodiscard]] bool comes_after(AsyncCopy& copy, unsigned warp, unsigned lane,
                                 const BlockClocks& clocks) const;
  void access_layer(std::vector<Cell>& layer, unsigned warp, Mask lanes,
                    const std::array<std::size_t, kLanes>& first, std::size_t count, Manner manner,
                    const BlockClocks& clocks, std::vector<AsyncCopyConflict>& met);
  void clear(std::vector<Cell>& layer, std::size_t first, std::size_t count);
  [[nodiscard]] bool is_uniform(std::size_t first, std::size_t count) const;
  void take_uniform(AsyncCopyId id, unsigned lane, std::size_t first, std::size_t count);
  [[nodiscard]] std::vector<Cell>& layer_for(const AsyncCopy& copy, std::size_t first,
                                             std::size_t count);

  std::uint32_t block_ = 0;
  // All cells. Copies that only read them are not in the first layer.
  std::vector<std::vector<Cell>> layers_;
  std::size_t words_ = 0;
  std::size_t taken_ = 0;
  unsigned region_shift_ = 0;
  std::array<std::uint32_t, 64> taken_in_{};        // references of cells to copies, by region
  Regions taken_regions_ = 0;                       // where there are some
  bool any_reduces_ = false;                        // so that further layers have copies that write
  std::vector<std::unique_ptr<AsyncCopy>> copies_;  // by id
};

}  // namespace warpcheck::checks
