// Writes of the same value by many blocks, which the shadow keeps side by side.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
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
  bool rewrites = false;

  [[nodiscard]] bool is_of_thread(const Step& other) const {
    return event.thread_warp() == other.event.thread_warp() && lane == other.lane;
  }
};

/// The races of one access.
struct Races {
  std::vector<Event> writes;  // the earlier writes with which the access races
  bool read = false;          // the access races with a read
  bool is_repeated = false;   // the same read was compared before; its races may be omitted
};

/// The accesses to one unit, each compared with every earlier one.
class Unit {
 public:
  Races access(const Step& step, const BlockClocks& clocks) {
    const auto is_ordered = [&](const Step& earlier) {
      return earlier.is_of_thread(step) ||
             clocks.ordered(earlier.event.block, earlier.event.warp, earlier.lane,
                            earlier.event.interval, step.event.warp, step.lane);
    };
    const auto wrote = [&](const Step& reader) {  // the value that the unit holds
      return std::any_of(writes_.begin(), writes_.end(),
                         [&](const Step& write) { return write.is_of_thread(reader); });
    };
    Races races;
    if (!step.event.write) {
      races.is_repeated = repeats_read(step);
      if (!wrote(step)) races.writes = unordered(is_ordered);
      reads_.push_back(step);
      return races;
    }
    races.writes = unordered(is_ordered);
    races.read = std::any_of(reads_.begin(), reads_.end(), [&](const Step& read) {
      return !is_ordered(read) && !(step.rewrites && wrote(read));
    });
    if (step.rewrites) {
      std::erase_if(writes_, is_ordered);
    } else {
      writes_.clear();
    }
    writes_.push_back(step);
    reads_.clear();
    return races;
  }

 private:
  template <class IsOrdered>
  [[nodiscard]] std::vector<Event> unordered(const IsOrdered& is_ordered) const {
    std::vector<Event> writes;
    for (const Step& write : writes_) {
      if (!is_ordered(write)) writes.push_back(write.event);
    }
    return writes;
  }

  /// A read of the same op in the same interval races with the writes that the first one races
  /// with.
  [[nodiscard]] bool repeats_read(const Step& step) const {
    for (auto read = reads_.rbegin(); read != reads_.rend(); ++read) {
      if (!(read->event == step.event)) return false;
      if (read->lane == step.lane) return true;
    }
    return false;
  }

  std::vector<Step> writes_;  // writes of the value that the unit holds
  std::vector<Step> reads_;   // the reads after the last write
};

/// Accesses of several blocks to two units, so that a compaction and smaller units find several.
class Program {
 public:
  /// `others` is the share of reads and of writes of another value.
  Program(unsigned seed, double others) : random_(seed), others_(others) {
    for (std::uint32_t block = 0; block < kWritingBlocks; ++block) {
      clocks_.emplace_back(kWarpsOfBlock * kLanes).start(block);
    }
  }

  void run(unsigned steps) {
    for (unsigned i = 0; i < steps && !testing::Test::HasFatalFailure(); ++i) {
      // Blocks run one after another at first, and then in any order.
      const std::uint32_t block =
          i < steps / 2 ? i * 2 * kWritingBlocks / steps : below(kWritingBlocks);
      if (below(5) == 0) {
        synchronize(block);
      } else {
        access(block, i);
      }
      if (i == steps / 3 && below(4) == 0) {
        shadow_ = shadow_.finer(2);
        parts_ = 2;
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

  void access(std::uint32_t block, unsigned number) {
    BlockClocks& clocks = clocks_[block];
    const auto warp = static_cast<std::uint8_t>(below(kWarpsOfBlock));
    const bool is_other = below(1000) < 1000 * others_;
    const bool write = !is_other || below(2) == 0;
    const std::size_t unit = below(2);
    const bool rewrites = write && !is_other && is_written_[unit];
    const Step step{{block, clocks.now(warp), 1 + below(3), warp, write}, below(4), rewrites};
    is_written_[unit] = is_written_[unit] || write;
    const Races expected = expected_[unit].access(step, clocks);
    for (std::size_t part = 0; part < parts_; ++part) {
      conflicts_.clear();
      shadow_.access(unit * parts_ + part, shadow_.note(step.event), step.lane,
                     {.rewrites = rewrites}, clocks, conflicts_);
      compare(expected, number);
    }
  }

  void compare(const Races& expected, unsigned number) const {
    bool read = false;
    std::optional<Event> write;
    for (const Conflict& conflict : conflicts_) {
      read = read || !conflict.first.write;
      if (!conflict.first.write) continue;
      ASSERT_FALSE(write) << "access " << number << " has two conflicts with writes";
      write = conflict.first;
    }
    ASSERT_EQ(read, expected.read) << "access " << number;
    if (expected.is_repeated && !write) return;
    ASSERT_EQ(write.has_value(), !expected.writes.empty()) << "access " << number;
    if (!write) return;
    const auto& all = expected.writes;
    ASSERT_NE(std::find(all.begin(), all.end(), *write), all.end()) << "access " << number;
  }

  std::mt19937 random_;
  double others_;
  Shadow shadow_{8};
  std::size_t parts_ = 1;  // units of the shadow in each unit of the program
  std::array<Unit, 2> expected_;
  std::array<bool, 2> is_written_{};
  std::vector<BlockClocks> clocks_;
  std::vector<Conflict> conflicts_;
};

TEST(EqualWrites, RaceAsIfEachEarlierWriteWereCompared) {
  for (unsigned seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Program(seed, 0).run(60);
    if (HasFatalFailure()) return;
  }
}

TEST(EqualWrites, RaceAsIfComparedWithReadsAndOtherValues) {
  for (unsigned seed = 1; seed <= 4000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Program(seed, seed % 2 == 0 ? 0.1 : 0.4).run(80);
    if (HasFatalFailure()) return;
  }
}

/// More writes than the shadow keeps lists of, so that it trims them.
TEST(EqualWrites, AreTrimmed) {
  constexpr std::size_t kUnits = 4096;
  constexpr std::uint32_t kBlocks = 600;
  Shadow shadow(kUnits);
  std::vector<Conflict> conflicts;
  for (std::uint32_t block = 0; block < kBlocks; ++block) {
    BlockClocks clocks(kLanes);
    clocks.start(block);
    const EventId write = shadow.note({block, clocks.now(0), 1, 0, true});
    for (std::size_t unit = 0; unit < kUnits; ++unit) {
      conflicts.clear();
      shadow.access(unit, write, unit % kLanes, {.rewrites = block != 0}, clocks, conflicts);
      ASSERT_EQ(conflicts.size(), block != 0 ? 1U : 0U) << block;
      if (block == 0) continue;
      ASSERT_EQ(conflicts.front().first.block, block - 1);
    }
  }
  EXPECT_LT(shadow.footprint(), kUnits * 4096);  // 600 writes without trimming: 7200 and more
  BlockClocks clocks(kLanes);
  clocks.start(kBlocks);
  conflicts.clear();
  shadow.access(5, shadow.note({kBlocks, clocks.now(0), 2, 0, false}), 7, {}, clocks, conflicts);
  ASSERT_EQ(conflicts.size(), 1U);
  EXPECT_EQ(conflicts.front().first.block, kBlocks - 1);
}

}  // namespace
}  // namespace warpcheck::checks
