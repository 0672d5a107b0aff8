// Cluster: blocks that are resident together. They have a common barrier, and may access each
// other's shared memory (PTX ISA 2.2.2, 9.7.13.3).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "device/virtual/checks/vector_clock.hpp"
#include "device/virtual/machine/block/warp.hpp"

namespace warpcheck::machine {

class Block;
struct LaunchContext;

/// In the .shared::cluster window, the shared memory of the block of rank r begins at
/// (r + 1) << kClusterRankBits. The window begins with the block's own shared memory.
inline constexpr unsigned kClusterRankBits = 24;

[[nodiscard]] std::uint32_t blocks_of_cluster(const LaunchContext& launch);

class Cluster {
 public:
  /// `blocks` are sorted by rank, and have started.
  explicit Cluster(std::vector<Block*> blocks);

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(blocks_.size()); }
  /// Null if the block has ended.
  [[nodiscard]] Block* block(std::uint32_t rank) const { return blocks_[rank]; }
  [[nodiscard]] std::uint32_t rank_of(const Block& block) const;

  /// Lanes that have arrived at the barrier and have not waited yet.
  [[nodiscard]] Mask arrived(const Warp& warp) const;
  /// The arrived lanes whose phase is not complete.
  [[nodiscard]] Mask pending(const Warp& warp) const;
  /// Records that lanes arrive at the barrier. With `releases`, their accesses so far happen before
  /// those of other threads after their wait; otherwise only their accesses before their last fence
  /// do.
  void arrive(const Warp& warp, Mask lanes, bool releases);
  /// Executes fence.mbarrier_init: the next arrivals of the warp, even if relaxed, release all
  /// accesses so far. PTX orders only the initialisations.
  void fence_inits(const Warp& warp, Mask lanes);
  /// Lets lanes whose phase is complete continue after their wait.
  void pass(const Warp& warp, Mask lanes);
  /// Completes the phase if every thread that has not exited has arrived.
  void complete_if_all_came();
  /// The number of threads that have arrived, and the number of those that have not exited.
  [[nodiscard]] std::uint64_t arrivals() const;
  [[nodiscard]] std::uint64_t live() const;

  /// Records that a thread of another block accesses the shared memory of the block of this rank.
  void note_remote(std::uint32_t owner, const Warp& warp, const Op& op, Mask lanes, bool write);
  /// Ends the block. Reports accesses of other blocks to its shared memory that nothing orders
  /// before its end.
  void end(Block& block);

 private:
  struct Lanes {
    Mask pending = 0;
    Mask passed = 0;  // lanes whose phase is complete
    checks::VectorClock fenced_inits;
  };
  struct RemoteAccess {
    checks::Interval interval = 0;
    Mask lanes = 0;
    bool write = false;
  };
  /// The owner's rank, the number of the accessing block, its warp, and the number of the op.
  using RemoteKey = std::tuple<std::uint32_t, std::uint32_t, unsigned, std::uint32_t>;

  [[nodiscard]] const Lanes& lanes_of(const Warp& warp) const;

  std::vector<Block*> blocks_;
  std::vector<std::array<Lanes, 32>> lanes_;  // indexed by rank and warp
  checks::VectorClock arrived_;
  checks::VectorClock completed_;
  std::map<RemoteKey, RemoteAccess> remote_;
};

}  // namespace warpcheck::machine
