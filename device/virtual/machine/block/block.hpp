// Block: the warps, the shared memory, the barriers and the findings of a block.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "device/gpu_model.hpp"
#include "device/virtual/checks/access_digest.hpp"
#include "device/virtual/checks/async_copy_tracker.hpp"
#include "device/virtual/checks/conflict_grades.hpp"
#include "device/virtual/checks/global_races.hpp"
#include "device/virtual/checks/proxy_writes.hpp"
#include "device/virtual/checks/shared_races.hpp"
#include "device/virtual/machine/block/observer.hpp"
#include "device/virtual/machine/block/progress.hpp"
#include "device/virtual/machine/block/warp.hpp"
#include "device/virtual/machine/core/program.hpp"
#include "device/virtual/machine/core/schedule.hpp"
#include "device/virtual/machine/core/source_place.hpp"
#include "device/virtual/machine/memory/known_address.hpp"
#include "device/virtual/machine/memory/mbarriers.hpp"
#include "device/virtual/machine/memory/memory.hpp"

namespace warpcheck::semantics {
struct TensorModel;
}

namespace warpcheck::machine {

class AsyncCopies;
class BulkStores;
class Cluster;
class GridFamily;
class Textures;
class WarpgroupProducts;

/// Data that all blocks of a launch share.
struct LaunchContext {
  const Program* program = nullptr;
  const FunctionCode* kernel = nullptr;
  GlobalMemory* memory = nullptr;
  const Textures* textures = nullptr;     // null: there are none
  const device::GpuModel* gpu = nullptr;  // null: the largest of the program's architecture
  Dim3 grid;
  Dim3 block;
  Dim3 cluster{1, 1, 1};  // blocks of a cluster
  std::size_t dynamic_shared_bytes = 0;
  std::vector<std::byte> parameters;
  std::vector<std::byte> parameters_shadow;
  GridFamily* family = nullptr;               // the grid, and those that its threads launch
  std::uint32_t first_block = 0;              // number of block 0 in the family
  const checks::GridClock* before = nullptr;  // of a grid that a thread launched
  std::uint64_t schedule_seed = 0;
  std::uint64_t grid_barrier = 0;   // address of the barrier of cooperative blocks
  std::uint64_t budget = 0;         // warp instructions of one block
  std::uint64_t grid_budget = 0;    // of all blocks
  std::uint64_t block_bytes = 0;    // host memory for the calls and the local memory of a block
  std::uint64_t memory_bytes = 0;   // the same of the launch, with what it allocates itself
  std::uint64_t printed_bytes = 0;  // that are kept
  const device::StopCondition* stop = nullptr;  // may be null
  bool look_for_races = true;
  bool weak_volatile = false;    // volatile accesses count as weak in the detection of races
  bool digest = false;           // of accesses
  bool keep_going = false;       // after findings with which the launch can go on
  bool may_be_slow = false;      // a launch beyond its budget is undecided, not a timeout
  bool interleave = false;       // at first, each turn of a warp has a few instructions
  bool any_lanes_first = false;  // then, those of either side of a branch may run first
  bool splits_lanes = false;     // that may be apart, at an instruction that observes it
  const semantics::TensorModel* tensor_model = nullptr;
  checks::GlobalRaces* global_races = nullptr;
  LaunchObserver* observer = nullptr;  // of the instructions; may be null
};

/// The reason of a launch that ended at its budget. `reached`: where, and after how many warp
/// instructions.
[[nodiscard]] device::Unsupported unfinished_launch(const std::string& reached, SourcePlace place);

/// Numbers of barriers beyond those of PTX: of the cluster, and of the block's warpgroups.
inline constexpr unsigned kClusterBarrier = 16;
inline constexpr unsigned kFirstWarpgroupBarrier = 17;
inline constexpr unsigned kMostWarpgroups = 8;

/// One of a block's 16 barriers (PTX ISA 9.7.13.1), or the wait of a warpgroup for its products.
/// The latter orders nothing.
struct Barrier {
  std::uint32_t arrived = 0;     // threads
  std::uint32_t expected = 0;    // threads; 0: no thread waits
  std::uint32_t holds = 0;       // threads whose predicate is true, for bar.red
  std::uint32_t last_holds = 0;  // of the last completion
  std::uint32_t last_arrived = 0;
  bool of_block = false;    // all arrivals so far wait for the whole block, without a number
  std::uint32_t warps = 0;  // a bit per warp that has come, in any phase
};

/// Two ops that race, by their numbers in the program.
struct RacingOps {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  Grade grade = Grade::failure;

