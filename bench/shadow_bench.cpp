// Measures the race detector's shadow on one word that many warps access.
#include <benchmark/benchmark.h>

#include <utility>
#include <vector>

#include "device/virtual/checks/shadow.hpp"

namespace warpcheck {
namespace {

using namespace checks;

constexpr unsigned kBlocks = 4;
constexpr unsigned kWarps = 32;  // warps per block

/// Warps of several blocks that access unit 0, all lanes of one after all lanes of another.
class HotWord {
 public:
  explicit HotWord(Event kind) : kind_(kind) {
    for (std::uint32_t block = 0; block < kBlocks; ++block) {
      clocks_.emplace_back(kWarps * kLanes).start(block);
    }
  }

  /// A weak store before all other accesses, and after those of the last round.
  void initialize() {
    VectorClock all;
    for (BlockClocks& clocks : clocks_) {
      for (unsigned warp = 0; warp < kWarps; ++warp) {
        clocks.release(warp, machine::kAllLanes, all);
      }
    }
    clocks_[0].acquire(0, machine::kAllLanes, all);
    access(0, 0, 1, {.op = 1, .write = true});
    clocks_[0].release(0, machine::kAllLanes, all);
    for (BlockClocks& clocks : clocks_) {
      for (unsigned warp = 0; warp < kWarps; ++warp) {
        clocks.acquire(warp, machine::kAllLanes, all);
      }
    }
  }

  void access_by_all() {
    for (std::uint32_t block = 0; block < kBlocks; ++block) {
      for (unsigned warp = 0; warp < kWarps; ++warp) {
        access(block, warp, machine::kAllLanes, kind_);
      }
    }
  }

  [[nodiscard]] std::size_t races() const { return conflicts_.size(); }

 private:
  void access(std::uint32_t block, unsigned warp, Mask lanes, Event event) {
    event.block = block;
    event.warp = static_cast<std::uint8_t>(warp);
    event.interval = clocks_[block].now(warp);
    shadow_.access_together(0, shadow_.note(event), lanes, 0, false, clocks_[block], conflicts_);
  }

  Event kind_;
  Shadow shadow_{1};
  std::vector<BlockClocks> clocks_;
  std::vector<Conflict> conflicts_;
};

void access_hot_word(benchmark::State& state, Event kind) {
  HotWord word(kind);
  for ([[maybe_unused]] auto _ : state) {
    state.PauseTiming();
    word.initialize();
    state.ResumeTiming();
    for (int i = 0; i < 4; ++i) word.access_by_all();
  }
  if (word.races() != 0) state.SkipWithError("the accesses race");
  state.SetItemsProcessed(state.iterations() * 4 * kBlocks * kWarps * kLanes);  // lanes
}

BENCHMARK_CAPTURE(access_hot_word, load, Event{.op = 2});
BENCHMARK_CAPTURE(access_hot_word, strong_load, Event{.op = 2, .strong = true});
BENCHMARK_CAPTURE(access_hot_word, strong_store, Event{.op = 2, .write = true, .strong = true});
BENCHMARK_CAPTURE(access_hot_word, reduction,
                  Event{.op = 2, .write = true, .strong = true, .update = true});
BENCHMARK_CAPTURE(access_hot_word, atomic,
                  Event{.op = 2, .write = true, .strong = true, .update = true, .observes = true});

}  // namespace
}  // namespace warpcheck
