// Writes of one value to a unit by many blocks, as initialisations by every block are: lists of 12
// bytes per write, until another kind of access requires a history.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "device/virtual/checks/shadow.hpp"

namespace warpcheck::checks {

/// Adds a list of writes by ascending block to `all`, and returns its index.
std::uint32_t Shadow::add_list(const std::vector<Stamp>& writes,
                               std::vector<EqualWrite>& all) const {
  std::uint32_t list = 0;
  for (const Stamp write : writes) {
    all.push_back({write, events_[write >> 5].block, list});
    list = static_cast<std::uint32_t>(all.size() - 1);
  }
  return list;
}

/// The place of a write by `block` in a list: the index of the write above it, or 0 for the front.
/// Empty if the list has a write by this block, or too many writes above it.
std::optional<std::uint32_t> Shadow::place_in(std::uint32_t list, std::uint32_t block) const {
  constexpr int kFar = 32;
  std::uint32_t above = 0;
  int passed = 0;
  while (equal_writes_[list].block > block) {  // 0 at the end
    if (++passed == kFar) return std::nullopt;
    above = std::exchange(list, equal_writes_[list].before);
  }
  if (list != 0 && equal_writes_[list].block == block) return std::nullopt;
  return above;
}

/// Enters a weak write of the value that the last write of the unit stored, by the thread of this
/// write or by another block. Returns false if the unit needs a history.
bool Shadow::repeat_value(Page& page, const Access& access) {
  const std::size_t at = access.unit % kPageUnits;
  Stamp& last = page.last[at];
  const std::uint32_t block = access.event.block;
  const std::uint32_t last_block = events_[last >> 5].block;
  const bool own = is_same_thread(last, access.stamp());
  if (!own && block == last_block) return false;
  // The thread is then unordered with each of the writes by other blocks.
  if (!access.clocks.sees_only_own_block(access.event.warp, access.lane)) return false;
  const Stamp reader = page.reader ? (*page.reader)[at] : 0;
  // The writer itself reads this value in any order.
  if (reader != 0 && !is_same_thread(reader, last)) return false;
  if (equal_writes_.size() >= trim_at_) trim_equal_writes();
  static_cast<void>(words(page.reader));
  std::uint32_t& list = words(page.equal)[at];
  const Stamp before = own ? equal_writes_[list].write : last;
  if (!own) {
    const auto above = place_in(list, last_block);
    if (!above || !place_in(list, block)) return false;
    std::uint32_t& below = *above != 0 ? equal_writes_[*above].before : list;
    const std::uint32_t next = below;
    below = static_cast<std::uint32_t>(equal_writes_.size());
    equal_writes_.push_back({last, last_block, next});
  }
  if (before != 0) add_conflict(access, events_[before >> 5], before & 31);
  last = access.stamp();
  (*page.reader)[at] = 0;
  return true;
}

/// The writes in the list of a unit, by ascending block: at most so many that a history remembers
/// them and the last write.
std::vector<Shadow::Stamp> Shadow::equal_writes(const Page& page, std::size_t at) const {
  std::vector<Stamp> writes;
  if (!has_equal_writes(page, at) || settled(page.last[at])) return writes;
  std::uint32_t next = (*page.equal)[at];
  for (; next != 0 && writes.size() + 1 < kRemembered; next = equal_writes_[next].before) {
    writes.push_back(equal_writes_[next].write);
  }
  std::reverse(writes.begin(), writes.end());
  return writes;
}

/// Removes the writes that no unit needs.
void Shadow::trim_equal_writes() {
  std::vector<EqualWrite> all(1);
  for (const auto& page : pages_) {
    if (!page || !page->equal) continue;
    for (std::size_t at = 0; at < kPageUnits; ++at) {
      (*page->equal)[at] = add_list(equal_writes(*page, at), all);
    }
  }
  equal_writes_ = std::move(all);
  trim_at_ = std::max(trim_at_, 2 * equal_writes_.size());
}

}  // namespace warpcheck::checks
