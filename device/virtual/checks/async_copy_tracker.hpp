// Asynchronous copies between their issue and their completion: the cells of shared memory that
// each copy will write or read, and the threads that may access them. A copy completes at its wait
// (PTX ISA 9.7.9.25.3). Before the wait, the time at which its bytes arrive is undefined, and any
// access to them is a race.
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

/// The operation by which an access combines a cell with a value. Equal reductions may run in any
/// order.
struct ReductionKind {
  std::uint64_t (*combine)(std::uint64_t, std::uint64_t) = nullptr;  // null: no reduction

  /// True for two equal reductions, whose order does not matter.
  [[nodiscard]] bool commutes_with(const ReductionKind& other) const {
    return combine != nullptr && combine == other.combine;
  }
};

/// The copies that the lanes of a warp issued with one instruction.
struct AsyncCopy {
  const machine::FunctionCode* code = nullptr;  // function that contains the instruction
  const machine::Op* op = nullptr;
  std::uint32_t block = 0;  // block of the thread that issued it
  unsigned warp = 0;
  bool reads = false;       // true: reads the cells; false: writes them
  bool multiplies = false;  // the copy is a product of a warpgroup
  // A read has the number of its thread or warpgroup, a reduction that of its mbarrier object.
  // Copies of one sequence complete in order.
  std::uint32_t sequence = 0;
  ReductionKind reduction;  // how the copy combines the cells with its source
  bool waited_for = false;  // true: a thread has waited for it

  /// Threads that have waited for the copy, and the interval of their wait. The copy is complete
  /// for every access that is ordered after the wait.
  struct Witness {
    std::uint32_t block;
    unsigned warp;
    Mask lanes;
    Interval interval;
  };
  std::vector<Witness> witnesses;
  // For each warp of the memory's block, the lanes that are ordered after a witness.
  std::array<Mask, 32> informed{};

  // Indices of findings of the block to which the place of a later wait for the copy is added.
  std::vector<std::size_t> pending_findings;
  std::size_t cells = 0;  // number of cells of shared memory that refer to this copy
  bool retired = false;   // all lanes of the copy have completed
};

/// An access to bytes of a copy; the completion of the copy is not ordered before the access.
struct AsyncCopyConflict {
  AsyncCopyId copy = kNoAsyncCopy;
  unsigned copying_lane = 0;
  unsigned lane = 0;     // accessing lane
  std::size_t cell = 0;  // cell that both access
};

class AsyncCopyTracker {
 public:
  // Size of the smallest copy, which is aligned to its size.
  static constexpr std::size_t kCellBytes = 4;

  /// How a thread accesses cells.
  struct Manner {
    bool writes = false;
    ReductionKind reduction;  // reduction that the access performs, if any
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
  /// Completes all lanes of the copy.
  void retire(AsyncCopyId id);

  /// Records that the copy of `lane` will write, or read, `count` cells from `first` on. If several
  /// copies of a sequence read a cell, or reduce into it, only the last of them is tracked.
  void take(AsyncCopyId id, unsigned lane, std::size_t first, std::size_t count);

  /// Records that the copy of `lane` has written the cells. The caller reports the write to the
  /// race detector.
  void give_back(AsyncCopyId id, unsigned lane, std::size_t first, std::size_t count);

  /// Records that these lanes have waited for the copy. Their later accesses are ordered after it.
  void witness(AsyncCopy& copy, unsigned warp, Mask lanes, const BlockClocks& clocks);

  /// Checks an access: lane i of `lanes`, in a warp of the block of `clocks`, accesses `count`
  /// cells from first[i] on. Entries of inactive lanes must be valid cells, too. Returns the
  /// conflicts. A write that is ordered after a completed copy removes the copy from the cell.
  [[nodiscard]] std::vector<AsyncCopyConflict> access(unsigned warp, Mask lanes,
                                                      const std::array<std::size_t, kLanes>& first,
                                                      std::size_t count, Manner manner,
                                                      const BlockClocks& clocks);

 private:
  using Cell = std::uint64_t;     // copy << 5 | lane; 0: no copy will write the cell
  using Regions = std::uint64_t;  // bit mask with one bit for each 64th of shared memory

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
  // The layers of all cells. The first layer holds no copies that only read.
  std::vector<std::vector<Cell>> layers_;
  std::size_t words_ = 0;
  std::size_t taken_ = 0;
  unsigned region_shift_ = 0;
  // For each region, the number of references of cells to copies.
  std::array<std::uint32_t, 64> taken_in_{};
  Regions taken_regions_ = 0;  // regions with such references
  bool any_reduces_ = false;   // true: further layers may hold copies that write
  std::vector<std::unique_ptr<AsyncCopy>> copies_;  // indexed by AsyncCopyId
};

}  // namespace warpcheck::checks
