// The shadow of a memory: the earlier accesses with which a later access may race (FastTrack, PLDI
// 2009). Most units of memory take one word, for the last write or the only reader; a reader after
// a write takes a second word; further accesses take a list.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "device/accessed_range.hpp"
#include "device/finding.hpp"
#include "device/virtual/checks/block_clocks.hpp"
#include "device/virtual/machine/core/eight.hpp"
#include "device/virtual/machine/core/lanes.hpp"
#include "device/virtual/machine/core/schedule.hpp"

namespace warpcheck::checks {

/// One instruction of a warp that accesses memory.
struct Event {
  std::uint32_t block = 0;
  Interval interval = 0;
  std::uint32_t op = 0;  // number of the op in the program
  std::uint8_t warp = 0;
  bool write = false;
  bool strong = false;  // volatile, relaxed or atomic: such accesses do not race with one another
  Scope scope = Scope::device;  // of a strong one
  bool update = false;          // an atomic: it reads the value that it replaces
  bool observes = false;        // an atomic whose result the thread uses
  bool is_volatile = false;     // strong ones are reported as notes if nothing orders them
  machine::ReadPath path = machine::ReadPath::coherent;  // of a read
  // Size of each scalar of a strong one, which is aligned to it; 0: a tensor map has the size.
  std::uint8_t bytes = 0;
  std::uint32_t cluster = 0;  // number of its first block; a block without a cluster is one itself

  [[nodiscard]] ScopedPlace reach() const { return {block, cluster, scope}; }
  /// A number of its own for each warp of the launch.
  [[nodiscard]] std::uint64_t thread_warp() const { return std::uint64_t{block} << 8 | warp; }

  friend bool operator==(const Event&, const Event&) = default;
};

/// True if the accesses, which overlap, are morally strong (PTX ISA 8.7.1): strong, each in the
/// scope of the other, and of the same bytes.
[[nodiscard]] bool morally_strong(const Event& a, const Event& b);

/// Adds the kind of an access.
void add_kind(const Event& event, device::AccessKinds& kinds);

/// True if accesses without order are neither a race nor a note.
[[nodiscard]] bool need_no_order(const Event& a, const Event& b);

/// True for a write and a read of one grid, executed in this order, that conflict whatever orders
/// them, because of the path of the read.
[[nodiscard]] bool conflict_by_path(const Event& first, const Event& second);

/// Two accesses that no synchronisation orders; `first` was executed first.
struct Conflict {
  Event first;
  unsigned first_lane = 0;
  Event second;
  unsigned second_lane = 0;
  std::size_t unit = 0;
  Grade grade = Grade::failure;  // same_value, relaxed_order, volatile_order
};

/// Number of an event in its shadow.
using EventId = std::uint32_t;

/// True if there are several lanes and all have the same value.
template <typename Value>
bool share_value(Mask lanes, const std::array<Value, machine::kLanes>& values) {
  const Value first = values[machine::lowest(lanes)];
  Mask others = lanes & (lanes - 1);
  if (others == 0) return false;
  for (; others != 0; others &= others - 1) {
    if (values[machine::lowest(others)] != first) return false;
  }
  return true;
}

/// Calls `next(lane)` for each of `lanes`: in this order, or by number if it is null.
template <typename Next>
void for_each_lane(Mask lanes, const machine::LaneOrder* order, Next next) {
  if (order == nullptr) {
    for (; lanes != 0; lanes &= lanes - 1) next(machine::lowest(lanes));
    return;
  }
  for (unsigned turn = 0; turn < machine::kLanes; ++turn) {
    const unsigned lane = order->lane(turn);
    if ((lanes >> lane & 1) != 0) next(lane);
  }
}

class Shadow {
 public:
  explicit Shadow(std::size_t units);

  /// The number of this event. It is valid until the next call of note() or settle(). Equal events
  /// have one number, but for strong writes: a read observes one of those that a loop repeats.
  [[nodiscard]] EventId note(const Event& event);

  /// After conflicts of volatile accesses: does not report those of the same instructions again.
  /// Instructions that every thread executes often, such as the poll of a flag, have many.
  void silence_volatile(const std::vector<Conflict>& conflicts, std::size_t first);

