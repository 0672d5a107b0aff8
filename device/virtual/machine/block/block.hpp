// Block: the warps, shared memory, barriers and findings of a block.
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
  const Textures* textures = nullptr;     // null: no textures
  const device::GpuModel* gpu = nullptr;  // null: the largest GPU of the program's architecture
  Dim3 grid;
  Dim3 block;
  Dim3 cluster{1, 1, 1};  // cluster size in blocks
  std::size_t dynamic_shared_bytes = 0;
  std::vector<std::byte> parameters;
  std::vector<std::byte> parameters_shadow;
  GridFamily* family = nullptr;   // the grid, and the grids that its threads launch
  std::uint32_t first_block = 0;  // number of block 0 in the family
  // Accesses before a grid that a thread launched; null: none.
  const checks::GridClock* before = nullptr;
  std::uint64_t schedule_seed = 0;
  std::uint64_t grid_barrier = 0;  // address of the barrier of cooperative blocks
  std::uint64_t budget = 0;        // warp instructions of one block
  std::uint64_t grid_budget = 0;   // warp instructions of all blocks
  std::uint64_t block_bytes = 0;   // host memory for the calls and the local memory of a block
  // Host memory of the launch: for calls, local memory and the memory that it allocates itself.
  std::uint64_t memory_bytes = 0;
  std::uint64_t printed_bytes = 0;              // limit of the printed bytes that are kept
  const device::StopCondition* stop = nullptr;  // may be null
  bool look_for_races = true;
  bool weak_volatile = false;  // volatile accesses count as weak in the detection of races
  bool digest = false;         // compute the digest of accesses
  bool keep_going = false;     // continue after findings that permit it
  bool may_be_slow = false;    // a launch beyond its budget is undecided, not a timeout
  bool interleave = false;     // true: at first, each turn of a warp has a few instructions
  // True: while turns are short, lanes of either side of a branch may run first.
  bool any_lanes_first = false;
  // Splits lanes that may be apart at an instruction that observes this.
  bool splits_lanes = false;
  const semantics::TensorModel* tensor_model = nullptr;
  checks::GlobalRaces* global_races = nullptr;
  LaunchObserver* observer = nullptr;  // observes the instructions; may be null
};

/// The reason for a launch that ended at its budget. `reached` describes the place, and the number
/// of warp instructions until then.
[[nodiscard]] device::Unsupported unfinished_launch(const std::string& reached, SourcePlace place);

/// Numbers of barriers beyond those of PTX: the cluster's barrier, and those of the block's
/// warpgroups.
inline constexpr unsigned kClusterBarrier = 16;
inline constexpr unsigned kFirstWarpgroupBarrier = 17;
inline constexpr unsigned kMostWarpgroups = 8;

/// One of a block's 16 barriers (PTX ISA 9.7.13.1), or the wait of a warpgroup for its products,
/// which orders nothing.
struct Barrier {
  std::uint32_t arrived = 0;     // threads that have arrived
  std::uint32_t expected = 0;    // threads for which the barrier waits; 0: no thread waits
  std::uint32_t holds = 0;       // threads whose predicate is true, for bar.red
  std::uint32_t last_holds = 0;  // `holds` at the last completion
  std::uint32_t last_arrived = 0;
  bool whole_block = false;  // all arrivals so far wait for the whole block and give no number
  std::uint32_t warps = 0;   // bit mask of warps that have come, in any phase
};

