// Detection of races in shared memory by happens-before. A race is two accesses of different
// threads to the same bytes, one of them a write, that no barrier, warp barrier or fenced flag
// orders, and that are not both strong. The verdict does not depend on the order in which the warps
// run.
//
// Kernels write a tile, synchronise, read it many times, and synchronise. Reads are therefore only
// recorded. They are checked if a write to the same region follows before the next barrier of the
// block.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/virtual/checks/shadow.hpp"

namespace warpcheck::checks {

/// An access by an instruction of a warp: lane i of `lanes` accesses `bytes` bytes from base +
/// offset[i] of the block's shared memory on. Offsets of inactive lanes must be in shared memory,
/// too.
struct SharedAccess {
  unsigned warp;
  Mask lanes;
  std::uint32_t op;  // number of the op in the program
  std::uint32_t bytes;
  bool strong;
  bool is_volatile = false;
  bool update = false;                        // an atomic
  bool observes = false;                      // an atomic whose result the thread uses
  std::uint8_t scalar_bytes = 0;              // strong access: see Event::bytes
  const machine::LaneOrder* order = nullptr;  // order of the lanes of such an atomic
};

/// The units of a recorded read, for further reads by the same lanes at a distance from it.
struct RecordedPlace {
  std::uint64_t batch = 0;  // batch of the recorded reads; 0: the read was not recorded
  std::uint32_t number = 0;
  Interval interval = 0;
};

class SharedRaces {
 public:
  /// `unit` is the size in bytes of the program's smallest access to shared memory: the granularity
  /// of the detection.
  SharedRaces(unsigned threads, std::size_t bytes, std::size_t unit);

  /// Starts block number `block`. `before` and `grid`: see BlockClocks::start().
  void start(std::uint32_t block, const GridClock* before, std::uint32_t grid = 0);
  [[nodiscard]] BlockClocks& clocks() { return clocks_; }
  [[nodiscard]] const BlockClocks& clocks() const { return clocks_; }
  /// All threads for which a barrier waits have arrived, or have exited (`exited` of them).
  void complete(unsigned barrier, unsigned exited);

  /// Units are 1 << unit_shift() bytes.
  [[nodiscard]] unsigned unit_shift() const { return shift_; }

  /// Conflicts are appended to conflicts(). `rewrites` are the lanes that store a value which the
  /// bytes already hold.
  RecordedPlace read(const SharedAccess& access, const std::uint32_t* offset, std::uint32_t base);
  /// Records a weak read of `bytes` bytes by the lanes of `place`, a recorded read of `warp`, each
  /// at this distance in bytes from that read. Returns false, and does nothing, if it must be
  /// checked now.
  [[nodiscard]] bool read_again(const RecordedPlace& place, unsigned warp, std::uint32_t op,
                                std::int32_t distance, std::uint32_t bytes) {
    if (place.batch != batch_ || place.interval != clocks_.now(warp)) return false;
    const Read read{place.number, distance, op, bytes};
    if (written_ != 0 && (regions_of(read) & written_) != 0) return false;
    record(read);
    return true;
  }
  void write(const SharedAccess& access, const std::uint32_t* offset, std::uint32_t base,
             Mask rewrites);
  /// Checks a read with which no later write conflicts; another check tracks its end.
  void look(const SharedAccess& access, const std::uint32_t* offset, std::uint32_t base);

  [[nodiscard]] std::vector<Conflict>& conflicts() { return conflicts_; }

 private:
  using Units = std::array<std::uint32_t, kLanes>;  // the first unit that each lane accesses
  /// A read that is recorded.
  struct Read {
    std::uint32_t place;    // index of the place
    std::int32_t distance;  // distance in bytes from the place
    std::uint32_t op;
    std::uint32_t bytes;
  };
  /// The lowest and the highest of the first units of the lanes.
  struct Bounds {
    std::uint32_t lowest;
    std::uint32_t highest;
  };
  /// The first of several reads with one interval, warp and set of lanes.
  struct Place {
    Units first;
    Bounds bounds;
    Interval interval;
    SharedAccess access;
  };
  using Regions = std::uint64_t;  // bit mask with one bit for each 64th of shared memory

  Bounds locate(const std::uint32_t* offset, std::uint32_t base, Units& first) const;
  [[nodiscard]] Regions regions(Bounds first, std::uint32_t bytes) const {
    const unsigned begin = first.lowest >> region_shift_;
    const unsigned end = (first.highest + (bytes >> shift_) - 1) >> region_shift_;
    return (~Regions{0} << begin) & (~Regions{0} >> (63 - end));
  }
  [[nodiscard]] std::uint32_t units_to(const Read& read) const {
    return static_cast<std::uint32_t>(read.distance >> shift_);
  }
  [[nodiscard]] Regions regions_of(const Read& read) const {
    const Bounds& first = places_[read.place].bounds;
    const std::uint32_t distance = units_to(read);
    return regions({first.lowest + distance, first.highest + distance}, read.bytes);
  }
  [[nodiscard]] Regions regions_read();
  void record(const Read& read) {
    reads_[recorded_] = read;
    if (++recorded_ == capacity_) make_room();
  }
  RecordedPlace read_plainly(const SharedAccess& access, const std::uint32_t* offset,
                             std::uint32_t base);
  RecordedPlace read_with_avx2(const SharedAccess& access, const std::uint32_t* offset,
                               std::uint32_t base);
  void write_plainly(const SharedAccess& access, const std::uint32_t* offset, std::uint32_t base,
                     Mask rewrites);
  void write_with_avx2(const SharedAccess& access, const std::uint32_t* offset, std::uint32_t base,
                       Mask rewrites);
  [[nodiscard]] bool write_settled(const SharedAccess& access, const Units& first, EventId event);
  [[gnu::noinline]] [[nodiscard]] EventId note(const SharedAccess& access, Interval interval,
                                               bool write);
  void forget_reads();
  void forget();
  void make_room();
  // noinline: the attribute `flatten` would inline it into the vectorised paths, which adds 300 KB.
  [[gnu::noinline]] void check_reads();
  [[gnu::noinline]] void enter(const SharedAccess& access, const Units& first, EventId event,
                               Mask rewrites, bool late);

  unsigned shift_;
  unsigned region_shift_;
  BlockClocks clocks_;
  Shadow shadow_;
  Regions written_ = 0;  // regions written since the last barrier of the whole block
  Regions read_ = 0;     // regions of the first `surveyed_` reads
  // Reads that are not checked yet, in buffers of `capacity_`, and their places.
  std::vector<Read> reads_;
  std::vector<Place> places_;
  std::size_t capacity_;
  std::size_t recorded_ = 0;
  std::size_t placed_ = 0;
  std::size_t surveyed_ = 0;
  std::uint64_t batch_ = 1;  // number of this batch of reads
  std::vector<Conflict> conflicts_;
};

}  // namespace warpcheck::checks
