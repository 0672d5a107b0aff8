// The vector clocks of the threads of a block: the accesses, of this block and of others, that
// happen before the next access of each thread. Clocks are joined at barriers, warp barriers,
// fences with flags, and mbarrier objects. Lanes of a warp with equal clocks share one clock, so
// that a kernel that synchronises whole warps has one clock per warp.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "device/virtual/checks/vector_clock.hpp"

namespace warpcheck::checks {

using machine::Scope;

/// The clocks that are released to a place in memory through strong accesses. Threads that read the
/// place may acquire them (PTX ISA 8.8: a release pattern that an acquire pattern observes
/// synchronises).
struct Flag {
  VectorClock device;                           // released to all of the device
  std::map<std::uint32_t, VectorClock> blocks;  // released within one block, by its number
};

/// The scope and semantics of an access to a flag.
struct FlagAccess {
  Scope scope = Scope::device;
  bool acquires = false;
  bool releases = false;
};

class BlockClocks {
 public:
  using Clock = VectorClock;

  explicit BlockClocks(unsigned threads);

  /// Starts block number `block` of the launch. Only the accesses in `before`, which may be null,
  /// are ordered before it.
  void start(std::uint32_t block, const GridClock* before = nullptr);

  [[nodiscard]] std::uint32_t block() const { return block_; }
  [[nodiscard]] Interval now(unsigned warp) const { return warps_[warp].now; }

  /// True if an access of thread (warp, lane) of `block` in `interval` happens before an access of
  /// thread (of_warp, of_lane) of this block now.
  [[nodiscard]] bool ordered(std::uint32_t block, unsigned warp, unsigned lane, Interval interval,
                             unsigned of_warp, unsigned of_lane) const;

  /// Those of `lanes` of the earlier warp for which ordered() is true.
  [[nodiscard]] Mask ordered_lanes(std::uint32_t block, unsigned warp, Mask lanes,
                                   Interval interval, unsigned of_warp, unsigned of_lane) const;

  /// True if ordered() does not depend on which of the lanes is the later one.
  [[nodiscard]] bool share_clock(unsigned warp, Mask lanes) const;

  /// ordered() if the later thread executed a fence now: an atomic of it observed the release, but
  /// no fence followed the atomic.
  [[nodiscard]] bool ordered_by_fence(std::uint32_t block, unsigned warp, unsigned lane,
                                      Interval interval, unsigned of_warp, unsigned of_lane) const;

  /// release() joins the clocks of the lanes, with their own accesses, to `into`. acquire() joins
  /// `from` to the clocks of the lanes.
  void release(unsigned warp, Mask lanes, VectorClock& into);
  void acquire(unsigned warp, Mask lanes, const VectorClock& from);

  /// Joins what the lanes did before their last fence of device scope to `into`.
  void release_fenced(unsigned warp, Mask lanes, VectorClock& into);

  /// These lanes of a warp synchronise.
  void warp_barrier(unsigned warp, Mask lanes);

  /// Lanes of a warp arrive at a barrier of the block. With `waits`, they continue only after
  /// complete().
  void arrive(unsigned barrier, unsigned warp, Mask lanes, bool waits);
  /// The barrier is complete. It does not wait for `exited` threads of the block, whose accesses
  /// are over. Returns true if all others waited: all accesses of the block so far happen before
  /// all later ones.
  bool complete(unsigned barrier, unsigned exited = 0);

  void fence(unsigned warp, Mask lanes, Scope scope);
  /// A store to a flag. An `update` is atomic and continues the release sequence of the flag.
  void store_flag(unsigned warp, Mask lanes, Flag& flag, const FlagAccess& access, bool update);
  /// A load of a flag; `update`: by an atomic.
  void load_flag(unsigned warp, Mask lanes, const Flag& flag, const FlagAccess& access,
                 bool update = false);

  /// The flags of shared memory, by address.
  using Flags = std::unordered_map<std::uint64_t, Flag>;
  [[nodiscard]] Flags& shared_flags() { return flags_; }

  /// True if a thread has executed a fence, so that its strong stores release a clock.
  [[nodiscard]] bool fenced() const { return fenced_; }

 private:
  /// Lanes of one warp with equal clocks.
  struct Group {
    Mask lanes = machine::kAllLanes;
    BlockClock home;     // of this block
    VectorClock others;  // of other blocks
    // Released by a strong store: the clock at the last fence of that scope, and each lane's own
    // accesses before `fenced_at`. By scope.
    std::array<VectorClock, 2> fenced;
    std::array<Interval, 2> fenced_at{};
    // Observed by strong loads: clocks released within the block, and to the device. The next fence
    // acquires them.
    std::array<VectorClock, 2> observed;
    VectorClock relaxed;  // the part of both that atomics observed
  };
  struct Warp {
    Interval now = 1;
    std::vector<Group> groups{1};
  };
  struct Barrier {
    VectorClock clock;                  // of the lanes that arrived and continued
    std::array<VectorClock, 2> fenced;  // of the same lanes, by scope
    std::array<Mask, 32> waiting{};     // lanes, by warp
  };

  [[nodiscard]] const BlockClock* clock_of(std::uint32_t block, unsigned of_warp,
                                           unsigned of_lane) const;
  void synchronize_block();
  void join_arrived(unsigned warp, Mask lanes, Barrier& barrier);
  [[nodiscard]] VectorClock clock_of(const Group& group) const;
  void acquire(Group& group, const VectorClock& clock) const;
  void acquire_observed(Group& group, Scope scope) const;
  std::vector<Group*> groups_of(unsigned warp, Mask lanes);
  void unite(unsigned warp, Mask lanes, const VectorClock& clock);
  void release(unsigned warp, const Group& group, Scope scope, VectorClock& into) const;

  unsigned threads_;
  std::uint32_t block_ = 0;
  const GridClock* before_ = nullptr;  // of the grid of the block
  std::vector<Warp> warps_;
  bool plain_ = true;  // all groups have the clock of the last barrier of the whole block
  bool fenced_ = false;
  std::array<Barrier, 16> barriers_;
  Flags flags_;
};

}  // namespace warpcheck::checks
