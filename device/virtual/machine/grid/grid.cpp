#include "device/virtual/machine/grid/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/parallel_for.hpp"
#include "device/virtual/machine/block/cluster.hpp"
#include "device/virtual/machine/block/diagnose_hang.hpp"
#include "device/virtual/machine/core/schedule.hpp"
#include "device/virtual/machine/core/source_place.hpp"
#include "device/virtual/machine/grid/dispatch.hpp"

namespace warpcheck::machine {
namespace {

/// Instructions of a warp's turn; kShortQuantum applies if blocks may wait for one another.
constexpr std::uint64_t kQuantum = 1 << 16;
constexpr std::uint64_t kShortQuantum = 1 << 8;
/// Instructions of a warp's turn if the block only polled memory in its last turn.
constexpr std::uint64_t kGlance = 1 << 5;

/// A number of instructions that take much longer than the fingerprint of a block.
constexpr std::uint64_t kWorkOfFingerprint = 1 << 12;

/// Blocks that are resident together when blocks may wait for one another.
constexpr std::uint64_t kResidentBlocks = 256;

struct BlockResult {
  std::vector<Finding> findings;
  std::optional<device::Unsupported> unsupported;
  std::string printed;
  std::uint64_t unprinted_bytes = 0;
  std::optional<device::Writer> writer;
  std::uint64_t instructions = 0;  // warp instructions
  std::uint64_t work = 0;
};

/// The work of a block in addition to its instructions.
constexpr std::uint64_t kWorkOfBlock = 64;

/// Collects the results of blocks, up to the first block that faulted. Blocks finish in any order;
/// their results are added in the order of the blocks.
class Collector {
 public:
  explicit Collector(const LaunchContext& launch) : launch_(launch) {}

  void add(Block& block, bool faulted) {
    if (block.digests()) access_digest_ += block.digest().sum(block.linear());
    if (faulted) end_at(block.linear());
    const std::lock_guard lock(mutex_);
    grid_.has_crowded_barrier = grid_.has_crowded_barrier || block.has_crowded_barrier();
    results_.emplace(
        block.linear(),
        BlockResult{std::exchange(block.findings, {}), std::exchange(block.unsupported, {}),
                    std::exchange(block.printed, {}), block.unprinted_bytes,
                    std::exchange(block.writer, {}), block.executed(),
                    block.work() + kWorkOfBlock});
    while (!results_.empty() && results_.begin()->first == next_ && next_ <= first_fault_) {
      add_first();
      ++next_;
    }
  }

  /// Adds the observations of all blocks that `block` ran. Must be called once for each Block
  /// object.
  void add_observed(const Block& block) {
    if (launch_.observer == nullptr) return;
    const std::lock_guard lock(mutex_);
    launch_.observer->add(*block.observer());
  }

  /// Adds the instructions of a block that does not end.
  void add_unfinished(const Block& block) { grid_.warp_instructions += block.executed(); }

  [[nodiscard]] std::uint64_t first_fault() const { return first_fault_; }
  [[nodiscard]] bool should_stop() {
    if (launch_.stop != nullptr && launch_.stop->met()) stopped_ = true;
    return stopped_;
  }

  [[nodiscard]] GridResult result() {
    while (!results_.empty() && results_.begin()->first <= first_fault_) add_first();
    grid_.access_digest = access_digest_;
    grid_.stopped = stopped_;
    grid_.faulted = first_fault_ != kNoFault || grid_.stopped;
    return std::move(grid_);
  }

  static constexpr std::uint64_t kNoFault = ~std::uint64_t{0};

 private:
  void end_at(std::uint64_t block) {
    std::uint64_t first = first_fault_;
    while (block < first && !first_fault_.compare_exchange_weak(first, block)) {
    }
  }

