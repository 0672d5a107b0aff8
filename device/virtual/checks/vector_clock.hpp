// Vector clocks (Mattern 1989): the accesses that happen before a moment of a launch. For each
// thread a clock holds a bound: all accesses in intervals of its warp before the bound. A bound
// that holds for a whole block is stored once. Copies of a clock share its memory until one of them
// changes, because most clocks are copies of a few: the clock of a thread's release, or of a
// barrier. Host threads may share the memory of a copy that outlives theirs.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::checks {

using machine::kLanes;
using machine::Mask;

/// Logical time of a warp: the number of its synchronisations so far, from 1.
using Interval = std::uint32_t;

/// The bounds of the threads of one block.
class BlockClock {
 public:
  [[nodiscard]] bool covers(unsigned warp, unsigned lane, Interval interval) const {
    return interval < block_ ||
           (warps_ != nullptr && warp < warps_->size() && interval < (*warps_)[warp][lane]);
  }
  /// True if it covers the interval of any thread.
  [[nodiscard]] bool covers_any(Interval interval) const;
  /// The lanes, among `lanes`, whose accesses in `interval` the clock covers.
  [[nodiscard]] Mask covered(unsigned warp, Mask lanes, Interval interval) const;
  [[nodiscard]] bool empty() const { return block_ == 0 && warps_ == nullptr; }
  /// True only if join(other) changes nothing. May also be false in this case.
  [[nodiscard]] bool includes(const BlockClock& other) const {
    return other.block_ <= block_ && (other.warps_ == nullptr || other.warps_ == warps_);
  }

  /// Sets the bound of every thread of the block to `before`.
  void reset(Interval before) {
    block_ = before;
    warps_.reset();
  }
  /// Raises the bounds of `lanes` to at least `before`.
  void cover(unsigned warp, Mask lanes, Interval before);
  /// Raises each bound to at least the bound of `other`: the least upper bound of both clocks.
  void join(const BlockClock& other);

 private:
  using Bounds = std::array<Interval, kLanes>;  // indexed by lane
  using Warps = std::vector<Bounds>;
  /// Returns this clock's own bounds, of at least `count` warps, for a change.
  Warps& own_warps(std::size_t count);

  Interval block_ = 0;
  std::shared_ptr<Warps> warps_;  // bounds beyond the block's bound; null: none
};

/// The clocks of the blocks of a launch, by block number. Blocks without an entry have the bound 0.
class VectorClock {
 public:
  using Entries = std::vector<std::pair<std::uint32_t, BlockClock>>;
  using const_iterator = Entries::const_iterator;

  [[nodiscard]] bool empty() const { return entries_ == nullptr; }
  [[nodiscard]] const_iterator begin() const { return entries().begin(); }
  [[nodiscard]] const_iterator end() const { return entries().end(); }
  [[nodiscard]] const_iterator find(std::uint32_t block) const;
  /// The clock of a block; adds a clock if there is none.
  [[nodiscard]] BlockClock& operator[](std::uint32_t block);
  void clear() { entries_.reset(); }
  void erase(std::uint32_t block);
  /// Joins each clock of `other` to the clock of the same block.
  void join(const VectorClock& other);

 private:
  [[nodiscard]] const Entries& entries() const;
  [[nodiscard]] Entries& own_entries();

  std::shared_ptr<Entries> entries_;  // ascending by block; null: none
};

/// Blocks from `begin` to before `end`.
struct BlockRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// The accesses that happen before every thread of a grid begins. It exists if a thread launched
/// the grid.
struct GridClock {
  VectorClock at_launch;
  std::vector<BlockRange> ended;  // blocks, all of whose accesses happen before

  [[nodiscard]] bool has_ended(std::uint32_t block) const;
};

inline void join(VectorClock& into, const VectorClock& from) { into.join(from); }

}  // namespace warpcheck::checks
