#include "device/virtual/checks/shared_races.hpp"

#include <algorithm>
#include <bit>

#include "device/virtual/machine/core/eight.hpp"
#include "device/virtual/machine/core/simd.hpp"

namespace warpcheck::checks {
namespace {

// Initial and largest size of the buffer of recorded reads.
constexpr std::size_t kFirstReads = 64;
constexpr std::size_t kMostReads = std::size_t{1} << 14;

/// The binary logarithm of a power of two.
unsigned log2_of(std::size_t value) { return static_cast<unsigned>(std::countr_zero(value)); }

}  // namespace

SharedRaces::SharedRaces(unsigned threads, std::size_t bytes, std::size_t unit)
    : shift_(log2_of(unit)),
      region_shift_(log2_of(std::bit_ceil((bytes / unit + 64) / 64))),
      clocks_(threads),
      shadow_((bytes + unit - 1) / unit),
      reads_(kFirstReads),
      places_(kFirstReads),
      capacity_(kFirstReads) {}

void SharedRaces::start(std::uint32_t block, const GridClock* before, std::uint32_t grid) {
  clocks_.start(block, before, grid);
  forget();
}

void SharedRaces::forget() {
  shadow_.settle();
  written_ = 0;
  read_ = 0;
  forget_reads();
}

void SharedRaces::forget_reads() {
  recorded_ = 0;
  placed_ = 0;
  surveyed_ = 0;
  ++batch_;
}

void SharedRaces::complete(unsigned barrier, unsigned exited) {
  if (clocks_.complete(barrier, exited)) forget();
}

/// Computes the first unit of each lane.
inline SharedRaces::Bounds SharedRaces::locate(const std::uint32_t* offset, std::uint32_t base,
                                               Units& first) const {
  Bounds bounds{~0u, 0};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t unit = (offset[lane] + base) >> shift_;
    first[lane] = unit;
    bounds.lowest = std::min(bounds.lowest, unit);
    bounds.highest = std::max(bounds.highest, unit);
  }
  return bounds;
}

inline RecordedPlace SharedRaces::read_plainly(const SharedAccess& access,
                                               const std::uint32_t* offset, std::uint32_t base) {
  Place& place = places_[placed_];
  place.bounds = locate(offset, base, place.first);
  place.interval = clocks_.now(access.warp);
  place.access = access;
  if (access.strong || (regions(place.bounds, access.bytes) & written_) != 0) {
    const Place now = place;
    check_reads();
    enter(access, now.first, note(access, now.interval, false), 0, false);
    return {};
  }
  const RecordedPlace recorded{batch_, static_cast<std::uint32_t>(placed_), place.interval};
  ++placed_;
  record({recorded.number, 0, access.op, access.bytes});
  return recorded;
}

WARPCHECK_FOR_AVX2 RecordedPlace SharedRaces::read_with_avx2(const SharedAccess& access,
                                                             const std::uint32_t* offset,
                                                             std::uint32_t base) {
  return read_plainly(access, offset, base);
}

RecordedPlace SharedRaces::read(const SharedAccess& access, const std::uint32_t* offset,
                                std::uint32_t base) {
  return cpu_has_avx2() ? read_with_avx2(access, offset, base) : read_plainly(access, offset, base);
}

/// Computes the regions of all recorded reads on demand. Most kernels synchronise between reads and
/// writes, so that the regions of most reads are never needed.
SharedRaces::Regions SharedRaces::regions_read() {
  for (; surveyed_ < recorded_; ++surveyed_) read_ |= regions_of(reads_[surveyed_]);
  return read_;
}

/// Enters a weak write of a whole warp without gaps, if all earlier accesses to its units are
/// settled. This is the common store to a tile.
inline bool SharedRaces::write_settled(const SharedAccess& access, const Units& first,
                                       EventId event) {
  using Eight = machine::Eight<std::uint32_t>;
  if (access.lanes != machine::kAllLanes || access.strong || access.order != nullptr) return false;
  const unsigned units = access.bytes >> shift_;
  Eight apart{};
  for (unsigned lane = 0; lane < kLanes; lane += 8) {
    Eight each;
    machine::load<std::uint32_t>(each, &first[lane]);
    apart |= each ^ ((Eight{0, 1, 2, 3, 4, 5, 6, 7} + lane) * units + first[0]);
  }
  if (machine::any(apart) || !shadow_.is_settled(first[0], kLanes * units)) return false;
  shadow_.stamp(first[0], units, event);
  return true;
}