  struct Manner {
    bool rewrites = false;  // stores the value that the unit already holds
    bool late = false;      // reported after the clocks have advanced
  };
  /// Lane `lane` of the event accesses `unit`. Races are appended to `conflicts`.
  void access(std::size_t unit, EventId event, unsigned lane, Manner manner,
              const BlockClocks& clocks, std::vector<Conflict>& conflicts) {
    const Access access{event,       events_[event], lane,   manner.rewrites,
                        manner.late, unit,           clocks, conflicts};
    Page& page = page_of(unit);
    Stamp& last = page.last[unit % kPageUnits];
    if (settled(last) && !page.reader && !access.event.strong) {
      last = access.stamp();
    } else {
      access_remembered(access);
    }
  }

  /// True if everything so far in `count` units, a multiple of 8, happens before all later accesses
  /// to them. May be false nonetheless.
  [[nodiscard]] bool is_settled(std::size_t unit, unsigned count);
  /// A weak write of a whole warp to such units: each lane accesses `units` of them (1, 2, 4 ...)
  /// behind those of the lane before. This is faster than to enter each lane, and has the same
  /// result.
  void stamp(std::size_t unit, unsigned units, EventId write);

  /// The last write to the units that lanes with one clock look at, if it is ordered before them.
  using OrderedWrite = std::uint32_t;
  /// The same for a read that is compared with the earlier writes, but not remembered. `ordered` is
  /// 0 at first.
  void look(std::size_t unit, EventId event, unsigned lane, const BlockClocks& clocks,
            std::vector<Conflict>& conflicts, OrderedWrite& ordered);

  /// Several lanes of the event access one unit, in the order of the lanes. This is faster than to
  /// enter each of them, and has the same result.
  void access_together(std::size_t unit, EventId event, Mask lanes, Mask rewrites, bool late,
                       const BlockClocks& clocks, std::vector<Conflict>& conflicts);

  /// A read that is not coherent. Conflicts with writes of the grid, in any order, are appended to
  /// `conflicts`: those of earlier writes now. Other conflicts, with later writes if the path is
  /// the texture's and with writes of other grids, are those of access(), which must follow for
  /// them.
  void read_incoherently(std::size_t unit, EventId event, unsigned lane, const BlockClocks& clocks,
                         std::vector<Conflict>& conflicts);

  /// All accesses so far happen before all later ones.
  void settle();
  /// As a new shadow of the same size.
  void reset();

  /// The same memory in units of a `parts`th of the size. Each has the accesses of the whole unit.
  [[nodiscard]] Shadow finer(unsigned parts) const;

  /// Appends the accesses to the memory, whose unit 0 is at `address` and has `unit` bytes. An
  /// access that a later write of the launch follows may be missing.
  void add_accesses(std::uint64_t address, std::size_t unit,
                    std::vector<device::AccessedRange>& accesses) const;

  /// The size of all this in bytes.
  [[nodiscard]] std::size_t footprint() const;

 private:
  // An event's number and a lane; or, with the top bit, the number of a history. 0: no access.
  using Stamp = std::uint32_t;
  static constexpr Stamp kIsHistory = 1u << 31;
  static constexpr std::size_t kPageUnits = 1024;
  using Words = std::array<Stamp, kPageUnits>;
  struct Page {
    Words last{};                      // the last write, or the only reader, or a history
    std::unique_ptr<Words> reader;     // after that write
    std::unique_ptr<Words> read_only;  // the last read whose path is that; `reader` exists, too
  };
  struct Accesses {
    std::uint64_t warp;  // of the event
    EventId event;
    Mask lanes;
  };
  [[nodiscard]] static bool is_of_block(const Accesses& accesses, std::uint32_t block) {
    return accesses.warp >> 8 == block;
  }
  /// A strong read by `lanes` of `reader` that returned the value of a strong write by
  /// `write_lanes`.
  struct Observation {
    EventId write;
    Mask write_lanes;
    EventId reader;
    Mask lanes;
  };
  /// A bound of the events in a list of strong accesses.
  struct StrongSet {
    bool has_writes = false;
    bool has_volatile = false;
    bool of_block = true;  // all are of one block
    bool of_cluster = true;
    bool of_size = true;  // all have one size
    bool empty = true;
    std::uint8_t bytes = 0;
    ScopedPlace least;  // the smallest scope

    void add(const Event& event);
    [[nodiscard]] bool need_no_order_with(const Event& event) const;
  };
  /// A set of blocks: none, all except one, all except those of one cluster, or all.
  struct OtherBlocks {
    bool any = false;
    bool all = false;
    bool is_cluster = false;  // the exception is all of its cluster
    ScopedPlace exception;

