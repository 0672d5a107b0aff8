#include "device/virtual/observers/shared_races.hpp"

#include <bit>

#include "device/virtual/machine/simd.hpp"

namespace warpcheck::observers {
namespace {

// A stamp: interval (28 bits), op (24), several, strong, warp (5), lane (5).
constexpr unsigned kIntervalShift = 36;
constexpr unsigned kOpShift = 12;
constexpr std::uint64_t kSeveral = 1ull << 11;
constexpr std::uint64_t kStrong = 1ull << 10;
constexpr std::uint64_t kLaneMask = 31;

std::uint64_t pack(const Access& access) {
  return std::uint64_t{access.interval} << kIntervalShift |
         std::uint64_t{access.op & 0xff'ffff} << kOpShift | (access.several ? kSeveral : 0) |
         (access.strong ? kStrong : 0) | std::uint64_t{access.warp} << 5 | access.lane;
}

Access unpack(std::uint64_t stamp) {
  Access access;
  access.interval = static_cast<std::uint32_t>(stamp >> kIntervalShift);
  access.op = static_cast<std::uint32_t>(stamp >> kOpShift & 0xff'ffff);
  access.several = (stamp & kSeveral) != 0;
  access.strong = (stamp & kStrong) != 0;
  access.warp = static_cast<std::uint8_t>(stamp >> 5 & 31);
  access.lane = static_cast<std::uint8_t>(stamp & kLaneMask);
  return access;
}

}  // namespace

SharedRaces::SharedRaces(unsigned warps, std::size_t bytes, std::size_t unit)
    : warps_(warps),
      shift_(static_cast<unsigned>(std::countr_zero(unit))),
      units_((bytes + unit - 1) / unit),
      clocks_(warps),
      written_(units_),
      read_(units_ * warps) {}

void SharedRaces::restart() {
  clocks_.restart();
  last_write_.fill(0);
  last_read_.fill(0);
}

inline SharedRaces::Stamp SharedRaces::stamp(unsigned warp, std::uint32_t op, bool strong) const {
  Access access;
  access.interval = clocks_.now(warp);
  access.op = op;
  access.warp = static_cast<std::uint8_t>(warp);
  access.strong = strong;
  return pack(access);
}

void SharedRaces::consider(const Access& earlier, bool earlier_writes, const Access& mine,
                           bool writes, std::size_t unit) {
  if (earlier.interval == 0 || (earlier.strong && mine.strong)) return;
  const bool same_thread =
      earlier.warp == mine.warp && earlier.lane == mine.lane && !earlier.several;
  if (same_thread || clocks_.ordered(earlier, mine.warp)) return;
  conflicts_.push_back({earlier, earlier_writes, mine, writes, unit << shift_});
}

/// False where no write of any warp can be unordered with what `warp` does now: the usual case, of
/// reads after a barrier. Otherwise looks at the units.
inline bool SharedRaces::may_meet_write(unsigned warp, const Units& first, unsigned count) const {
  bool quiet = true;
  for (unsigned other = 0; other < warps_; ++other) {
    quiet &= last_write_[other] < clocks_.known(warp, other);
  }
  if (quiet) return false;
  if (!strong_written_.empty()) return true;
  const std::uint64_t oldest = clocks_.oldest_unordered(warp);
  bool met = false;
  for (unsigned at = 0; at < count; ++at) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      met |= written_[first[lane] + at] >> kIntervalShift >= oldest;
    }
  }
  return met;
}

/// `lanes` lanes from `lane` on read units one after another (or, where `same`, the very same
/// ones), `count` each, from reads[0] on.
inline void SharedRaces::remember_run(Stamp* reads, unsigned lane, unsigned lanes, unsigned count,
                                      bool same, Stamp mine) {
  if (same) {
    for (unsigned at = 0; at < count; ++at) reads[at] = mine | lane | kSeveral;
    return;
  }
  const auto shift = static_cast<unsigned>(std::countr_zero(count));
  for (unsigned at = 0; at < lanes << shift; ++at) {
    const Stamp old = reads[at];
    const Stamp next = mine | (lane + (at >> shift));
    const bool again = old >> kIntervalShift == mine >> kIntervalShift;
    const bool other_lane = ((old ^ next) & kLaneMask) != 0 || (old & kSeveral) != 0;
    reads[at] = next | (again && other_lane ? kSeveral : 0);
  }
}

/// All 32 lanes read. They mostly walk along memory or agree on one place: runs of such lanes are
/// remembered at once.
inline void SharedRaces::remember_reads(unsigned warp, const Units& first, unsigned count,
                                        Stamp mine) {
  Mask same = 0;   // bit i: lane i reads what lane i - 1 reads
  Mask along = 0;  // bit i: lane i reads right after lane i - 1
  for (unsigned lane = 1; lane < kLanes; ++lane) {
    same |= Mask{first[lane] == first[lane - 1]} << lane;
    along |= Mask{first[lane] == first[lane - 1] + count} << lane;
  }
  Stamp* const reads = read_.data() + warp * units_;
  for (unsigned lane = 0; lane < kLanes;) {
    const unsigned next = lane + 1;
    const Mask agree = next < kLanes ? same >> next : 0;
    const Mask follow = next < kLanes ? along >> next : 0;
    const bool repeats = (agree & 1) != 0;
    const auto length = 1 + static_cast<unsigned>(std::countr_one(repeats ? agree : follow));
    remember_run(reads + first[lane], lane, length, count, repeats, mine);
    lane += length;
  }
}

/// One lane's check against the writes that may be unordered.
void SharedRaces::read_lane(unsigned lane, std::size_t unit, Stamp mine) {
  const Access access = unpack(mine | lane);
  consider(unpack(written_[unit]), true, access, false, unit);
  if (!access.strong) check_planes(strong_written_, all_warps(), true, unit, access, false);
}

inline void SharedRaces::read_plainly(unsigned warp, const Units& first, Mask lanes, unsigned count,
                                      std::uint32_t op, bool strong) {
  const Stamp mine = stamp(warp, op, strong);
  last_read_[warp] = clocks_.now(warp);
  if (may_meet_write(warp, first, count)) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      for (unsigned at = 0; at < count && (lanes >> lane & 1) != 0; ++at) {
        read_lane(lane, first[lane] + at, mine);
      }
    }
  }
  if (lanes == machine::kAllLanes && !strong) {
    remember_reads(warp, first, count, mine);
    return;
  }
  Stamp* const reads = (strong ? strong_read_ : read_).data() + warp * units_;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) != 0) remember_run(reads + first[lane], lane, 1, count, false, mine);
  }
}

