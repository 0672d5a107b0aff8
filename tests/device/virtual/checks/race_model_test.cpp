// Random programs of several blocks: a unit of memory races for the shadow if, and only if, it does
// for a model that keeps each access of each thread and follows the definitions of the PTX ISA.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "device/virtual/checks/shadow.hpp"

namespace warpcheck::checks {
namespace {

constexpr unsigned kModelBlocks = 2;
constexpr unsigned kModelWarps = 2;
constexpr unsigned kThreadsOfModelBlock = kModelWarps * kLanes;
constexpr unsigned kModelThreads = kModelBlocks * kThreadsOfModelBlock;
constexpr std::size_t kModelUnits = 8;

struct WarpPlace {
  unsigned block;
  unsigned warp;
};

unsigned thread_of(WarpPlace place, unsigned lane) {
  return place.block * kThreadsOfModelBlock + place.warp * kLanes + lane;
}

/// Happens-before with one clock of all threads per thread. An access of thread t with count c
/// happens before the next access of a thread whose clock has a larger count of t.
class RaceModel {
 public:
  using Clock = std::array<unsigned, kModelThreads>;

  RaceModel() {
    for (unsigned thread = 0; thread < kModelThreads; ++thread) clocks_[thread][thread] = 1;
  }

  void access(std::size_t unit, const Event& event, unsigned thread) {
    Record now{event, thread, clocks_[thread][thread], {}};
    for (std::size_t i = 0; i < records_[unit].size(); ++i) {
      const Record& earlier = records_[unit][i];
      if (!earlier.event.write && !event.write) continue;
      if (earlier.event.strong && event.strong && in_scope(earlier.event, event)) continue;
      if (happens_before(earlier, thread) || observed_before(unit, i, thread)) continue;
      racing_.insert(unit);
    }
    const bool reads = !event.write || event.observes;
    if (event.strong && reads) now.observed = observed_writes(unit, event);
    records_[unit].push_back(now);
  }

  /// Everything that the threads did happens before what they do from now on.
  void synchronize(const std::vector<unsigned>& threads) {
    Clock all = release(threads);
    acquire(threads, all);
  }

  /// The clock of what the threads did. Their later accesses are not in it.
  Clock release(const std::vector<unsigned>& threads) {
    Clock all{};
    for (const unsigned thread : threads) {
      for (unsigned i = 0; i < kModelThreads; ++i) all[i] = std::max(all[i], clocks_[thread][i]);
      all[thread] = clocks_[thread][thread] + 1;
    }
    for (const unsigned thread : threads) ++clocks_[thread][thread];
    return all;
  }

  void acquire(const std::vector<unsigned>& threads, const Clock& from) {
    for (const unsigned thread : threads) {
      const unsigned own = clocks_[thread][thread];
      for (unsigned i = 0; i < kModelThreads; ++i) {
        clocks_[thread][i] = std::max(clocks_[thread][i], from[i]);
      }
      clocks_[thread][thread] = std::max(own, clocks_[thread][thread]);
    }
  }

  [[nodiscard]] const std::set<std::size_t>& racing() const { return racing_; }

 private:
  struct Record {
    Event event;
    unsigned thread;
    unsigned count;
    std::vector<std::size_t> observed;  // writes of the same unit, by number
  };

  static bool in_scope(const Event& a, const Event& b) {
    return a.block == b.block || (a.scope == Scope::device && b.scope == Scope::device);
  }

  [[nodiscard]] bool happens_before(const Record& earlier, unsigned thread) const {
    return earlier.thread == thread || earlier.count < clocks_[thread][earlier.thread];
  }

  /// The last strong write and, if it is an atomic, those whose value led to it: each one and the
  /// next are morally strong (PTX ISA 8.9.2).
  [[nodiscard]] std::vector<std::size_t> observed_writes(std::size_t unit,
                                                         const Event& reader) const {
    std::vector<std::size_t> writes;
    const Event* next = &reader;
    for (std::size_t i = records_[unit].size(); i-- > 0;) {
      const Event& write = records_[unit][i].event;
      if (!write.write) continue;
      if (!write.strong || !in_scope(write, *next)) break;
      writes.push_back(i);
      next = &write;
      if (!write.update) break;
    }
    return writes;
  }

  /// True if a strong read that observed the write happens before the thread's next access (PTX ISA
  /// 8.9.5, rule 2).
  [[nodiscard]] bool observed_before(std::size_t unit, std::size_t write, unsigned thread) const {
    const std::vector<Record>& all = records_[unit];
    return std::any_of(all.begin(), all.end(), [&](const Record& reader) {
      return std::count(reader.observed.begin(), reader.observed.end(), write) != 0 &&
             happens_before(reader, thread);
    });
  }