    /// Adds all blocks that an access with this reach does not include if their scope is `scope`.
    void add_others_than(const ScopedPlace& reach, Scope scope);
    [[nodiscard]] bool has_others_than(const ScopedPlace& reach, Scope scope) const;
  };
  /// The blocks whose strong accesses of each scope race with one of some strong writes, which have
  /// one size.
  struct Opponents {
    std::array<OtherBlocks, kScopes.size()> of_scope;

    void add(const Event& write);
    [[nodiscard]] bool include_those_of(const Event& write) const;
  };
  /// The last access to a unit, if it was an atomic that observes.
  struct LastAtomic {
    EventId event = 0;
    Mask clean = 0;  // its lanes that were compared, without a race
  };
  /// The thread of all accesses of a history, if it is one.
  class OnlyThread {
   public:
    /// Adds the thread of an access. Returns true if all accesses so far are of that thread.
    bool add(const Event& event, unsigned lane) {
      const std::uint64_t thread = event.thread_warp() << 5 | lane;
      thread_ = thread_ == kNone || thread_ == thread ? thread : kSeveral;
      return thread_ == thread;
    }
    void add_several() { thread_ = kSeveral; }

   private:
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};
    static constexpr std::uint64_t kSeveral = kNone - 1;
    std::uint64_t thread_ = kNone;
  };
  /// The writes in a list that are of the block with the highest number. Most blocks run one after
  /// the other, so that the accesses of a block are the last ones.
  struct LastBlock {
    std::uint32_t block = 0;
    std::size_t begin = 0;  // the writes before this one are of other blocks
  };
  /// Accesses that do not fit into two words. Each list holds at most the last kRemembered.
  struct History {
    OnlyThread only_thread;
    std::vector<Accesses> writes;  // the last weak one, and those that wrote the same value before
    LastBlock last_block;          // of `writes`
    std::vector<Accesses> reads;
    std::vector<Accesses> strong;
    StrongSet strong_set;
    std::size_t overwritten = 0;  // the last write does not observe the first ones in `strong`
    std::vector<Observation> observations;  // of writes in `strong`
    LastAtomic last;

    void clear();
  };
  static constexpr std::size_t kRemembered = 64;

  struct Access {
    EventId id;
    const Event& event;
    unsigned lane;
    bool rewrites;
    bool late;
    std::size_t unit;
    const BlockClocks& clocks;
    std::vector<Conflict>& conflicts;
    [[nodiscard]] Stamp stamp() const { return id << 5 | lane; }
  };