void SharedRaces::read(unsigned warp, const Units& first, Mask lanes, unsigned count,
                       std::uint32_t op, bool strong) {
  if (strong) expect_strong();
  if (machine::cpu_has_avx2()) {
    read_with_avx2(warp, first, lanes, count, op, strong);
  } else {
    read_plainly(warp, first, lanes, count, op, strong);
  }
}

WARPCHECK_FOR_AVX2 void SharedRaces::read_with_avx2(unsigned warp, const Units& first, Mask lanes,
                                                    unsigned count, std::uint32_t op, bool strong) {
  read_plainly(warp, first, lanes, count, op, strong);
}

/// The warps whose reads may be unordered with what `warp` does now.
Mask SharedRaces::unordered_readers(unsigned warp) const {
  Mask readers = 0;
  for (unsigned other = 0; other < warps_; ++other) {
    readers |= Mask{last_read_[other] >= clocks_.known(warp, other)} << other;
  }
  return readers;
}

Mask SharedRaces::all_warps() const {
  return warps_ == 32 ? machine::kAllLanes : (Mask{1} << warps_) - 1;
}

/// Planes for strong accesses, from the first one on.
void SharedRaces::expect_strong() {
  strong_written_.resize(units_ * warps_);
  strong_read_.resize(units_ * warps_);
}

/// Against what each of `warps` is remembered to have done to the unit.
void SharedRaces::check_planes(const std::vector<Stamp>& planes, Mask warps, bool written,
                               std::size_t unit, const Access& mine, bool writes) {
  if (planes.empty()) return;
  for (; warps != 0; warps &= warps - 1) {
    const auto warp = static_cast<unsigned>(std::countr_zero(warps));
    consider(unpack(planes[warp * units_ + unit]), written, mine, writes, unit);
  }
}

void SharedRaces::write_lane(unsigned warp, unsigned lane, std::size_t unit, Stamp mine,
                             Mask readers, bool rewrites) {
  const Access access = unpack(mine | lane);
  Stamp& written = written_[unit];
  if (!rewrites && written >> kIntervalShift >= clocks_.oldest_unordered(warp)) {
    consider(unpack(written), true, access, true, unit);
  }
  check_planes(read_, readers, false, unit, access, true);
  if (access.strong) {
    remember_run(strong_written_.data() + warp * units_ + unit, lane, 1, 1, false, mine);
    return;
  }
  if (!strong_written_.empty()) {
    check_planes(strong_read_, readers, false, unit, access, true);
    if (!rewrites) check_planes(strong_written_, all_warps(), true, unit, access, true);
  }
  written = mine | lane;
}

void SharedRaces::write(unsigned warp, const Units& first, Mask lanes, unsigned count,
                        std::uint32_t op, bool strong, Mask rewrites) {
  if (strong) expect_strong();
  const Stamp mine = stamp(warp, op, strong);
  const Mask readers = unordered_readers(warp);
  last_write_[warp] = clocks_.now(warp);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    for (unsigned at = 0; at < count; ++at) {
      write_lane(warp, lane, first[lane] + at, mine, readers, (rewrites >> lane & 1) != 0);
    }
  }
}

}  // namespace warpcheck::observers