  std::array<Clock, kModelThreads> clocks_{};
  std::array<std::vector<Record>, kModelUnits> records_;
  std::set<std::size_t> racing_;
};

/// One program, executed step by step on the shadow and on the model.
class RandomProgram {
 public:
  explicit RandomProgram(unsigned seed) : random_(seed), shadow_(kModelUnits) {
    for (unsigned block = 0; block < kModelBlocks; ++block) clocks_[block].start(block);
  }

  void step() {
    const unsigned kind = below(12);
    const WarpPlace place{below(kModelBlocks), below(kModelWarps)};
    if (kind == 0) {
      synchronize_block(place.block);
    } else if (kind <= 2) {
      synchronize_warp(place, some_lanes());
    } else if (kind == 3) {
      release(place, some_lanes());
    } else if (kind == 4) {
      acquire(place, some_lanes());
    } else {
      access(place);
    }
  }

  [[nodiscard]] std::set<std::size_t> racing_units() const {
    std::set<std::size_t> units;
    for (const Conflict& conflict : conflicts_) units.insert(conflict.unit);
    return units;
  }
  [[nodiscard]] const RaceModel& model() const { return model_; }

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }

  Mask some_lanes() {
    const unsigned kind = below(3);
    if (kind == 0) return machine::kAllLanes;
    if (kind == 1) return Mask{1} << below(kLanes);
    return static_cast<Mask>(random_() | 1);
  }

  static std::vector<unsigned> threads_of(WarpPlace place, Mask lanes) {
    std::vector<unsigned> threads;
    for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
      threads.push_back(thread_of(place, machine::lowest(rest)));
    }
    return threads;
  }

  void synchronize_block(unsigned block) {
    std::vector<unsigned> threads;
    for (unsigned warp = 0; warp < kModelWarps; ++warp) {
      clocks_[block].arrive(0, warp, machine::kAllLanes, true);
      const auto more = threads_of({block, warp}, machine::kAllLanes);
      threads.insert(threads.end(), more.begin(), more.end());
    }
    static_cast<void>(clocks_[block].complete(0));
    model_.synchronize(threads);
  }

  void synchronize_warp(WarpPlace place, Mask lanes) {
    clocks_[place.block].warp_barrier(place.warp, lanes);
    model_.synchronize(threads_of(place, lanes));
  }

  void release(WarpPlace place, Mask lanes) {
    released_ = {};
    clocks_[place.block].release(place.warp, lanes, released_);
    released_in_model_ = model_.release(threads_of(place, lanes));
  }

  void acquire(WarpPlace place, Mask lanes) {
    clocks_[place.block].acquire(place.warp, lanes, released_);
    model_.acquire(threads_of(place, lanes), released_in_model_);
  }

  /// An instruction of a warp: a weak load or store, a strong load or store, red or atom. Its lanes
  /// access one unit each, or all the same.
  void access(WarpPlace place) {
    const BlockClocks& clocks = clocks_[place.block];
    const unsigned kind = below(8);
    Event event{place.block, clocks.now(place.warp), ++op_, static_cast<std::uint8_t>(place.warp)};
    event.strong = kind >= 2;
    event.write = kind == 1 || kind == 3 || kind >= 4;
    event.update = kind >= 4;
    event.observes = kind >= 6;
    const Mask lanes = below(2) == 0 ? Mask{1} << below(kLanes) : some_lanes();
    const std::size_t unit = below(kModelUnits);
    // Even units mix both scopes, odd units have the scope of the device.
    event.scope = event.strong && unit % 2 == 0 && below(2) == 0 ? Scope::block : Scope::device;
    // A unit with a race may lose accesses: the first race is what counts.
    if (racing_units().contains(unit)) return;
    for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
      model_.access(unit, event, thread_of(place, machine::lowest(rest)));
    }
    shadow_.access_together(unit, shadow_.note(event), lanes, 0, false, clocks, conflicts_);
  }

  std::mt19937 random_;
  Shadow shadow_;
  std::array<BlockClocks, kModelBlocks> clocks_{BlockClocks(kThreadsOfModelBlock),
                                                BlockClocks(kThreadsOfModelBlock)};
  VectorClock released_;
  RaceModel::Clock released_in_model_{};
  RaceModel model_;
  std::vector<Conflict> conflicts_;
  std::uint32_t op_ = 0;
};

TEST(Races, ShadowAgreesWithTheModelOnEachUnitOfRandomPrograms) {
  std::size_t racing = 0;
  std::size_t clean = 0;
  for (unsigned seed = 0; seed < 700; ++seed) {
    RandomProgram program(seed);
    for (int step = 0; step < 60; ++step) {
      program.step();
      ASSERT_EQ(program.racing_units(), program.model().racing())
          << "seed " << seed << ", step " << step;
    }
    racing += program.racing_units().size();
    clean += kModelUnits - program.racing_units().size();
  }
  EXPECT_GT(racing, 500U);
  EXPECT_GT(clean, 500U);
}

}  // namespace
}  // namespace warpcheck::checks
