#include "device/virtual/machine/grid.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <utility>

#include "device/virtual/machine/schedule.hpp"
#include "device/virtual/machine/stuck.hpp"

namespace warpcheck::machine {
namespace {

/// Warp instructions between two looks at the other warps of a block, and where blocks may wait for
/// one another.
constexpr std::uint64_t kQuantum = 1 << 16;
constexpr std::uint64_t kShortQuantum = 1 << 11;

/// Blocks that are resident together when blocks may wait for one another.
constexpr std::uint64_t kResidentBlocks = 256;

struct BlockResult {
  std::uint64_t block = 0;
  std::vector<Finding> findings;
  std::string printed;
  std::optional<device::Writer> writer;
};

/// Collects from blocks that finish in any order what counts: all up to the first that faulted.
class Collector {
 public:
  void add(Block& block, bool faulted) {
    instructions_ += block.executed();
    if (faulted) {
      std::uint64_t first = first_fault_;
      while (block.linear() < first && !first_fault_.compare_exchange_weak(first, block.linear())) {
      }
    }
    if (block.findings.empty() && block.printed.empty() && !block.writer && block.counts.empty()) {
      return;
    }
    const std::lock_guard lock(mutex_);
    observers::add(counts_, block.counts);
    results_.push_back({block.linear(), std::move(block.findings), std::move(block.printed),
                        std::move(block.writer)});
  }

  [[nodiscard]] std::uint64_t first_fault() const { return first_fault_; }

  [[nodiscard]] GridResult result() {
    std::sort(results_.begin(), results_.end(),
              [](const BlockResult& a, const BlockResult& b) { return a.block < b.block; });
    GridResult grid;
    grid.warp_instructions = instructions_;
    grid.counts = std::move(counts_);
    grid.faulted = first_fault_ != kNoFault;
    for (BlockResult& block : results_) {
      if (block.block > first_fault_) break;
      grid.printed += block.printed;
      if (block.writer) grid.writer = std::move(block.writer);
      for (Finding& finding : block.findings) add_if_new(grid.findings, std::move(finding));
    }
    return grid;
  }

  static constexpr std::uint64_t kNoFault = ~std::uint64_t{0};

 private:
  std::mutex mutex_;
  std::vector<BlockResult> results_;
  observers::Counts counts_;
  std::atomic<std::uint64_t> first_fault_ = kNoFault;
  std::atomic<std::uint64_t> instructions_ = 0;
};

std::uint64_t blocks_of(const LaunchContext& launch) {
  return std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
}

/// Blocks that repeat themselves for ever: lets them do so once more under trace, and says why.
Finding look_into(std::span<Block* const> blocks, std::uint64_t rounds, std::uint64_t quantum,
                  std::uint64_t not_resident) {
  for (Block* block : blocks) block->trace();
  for (std::uint64_t i = 0; i < rounds; ++i) {
    for (Block* block : blocks) static_cast<void>(block->run(quantum));
  }
  return explain_stuck({blocks.data(), blocks.size()}, not_resident);
}

/// Runs a started block that knows nothing of others to its end.
Block::State run_alone(Block& block) {
  Repetition repetition;
  while (true) {
    const Block::State state = block.run(kQuantum);
    if (state != Block::State::running) return state;
    if (!repetition.seen_again(block.changes(), [&] { return block.fingerprint(); })) continue;
    Block* const blocks[] = {&block};
    block.add_finding(look_into(blocks, repetition.period(), kQuantum, 0));
    return Block::State::faulted;
  }
}

/// Blocks that know nothing of each other: each runs to its end, on whichever host thread is free.
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
  };
  std::vector<std::jthread> helpers;
  for (unsigned i = 1; i < std::min<std::uint64_t>(host_threads, blocks); ++i) {
    helpers.emplace_back(work);
  }
  work();
}

/// Blocks that may wait for or order one another: resident together, each in its turn, on one host
/// thread, so that the order of their atomics is the same on every run. They become resident in
/// the order of their numbers, as the hardware has it; the order of turns is drawn from the seed.
class Residents {
 public:
  Residents(const LaunchContext& launch, Collector& collector)
      : launch_(launch), collector_(collector), blocks_(blocks_of(launch)) {}

  void run() {
    while (admit()) {
      Schedule schedule(launch_.schedule_seed, ++round_);
      for (std::size_t i = order_.size(); i > 1; --i) {
        std::swap(order_[i - 1], order_[schedule.below(i)]);
      }
      if (!run_round() || (collector_.first_fault() == Collector::kNoFault && is_stuck())) return;
    }
  }

 private:
  /// Fills what is free; false when all blocks have ended.
  bool admit() {
    while (next_ < blocks_ && order_.size() < kResidentBlocks) {
      if (idle_.empty()) idle_.push_back(std::make_unique<Block>(launch_));
      Block& block = *resident_.emplace_back(std::move(idle_.back()));
      idle_.pop_back();
      block.start(next_++);
      order_.push_back(&block);
    }
    return !order_.empty();
  }

  /// False where a block faulted.
  bool run_round() {
    for (Block*& turn : order_) {
      const Block::State state = turn->run(kShortQuantum);
      if (state == Block::State::running) continue;
      collector_.add(*turn, state == Block::State::faulted);
      if (state == Block::State::faulted) return false;
      ended_ += turn->changes() + 1;
      const auto at = std::find_if(resident_.begin(), resident_.end(),
                                   [&](const auto& block) { return block.get() == turn; });
      idle_.push_back(std::move(*at));
      resident_.erase(at);
      turn = nullptr;
    }
    std::erase(order_, nullptr);
    return true;
  }

  bool is_stuck() {
    std::uint64_t changes = ended_;
    for (const Block* block : order_) changes += block->changes();
    const auto state = [&] {
      std::uint64_t sum = 0;
      for (const Block* block : order_) sum += block->fingerprint() * (2 * block->linear() + 1);
      return sum;
    };
    if (order_.empty() || !repetition_.seen_again(changes, state)) return false;
    std::sort(order_.begin(), order_.end(),
              [](const Block* a, const Block* b) { return a->linear() < b->linear(); });
    Finding finding = look_into(order_, repetition_.period(), kShortQuantum, blocks_ - next_);
    order_.front()->add_finding(std::move(finding));
    collector_.add(*order_.front(), true);
    return true;
  }

  const LaunchContext& launch_;
  Collector& collector_;
  std::uint64_t blocks_;
  std::uint64_t next_ = 0;
  std::uint64_t round_ = 0;
  std::uint64_t ended_ = 0;  // changes of memory by blocks that have ended, and their ends
  std::vector<std::unique_ptr<Block>> resident_;
  std::vector<std::unique_ptr<Block>> idle_;
  std::vector<Block*> order_;
  Repetition repetition_;
};

}  // namespace

GridResult run_grid(const LaunchContext& launch, unsigned host_threads) {
  Collector collector;
  if (launch.kernel->communicates) {
    Residents(launch, collector).run();
  } else {
    run_independent(launch, host_threads, collector);
  }
  return collector.result();
}

}  // namespace warpcheck::machine