  friend bool operator==(const RacingOps&, const RacingOps&) = default;
};

class Block {
 public:
  explicit Block(const LaunchContext& launch);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// Starts block number `linear` of the grid.
  void start(std::uint64_t linear);
  /// The started block is one of a cluster.
  void join(std::shared_ptr<Cluster> cluster);
  /// Null if the launch has no clusters and the kernel does not use one. A launch without clusters
  /// has clusters of one block.
  [[nodiscard]] Cluster* cluster() const { return cluster_.get(); }

  enum class State : std::uint8_t { running, finished, faulted };

  /// Runs every warp for at most about `quantum` instructions, in an order computed from the seed.
  /// A block that has used up its budget, or `allowed` if that is less, ends as a timeout.
  State run(std::uint64_t quantum, std::uint64_t allowed = ~std::uint64_t{0});

  [[nodiscard]] const LaunchContext& launch() const { return *launch_; }
  [[nodiscard]] Dim3 index() const { return index_; }
  [[nodiscard]] std::uint64_t linear() const { return linear_; }
  /// Its number among the blocks of all grids of the family.
  [[nodiscard]] std::uint32_t number() const {
    return launch_->first_block + static_cast<std::uint32_t>(linear_);
  }
  [[nodiscard]] unsigned threads() const { return threads_; }
  /// Its index in the block. Lanes past the last thread have one, too.
  [[nodiscard]] const Dim3& thread(unsigned warp, unsigned lane) const {
    return indices_[warp * kLanes + lane];
  }
  [[nodiscard]] ThreadPlace place(unsigned warp, unsigned lane) const {
    return {index_, thread(warp, lane)};
  }
  /// The same for a thread of block number `block`, which may be of another grid of the family.
  [[nodiscard]] ThreadPlace place_in(std::uint32_t block, unsigned warp, unsigned lane) const;
  /// True if the turns of warps are short.
  [[nodiscard]] bool interleaves() const {
    constexpr std::uint64_t kInterleavedTurns = 1 << 10;
    return launch_->interleave && turn_ < kInterleavedTurns;
  }
  /// Instructions of this turn of a warp in a block that interleaves. For a few turns, a warp may
  /// be slower than others.
  [[nodiscard]] std::uint64_t short_turn(unsigned warp) const;
  /// The lanes that run first in these turns.
  [[nodiscard]] LaneOrder lanes_of_phase(unsigned warp) const;
  [[nodiscard]] bool looks_for_races() const { return launch_->look_for_races; }
  /// True for an op whose accesses are strong in the detection of races (PTX ISA 8.4).
  [[nodiscard]] bool is_strong(const Op& op) const {
    return op.strong && !(op.is_volatile && launch_->weak_volatile);
  }
  /// True if the checks of accesses to memory are those of bounds, definedness, races and
  /// asynchronous copies.
  [[nodiscard]] bool only_looks_for_races() const {
    return launch_->look_for_races && !launch_->digest && !tracing_ && cluster_ == nullptr;
  }
  [[nodiscard]] bool digests() const { return launch_->digest; }
  [[nodiscard]] checks::AccessDigest& digest() { return digest_; }
  [[nodiscard]] checks::SharedRaces& races() { return races_; }
  [[nodiscard]] checks::ConflictGrades& conflict_grades() { return conflict_grades_; }
  [[nodiscard]] const checks::SharedRaces& races() const { return races_; }
  [[nodiscard]] checks::AsyncCopyTracker& copy_tracker() { return copy_tracker_; }
  [[nodiscard]] checks::ProxyWrites& proxy_writes() { return proxy_writes_; }
  [[nodiscard]] AsyncCopies& async_copies() { return *async_copies_; }
  [[nodiscard]] BulkStores& bulk_stores() { return *bulk_stores_; }
  [[nodiscard]] WarpgroupProducts& warpgroup_products() { return *warpgroup_products_; }
  [[nodiscard]] Mbarriers& mbarriers() { return mbarriers_; }
  [[nodiscard]] Bytes shared() {
    return {shared_data_.data(), shared_shadow_.data(), shared_data_.size()};
  }
  /// A number of its shared memory in the launch; no allocation has it as its address.
  [[nodiscard]] std::uint64_t shared_number() const {
    return std::uint64_t{1} << 63 | std::uint64_t{number()} << 24;
  }
  /// The kernel's shared variables by address, and dynamic shared memory.
  [[nodiscard]] const std::vector<Container>& shared_containers() const {
    return shared_containers_;
  }