  void add_first() {
    const auto first = results_.begin();
    BlockResult& block = first->second;
    const std::size_t room = launch_.printed_bytes - grid_.printed.size();
    grid_.warp_instructions += block.instructions;
    grid_.unprinted_bytes += block.unprinted_bytes;
    grid_.unprinted_bytes += block.printed.size() - std::min(room, block.printed.size());
    grid_.printed += std::string_view(block.printed).substr(0, room);
    if (block.unsupported) grid_.unsupported = std::move(block.unsupported);
    if (block.writer) grid_.writer = std::move(block.writer);
    for (Finding& finding : block.findings) add_if_new(grid_.findings, std::move(finding));
    work_ += block.work;
    if (work_ > launch_.grid_budget && first->first != first_fault_ && !stopped_) {
      end_over_budget(first->first);
    }
    results_.erase(first);
  }

  /// Ends the launch at `block`. The blocks up to it have used up the budget of the grid, although
  /// each kept within its own.
  void end_over_budget(std::uint64_t block) {
    const SourcePlace place =
        source_place(*launch_.program, *launch_.kernel, launch_.kernel->ops.front());
    const UsedBudget used{launch_.grid_budget, block + 1,
                          std::uint64_t{launch_.grid.x} * launch_.grid.y * launch_.grid.z};
    if (launch_.may_be_slow) {
      grid_.unsupported =
          unfinished_launch(fmt::format("{} of {} blocks had ended after {} warp instructions",
                                        used.ended_blocks, used.blocks, used.instructions),
                            place);
    } else {
      Finding finding;
      finding.kind = FindingClass::timeout;
      finding.budget = used;
      finding.option = UserOption::instructions;
      finding.source = place;
      add_if_new(grid_.findings, std::move(finding));
    }
    end_at(block);
  }

  const LaunchContext& launch_;
  std::mutex mutex_;
  GridResult grid_;
  std::map<std::uint64_t, BlockResult> results_;  // results of blocks after one that has not ended
  std::uint64_t next_ = 0;                        // first block that is not in grid_
  std::uint64_t work_ = 0;                        // work of the blocks in grid_
  std::atomic<bool> stopped_ = false;
  std::atomic<std::uint64_t> first_fault_ = kNoFault;
  std::atomic<std::uint64_t> access_digest_ = 0;
};

std::uint64_t blocks_of(const LaunchContext& launch) {
  return std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
}

/// The number of the block with this rank in a cluster. Clusters are numbered as blocks are: the
/// first coordinate varies fastest.
std::uint64_t block_in_cluster(const LaunchContext& launch, std::uint64_t cluster,
                               std::uint64_t rank) {
  const Dim3& grid = launch.grid;
  const Dim3& size = launch.cluster;
  const std::uint64_t columns = grid.x / size.x;
  const std::uint64_t rows = grid.y / size.y;
  const std::uint64_t x = cluster % columns * size.x + rank % size.x;
  const std::uint64_t y = cluster / columns % rows * size.y + rank / size.x % size.y;
  const std::uint64_t z = cluster / columns / rows * size.z + rank / size.x / size.y;
  return x + grid.x * (y + grid.y * z);
}

/// Traces blocks that repeat themselves for ever: calls `run_turn` for one more period, and then
/// diagnoses the hang. A block that makes progress meanwhile is a defect of warpcheck.
template <class RunTurn>
Finding trace_and_diagnose(std::span<Block* const> blocks, std::uint64_t rounds,
                           std::uint64_t not_resident, RunTurn run_turn) {
  for (Block* block : blocks) block->trace();
  for (std::uint64_t i = 0; i < rounds; ++i) {
    for (Block* block : blocks) {
      const std::uint64_t changes = block->changes();
      const Block::State state = run_turn(*block);
      if (state == Block::State::finished || block->changes() != changes) {
        throw std::logic_error("a block that repeats itself for ever made progress");
      }
    }
  }
  return diagnose_hang({blocks.data(), blocks.size()}, not_resident);
}

/// Runs a block that is independent of others until it ends or has done some work: the work of a
/// block between two barriers costs less than the fingerprint of its registers.
Block::State run_some(Block& block) {
  const std::uint64_t enough = block.work() + kWorkOfFingerprint;
  Block::State state = Block::State::running;
  while (state == Block::State::running && block.work() < enough) state = block.run(kQuantum);
  return state;
}

/// Runs a started block that is independent of others to its end, or until the launch stops.
Block::State run_alone(Block& block, Collector& collector) {
  Repetition repetition;
  while (true) {
    const Block::State state = run_some(block);
    if (state != Block::State::running || collector.should_stop()) return state;
    if (block.interleaves()) continue;
    if (!repetition.seen_again(
            block.changes(), [&] { return block.sample(); }, [&] { return block.fingerprint(); })) {
      continue;
    }
    Block* const blocks[] = {&block};
    block.add_finding(trace_and_diagnose(blocks, repetition.period(), 0, run_some));
    return Block::State::faulted;
  }
}

/// Runs independent blocks: each block runs to its end on any free host thread.
void run_independent(const LaunchContext& launch, unsigned host_threads, Collector& collector) {
  std::atomic<std::uint64_t> next = 0;
  const std::uint64_t blocks = blocks_of(launch);
  const auto work = [&] {
    Block block(launch);
    for (std::uint64_t i = next++; i < blocks; i = next++) {
      if (i > collector.first_fault() || collector.should_stop()) return;
      block.start(i);
      const Block::State state = run_alone(block, collector);
      if (state == Block::State::running) return;
      collector.add(block, state == Block::State::faulted);
    }
    collector.add_observed(block);
  };
  run_workers(std::min<std::uint64_t>(host_threads, blocks), work);
}

/// Runs blocks that may wait for one another. They are resident together and take turns on one host
/// thread, so that the order of their atomics is the same on every run. The seed determines the
/// order of their turns. It also determines the order in which they become resident, unless they
/// may wait for each other: see dispatch.hpp.
class Residents {
 public:
  Residents(const LaunchContext& launch, Collector& collector)
      : launch_(launch),
        collector_(collector),
        clusters_(blocks_of(launch) / blocks_of_cluster(launch)),
        dispatch_(clusters_, launch.schedule_seed,
                  may_wait_for_blocks(*launch.program, *launch.kernel)) {}

