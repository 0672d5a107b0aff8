// Reads through caches that are not coherent with the writes of their grid. Such a write conflicts
// with the read, even if they are ordered (PTX ISA 9.7.9.9; CUDA C++ Programming Guide, "Texture
// and Surface Memory").
#include <algorithm>
#include <bit>

#include "device/virtual/checks/shadow.hpp"

namespace warpcheck::checks {

using machine::ReadPath;

bool conflict_by_path(const Event& first, const Event& second) {
  return first.path == ReadPath::read_only || second.path != ReadPath::coherent;
}

/// The last write to a unit, with one of its lanes; 0: there is none.
Shadow::Stamp Shadow::last_write(const Page& page, std::size_t at) const {
  const Stamp last = page.last[at];
  if ((last & kIsHistory) == 0) return events_[last >> 5].write ? last : 0;
  const History& history = *histories_[last & ~kIsHistory];
  const auto stamp_of = [](const Accesses& write) {
    return write.event << 5 | machine::lowest(write.lanes);
  };
  const auto strong =
      std::find_if(history.strong.rbegin(), history.strong.rend(),
                   [&](const Accesses& accesses) { return events_[accesses.event].write; });
  if (strong != history.strong.rend()) return stamp_of(*strong);
  return history.writes.empty() ? 0 : stamp_of(history.writes.back());
}

/// Compares the access with an earlier access to the unit, which may be 0.
void Shadow::compare_by_path(const Access& access, Stamp earlier) const {
  const Event& first = events_[earlier >> 5];
  if (earlier == 0 || settled(earlier) || !access.clocks.is_of_grid(first.block)) return;
  access.conflicts.push_back(
      {first, earlier & 31, access.event, access.lane, access.unit, Grade::failure});
}

void Shadow::read_incoherently(std::size_t unit, EventId id, unsigned lane,
                               const BlockClocks& clocks, std::vector<Conflict>& conflicts) {
  const Access access{id, events_[id], lane, false, false, unit, clocks, conflicts};
  Page& page = page_of(unit);
  const std::size_t at = unit % kPageUnits;
  compare_by_path(access, last_write(page, at));
  if (access.event.path != ReadPath::read_only) return;
  static_cast<void>(words(page.reader));
  words(page.read_only)[at] = access.stamp();
}

}  // namespace warpcheck::checks