  /// `threads` more threads of a warp arrive at a barrier that waits for `expected`, or,
  /// `of_block`, for all threads of the block that have not exited; the predicate of `holds` of
  /// them is true. Releases the waiting threads when all have arrived.
  void arrive(unsigned barrier, unsigned warp, std::uint32_t threads, std::uint32_t expected,
              std::uint32_t holds, bool of_block);
  /// True if more warps have come to a barrier than it counts: their order determines which ones
  /// meet.
  [[nodiscard]] bool has_crowded_barrier() const { return has_crowded_barrier_; }
  [[nodiscard]] const Barrier& barrier(unsigned index) const { return barriers_[index]; }
  /// `threads` threads exit. This may complete barriers of the block.
  void exit(std::uint32_t threads);
  [[nodiscard]] std::uint32_t exited() const { return exited_; }

  /// The addresses that the running fragment has resolved, by Op::known_address. They are valid in
  /// the turn of the fragment in which they were resolved.
  [[nodiscard]] KnownAddress& known_address(unsigned number) { return known_addresses_[number]; }
  [[nodiscard]] std::uint64_t fragment_turn() const { return fragment_turn_; }
  void begin_fragment_turn() { ++fragment_turn_; }

  /// Every change of memory must be recorded, for the detection of hangs: see progress.hpp.
  void note_change() { ++changes_; }
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  /// A fingerprint of the registers and places of all warps.
  [[nodiscard]] std::uint64_t fingerprint() const;
  /// A hash of the places of all warps and of some bytes of their registers. It costs little.
  [[nodiscard]] std::uint64_t sample() const;
  /// Starts the recording of loads, atomics and tests of barriers as polls.
  void trace() { tracing_ = true; }
  [[nodiscard]] bool tracing() const { return tracing_; }
  void note_poll(Poll poll);
  [[nodiscard]] const std::vector<Poll>& polls() const { return polls_; }
  [[nodiscard]] const std::vector<std::unique_ptr<Warp>>& warps() const { return warps_; }

  /// Adds a finding. One finding per class and instruction is kept, with a count.
  void add_finding(Finding finding);
  /// True if a race of these ops is already among the findings; it is counted. Most races occur
  /// many times; only the first needs a finding.
  [[nodiscard]] bool is_repeated_race(const RacingOps& ops);
  /// Adds a race, of which one is kept per pair of source lines. Returns its number among the
  /// findings.
  std::size_t add_race(const RacingOps& ops, Finding finding);
  /// True if the note of an op is already among the findings; it is counted.
  [[nodiscard]] bool is_repeated_note(const Op& op);
  void add_note(const Op& op, Finding finding);
  void stop() { faulted_ = true; }
  /// Ends the launch: the device does not execute what it needs. `what` exceeds a limit.
  void stop_beyond_limit(device::Unsupported what);
  [[nodiscard]] bool faulted() const { return faulted_; }

