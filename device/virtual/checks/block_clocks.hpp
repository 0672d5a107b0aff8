// The vector clocks of the threads of a block: the accesses, of this block and of others, that
// happen before the next access of each thread. Barriers, warp barriers, fences with flags, and
// mbarrier objects join clocks. Lanes of a warp with equal clocks share one clock, so that a kernel
// that synchronises whole warps has one clock per warp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "device/virtual/checks/vector_clock.hpp"

namespace warpcheck::checks {

using machine::kScopes;
using machine::Scope;

constexpr std::size_t index(Scope scope) { return static_cast<std::size_t>(scope); }

/// A clock for each scope.
using ScopedClocks = std::array<VectorClock, kScopes.size()>;

/// True if the scopes of two threads include one another (PTX ISA 8.7.1). `narrower`: the smaller
/// scope.
constexpr bool scopes_include(bool same_block, bool same_cluster, Scope narrower) {
  return same_block || (same_cluster && narrower != Scope::block) || narrower == Scope::device;
}

/// The scope of an operation, and the place of its thread.
struct ScopedPlace {
  std::uint32_t block = 0;
  // Number of its first block; a block without a cluster is its own cluster.
  std::uint32_t cluster = 0;
  Scope scope = Scope::device;

  /// True if each scope includes the other thread.
  [[nodiscard]] bool includes(const ScopedPlace& other) const {
    return scopes_include(block == other.block, cluster == other.cluster,
                          std::min(scope, other.scope));
  }
};

/// The memory of a flag. Accesses of other sizes do not synchronise with accesses to the flag,
/// because they do not overlap completely (PTX ISA 8.2, 8.7.1).
struct FlagPlace {
  std::uint64_t address = 0;
  std::size_t bytes = 0;

  friend bool operator==(const FlagPlace&, const FlagPlace&) = default;
};
struct FlagHash {
  std::size_t operator()(const FlagPlace& place) const {
    return std::hash<std::uint64_t>{}(place.address) ^ place.bytes;
  }
};

/// A place in memory through which strong accesses release clocks, and others acquire them (PTX ISA
/// 8.8: a release pattern that an acquire pattern observes synchronises).
struct Flag {
  // The last write and the writes that it continues (atomics, and the write before them) released
  // these clocks.
  VectorClock device;  // clock of releases with device scope
  // Clocks of releases of one cluster that reach all of it.
  std::map<std::uint32_t, VectorClock> clusters;
  // Clocks of all releases of one block, by block number.
  std::map<std::uint32_t, VectorClock> blocks;
  ScopedPlace last;  // place and scope of the last strong write

  /// The accesses of lanes of a warp before their last release to the flag. Later strong writes of
  /// these lanes to the flag release the accesses again.
  struct Released {
    std::uint64_t warp = 0;
    Mask lanes = 0;
    Scope scope = Scope::device;
    VectorClock clock;
    Interval before = 0;  // bound of the lanes' own accesses
  };
  /// The clocks that lanes of a warp have observed. Their next acquire of the flag acquires them.
  struct Observed {
    std::uint64_t warp = 0;
    Mask lanes = 0;
    ScopedClocks clocks;
  };
  std::vector<Released> released;
  std::vector<Observed> observed;
};

/// The scope and the semantics of an access to a flag, or of a fence.
struct Semantics {
  Scope scope = Scope::device;
  bool acquires = false;
  bool releases = false;
};

class BlockClocks {
 public:
  using Clock = VectorClock;

  explicit BlockClocks(unsigned threads);

  /// Starts block number `block` of the launch, in the grid whose first block is `grid`. Only the
  /// accesses in `before`, which may be null, are ordered before it.
  void start(std::uint32_t block, const GridClock* before = nullptr, std::uint32_t grid = 0);
  /// Places the block in the cluster whose first block has this number.
  void join_cluster(std::uint32_t first) { cluster_ = first; }

  [[nodiscard]] std::uint32_t block() const { return block_; }
  [[nodiscard]] std::uint32_t cluster() const { return cluster_; }
  /// True if a block that has started belongs to the same grid: grids run one after another.
  [[nodiscard]] bool is_of_grid(std::uint32_t block) const { return block >= grid_; }
  [[nodiscard]] Interval now(unsigned warp) const { return warps_[warp].now; }

  /// True if an access of thread (warp, lane) of `block` in `interval` happens before an access of
  /// thread (later_warp, later_lane) of this block now.
  [[nodiscard]] bool ordered(std::uint32_t block, unsigned warp, unsigned lane, Interval interval,
                             unsigned later_warp, unsigned later_lane) const;

  /// The lanes of the earlier warp, among `lanes`, for which ordered() is true.
  [[nodiscard]] Mask ordered_lanes(std::uint32_t block, unsigned warp, Mask lanes,
                                   Interval interval, unsigned later_warp,
                                   unsigned later_lane) const;

  /// True if accesses of another thread of that block, in the interval or later, happen before an
  /// access of thread (later_warp, later_lane) now.
  [[nodiscard]] bool orders_another(std::uint32_t block, Interval interval, unsigned later_warp,
                                    unsigned later_lane) const {
    const BlockClock* const clock = clock_of(block, later_warp, later_lane);
    return clock != nullptr && clock->covers_any(interval);
  }
  /// True if ordered() holds for any thread of this block.
  [[nodiscard]] bool ordered_for_another(std::uint32_t block, unsigned warp, unsigned lane,
                                         Interval interval) const;

