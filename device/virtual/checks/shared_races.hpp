// Detection of races in shared memory by happens-before. A race is two accesses of different
// threads to the same bytes, one of them a write, that no barrier, warp barrier or fenced flag
// orders, and that are not both strong. The verdict does not depend on the order in which the warps
// run.
//
// Kernels write a tile, synchronise, read it many times, and synchronise. So reads are only
// recorded; they are checked if a write to the same region follows before the next barrier of the
// block.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/virtual/checks/shadow.hpp"

namespace warpcheck::checks {

/// An access by an instruction of a warp: lane i of `lanes` accesses `bytes` bytes from
/// base + offset[i] of the block's shared memory on. Offsets of inactive lanes must be in shared
/// memory, too.
struct SharedAccess {
  unsigned warp;
  Mask lanes;
  std::uint32_t op;  // number of the op in the program
  std::uint32_t bytes;
  bool strong;
  bool is_volatile = false;
  bool update = false;                        // an atomic
  bool observes = false;                      // an atomic whose result the thread uses
  const machine::LaneOrder* order = nullptr;  // of the lanes of such an atomic
};

class SharedRaces {
 public:
  /// `unit` is the size in bytes of the program's smallest access to shared memory: the granularity
  /// of the detection.
  SharedRaces(unsigned threads, std::size_t bytes, std::size_t unit);

  /// Starts block number `block`. `before`: see BlockClocks::start().
  void start(std::uint32_t block, const GridClock* before);
  [[nodiscard]] BlockClocks& clocks() { return clocks_; }
  /// All threads that a barrier waits for have arrived, or, `exited` of them, exited.
  void complete(unsigned barrier, unsigned exited);

  /// Units are 1 << unit_shift() bytes.
  [[nodiscard]] unsigned unit_shift() const { return shift_; }

  /// Conflicts are appended to conflicts(). `rewrites` are the lanes that store the value that the
  /// bytes already hold.
  void read(const SharedAccess& access, const std::uint32_t* offset, std::uint32_t base);
  void write(const SharedAccess& access, const std::uint32_t* offset, std::uint32_t base,
             Mask rewrites);
  /// A read with which no later write conflicts: something else tracks its end.
  void look(const SharedAccess& access, const std::uint32_t* offset, std::uint32_t base);

  [[nodiscard]] std::vector<Conflict>& conflicts() { return conflicts_; }

 private:
  using Units = std::array<std::uint32_t, kLanes>;  // the first unit that each lane accesses
  struct Read {
    Interval interval;
    SharedAccess access;
    Units first;
  };
  using Regions = std::uint64_t;  // a bit for each 64th of shared memory

  Regions locate(const SharedAccess& access, const std::uint32_t* offset, std::uint32_t base,
                 Units& first) const;
  void read_plainly(const SharedAccess& access, const std::uint32_t* offset, std::uint32_t base);
  void read_with_avx2(const SharedAccess& access, const std::uint32_t* offset, std::uint32_t base);
  void forget();
  void make_room();
  // Not inlined into the vectorised path by its attribute `flatten`: with the shadow it is 300 KB.
  [[gnu::noinline]] void check_reads();
  [[gnu::noinline]] void enter(const SharedAccess& access, const Units& first, Interval interval,
                               bool write, Mask rewrites, bool late);

  unsigned shift_;
  unsigned region_shift_;
  BlockClocks clocks_;
  Shadow shadow_;
  Regions written_ = 0;  // since the last barrier of the whole block
  Regions read_ = 0;
  std::vector<Read> reads_;   // a buffer
  std::size_t recorded_ = 0;  // number of reads in the buffer that are not checked yet
  std::vector<Conflict> conflicts_;
};

}  // namespace warpcheck::checks