  void run() {
    while (admit()) {
      Schedule schedule(launch_.schedule_seed, ++round_);
      for (std::size_t i = residents_.size(); i > 1; --i) {
        std::swap(residents_[i - 1], residents_[schedule.below(i)]);
      }
      if (!run_round() || is_stuck() || collector_.should_stop()) return;
    }
    for (const auto& block : idle_) collector_.add_observed(*block);
  }

 private:
  struct Resident {
    std::unique_ptr<Block> block;
    // The sample after the last turn; none if the turn changed memory, or had only a few
    // instructions.
    std::optional<std::uint64_t> sample;
    bool spins = false;  // the last turn changed neither memory nor the sample
  };

  /// Makes further blocks resident; the blocks of a cluster become resident together. Returns false
  /// if all blocks have ended.
  bool admit() {
    const std::uint64_t size = blocks_of_cluster(launch_);
    while (next_ < clusters_ && residents_.size() + size <= most_residents(launch_)) {
      std::vector<Block*> blocks;
      const std::uint64_t number = dispatch_.block(next_++);
      for (std::uint64_t rank = 0; rank < size; ++rank) {
        blocks.push_back(&admit(block_in_cluster(launch_, number, rank)));
      }
      ++changes_;
      if (size == 1 && !launch_.kernel->uses_cluster) continue;
      const auto cluster = std::make_shared<Cluster>(blocks);
      for (Block* const block : blocks) block->join(cluster);
    }
    return !residents_.empty();
  }

  Block& admit(std::uint64_t number) {
    if (idle_.empty()) idle_.push_back(std::make_unique<Block>(launch_));
    residents_.emplace_back().block = std::move(idle_.back());
    idle_.pop_back();
    residents_.back().block->start(number);
    return *residents_.back().block;
  }