/// Two ops that race. Ops are identified by their numbers in the program.
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
  /// Adds the started block to a cluster.
  void join(std::shared_ptr<Cluster> cluster);
  /// Null if the launch has no clusters and the kernel does not use one. A launch without clusters
  /// has clusters of one block.
  [[nodiscard]] Cluster* cluster() const { return cluster_.get(); }

  enum class State : std::uint8_t { running, finished, faulted };

  /// Runs every warp for about `quantum` instructions at most, in an order computed from the seed.
  /// A block that has used up its budget, or `allowed` if that is less, ends as a timeout.
  State run(std::uint64_t quantum, std::uint64_t allowed = ~std::uint64_t{0});

  [[nodiscard]] const LaunchContext& launch() const { return *launch_; }
  [[nodiscard]] Dim3 index() const { return index_; }
  [[nodiscard]] std::uint64_t linear() const { return linear_; }
  /// The block's number among the blocks of all grids of the family.
  [[nodiscard]] std::uint32_t number() const {
    return launch_->first_block + static_cast<std::uint32_t>(linear_);
  }
  [[nodiscard]] unsigned threads() const { return threads_; }
  /// The thread's index in the block. Lanes after the last thread have an index, too.
  [[nodiscard]] const Dim3& thread(unsigned warp, unsigned lane) const {
    return indices_[warp * kLanes + lane];
  }
  [[nodiscard]] ThreadPlace place(unsigned warp, unsigned lane) const {
    return {index_, thread(warp, lane)};
  }
  /// The place of a thread of block number `block`, which may belong to another grid of the family.
  [[nodiscard]] ThreadPlace place_in(std::uint32_t block, unsigned warp, unsigned lane) const;
  /// True if the turns of warps are short.
  [[nodiscard]] bool interleaves() const {
    constexpr std::uint64_t kInterleavedTurns = 1 << 10;
    return launch_->interleave && turn_ < kInterleavedTurns;
  }
  /// The instructions of this turn of a warp, if the block interleaves. For a few turns, a warp may
  /// be slower than others.
  [[nodiscard]] std::uint64_t short_turn(unsigned warp) const;
  /// The lanes that run first in these turns.
  [[nodiscard]] LaneOrder lanes_of_phase(unsigned warp) const;
  [[nodiscard]] bool looks_for_races() const { return launch_->look_for_races; }
  /// True for an op whose accesses are strong in the detection of races (PTX ISA 8.4).
  [[nodiscard]] bool is_strong(const Op& op) const {
    return op.strong && !(op.is_volatile && launch_->weak_volatile);
  }
  /// True if accesses to memory are checked only for bounds, definedness, races and asynchronous
  /// copies.
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
  /// A number that identifies its shared memory in the launch; no allocation has it as its address.
  [[nodiscard]] std::uint64_t shared_number() const {
    return std::uint64_t{1} << 63 | std::uint64_t{number()} << 24;
  }
  /// The kernel's shared variables, sorted by address, and dynamic shared memory.
  [[nodiscard]] const std::vector<Container>& shared_containers() const {
    return shared_containers_;
  }

  /// Adds the arrival of `threads` more threads of a warp at a barrier, which waits for `expected`
  /// threads or, if `whole_block`, for all threads of the block that have not exited. The predicate
  /// is true for `holds` of these threads. Releases the waiting threads when all have arrived.
  void arrive(unsigned barrier, unsigned warp, std::uint32_t threads, std::uint32_t expected,
              std::uint32_t holds, bool whole_block);
  /// True if more warps have come to a barrier than the barrier counts: their order then determines
  /// which warps meet.
  [[nodiscard]] bool has_crowded_barrier() const { return has_crowded_barrier_; }
  [[nodiscard]] const Barrier& barrier(unsigned index) const { return barriers_[index]; }
  /// Counts `threads` threads that exit. This may complete barriers of the block.
  void exit(std::uint32_t threads);
  [[nodiscard]] std::uint32_t exited() const { return exited_; }

  /// The addresses that the running fragment has resolved, indexed by Op::known_address. An address
  /// is valid only in the turn of the fragment that resolved it.
  [[nodiscard]] KnownAddress& known_address(unsigned number) { return known_addresses_[number]; }
  [[nodiscard]] std::uint64_t fragment_turn() const { return fragment_turn_; }
  void begin_fragment_turn() { ++fragment_turn_; }

  /// Records a change of memory. Hang detection requires every change: see progress.hpp.
  void note_change() { ++changes_; }
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  /// A fingerprint of the registers and places of all warps.
  [[nodiscard]] std::uint64_t fingerprint() const;
  /// A cheap hash of the places of all warps and of some bytes of their registers.
  [[nodiscard]] std::uint64_t sample() const;
  /// Starts the recording of loads, atomics and tests of barriers as polls.
  void trace() { tracing_ = true; }
  [[nodiscard]] bool tracing() const { return tracing_; }
  void note_poll(Poll poll);
  [[nodiscard]] const std::vector<Poll>& polls() const { return polls_; }
  [[nodiscard]] const std::vector<std::unique_ptr<Warp>>& warps() const { return warps_; }

  /// Adds a finding. Keeps one finding per class and instruction, with a count.
  void add_finding(Finding finding);
  /// True if a race of these ops is already among the findings; counts it. Most races occur many
  /// times, but only the first needs a finding.
  [[nodiscard]] bool is_repeated_race(const RacingOps& ops, std::uint64_t count = 1);
  /// Adds a race; keeps one race per pair of source lines. Returns its index in the findings.
  std::size_t add_race(const RacingOps& ops, Finding finding);
  /// True if the note of an op is already among the findings; counts it.
  [[nodiscard]] bool is_repeated_note(const Op& op);
  void add_note(const Op& op, Finding finding);
  void stop() { faulted_ = true; }
  /// Ends the launch because it needs more than the device executes. `what` exceeds a limit.
  void stop_beyond_limit(device::Unsupported what);
  [[nodiscard]] bool faulted() const { return faulted_; }

  std::vector<Finding> findings;
  std::optional<device::Unsupported> unsupported;  // instruction that ended the block
  std::string printed;
  std::uint64_t unprinted_bytes = 0;  // bytes beyond the limit that the kernel printed
  std::optional<device::Writer> writer;
  [[nodiscard]] std::uint64_t executed() const;

  /// Adds text that the kernel prints, up to the limit.
  void print(std::string_view text);

  /// Work so far: instructions, and the charges for those that take long. See Warp::charge().
  [[nodiscard]] std::uint64_t work() const;
  /// Work that the running turn may still do.
  [[nodiscard]] std::uint64_t allowed() const { return allowed_; }
  /// Must be called after a finding if the launch continues: the defect may have made a loop
  /// endless.
  void shorten_budget();
  /// Adds the finding for a budget that is used up at `op`.
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
  std::vector<Dim3> indices_;     // thread indices of the lanes of all warps
  std::uint64_t host_bytes_ = 0;  // declared before warps_, whose frames count in it
  std::vector<std::unique_ptr<Warp>> warps_;
  std::vector<unsigned> order_;
  std::uint64_t turn_ = 0;
  std::uint64_t allowed_ = 0;
  std::uint64_t shortened_budget_ = ~std::uint64_t{0};  // budget after a finding
  // Pairs of ops, with the indices of their findings.
  std::vector<std::pair<RacingOps, std::size_t>> reported_races_;
  std::vector<std::pair<const Op*, std::size_t>> notes_;  // ops, with the indices of their findings
  bool faulted_ = false;
  bool tracing_ = false;
  std::uint64_t changes_ = 0;
  std::vector<Poll> polls_;
  std::array<Barrier, kFirstWarpgroupBarrier + kMostWarpgroups> barriers_{};
  bool has_crowded_barrier_ = false;
  std::uint32_t exited_ = 0;                // number of threads that have exited
  std::optional<std::size_t> exited_note_;  // index of the note about exited threads
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
