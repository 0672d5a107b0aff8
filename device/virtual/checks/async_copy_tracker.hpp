// Asynchronous copies between their issue and their landing: whose bytes of shared memory are
// spoken for, and who may touch them. A copy lands at its wait (PTX ISA 9.7.9.25.3): until then
// nobody knows when its bytes arrive, and any access to them is a race.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/virtual/checks/block_clocks.hpp"
#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::checks {

using AsyncCopyId = std::uint64_t;
inline constexpr AsyncCopyId kNoAsyncCopy = 0;

/// A copy of one instruction of a warp, on its way to bytes of each of its lanes.
struct AsyncCopy {
  const machine::FunctionCode* code = nullptr;  // the instruction
  const machine::Op* op = nullptr;
  unsigned warp = 0;
  bool landed = false;  // somebody has waited for it

  /// Threads that have waited for it, and when. What they order before others is landed for those
  /// too.
  struct Witness {
    unsigned warp;
    Mask lanes;
    Interval interval;
  };
  std::vector<Witness> witnesses;
  std::array<Mask, 32> informed{};  // lanes of each warp that are known to come after a witness

  std::vector<std::size_t>
      pending_findings;   // findings that do not say yet where it was waited for
  std::size_t cells = 0;  // of shared memory that still lead here
  bool retired = false;   // nothing of it is on its way any more
};

/// An access to bytes of a copy that it is not ordered after.
struct AsyncCopyConflict {
  AsyncCopyId copy = kNoAsyncCopy;
  unsigned copying_lane = 0;
  unsigned lane = 0;     // of the access
  std::size_t cell = 0;  // the contested bytes, in words of shared memory
};

class AsyncCopyTracker {
 public:
  static constexpr std::size_t kCellBytes = 4;  // the smallest copy, which is aligned to its size

  /// Begins a block with so much shared memory.
  void start(std::size_t shared_bytes);

  /// Whether there are bytes that the functions below would say anything about.
  [[nodiscard]] bool any() const { return taken_ != 0; }

  [[nodiscard]] AsyncCopyId add(const machine::FunctionCode* code, const machine::Op* op,
                                unsigned warp);
  /// Null where the copy has landed and its bytes were written anew.
  [[nodiscard]] AsyncCopy* find(AsyncCopyId id) { return copies_[id].get(); }
  /// All lanes of the copy have landed.
  void retire(AsyncCopyId id);

  /// The copy of `lane` goes to `count` cells from `first` on.
  void take(AsyncCopyId id, unsigned lane, std::size_t first, std::size_t count);

  /// The copy of `lane` has landed there, and the lane's access to the cells is known to the race
  /// detector.
  void give_back(AsyncCopyId id, unsigned lane, std::size_t first, std::size_t count);

  /// These lanes have waited for the copy: what they do from now on comes after it.
  void witness(AsyncCopy& copy, unsigned warp, Mask lanes, const BlockClocks& clocks);

  /// Lane i of `lanes` accesses `count` cells from first[i] on; inactive lanes' entries must be
  /// cells too. Writes that come after a landed copy take its place.
  [[nodiscard]] std::vector<AsyncCopyConflict> meet(unsigned warp, Mask lanes,
                                                    const std::array<std::size_t, kLanes>& first,
                                                    std::size_t count, bool writes,
                                                    const BlockClocks& clocks);

 private:
  using Cell = std::uint64_t;  // copy << 5 | lane; 0: nothing is on its way there

  [[nodiscard]] static bool comes_after(AsyncCopy& copy, unsigned warp, unsigned lane,
                                        const BlockClocks& clocks);
  void clear(std::size_t cell);

  std::vector<Cell> cells_;
  std::size_t words_ = 0;
  std::size_t taken_ = 0;
  std::vector<std::unique_ptr<AsyncCopy>> copies_;  // by id
};

}  // namespace warpcheck::checks
