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
#include <optional>
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
  Scope scope = Scope::device;  // scope of a strong access
  bool update = false;          // an atomic: it reads the value that it replaces
  bool observes = false;        // an atomic whose result the thread uses
  bool is_volatile = false;     // races of strong volatile accesses are notes
  machine::ReadPath path = machine::ReadPath::coherent;  // path of a read
  // Size of each scalar of a strong access, which is aligned to it; 0: a tensor map has the size.
  std::uint8_t bytes = 0;
  std::uint32_t cluster = 0;  // number of its first block; a block without a cluster is one itself

  [[nodiscard]] ScopedPlace reach() const { return {block, cluster, scope}; }
  /// A unique number of the warp in the launch.
  [[nodiscard]] std::uint64_t thread_warp() const { return std::uint64_t{block} << 8 | warp; }

  friend bool operator==(const Event&, const Event&) = default;
};

/// True if the accesses, which overlap, are morally strong (PTX ISA 8.7.1): both are strong, the
/// scope of each includes the other's thread, and they access the same bytes.
[[nodiscard]] bool morally_strong(const Event& a, const Event& b);

/// Adds the kind of an access.
void add_kind(const Event& event, device::AccessKinds& kinds);

/// True for a write and a read of one grid, executed in this order, that conflict regardless of
/// synchronisation, because of the path of the read.
[[nodiscard]] bool conflict_by_path(const Event& first, const Event& second);

/// Two accesses that no synchronisation orders; `first` was executed first.
struct Conflict {
  Event first;
  unsigned first_lane = 0;
  Event second;
  unsigned second_lane = 0;
  std::size_t unit = 0;
  Grade grade = Grade::failure;  // same_value, relaxed_order, volatile_order
  std::uint64_t count = 1;       // same_value: this is the first of so many of these events
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

/// Calls `next(lane)` for each of `lanes` in this order, or by ascending number if `order` is null.
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

  /// Returns the number of this event. It is valid until the next call of note() or settle(). Equal
  /// events have one number, except strong writes: a read observes one of the writes that a loop
  /// repeats.
  [[nodiscard]] EventId note(const Event& event);

  /// Does not report later conflicts of volatile accesses by the same instructions as these
  /// conflicts. Instructions that every thread executes often, such as the poll of a flag, have
  /// many.
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

  /// True only if all accesses so far to `count` units, a multiple of 8, happen before all later
  /// accesses to them. May also be false in this case.
  [[nodiscard]] bool is_settled(std::size_t unit, unsigned count);
  /// Enters a weak write of a whole warp to units for which is_settled() is true: each lane
  /// accesses `units` of them (1, 2, 4 ...), after those of the previous lane. The result is the
  /// same as entering each lane, but faster.
  void stamp(std::size_t unit, unsigned units, EventId write);

  /// The last write to the units that lanes with one clock access, if it is ordered before them.
  using OrderedWrite = std::uint32_t;
  /// Compares a read with the earlier writes, as access() does, but does not record it. `ordered`
  /// is 0 at first.
  void look(std::size_t unit, EventId event, unsigned lane, const BlockClocks& clocks,
            std::vector<Conflict>& conflicts, OrderedWrite& ordered);

  /// Enters an access of several lanes of the event to one unit, in the order of the lanes. The
  /// result is the same as entering each lane, but faster.
  void access_together(std::size_t unit, EventId event, Mask lanes, Mask rewrites, bool late,
                       const BlockClocks& clocks, std::vector<Conflict>& conflicts);

  /// Compares a read that is not coherent. Its conflicts with writes of the grid, regardless of
  /// synchronisation, are appended to `conflicts`: those with earlier writes now. Other conflicts
  /// require a following call of access(): conflicts with later writes if the path is the
  /// texture's, and with writes of other grids.
  void read_incoherently(std::size_t unit, EventId event, unsigned lane, const BlockClocks& clocks,
                         std::vector<Conflict>& conflicts);

