#include "device/virtual/machine/grid/grid.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "base/parallel_for.hpp"
#include "device/virtual/machine/block/diagnose_hang.hpp"
#include "device/virtual/machine/core/schedule.hpp"
#include "device/virtual/machine/grid/dispatch.hpp"

namespace warpcheck::machine {
namespace {

/// Instructions of a turn of a warp; the second if blocks may wait for one another.
constexpr std::uint64_t kQuantum = 1 << 16;
constexpr std::uint64_t kShortQuantum = 1 << 8;
/// The same for a block that only polled memory in its last turn.
constexpr std::uint64_t kGlance = 1 << 5;

/// Blocks that are resident together when blocks may wait for one another.
constexpr std::uint64_t kResidentBlocks = 256;

struct BlockResult {
  std::uint64_t block = 0;
  std::vector<Finding> findings;
  std::optional<device::Unsupported> unsupported;
  std::string printed;
  std::optional<device::Writer> writer;
};

/// Collects the results of blocks, which finish in any order, up to the first block that faulted.
class Collector {
 public:
  explicit Collector(LaunchObserver* observer) : observer_(observer) {}

  void add(Block& block, bool faulted) {
    instructions_ += block.executed();
    if (block.digests()) access_digest_ += block.digest().sum(block.linear());
    if (faulted) {
      std::uint64_t first = first_fault_;
      while (block.linear() < first && !first_fault_.compare_exchange_weak(first, block.linear())) {
      }
    }
    if (!faulted && block.findings.empty() && block.printed.empty() && !block.writer) return;
    const std::lock_guard lock(mutex_);
    results_.push_back({block.linear(), std::exchange(block.findings, {}),
                        std::exchange(block.unsupported, {}), std::exchange(block.printed, {}),
                        std::exchange(block.writer, {})});
  }

  /// Adds what `block` observed of all the blocks that it ran. Called once for each Block object.
  void add_observed(const Block& block) {
    if (observer_ == nullptr) return;
    const std::lock_guard lock(mutex_);
    observer_->add(*block.observer());
  }

  [[nodiscard]] std::uint64_t first_fault() const { return first_fault_; }

  [[nodiscard]] GridResult result() {
    std::sort(results_.begin(), results_.end(),
              [](const BlockResult& a, const BlockResult& b) { return a.block < b.block; });
    GridResult grid;
    grid.warp_instructions = instructions_;
    grid.access_digest = access_digest_;
    grid.faulted = first_fault_ != kNoFault;
    for (BlockResult& block : results_) {
      if (block.block > first_fault_) break;
      grid.printed += block.printed;
      if (block.unsupported) grid.unsupported = std::move(block.unsupported);
      if (block.writer) grid.writer = std::move(block.writer);
      for (Finding& finding : block.findings) add_if_new(grid.findings, std::move(finding));
    }
    return grid;
  }

  static constexpr std::uint64_t kNoFault = ~std::uint64_t{0};

 private:
  LaunchObserver* observer_;
  std::mutex mutex_;
  std::vector<BlockResult> results_;
  std::atomic<std::uint64_t> first_fault_ = kNoFault;
  std::atomic<std::uint64_t> instructions_ = 0;
  std::atomic<std::uint64_t> access_digest_ = 0;
};

std::uint64_t blocks_of(const LaunchContext& launch) {
  return std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
}

/// Runs blocks that repeat themselves for ever under trace for one more period, and diagnoses the
/// hang.
Finding trace_and_diagnose(std::span<Block* const> blocks, std::uint64_t rounds,
                           std::uint64_t quantum, std::uint64_t not_resident) {
  for (Block* block : blocks) block->trace();
  for (std::uint64_t i = 0; i < rounds; ++i) {
    for (Block* block : blocks) static_cast<void>(block->run(quantum));
  }
  return diagnose_hang({blocks.data(), blocks.size()}, not_resident);
}

/// Runs a started block that is independent of others to its end.
Block::State run_alone(Block& block) {
  Repetition repetition;
  while (true) {
    const Block::State state = block.run(kQuantum);
    if (state != Block::State::running) return state;
    if (!repetition.seen_again(block.changes(), [&] { return block.fingerprint(); })) continue;
    Block* const blocks[] = {&block};
    block.add_finding(trace_and_diagnose(blocks, repetition.period(), kQuantum, 0));
    return Block::State::faulted;
  }
}

/// Runs independent blocks: each to its end, on any free host thread.
void run_independent(const LaunchContext& launch, unsigned host_threads, Collector& collector) {
  std::atomic<std::uint64_t> next = 0;
  const std::uint64_t blocks = blocks_of(launch);
  const auto work = [&] {
    Block block(launch);
    for (std::uint64_t i = next++; i < blocks; i = next++) {
      if (i > collector.first_fault()) return;
      block.start(i);
      collector.add(block, run_alone(block) == Block::State::faulted);
    }
    collector.add_observed(block);
  };
  run_workers(std::min<std::uint64_t>(host_threads, blocks), work);
}

/// Runs blocks that may wait for one another: resident together, in turns, on one host thread, so
/// that the order of their atomics is the same on every run. The seed determines the order of their
/// turns, and the order in which they become resident unless they may wait for each other: see
/// dispatch.hpp.
class Residents {
 public:
  Residents(const LaunchContext& launch, Collector& collector)
      : launch_(launch),
        collector_(collector),
        blocks_(blocks_of(launch)),
        dispatch_(blocks_, launch.schedule_seed,
                  may_wait_for_blocks(*launch.program, *launch.kernel)) {}

