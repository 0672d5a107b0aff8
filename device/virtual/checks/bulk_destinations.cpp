#include "device/virtual/checks/bulk_destinations.hpp"

#include <algorithm>
#include <utility>

namespace warpcheck::checks {

BulkDestinations::Id BulkDestinations::add(const BulkCopy& copy, const std::vector<Range>& ranges) {
  const std::lock_guard lock(mutex_);
  std::vector<Pieces::iterator>& own = in_flight_[++last_];
  for (const Range& range : ranges) {
    Piece piece{copy, range.bytes, {}};
    if (range.data != nullptr) piece.data.assign(range.data, range.data + range.bytes);
    own.push_back(pieces_.emplace(range.address, std::move(piece)));
    largest_ = std::max(largest_, range.bytes);
  }
  any_ = !pieces_.empty();
  return last_;
}

void BulkDestinations::complete(Id id) {
  const std::lock_guard lock(mutex_);
  const auto found = in_flight_.find(id);
  if (found == in_flight_.end()) return;
  for (const Pieces::iterator piece : found->second) pieces_.erase(piece);
  in_flight_.erase(found);
  any_ = !pieces_.empty();
}

BulkDestinations::Pieces::const_iterator BulkDestinations::first_at(std::uint64_t address) const {
  return pieces_.lower_bound(address - std::min<std::uint64_t>(address, largest_ - 1));
}

bool BulkDestinations::writes_the_same(const Range& range) const {
  const std::lock_guard lock(mutex_);
  if (pieces_.empty()) return false;
  for (auto at = first_at(range.address); at != pieces_.end() && at->first <= range.address; ++at) {
    const auto& [address, piece] = *at;
    if (address + piece.data.size() < range.address + range.bytes) continue;
    const auto begin = piece.data.begin() + static_cast<std::ptrdiff_t>(range.address - address);
    if (std::equal(range.data, range.data + range.bytes, begin)) return true;
  }
  return false;
}

std::optional<BulkCopy> BulkDestinations::conflict(const Access& access,
                                                   const BlockClocks& clocks) const {
  const std::lock_guard lock(mutex_);
  if (pieces_.empty()) return std::nullopt;
  const std::uint64_t end = access.address + access.bytes;
  for (auto at = first_at(access.address); at != pieces_.end() && at->first < end; ++at) {
    const auto& [address, piece] = *at;
    const BulkCopy& copy = piece.copy;
    if (address + piece.bytes <= access.address || (copy.reduces && access.strong)) continue;
    if (!clocks.is_of_grid(copy.block)) continue;
    const bool own =
        copy.block == clocks.block() && copy.warp == access.warp && copy.lane == access.lane;
    if (own ||
        clocks.ordered(copy.block, copy.warp, copy.lane, copy.interval, access.warp, access.lane)) {
      return copy;
    }
  }
  return std::nullopt;
}

}  // namespace warpcheck::checks
