#include "device/virtual/checks/shared_races.hpp"

#include <algorithm>
#include <bit>

#include "device/virtual/machine/core/simd.hpp"

namespace warpcheck::checks {
namespace {

// Size of the buffer of recorded reads: at first, and at most.
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
      reads_(kFirstReads) {}

void SharedRaces::start(std::uint32_t block, const GridClock* before) {
  clocks_.start(block, before);
  forget();
}

void SharedRaces::forget() {
  shadow_.settle();
  written_ = 0;
  read_ = 0;
  recorded_ = 0;
}

void SharedRaces::complete(unsigned barrier, unsigned exited) {
  if (clocks_.complete(barrier, exited)) forget();
}

/// Computes the first unit of each lane. Returns the regions from the lowest to the highest unit.
inline SharedRaces::Regions SharedRaces::locate(const SharedAccess& access,
                                                const std::uint32_t* offset, std::uint32_t base,
                                                Units& first) const {
  std::uint32_t low = ~0u;
  std::uint32_t high = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t unit = (offset[lane] + base) >> shift_;
    first[lane] = unit;
    low = std::min(low, unit);
    high = std::max(high, unit);
  }
  const unsigned begin = low >> region_shift_;
  const unsigned end = (high + (access.bytes >> shift_) - 1) >> region_shift_;
  return (~Regions{0} << begin) & (~Regions{0} >> (63 - end));
}

inline void SharedRaces::read_plainly(const SharedAccess& access, const std::uint32_t* offset,
                                      std::uint32_t base) {
  Read& read = reads_[recorded_];
  read.interval = clocks_.now(access.warp);
  read.access = access;
  const Regions where = locate(access, offset, base, read.first);
  if (!access.strong && (where & written_) == 0) {
    read_ |= where;
    if (++recorded_ == reads_.size()) make_room();
    return;
  }
  check_reads();
  enter(access, read.first, read.interval, false, 0, false);
}

WARPCHECK_FOR_AVX2 void SharedRaces::read_with_avx2(const SharedAccess& access,
                                                    const std::uint32_t* offset,
                                                    std::uint32_t base) {
  read_plainly(access, offset, base);
}

void SharedRaces::read(const SharedAccess& access, const std::uint32_t* offset,
                       std::uint32_t base) {
  if (cpu_has_avx2()) {
    read_with_avx2(access, offset, base);
  } else {
    read_plainly(access, offset, base);
  }
}

void SharedRaces::write(const SharedAccess& access, const std::uint32_t* offset, std::uint32_t base,
                        Mask rewrites) {
  Units first;
  const Regions where = locate(access, offset, base, first);
  if ((where & read_) != 0) check_reads();
  written_ |= where;
  enter(access, first, clocks_.now(access.warp), true, rewrites, false);
}

void SharedRaces::look(const SharedAccess& access, const std::uint32_t* offset,
                       std::uint32_t base) {
  Units first;
  if ((locate(access, offset, base, first) & written_) == 0) return;
  const EventId event =
      shadow_.note({clocks_.block(), clocks_.now(access.warp), access.op,
                    static_cast<std::uint8_t>(access.warp), false, false, Scope::block});
  for_each_lane(access.lanes, nullptr, [&](unsigned lane) {
    for (unsigned at = 0; at < access.bytes >> shift_; ++at) {
      shadow_.look(first[lane] + at, event, lane, clocks_, conflicts_);
    }
  });
}

void SharedRaces::make_room() {
  if (reads_.size() < kMostReads) {
    reads_.resize(reads_.size() * 2);
  } else {
    check_reads();
  }
}

void SharedRaces::check_reads() {
  for (std::size_t i = 0; i < recorded_; ++i) {
    const Read& read = reads_[i];
    enter(read.access, read.first, read.interval, false, 0, true);
  }
  recorded_ = 0;
}

void SharedRaces::enter(const SharedAccess& access, const Units& first, Interval interval,
                        bool write, Mask rewrites, bool late) {
  const EventId event = shadow_.note(
      {clocks_.block(), interval, access.op, static_cast<std::uint8_t>(access.warp), write,
       access.strong, Scope::block, access.update, access.observes, access.is_volatile});
  const std::size_t before = conflicts_.size();
  Mask lanes = access.lanes;
  if (lanes != 0 && !access.observes && share_value(lanes, first)) {
    const unsigned begin = first[machine::lowest(lanes)];
    for (unsigned at = 0; at < access.bytes >> shift_; ++at) {
      shadow_.access_together(begin + at, event, lanes, rewrites, late, clocks_, conflicts_);
    }
    lanes = 0;
  }
  for_each_lane(lanes, access.order, [&](unsigned lane) {
    for (unsigned at = 0; at < access.bytes >> shift_; ++at) {
      shadow_.access(first[lane] + at, event, lane, {(rewrites >> lane & 1) != 0, late}, clocks_,
                     conflicts_);
    }
  });
  shadow_.silence_volatile(conflicts_, before);
}

}  // namespace warpcheck::checks