  [[nodiscard]] Page& page_of(std::size_t unit) {
    std::unique_ptr<Page>& page = pages_[unit / kPageUnits];
    if (page == nullptr) page = std::make_unique<Page>();
    return *page;
  }
  /// Those of a page, zero at first.
  [[nodiscard]] static Words& words(std::unique_ptr<Words>& of_page) {
    if (of_page == nullptr) of_page = std::make_unique<Words>();
    return *of_page;
  }
  void add_kind(EventId id, device::AccessKinds& kinds) const;
  [[nodiscard]] device::AccessKinds kinds_of(const Page& page, std::size_t at) const;
  using Eight = machine::Eight<Stamp>;
  [[nodiscard]] bool settled(Stamp stamp) const { return stamp >> 5 < settled_; }
  [[nodiscard]] bool ordered(const Event& earlier, unsigned lane, const Access& access) const;
  [[nodiscard]] Mask unordered(const Accesses& earlier, const Access& access) const;
  [[nodiscard]] bool may_race(const Access& access, EventId earlier) const;
  [[nodiscard]] bool may_race(const Access& access, const History& history) const;
  void compare(const Access& access, EventId earlier, unsigned lane) const;
  void add_conflict(const Access& access, const Event& first, unsigned lane) const;
  [[nodiscard]] Stamp last_write(const Page& page, std::size_t at) const;
  void compare_by_path(const Access& access, Stamp earlier) const;
  [[nodiscard]] bool is_silenced(const Event& event) const;
  void compare_all(const Access& access, const History& history) const;
  void compare_reads(const Access& access, const History& history) const;
  void compare_strong(const Access& access, const History& history) const;
  void compare_writes(const Access& access, const History& history) const;
  [[nodiscard]] bool wrote(const Event& event, unsigned lane,
                           const std::vector<Accesses>& list) const;
  [[nodiscard]] Mask observed_before(EventId write, const Access& access,
                                     const History& history) const;
  static bool add_observation(History& history, const Observation& added);
  static void forget_observations(History& history, EventId write, Mask lanes);
  bool observe(const Access& access, Mask lanes, History& history) const;
  [[nodiscard]] bool observes_last(const Access& access, const History& history) const;
  void stand_for_observed(const Access& access, History& history) const;
  [[nodiscard]] bool lanes_compare_alike(const Access& access, Mask lanes,
                                         const History& history) const;
  [[nodiscard]] bool repeats_atomic(const Access& access, History& history) const;
  void store_rest(const Access& access, Mask lanes, History& history) const;
  void remember_strong(const Access& access, Mask lanes, bool continues, History& history) const;
  void access_remembered(const Access& access);
  [[nodiscard]] bool access_single(Page& page, const Access& access);
  [[nodiscard]] static bool repeated(const Access& access, const std::vector<Accesses>& list);
  [[nodiscard]] bool stores_again(const Access& access, History& history) const;
  [[nodiscard]] bool alternates(const Access& access, History& history) const;
  void access_history(const Access& access, History& history) const;
  void compare_rest(const Access& access, Mask lanes, Mask rewrites, const History& history) const;
  void access_rest(const Access& access, Mask lanes, Mask rewrites, History& history) const;
  void rewrite_rest(const Access& access, Mask lanes, History& history) const;
  static void erase_empty(std::vector<Accesses>& list, std::size_t* first = nullptr);
  [[nodiscard]] bool has_more_opponents(const Event& earlier, const Event& event) const;
  static void append(const Access& access, Mask lanes, std::vector<Accesses>& list,
                     std::size_t* first = nullptr);
  void remember(const Access& access, Mask lanes, std::vector<Accesses>& list) const;
  void remember_write(const Access& access, Mask lanes, History& history) const;
  [[nodiscard]] Mask observed_beyond(const Accesses& earlier, const Accesses& write,
                                     const History& history) const;
  void stand_for_earlier(std::size_t begin, History& history) const;
  [[nodiscard]] History& history_of(Page& page, std::size_t at);
  [[nodiscard]] std::span<const std::unique_ptr<History>> histories() const {
    return {histories_.data(), used_histories_};
  }
  [[nodiscard]] History& add_history();
  void forget_all();
  void compact();

  std::vector<std::unique_ptr<Page>> pages_;
  std::vector<Event> events_{1};
  std::vector<std::uint32_t> silenced_;  // numbers of ops
  EventId settled_ = 1;                  // earlier events happen before all later accesses
  std::array<EventId, 256> recent_{};    // by warp and op: equal events are added once
  std::vector<std::unique_ptr<History>> histories_;
  std::size_t used_histories_ = 0;  // the first ones; settle() keeps the others for later
  std::size_t compact_at_;
};

inline bool Shadow::is_settled(std::size_t unit, unsigned count) {
  const std::size_t begin = unit % kPageUnits;
  if (begin + count > kPageUnits) return false;
  const Page& page = page_of(unit);
  const Stamp limit = settled_ << 5;  // histories are above
  Eight recent{};
  Eight stamps;
  for (std::size_t at = begin; at < begin + count; at += 8) {
    machine::load<Stamp>(stamps, &page.last[at]);
    recent |= reinterpret_cast<Eight>(stamps >= limit);
    if (!page.reader) continue;
    machine::load<Stamp>(stamps, &(*page.reader)[at]);
    recent |= reinterpret_cast<Eight>(stamps >= limit);
    if (!page.read_only) continue;
    machine::load<Stamp>(stamps, &(*page.read_only)[at]);
    recent |= reinterpret_cast<Eight>(stamps >= limit);
  }
  return !machine::any(recent);
}

inline void Shadow::stamp(std::size_t unit, unsigned units, EventId write) {
  const std::size_t begin = unit % kPageUnits;
  const auto shift = static_cast<unsigned>(std::countr_zero(units));
  Page& page = page_of(unit);
  Eight number{0, 1, 2, 3, 4, 5, 6, 7};  // of the unit in the access
  for (std::size_t at = begin; at < begin + std::size_t{machine::kLanes} * units; at += 8) {
    const Eight stamps = (number >> shift) + (write << 5);
    std::memcpy(&page.last[at], &stamps, sizeof stamps);
    number += 8;
  }
  if (page.reader) std::fill_n(&(*page.reader)[begin], machine::kLanes * units, Stamp{0});
}

}  // namespace warpcheck::checks
