// A model of races that keeps each access of each thread and follows the definitions of the PTX
// ISA, chapter 8. It shares nothing with the race detector but the description of an access.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "device/virtual/checks/shadow.hpp"

namespace warpcheck::checks {

constexpr unsigned kModelBlocks = 3;  // the first two are a cluster
constexpr unsigned kModelWarps = 3;
constexpr unsigned kThreadsOfModelBlock = kModelWarps * kLanes;
constexpr unsigned kModelThreads = kModelBlocks * kThreadsOfModelBlock;

constexpr unsigned cluster_of_model_block(unsigned block) { return block < 2 ? 0 : block; }

/// Happens-before with one clock of all threads per thread. An access of thread t with count c
/// happens before the next access of a thread whose clock has a larger count of t.
class RaceModel {
 public:
  using Clock = std::array<unsigned, kModelThreads>;
  using Threads = std::vector<unsigned>;

  RaceModel();

  /// A thread accesses a byte. `looks`: no later write is compared with it.
  void access(std::size_t byte, const Event& event, unsigned thread, bool looks);

  /// Order by releases and acquires of a word (PTX ISA 8.8).
  struct Order {
    bool acquires = false;
    bool releases = false;
  };
  /// Consecutive bytes.
  struct Word {
    std::size_t begin = 0;
    std::size_t bytes = 0;

    friend auto operator<=>(const Word&, const Word&) = default;
  };
  /// The same access of all its bytes: what it releases and acquires, if it is strong. Another
  /// write of any of these bytes ends what was released.
  void access_word(const Word& word, const Event& event, const Order& order, unsigned thread);

  void fence(const Threads& threads, Scope scope, const Order& order);

  /// Everything that the threads did happens before what they do from now on. A fence of one of
  /// them counts for all.
  void synchronize(const Threads& threads);
  /// The accesses of threads that arrived at a barrier and continued.
  struct Arrived {
    Clock clock{};
    std::array<Clock, 3> fenced{};  // one clock for each scope
  };
  void arrive(const Threads& threads, Arrived& arrived);
  /// The same at the end of the barrier, for the threads that wait there.
  void synchronize(const Threads& waiting, const Arrived& arrived);

  /// The clock of what the threads did. Their later accesses are not in it.
  Clock release(const Threads& threads);
  /// The same for what they did before their last fence of the device.
  [[nodiscard]] Clock release_fenced(const Threads& threads) const;
  void acquire(const Threads& threads, const Clock& from);

  /// The bytes with a race.
  [[nodiscard]] const std::set<std::size_t>& racing() const { return racing_; }
  /// True if strong accesses of different sizes have raced: what they release is not defined.
  [[nodiscard]] bool sizes_raced() const { return sizes_raced_; }

 private:
  struct Record {
    Event event;
    unsigned thread;
    unsigned count;
    std::vector<std::size_t> observed;  // writes of the same byte, by number
  };
  /// By the scope of the fence, or of the release.
  using Scoped = decltype(Arrived::fenced);
  struct Thread {
    Clock clock{};
    Scoped fenced{};                     // clocks at the last fence
    Scoped observed{};                   // clocks that strong reads observed; a fence acquires them
    std::map<Word, Scoped> released_at;  // clocks of the last release of each word
    std::map<Word, Scoped> observed_at;  // clocks that strong reads of each word observed
  };
  /// The clocks that the last write of a word, and those that it continues, release.
  struct Release {
    unsigned block;
    Scoped clocks{};
  };
  struct Content {
    bool strong = false;  // the last write
    Event last;
    std::vector<Release> releases;
  };

  static void join(Clock& into, const Clock& from);
  static void join(Scoped& into, const Scoped& from);
  static bool in_scope(const Event& a, const Event& b);
  static bool are_morally_strong(const Event& a, const Event& b);
  [[nodiscard]] bool happens_before(const Record& earlier, unsigned thread) const;
  [[nodiscard]] std::vector<std::size_t> observed_writes(std::size_t byte,
                                                         const Event& reader) const;
  [[nodiscard]] bool observed_before(std::size_t byte, std::size_t write, unsigned thread) const;
  void acquire_observed(unsigned thread, const Scoped& observed, Scope scope);
  [[nodiscard]] Clock clock_upto(unsigned thread) const;

  std::vector<Thread> threads_;
  std::map<std::size_t, std::vector<Record>> records_;
  std::map<Word, Content> words_;
  std::set<std::size_t> racing_;
  bool sizes_raced_ = false;
};

}  // namespace warpcheck::checks