  /// Returns false if a block faulted.
  bool run_round() {
    for (Resident& turn : residents_) {
      Block& block = *turn.block;
      const std::uint64_t before = block.changes();
      const std::uint64_t work = block.work();
      const Block::State state =
          block.run(turn.spins ? kGlance : kShortQuantum,
                    launch_.grid_budget - std::min(launch_.grid_budget, work_));
      changes_ += block.changes() - before;
      work_ += block.work() - work;
      if (state == Block::State::running) {
        std::optional<std::uint64_t> now;
        if (block.changes() == before && !block.interleaves()) now = block.sample();
        turn.spins = now && now == turn.sample;
        turn.sample = now;
        continue;
      }
      collector_.add(block, state == Block::State::faulted);
      idle_.push_back(std::move(turn.block));
      if (state == Block::State::faulted) {
        for (const Resident& other : residents_) {
          if (other.block) collector_.add_unfinished(*other.block);
        }
        return false;
      }
      ++changes_;
    }
    std::erase_if(residents_, [](const Resident& resident) { return !resident.block; });
    return true;
  }

  bool is_stuck() {
    const bool interleaves =
        std::any_of(residents_.begin(), residents_.end(),
                    [](const Resident& resident) { return resident.block->interleaves(); });
    if (interleaves) return false;  // a state may recur without a turn of each lane
    const auto sum_of = [&](const auto& state_of) {
      std::uint64_t sum = 0;
      for (const Resident& resident : residents_) {
        sum += state_of(resident) * (2 * resident.block->linear() + 1);
      }
      return sum;
    };
    const auto sample = [&] {
      return sum_of([](const Resident& resident) { return resident.sample.value_or(0); });
    };
    const auto state = [&] {
      return sum_of([](const Resident& resident) { return resident.block->fingerprint(); });
    };
    if (residents_.empty() || !repetition_.seen_again(changes_, sample, state)) return false;
    std::vector<Block*> blocks;
    for (const Resident& resident : residents_) blocks.push_back(resident.block.get());
    std::sort(blocks.begin(), blocks.end(),
              [](const Block* a, const Block* b) { return a->linear() < b->linear(); });
    Block& first = *blocks.front();
    const std::uint64_t not_resident = (clusters_ - next_) * blocks_of_cluster(launch_);
    first.add_finding(trace_and_diagnose(blocks, repetition_.period(), not_resident,
                                         [](Block& block) { return block.run(kShortQuantum); }));
    collector_.add(first, true);
    for (const Block* block : blocks) {
      if (block != &first) collector_.add_unfinished(*block);
    }
    return true;
  }

  const LaunchContext& launch_;
  Collector& collector_;
  std::uint64_t clusters_;  // clusters of one block each if the launch has none
  DispatchOrder dispatch_;  // order of the clusters
  std::uint64_t next_ = 0;
  std::uint64_t round_ = 0;
  std::uint64_t work_ = 0;     // work of all blocks
  std::uint64_t changes_ = 0;  // changes of memory and of the set of resident blocks
  std::vector<Resident> residents_;
  std::vector<std::unique_ptr<Block>> idle_;
  Repetition repetition_;
};

}  // namespace

std::uint64_t most_residents(const LaunchContext& launch) {
  const std::uint64_t blocks = blocks_of(launch);
  const std::uint64_t cluster = blocks_of_cluster(launch);
  if (!launch.kernel->communicates) return cluster;
  if (cluster > 1) return std::min(blocks, std::max(cluster, kResidentBlocks));
  return launch.kernel->cooperative ? blocks : std::min(blocks, kResidentBlocks);
}

GridResult run_grid(const LaunchContext& launch, unsigned host_threads) {
  Collector collector(launch);
  if (launch.kernel->communicates || blocks_of_cluster(launch) > 1) {
    Residents(launch, collector).run();
  } else {
    run_independent(launch, host_threads, collector);
  }
  return collector.result();
}

}  // namespace warpcheck::machine