  std::vector<Finding> findings;
  std::optional<device::Unsupported> unsupported;  // the instruction that ended the block
  std::string printed;
  std::uint64_t unprinted_bytes = 0;  // that the kernel printed beyond the limit
  std::optional<device::Writer> writer;
  [[nodiscard]] std::uint64_t executed() const;

  /// Adds text that the kernel prints, up to the limit.
  void print(std::string_view text);

  /// Work so far: the instructions, and the charges for those that take long. See Warp::charge().
  [[nodiscard]] std::uint64_t work() const;
  /// Work that the running turn may still do.
  [[nodiscard]] std::uint64_t allowed() const { return allowed_; }
  /// Call this after a finding with which the launch goes on: it may have made a loop endless.
  void shorten_budget();
  /// The finding for a budget that is used up at `op`.
  void report_budget(const FunctionCode& function, const Op& op, const ThreadPlace& thread);

  /// Host memory of the calls and the local memory of all warps.
  [[nodiscard]] std::uint64_t& host_bytes() { return host_bytes_; }
  [[nodiscard]] bool exceeds_memory() const { return host_bytes_ > launch_->block_bytes; }

  /// Observes every block that this object runs; null if the launch has no observer.
  [[nodiscard]] BlockObserver* observer() const { return observer_.get(); }
  [[nodiscard]] const FragmentLoops& loops() const { return *loops_; }

 private:
  void shuffle_warps();
  [[nodiscard]] std::uint64_t phase(unsigned warp) const;
  void complete_if_all_came(unsigned barrier);
  void note_exited(unsigned barrier);

  const LaunchContext* launch_;
  const FragmentLoops* loops_;
  std::unique_ptr<BlockObserver> observer_;
  Dim3 index_;
  std::uint64_t linear_ = 0;
  unsigned threads_;
  std::vector<Dim3> indices_;     // of the lanes of all warps
  std::uint64_t host_bytes_ = 0;  // before the warps, whose frames count in it
  std::vector<std::unique_ptr<Warp>> warps_;
  std::vector<unsigned> order_;
  std::uint64_t turn_ = 0;
  std::uint64_t allowed_ = 0;
  std::uint64_t shortened_budget_ = ~std::uint64_t{0};  // that after a finding
  std::vector<std::pair<RacingOps, std::size_t>>
      reported_races_;                                    // with the numbers of their findings
  std::vector<std::pair<const Op*, std::size_t>> notes_;  // likewise
  bool faulted_ = false;
  bool tracing_ = false;
  std::uint64_t changes_ = 0;
  std::vector<Poll> polls_;
  std::array<Barrier, kFirstWarpgroupBarrier + kMostWarpgroups> barriers_{};
  bool has_crowded_barrier_ = false;
  std::uint32_t exited_ = 0;                // threads
  std::optional<std::size_t> exited_note_;  // number of its finding
  std::vector<std::byte> shared_data_;
  std::vector<std::byte> shared_shadow_;
  std::vector<Container> shared_containers_;
  std::array<KnownAddress, kKnownAddresses> known_addresses_;
  std::uint64_t fragment_turn_ = 0;
  checks::SharedRaces races_;
  checks::ConflictGrades conflict_grades_;
  checks::AsyncCopyTracker copy_tracker_;
  checks::ProxyWrites proxy_writes_;
  checks::AccessDigest digest_;
  std::unique_ptr<AsyncCopies> async_copies_;
  std::unique_ptr<BulkStores> bulk_stores_;
  std::unique_ptr<WarpgroupProducts> warpgroup_products_;
  std::shared_ptr<Cluster> cluster_;
  Mbarriers mbarriers_;
};

/// The result of Block::shared_containers() for a block whose shared memory is `shared`.
[[nodiscard]] std::vector<Container> shared_containers(const LaunchContext& launch, Bytes shared);

/// Adds a finding, or adds its count to a finding of the same class and places. Returns the number
/// of the finding.
std::size_t add_if_new(std::vector<Finding>& findings, Finding finding);

}  // namespace warpcheck::machine