  /// Records that all accesses so far happen before all later ones.
  void settle();
  /// Makes this equal to a new shadow of the same size.
  void reset();

  /// The same memory in smaller units: each is one of `parts` equal parts of a unit, and has all
  /// accesses of that unit.
  [[nodiscard]] Shadow finer(unsigned parts) const;

  /// Appends the accesses to the memory, whose unit 0 is at `address` and has `unit` bytes. An
  /// access may be missing if a later write of the launch follows it.
  void add_accesses(std::uint64_t address, std::size_t unit,
                    std::vector<device::AccessedRange>& accesses) const;

  /// The memory that this object uses, in bytes.
  [[nodiscard]] std::size_t footprint() const;

 private:
  // The number of an event and a lane, or, with the top bit set, the number of a history. 0: no
  // access.
  using Stamp = std::uint32_t;
  static constexpr Stamp kIsHistory = 1u << 31;
  static constexpr std::size_t kPageUnits = 1024;
  using Words = std::array<Stamp, kPageUnits>;
  struct Page {
    Words last{};                      // last write, only reader, or history
    std::unique_ptr<Words> reader;     // reader after that write
    std::unique_ptr<Words> read_only;  // last read with ReadPath::read_only; `reader` exists, too
    // Lists of writes of the same value before `last`: index of the first. `reader` exists, too.
    std::unique_ptr<Words> equal;
  };
  /// An element of a list of writes of one value to a unit, by different blocks that have not
  /// synchronised with one another. The numbers of the blocks descend.
  struct EqualWrite {
    Stamp write = 0;
    std::uint32_t block = 0;
    std::uint32_t before = 0;  // index of the next element, by a block before this one; 0: none
  };
  struct Accesses {
    std::uint64_t warp;  // warp of the event
    EventId event;
    Mask lanes;
  };
  [[nodiscard]] Accesses accesses_of(Stamp stamp) const {
    return {events_[stamp >> 5].thread_warp(), stamp >> 5, Mask{1} << (stamp & 31)};
  }
  [[nodiscard]] static bool is_of_block(const Accesses& accesses, std::uint32_t block) {
    return accesses.warp >> 8 == block;
  }
  /// A strong read by `lanes` of `reader` that returned the value which `write_lanes` of a strong
  /// write stored.
  struct Observation {
    EventId write;
    Mask write_lanes;
    EventId reader;
    Mask lanes;
  };
  /// A summary of the events in a list of strong accesses.
  struct StrongSet {
    bool has_writes = false;
    bool has_volatile = false;
    bool in_one_block = true;  // true: all events are of one block
    bool in_one_cluster = true;
    bool has_one_size = true;  // true: all events have one size
    bool empty = true;
    std::uint8_t bytes = 0;
    ScopedPlace least;  // the smallest scope

    void add(const Event& event);
    [[nodiscard]] bool need_no_order_with(const Event& event) const;
  };
  /// A set of blocks: none, all blocks except one, all blocks except those of one cluster, or all.
  struct OtherBlocks {
    bool any = false;
    bool all = false;
    bool is_cluster = false;  // true: the whole cluster of `exception` is the exception
    ScopedPlace exception;

    /// Adds all blocks that this reach, restricted to `scope`, does not include.
    void add_others_than(const ScopedPlace& reach, Scope scope);
    [[nodiscard]] bool has_others_than(const ScopedPlace& reach, Scope scope) const;
  };
  /// The blocks whose strong accesses race with one of several strong writes, for each scope of the
  /// accesses. The writes have one size.
  struct Opponents {
    std::array<OtherBlocks, kScopes.size()> by_scope;

