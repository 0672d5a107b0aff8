// Races in shared memory, found by happens-before: two accesses of different threads to the same
// bytes, one of them a write, that no barrier, warp barrier or fenced flag orders, and that are not
// both strong. The verdict does not hang on the order in which the warps happened to run.
//
// Kernels write a tile, meet, read it many times, and meet. So reads are merely written down, and
// looked at only where a write to the same region comes before the next meeting of the block.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/virtual/checks/shadow.hpp"

namespace warpcheck::checks {

/// What an instruction of a warp does: lane i of `lanes` accesses `bytes` from base + offset[i] of
/// the block's shared memory on. Inactive lanes' offsets must lie in shared memory too.
struct SharedAccess {
  unsigned warp;
  Mask lanes;
  std::uint32_t op;  // number of the op in the program
  std::uint32_t bytes;
  bool strong;
};

class SharedRaces {
 public:
  /// `unit` bytes of shared memory are told apart: the smallest access that the program makes
  /// there.
  SharedRaces(unsigned threads, std::size_t bytes, std::size_t unit);

  /// Begins block number `block`.
  void start(std::uint32_t block);
  [[nodiscard]] BlockClocks& clocks() { return clocks_; }
  /// Everybody whom a barrier waits for has come.
  void complete(unsigned barrier);

  /// Units are 1 << unit_shift() bytes.
  [[nodiscard]] unsigned unit_shift() const { return shift_; }

  /// Conflicts are appended to conflicts(). `rewrites` names the lanes that store what the bytes
  /// hold already.
  void read(const SharedAccess& access, const std::uint32_t* offset, std::uint32_t base);
  void write(const SharedAccess& access, const std::uint32_t* offset, std::uint32_t base,
             Mask rewrites);

  [[nodiscard]] std::vector<Conflict>& conflicts() { return conflicts_; }

 private:
  using Units = std::array<std::uint32_t, kLanes>;  // the first that each lane accesses
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
  void look_at_reads();
  void enter(const SharedAccess& access, const Units& first, Interval interval, bool write,
             Mask rewrites, bool late);

  unsigned shift_;
  unsigned region_shift_;
  BlockClocks clocks_;
  Shadow shadow_;
  Regions written_ = 0;  // since the block met
  Regions read_ = 0;
  std::vector<Read> reads_;  // room for them
  std::size_t waiting_ = 0;  // of those, not looked at yet
  std::vector<Conflict> conflicts_;
};

}  // namespace warpcheck::checks
