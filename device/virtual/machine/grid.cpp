#include "device/virtual/machine/grid.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace warpcheck::machine {
namespace {

/// Warp instructions between two looks at the other warps and blocks.
constexpr std::uint64_t kQuantum = 1 << 16;

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

/// Blocks that know nothing of each other: each runs to its end, on whichever host thread is free.
void run_independent(const LaunchContext& launch, unsigned host_threads, Collector& collector) {
  std::atomic<std::uint64_t> next = 0;
  const std::uint64_t blocks = blocks_of(launch);
  const auto work = [&] {
    Block block(launch);
    for (std::uint64_t i = next++; i < blocks; i = next++) {
      if (i > collector.first_fault()) return;
      block.start(i);
      Block::State state = Block::State::running;
      while (state == Block::State::running) state = block.run(kQuantum);
      collector.add(block, state == Block::State::faulted);
    }
  };
  std::vector<std::jthread> helpers;
  for (unsigned i = 1; i < std::min<std::uint64_t>(host_threads, blocks); ++i) {
    helpers.emplace_back(work);
  }
  work();
}

/// Blocks that may wait for or order one another: resident together, each in its turn, on one host
/// thread, so that the order of their atomics is the same on every run.
void run_together(const LaunchContext& launch, Collector& collector) {
  std::vector<std::unique_ptr<Block>> resident;
  std::vector<std::unique_ptr<Block>> idle;
  const std::uint64_t blocks = blocks_of(launch);
  for (std::uint64_t next = 0; next < blocks || !resident.empty();) {
    while (next < blocks && resident.size() < kResidentBlocks) {
      if (idle.empty()) idle.push_back(std::make_unique<Block>(launch));
      resident.push_back(std::move(idle.back()));
      idle.pop_back();
      resident.back()->start(next++);
    }
    for (auto& block : resident) {
      const Block::State state = block->run(kQuantum);
      if (state == Block::State::running) continue;
      collector.add(*block, state == Block::State::faulted);
      if (state == Block::State::faulted) return;
      idle.push_back(std::move(block));
    }
    std::erase(resident, nullptr);
  }
}

}  // namespace

GridResult run_grid(const LaunchContext& launch, unsigned host_threads) {
  Collector collector;
  if (launch.kernel->communicates) {
    run_together(launch, collector);
  } else {
    run_independent(launch, host_threads, collector);
  }
  return collector.result();
}

}  // namespace warpcheck::machine
