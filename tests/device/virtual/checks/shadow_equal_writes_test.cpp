// Writes of the same value by many blocks, which the shadow keeps side by side.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <tuple>
#include <vector>

#include "device/virtual/checks/shadow.hpp"

namespace warpcheck::checks {
namespace {

constexpr unsigned kWarpsOfBlock = 2;
constexpr unsigned kWritingBlocks = 6;

/// One access to the unit.
struct Step {
  Event event;
  unsigned lane = 0;
};

/// The writes to one unit, of which all but the first write the value that it holds. Each is
/// compared with every earlier one.
class EqualWrites {
 public:
  /// The last earlier write with which the write races; empty: none.
  std::optional<Event> write(const Step& step, const BlockClocks& clocks) {
    const auto is_ordered = [&](const Step& earlier) {
      const bool is_own =
          earlier.event.thread_warp() == step.event.thread_warp() && earlier.lane == step.lane;
      return is_own || clocks.ordered(earlier.event.block, earlier.event.warp, earlier.lane,
                                      earlier.event.interval, step.event.warp, step.lane);
    };
    std::erase_if(writes_, is_ordered);
    std::optional<Event> race;
    if (!writes_.empty()) race = writes_.back().event;
    writes_.push_back(step);
    return race;
  }

 private:
  std::vector<Step> writes_;
};

class Program {
 public:
  explicit Program(unsigned seed) : random_(seed) {
    for (std::uint32_t block = 0; block < kWritingBlocks; ++block) {
      clocks_.emplace_back(kWarpsOfBlock * kLanes).start(block);
    }
  }

  void run(unsigned steps) {
    for (unsigned i = 0; i < steps; ++i) {
      // Blocks run one after another at first, and then in any order.
      const std::uint32_t block =
          i < steps / 2 ? i * 2 * kWritingBlocks / steps : below(kWritingBlocks);
      if (below(5) == 0) {
        synchronize(block);
      } else {
        write(block, i);
      }
    }
  }

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }

  void synchronize(std::uint32_t block) {
    const Mask lanes = below(2) == 0 ? machine::kAllLanes : Mask{1} << below(4);
    VectorClock clock;
    clocks_[block].release(below(kWarpsOfBlock), lanes, clock);
    clocks_[below(3) == 0 ? below(kWritingBlocks) : block].acquire(below(kWarpsOfBlock),
                                                                   machine::kAllLanes, clock);
  }

  void write(std::uint32_t block, unsigned number) {
    BlockClocks& clocks = clocks_[block];
    const auto warp = static_cast<std::uint8_t>(below(kWarpsOfBlock));
    const Step step{{block, clocks.now(warp), 1 + below(3), warp, true}, below(4)};
    conflicts_.clear();
    shadow_.access(0, shadow_.note(step.event), step.lane, {.rewrites = !is_first_}, clocks,
                   conflicts_);
    is_first_ = false;
    const std::optional<Event> race = expected_.write(step, clocks);
    ASSERT_EQ(conflicts_.size(), race ? 1U : 0U) << "write " << number;
    if (!race) return;
    const Event& first = conflicts_.front().first;
    ASSERT_EQ(std::tuple(first.block, first.warp, first.op),
              std::tuple(race->block, race->warp, race->op))
        << "write " << number;
  }

  std::mt19937 random_;
  Shadow shadow_{8};
  EqualWrites expected_;
  std::vector<BlockClocks> clocks_;
  std::vector<Conflict> conflicts_;
  bool is_first_ = true;
};

TEST(EqualWrites, RaceAsIfEachEarlierWriteWereCompared) {
  for (unsigned seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Program(seed).run(60);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace warpcheck::checks
