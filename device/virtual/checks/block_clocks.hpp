// What the threads of a block know of one another's past, and of other blocks': it grows at
// barriers, warp barriers, fences with flags, and objects in memory that stand for barriers. Lanes
// of a warp that know the same are kept together, so that a kernel that synchronises whole warps
// pays for warps only.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "device/virtual/checks/vector_clock.hpp"

namespace warpcheck::checks {

using machine::Scope;

/// A place in memory that strong accesses go to, and what those who read it may learn (PTX ISA 8.8:
/// a release pattern, observed by an acquire pattern, synchronises).
struct Flag {
  VectorClock device;                           // released to all of the device
  std::map<std::uint32_t, VectorClock> blocks;  // released within one block, by its number
};

/// How an instruction accesses a flag.
struct FlagAccess {
  Scope scope = Scope::device;
  bool acquires = false;
  bool releases = false;
};

class BlockClocks {
 public:
  using Clock = VectorClock;

  explicit BlockClocks(unsigned threads);

  /// Begins block number `block` of the launch: nobody knows anything of another block.
  void start(std::uint32_t block);

  [[nodiscard]] std::uint32_t block() const { return block_; }
  [[nodiscard]] Interval now(unsigned warp) const { return warps_[warp].now; }

  /// Whether what thread (warp, lane) of `block` did in `interval` is ordered before what thread
  /// (of_warp, of_lane) of this block does now.
  [[nodiscard]] bool ordered(std::uint32_t block, unsigned warp, unsigned lane, Interval interval,
                             unsigned of_warp, unsigned of_lane) const;

  /// Release: what the lanes did and know is added to `into`. Acquire: they learn what is in
  /// `from`.
  void release(unsigned warp, Mask lanes, VectorClock& into);
  void acquire(unsigned warp, Mask lanes, const VectorClock& from);

  /// These lanes of a warp meet.
  void warp_barrier(unsigned warp, Mask lanes);

  /// Lanes of a warp come to a barrier of the block; with `waits`, they go on only when complete()
  /// is called.
  void arrive(unsigned barrier, unsigned warp, Mask lanes, bool waits);
  /// True where that was all of the block: what happened so far is ordered before everything to
  /// come.
  bool complete(unsigned barrier);

  void fence(unsigned warp, Mask lanes, Scope scope);
  /// A store to a flag; with `update` an atomic one, which continues what the flag held.
  void store_flag(unsigned warp, Mask lanes, Flag& flag, const FlagAccess& access, bool update);
  void load_flag(unsigned warp, Mask lanes, const Flag& flag, const FlagAccess& access);

  /// The flags of shared memory, by address.
  using Flags = std::unordered_map<std::uint64_t, Flag>;
  [[nodiscard]] Flags& shared_flags() { return flags_; }

  /// Some thread's strong stores have something to release.
  [[nodiscard]] bool fenced() const { return fenced_; }

 private:
  /// Lanes of one warp that know the same.
  struct Group {
    Mask lanes = machine::kAllLanes;
    BlockClock home;     // of this block
    VectorClock others;  // of other blocks
    // What a strong store releases: what was known at the last fence of that scope, and what each
    // lane itself had done before `fenced_at`. By scope.
    std::array<VectorClock, 2> fenced;
    std::array<Interval, 2> fenced_at{};
    // What strong loads saw: released within the block, and to the device. Learnt at the next
    // fence.
    std::array<VectorClock, 2> observed;
  };
  struct Warp {
    Interval now = 1;
    std::vector<Group> groups{1};
  };
  struct Meeting {
    VectorClock past;                   // of those that arrived and went on
    std::array<VectorClock, 2> fenced;  // theirs, by scope
    std::array<Mask, 32> waiting{};     // lanes, by warp
  };

  void meet();
  void bring(unsigned warp, Mask lanes, Meeting& meeting);
  [[nodiscard]] VectorClock known(const Group& group) const;
  void acquire(Group& group, const VectorClock& past) const;
  void learn_observed(Group& group, Scope scope) const;
  std::vector<Group*> exactly(unsigned warp, Mask lanes);
  void unite(unsigned warp, Mask lanes, const VectorClock& past);
  void release(unsigned warp, const Group& group, Scope scope, VectorClock& into) const;

  unsigned threads_;
  std::uint32_t block_ = 0;
  std::vector<Warp> warps_;
  bool plain_ = true;  // since all met, nothing but that told anybody anything
  bool fenced_ = false;
  std::array<Meeting, 16> meetings_;
  Flags flags_;
};

}  // namespace warpcheck::checks