inline void SharedRaces::write_plainly(const SharedAccess& access, const std::uint32_t* offset,
                                       std::uint32_t base, Mask rewrites) {
  Units first;
  const Regions where = regions(locate(offset, base, first), access.bytes);
  if (recorded_ != 0 && (where & regions_read()) != 0) check_reads();
  written_ |= where;
  const EventId event = note(access, clocks_.now(access.warp), true);
  if (!write_settled(access, first, event)) enter(access, first, event, rewrites, false);
}

WARPCHECK_FOR_AVX2 void SharedRaces::write_with_avx2(const SharedAccess& access,
                                                     const std::uint32_t* offset,
                                                     std::uint32_t base, Mask rewrites) {
  write_plainly(access, offset, base, rewrites);
}

void SharedRaces::write(const SharedAccess& access, const std::uint32_t* offset, std::uint32_t base,
                        Mask rewrites) {
  if (cpu_has_avx2()) {
    write_with_avx2(access, offset, base, rewrites);
  } else {
    write_plainly(access, offset, base, rewrites);
  }
}

void SharedRaces::look(const SharedAccess& access, const std::uint32_t* offset,
                       std::uint32_t base) {
  Units first;
  if ((regions(locate(offset, base, first), access.bytes) & written_) == 0) return;
  const EventId event =
      shadow_.note({clocks_.block(), clocks_.now(access.warp), access.op,
                    static_cast<std::uint8_t>(access.warp), false, false, Scope::block});
  const bool one_clock = clocks_.share_clock(access.warp, access.lanes);
  Shadow::OrderedWrite ordered = 0;
  for_each_lane(access.lanes, nullptr, [&](unsigned lane) {
    if (!one_clock) ordered = 0;
    for (unsigned at = 0; at < access.bytes >> shift_; ++at) {
      shadow_.look(first[lane] + at, event, lane, clocks_, conflicts_, ordered);
    }
  });
}

void SharedRaces::make_room() {
  if (capacity_ < kMostReads) {
    capacity_ *= 2;
    reads_.resize(capacity_);
    places_.resize(capacity_);
  } else {
    check_reads();
  }
}

void SharedRaces::check_reads() {
  static_cast<void>(regions_read());
  for (std::size_t i = 0; i < recorded_; ++i) {
    const Read& read = reads_[i];
    const Place& place = places_[read.place];
    Units first = place.first;
    for (std::uint32_t& unit : first) unit += units_to(read);
    SharedAccess access = place.access;
    access.op = read.op;
    access.bytes = read.bytes;
    enter(access, first, note(access, place.interval, false), 0, true);
  }
  forget_reads();
}

EventId SharedRaces::note(const SharedAccess& access, Interval interval, bool write) {
  return shadow_.note({clocks_.block(), interval, access.op, static_cast<std::uint8_t>(access.warp),
                       write, access.strong, Scope::block, access.update, access.observes,
                       access.is_volatile, machine::ReadPath::coherent, access.scalar_bytes,
                       clocks_.cluster()});
}

void SharedRaces::enter(const SharedAccess& access, const Units& first, EventId event,
                        Mask rewrites, bool late) {
  const std::size_t before = conflicts_.size();
  const unsigned units = access.bytes >> shift_;
  Mask lanes = access.lanes;
  if (lanes != 0 && !access.observes && share_value(lanes, first)) {
    const unsigned begin = first[machine::lowest(lanes)];
    for (unsigned at = 0; at < units; ++at) {
      shadow_.access_together(begin + at, event, lanes, rewrites, late, clocks_, conflicts_);
    }
    lanes = 0;
  }
  for_each_lane(lanes, access.order, [&](unsigned lane) {
    for (unsigned at = 0; at < units; ++at) {
      shadow_.access(first[lane] + at, event, lane, {(rewrites >> lane & 1) != 0, late}, clocks_,
                     conflicts_);
    }
  });
  shadow_.silence_volatile(conflicts_, before);
}

}  // namespace warpcheck::checks