  void run() {
    while (admit()) {
      Schedule schedule(launch_.schedule_seed, ++round_);
      for (std::size_t i = residents_.size(); i > 1; --i) {
        std::swap(residents_[i - 1], residents_[schedule.below(i)]);
      }
      if (!run_round() || is_stuck()) return;
    }
    for (const auto& block : idle_) collector_.add_observed(*block);
  }

 private:
  struct Resident {
    std::unique_ptr<Block> block;
    std::uint64_t state = 0;  // fingerprint after the last turn; 0 if the turn changed memory
    bool spins = false;       // the last turn changed neither memory nor the fingerprint
  };

  [[nodiscard]] std::uint64_t most_residents() const {
    return launch_.kernel->cooperative ? blocks_ : kResidentBlocks;
  }

  /// Makes further blocks resident. Returns false if all blocks have ended.
  bool admit() {
    while (next_ < blocks_ && residents_.size() < most_residents()) {
      if (idle_.empty()) idle_.push_back(std::make_unique<Block>(launch_));
      residents_.push_back({std::move(idle_.back())});
      idle_.pop_back();
      residents_.back().block->start(dispatch_.block(next_++));
      ++changes_;
    }
    return !residents_.empty();
  }

  /// Returns false if a block faulted.
  bool run_round() {
    for (Resident& turn : residents_) {
      Block& block = *turn.block;
      const std::uint64_t before = block.changes();
      const Block::State state = block.run(turn.spins ? kGlance : kShortQuantum);
      changes_ += block.changes() - before;
      if (state == Block::State::running) {
        const std::uint64_t now = block.changes() == before ? block.fingerprint() : 0;
        turn.spins = now != 0 && now == turn.state;
        turn.state = now;
        continue;
      }
      collector_.add(block, state == Block::State::faulted);
      if (state == Block::State::faulted) return false;
      ++changes_;
      idle_.push_back(std::move(turn.block));
    }
    std::erase_if(residents_, [](const Resident& resident) { return !resident.block; });
    return true;
  }

  bool is_stuck() {
    const auto state = [&] {
      std::uint64_t sum = 0;
      for (const Resident& resident : residents_) {
        sum += resident.state * (2 * resident.block->linear() + 1);
      }
      return sum;
    };
    if (residents_.empty() || !repetition_.seen_again(changes_, state)) return false;
    std::vector<Block*> blocks;
    for (const Resident& resident : residents_) blocks.push_back(resident.block.get());
    std::sort(blocks.begin(), blocks.end(),
              [](const Block* a, const Block* b) { return a->linear() < b->linear(); });
    Block& first = *blocks.front();
    first.add_finding(
        trace_and_diagnose(blocks, repetition_.period(), kShortQuantum, blocks_ - next_));
    collector_.add(first, true);
    return true;
  }

  const LaunchContext& launch_;
  Collector& collector_;
  std::uint64_t blocks_;
  DispatchOrder dispatch_;
  std::uint64_t next_ = 0;
  std::uint64_t round_ = 0;
  std::uint64_t changes_ = 0;  // of memory and of the set of resident blocks
  std::vector<Resident> residents_;
  std::vector<std::unique_ptr<Block>> idle_;
  Repetition repetition_;
};

}  // namespace

GridResult run_grid(const LaunchContext& launch, unsigned host_threads) {
  Collector collector(launch.observer);
  if (launch.kernel->communicates) {
    Residents(launch, collector).run();
  } else {
    run_independent(launch, host_threads, collector);
  }
  return collector.result();
}

}  // namespace warpcheck::machine