  /// True only if no access of another block happens before an access of the thread now. May also
  /// be false in this case.
  [[nodiscard]] bool sees_only_own_block(unsigned warp, unsigned lane) const {
    for (const Group& group : warps_[warp].groups) {
      if ((group.lanes >> lane & 1) != 0) return before_ == nullptr && group.others.empty();
    }
    return false;
  }

  /// True if ordered() does not depend on which of the lanes is the later one.
  [[nodiscard]] bool share_clock(unsigned warp, Mask lanes) const;

  /// True if ordered() would hold after a fence by the later thread: its atomic observed the
  /// release, but no fence followed the atomic.
  [[nodiscard]] bool ordered_by_fence(std::uint32_t block, unsigned warp, unsigned lane,
                                      Interval interval, unsigned later_warp,
                                      unsigned later_lane) const;

  /// release() joins the clocks of the lanes, with their own accesses, to `into`. acquire() joins
  /// `from` to the clocks of the lanes.
  void release(unsigned warp, Mask lanes, VectorClock& into);
  void acquire(unsigned warp, Mask lanes, const VectorClock& from);

  /// Joins the accesses of the lanes before their last fence of cluster scope, or of a larger
  /// scope, to `into`.
  void release_fenced(unsigned warp, Mask lanes, VectorClock& into);

  /// These lanes of a warp synchronise.
  void warp_barrier(unsigned warp, Mask lanes);

  /// Lanes of a warp arrive at a barrier of the block. With `waits`, they continue only after
  /// complete().
  void arrive(unsigned barrier, unsigned warp, Mask lanes, bool waits);
  /// Completes the barrier. It does not wait for `exited` threads of the block, whose accesses are
  /// over. Returns true if all other threads waited: all accesses of the block so far then happen
  /// before all later ones.
  bool complete(unsigned barrier, unsigned exited = 0);

  void fence(unsigned warp, Mask lanes, const Semantics& fence);
  /// A store to a flag. An `update` is atomic and continues the release sequence of the flag.
  void store_flag(unsigned warp, Mask lanes, Flag& flag, const Semantics& access, bool update);
  /// A load of a flag. `update`: an atomic performs it. An atomic without a result observes
  /// nothing.
  void load_flag(unsigned warp, Mask lanes, Flag& flag, const Semantics& access,
                 bool update = false);

  using Flags = std::unordered_map<FlagPlace, Flag, FlagHash>;
  /// The flags in shared memory.
  [[nodiscard]] Flags& shared_flags() { return flags_; }

  /// True if a thread has executed a fence, so that its strong stores release a clock.
  [[nodiscard]] bool fenced() const { return fenced_; }

 private:
  /// Lanes of one warp with equal clocks.
  struct Group {
    Mask lanes = machine::kAllLanes;
    BlockClock home;     // clock of this block
    VectorClock others;  // clocks of other blocks; an entry of this block is also in `home`
    // A strong store releases these clocks, one per scope: the clock at the last fence of that
    // scope, and each lane's own accesses before `fenced_at`.
    ScopedClocks fenced;
    std::array<Interval, kScopes.size()> fenced_at{};
    // Strong loads observed these clocks, which were released within the block, the cluster and the
    // device. The next fence acquires them.
    ScopedClocks observed;
    VectorClock relaxed;  // part of all observed clocks that atomics observed
  };
  struct Warp {
    Interval now = 1;
    std::vector<Group> groups{1};
  };
  struct Barrier {
    VectorClock clock;               // clock of the lanes that arrived and continued
    ScopedClocks fenced;             // fenced clocks of the same lanes
    std::array<Mask, 32> waiting{};  // waiting lanes of each warp
  };

  [[nodiscard]] const BlockClock* clock_of(std::uint32_t block, unsigned later_warp,
                                           unsigned later_lane) const;
  void forget_arrivals();
  void synchronize_block();
  void join_arrived(unsigned warp, Mask lanes, Barrier& barrier);
  [[nodiscard]] VectorClock clock_of(const Group& group) const;
  void acquire(Group& group, const VectorClock& clock) const;
  void acquire_observed(Group& group, Scope scope) const;
  std::vector<Group*> groups_of(unsigned warp, Mask lanes);
  void unite(unsigned warp, Mask lanes, const VectorClock& clock);
  void release(unsigned warp, const Group& group, Mask lanes, Scope scope, VectorClock& into) const;
  [[nodiscard]] VectorClock& released_to(Flag& flag, Scope scope) const;
  [[nodiscard]] ScopedClocks released_by(const Flag& flag) const;
  void release_at(unsigned warp, Mask lanes, Flag& flag, Scope scope);
  void release_again(unsigned warp, Mask lanes, Flag& flag) const;
  void acquire_again(unsigned warp, Mask lanes, const Flag& flag, Scope scope);
  [[nodiscard]] std::uint64_t number_of(unsigned warp) const {
    return std::uint64_t{block_} << 8 | warp;
  }

  unsigned threads_;
  std::uint32_t block_ = 0;
  std::uint32_t cluster_ = 0;
  std::uint32_t grid_ = 0;             // number of the grid's first block
  const GridClock* before_ = nullptr;  // accesses before the grid of the block; may be null
  std::vector<Warp> warps_;
  bool plain_ = true;  // true: all groups have the clock of the last barrier of the whole block
  bool fenced_ = false;
  std::array<Barrier, 16> barriers_;
  std::uint32_t arrived_ = 0;  // bit mask of barriers at which lanes have arrived
  Flags flags_;
};

}  // namespace warpcheck::checks
