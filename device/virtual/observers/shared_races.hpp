// Races in shared memory, found by happens-before: two accesses of different threads to the same
// bytes, one of them a write, that no barrier, warp barrier or fenced flag orders, and that are not
// both strong. The verdict does not hang on the order in which the warps happened to run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "device/virtual/machine/op.hpp"

namespace warpcheck::observers {

using machine::kLanes;
using machine::Mask;

/// One access, as the shadow of the bytes it touched remembers it.
struct Access {
  std::uint32_t interval = 0;  // of its warp: how many times the warp had synchronised; 0: none
  std::uint32_t op = 0;        // number of the op in the program
  std::uint8_t warp = 0;
  std::uint8_t lane = 0;
  bool several = false;  // further lanes of the warp did the same in this interval
  bool strong = false;   // volatile, relaxed or atomic: such accesses do not race with one another
};

/// Two accesses that nothing orders; `first` is the one that happened to come first.
struct Conflict {
  Access first;
  bool first_writes = false;
  Access second;
  bool second_writes = false;
  std::size_t offset = 0;  // of the contested bytes in the block's shared memory
};

/// Logical clocks of the warps of a block (Mattern 1989; FastTrack, PLDI 2009). A warp's own time
/// advances whenever it synchronises; an access of warp x at time t is ordered before what warp w
/// does now iff t < clock[w][x].
class WarpClocks {
 public:
  /// What some threads know of the past of others: an access that it covers is ordered before
  /// whatever they do next.
  using Clock = std::array<std::uint32_t, 32>;  // by warp

  explicit WarpClocks(unsigned warps);

  /// Release: what the lanes did and know is added to `into`. Acquire: they learn what is in
  /// `from`.
  void publish(unsigned warp, Mask lanes, Clock& into);
  void learn(unsigned warp, Mask lanes, const Clock& from);

  /// Everything that happened so far is ordered before everything to come.
  void restart();

  [[nodiscard]] std::uint32_t now(unsigned warp) const { return now_[warp]; }
  [[nodiscard]] bool ordered(const Access& access, unsigned before) const {
    return access.interval < clock_[before][access.warp];
  }
  /// An access at a time before this one is ordered whichever warp did it.
  [[nodiscard]] std::uint32_t oldest_unordered(unsigned warp) const { return oldest_[warp]; }
  /// Of what warp `other` did, only accesses from this time on are not ordered before `warp`.
  [[nodiscard]] std::uint32_t known(unsigned warp, unsigned other) const {
    return clock_[warp][other];
  }

  /// All lanes of a warp meet.
  void warp_barrier(unsigned warp);

  /// A warp comes to a barrier of the block; with `waits`, it goes on only when complete() is
  /// called.
  void arrive(unsigned barrier, unsigned warp, bool waits);
  void complete(unsigned barrier);

  /// A fence, and accesses to a flag around it (PTX ISA 8.8: a release pattern, observed by an
  /// acquire pattern, synchronises).
  void fence(unsigned warp);
  void store_flag(unsigned warp, std::uint64_t address, bool release);
  void load_flag(unsigned warp, std::uint64_t address, bool acquire);

 private:
  static void join(Clock& into, const Clock& from);
  [[nodiscard]] Clock published(unsigned warp);
  void learn(unsigned warp, const Clock& clock);

  struct Meeting {
    Clock clock{};
    Mask waiting = 0;  // warps
  };

  unsigned warps_;
  std::array<std::uint32_t, 32> now_{};
  std::array<std::uint32_t, 32> oldest_{};
  std::array<Clock, 32> clock_{};
  std::array<Clock, 32> fenced_{};    // what a store to a flag publishes
  std::array<Clock, 32> observed_{};  // what loads of flags saw; learnt at the next fence
  std::array<Meeting, 16> meetings_{};
  std::unordered_map<std::uint64_t, Clock> flags_;
};

/// Where lanes' accesses lie, in units of shared memory.
using Units = std::array<std::uint32_t, kLanes>;

class SharedRaces {
 public:
  /// `unit` bytes of shared memory are told apart: the smallest access that the program makes
  /// there.
  SharedRaces(unsigned warps, std::size_t bytes, std::size_t unit);

  void restart();
  [[nodiscard]] WarpClocks& clocks() { return clocks_; }
  /// Units are 1 << unit_shift() bytes.
  [[nodiscard]] unsigned unit_shift() const { return shift_; }

  /// Lane i of `lanes` reads `count` units from first[i] on; inactive lanes' entries must be places
  /// in shared memory too. Conflicts are appended to conflicts().
  void read(unsigned warp, const Units& first, Mask lanes, unsigned count, std::uint32_t op,
            bool strong);

  /// `rewrites` names the lanes that store what the bytes hold already: with another write they
  /// make a benign race, which is not reported.
  void write(unsigned warp, const Units& first, Mask lanes, unsigned count, std::uint32_t op,
             bool strong, Mask rewrites);

  [[nodiscard]] std::vector<Conflict>& conflicts() { return conflicts_; }

 private:
  using Stamp = std::uint64_t;  // an Access, packed

  void read_plainly(unsigned warp, const Units& first, Mask lanes, unsigned count, std::uint32_t op,
                    bool strong);
  void read_with_avx2(unsigned warp, const Units& first, Mask lanes, unsigned count,
                      std::uint32_t op, bool strong);
  [[nodiscard]] Stamp stamp(unsigned warp, std::uint32_t op, bool strong) const;
  void remember_reads(unsigned warp, const Units& first, unsigned count, Stamp mine);
  void remember_run(Stamp* reads, unsigned lane, unsigned lanes, unsigned count, bool same,
                    Stamp mine);
  [[nodiscard]] bool may_meet_write(unsigned warp, const Units& first, unsigned count) const;
  void consider(const Access& earlier, bool earlier_writes, const Access& mine, bool writes,
                std::size_t unit);
  [[nodiscard]] Mask all_warps() const;
  void expect_strong();
  [[nodiscard]] Mask unordered_readers(unsigned warp) const;
  void check_planes(const std::vector<Stamp>& planes, Mask warps, bool written, std::size_t unit,
                    const Access& mine, bool writes);
  void read_lane(unsigned lane, std::size_t unit, Stamp mine);
  void write_lane(unsigned warp, unsigned lane, std::size_t unit, Stamp mine, Mask readers,
                  bool rewrites);

  unsigned warps_;
  unsigned shift_;
  std::size_t units_;
  WarpClocks clocks_;
  std::array<std::uint32_t, 32> last_write_{};  // by warp: the interval it last wrote in
  std::array<std::uint32_t, 32> last_read_{};
  // Weak and strong accesses are remembered apart, for only the weak ones race with strong ones.
  // Weak writes of a unit that nothing orders are a race, so that the last one is enough.
  std::vector<Stamp> written_;         // by unit
  std::vector<Stamp> read_;            // by warp and unit
  std::vector<Stamp> strong_written_;  // by warp and unit; empty until there is a strong access
  std::vector<Stamp> strong_read_;
  std::vector<Conflict> conflicts_;
};

}  // namespace warpcheck::observers
