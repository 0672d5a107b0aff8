// The destinations in global memory of bulk copies between their issue and their completion. A copy
// may write its bytes at any time in between (PTX ISA 9.7.9.25.4): an access to them that is
// ordered after the issue is a race, even by the thread that copies. GlobalRaces treats the issue
// as a write, and finds races with accesses that are not ordered after the issue.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "device/virtual/checks/block_clocks.hpp"

namespace warpcheck::checks {

/// A bulk copy by one thread.
struct BulkCopy {
  std::uint32_t block = 0;
  unsigned warp = 0;
  unsigned lane = 0;
  Interval interval = 0;  // interval of the issue
  std::uint32_t op = 0;   // number in the program
  bool reduces = false;   // true: updates the bytes with relaxed atomics
};

class BulkDestinations {
 public:
  using Id = std::uint64_t;

  /// Consecutive bytes of global memory, and their new content.
  struct Range {
    std::uint64_t address = 0;
    std::size_t bytes = 0;
    const std::byte* data = nullptr;  // null: unknown
  };

  /// True if a copy is in flight.
  [[nodiscard]] bool any() const { return any_; }

  [[nodiscard]] Id add(const BulkCopy& copy, const std::vector<Range>& ranges);
  /// Completes the copy: its thread has waited for it.
  void complete(Id id);

  /// True if a copy in flight writes the same content to all of these bytes.
  [[nodiscard]] bool writes_the_same(const Range& range) const;

  /// An access of thread (warp, lane) of the block of `clocks` to `bytes` bytes.
  struct Access {
    std::uint64_t address = 0;
    std::size_t bytes = 0;
    unsigned warp = 0;
    unsigned lane = 0;
    bool strong = false;
  };
  /// Finds a copy in flight with which the access races because the access is ordered after the
  /// issue.
  [[nodiscard]] std::optional<BulkCopy> conflict(const Access& access,
                                                 const BlockClocks& clocks) const;

 private:
  struct Piece {
    BulkCopy copy;
    std::size_t bytes = 0;
    std::vector<std::byte> data;  // empty: unknown
  };
  // Maps the address of the first byte to a piece.
  using Pieces = std::multimap<std::uint64_t, Piece>;

  /// The first piece that may contain the byte at the address.
  [[nodiscard]] Pieces::const_iterator first_at(std::uint64_t address) const;

  mutable std::mutex mutex_;
  Pieces pieces_;
  std::unordered_map<Id, std::vector<Pieces::iterator>> in_flight_;  // maps a copy to its pieces
  std::size_t largest_ = 0;  // size of the largest piece in bytes
  Id last_ = 0;
  std::atomic<bool> any_ = false;
};

}  // namespace warpcheck::checks