    void add(const Event& write);
    [[nodiscard]] bool include_those_of(const Event& write) const;
  };
  /// The last access to a unit, if it was an atomic that observes.
  struct LastAtomic {
    EventId event = 0;
    Mask clean = 0;  // lanes that were compared without finding a race
  };
  /// The thread of a history's accesses, if a single thread made all of them.
  class OnlyThread {
   public:
    /// Adds the thread of an access. Returns true if this thread made all accesses so far.
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
  /// The writes in a list by the block with the highest number. Most blocks run one after another,
  /// so that the accesses of this block come last.
  struct LastBlock {
    std::uint32_t block = 0;
    std::size_t begin = 0;  // the writes before this one are of other blocks
  };
  /// Accesses that do not fit into two words. Each list holds at most the last kRemembered.
  struct History {
    OnlyThread only_thread;
    std::vector<Accesses> writes;  // the last weak write, and earlier writes of the same value
    LastBlock last_block;          // summary of `writes`
    std::vector<Accesses> reads;
    std::vector<Accesses> strong;
    StrongSet strong_set;
    std::size_t overwritten = 0;  // index: the last write does not observe the accesses before it
    std::vector<Observation> observations;  // observations of writes in `strong`
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
  /// Returns the words of a page; allocates them with zeros at first.
  [[nodiscard]] static Words& words(std::unique_ptr<Words>& page_words) {
    if (page_words == nullptr) page_words = std::make_unique<Words>();
    return *page_words;
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
  [[nodiscard]] static bool has_equal_writes(const Page& page, std::size_t at) {
    return page.equal && (*page.equal)[at] != 0;
  }
  [[nodiscard]] bool is_same_thread(Stamp a, Stamp b) const {
    return events_[a >> 5].thread_warp() == events_[b >> 5].thread_warp() && (a & 31) == (b & 31);
  }
  [[nodiscard]] bool repeat_value(Page& page, const Access& access);
  [[nodiscard]] std::optional<std::uint32_t> place_in(std::uint32_t list,
                                                      std::uint32_t block) const;
  [[nodiscard]] std::vector<Stamp> equal_writes(const Page& page, std::size_t at) const;
  std::uint32_t add_list(const std::vector<Stamp>& writes, std::vector<EqualWrite>& all) const;
  void trim_equal_writes();
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
  void add_write(Stamp write, History& history) const;
  [[nodiscard]] History& history_of(Page& page, std::size_t at);
  [[nodiscard]] std::span<const std::unique_ptr<History>> histories() const {
    return {histories_.data(), used_histories_};
  }
  [[nodiscard]] History& add_history();
  void forget_all();
  void compact();

  std::vector<std::unique_ptr<Page>> pages_;
  std::vector<Event> events_{1};
  std::vector<std::uint32_t> silenced_;  // numbers of ops whose volatile conflicts are not reported
  EventId settled_ = 1;                // events with lower numbers happen before all later accesses
  std::array<EventId, 256> recent_{};  // events by warp and op, so that equal events are added once
  std::vector<std::unique_ptr<History>> histories_;
  std::vector<EqualWrite> equal_writes_{1};  // lists by unit: see Page::equal
  std::size_t trim_at_;                      // size of equal_writes_
  // Number of used histories at the front; settle() keeps the others for later.
  std::size_t used_histories_ = 0;
  std::size_t compact_at_;
};

inline bool Shadow::is_settled(std::size_t unit, unsigned count) {
  const std::size_t begin = unit % kPageUnits;
  if (begin + count > kPageUnits) return false;
  const Page& page = page_of(unit);
  const Stamp limit = settled_ << 5;  // the stamps of histories are above it
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
  Eight number{0, 1, 2, 3, 4, 5, 6, 7};  // number of the unit in the access
  for (std::size_t at = begin; at < begin + std::size_t{machine::kLanes} * units; at += 8) {
    const Eight stamps = (number >> shift) + (write << 5);
    std::memcpy(&page.last[at], &stamps, sizeof stamps);
    number += 8;
  }
  for (Words* const words : {page.reader.get(), page.equal.get()}) {
    if (words != nullptr) std::fill_n(&(*words)[begin], machine::kLanes * units, Stamp{0});
  }
}

}  // namespace warpcheck::checks
