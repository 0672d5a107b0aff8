// The asynchronous copies of a block's warps (cp.async, PTX ISA 9.7.9.25.3). The source is read
// when a copy is issued; the destination is written when a thread waits for the copy.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "device/virtual/checks/async_copy_tracker.hpp"
#include "device/virtual/machine/memory/mbarriers.hpp"
#include "device/virtual/machine/memory/reduction.hpp"
#include "device/virtual/machine/memory/resolved_access.hpp"

namespace warpcheck::machine {

/// How a bulk copy writes shared memory.
struct BulkWrite {
  Reduction reduction;
  std::uint32_t object = 0;    // offset of its mbarrier object in the block's shared memory
  bool generic_proxy = false;  // true: st.async and red.async; other copies use the async proxy
};

class AsyncCopies {
 public:
  static constexpr std::size_t kLargest = 16;  // largest number of bytes of one lane's cp.async

  /// The bytes that the first op of a cp.async has read, lane after lane; the second op issues
  /// them.
  struct Fetched {
    std::array<std::byte, kLanes * kLargest> data;
    std::array<std::byte, kLanes * kLargest> shadow;
  };

  void start(std::size_t warps);

  [[nodiscard]] Fetched& fetched() { return fetched_; }

  /// Issues copies of the first `bytes` of each lane of fetched().
  void issue(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
             std::size_t bytes);

  /// Issues a bulk copy of one lane of any block to this block, the `owner`. It belongs to no
  /// group: an mbarrier object waits for it. A reduction combines the bytes at once; no access can
  /// observe this without a race.
  IssuedCopies issue_bulk(Block& owner, Warp& warp, const Op& op, const Container& container,
                          std::uint64_t offset, unsigned lane, Bytes source,
                          const BulkWrite& write);

  /// Commits the open group of each lane.
  void commit(unsigned warp, Mask lanes);

  /// Completes all groups of the lanes, except the last `pending` groups. `op` is the wait.
  void wait(Warp& warp, const Op& op, Mask lanes, std::uint32_t pending);

  /// All copies that these lanes have issued so far.
  [[nodiscard]] IssuedCopies issued(unsigned warp, Mask lanes) const;

  /// Completes copies of any threads, because the running lanes of `warp` have waited for them on
  /// an mbarrier object. Appends the copies to `ids`. The caller reports to the tracker which lanes
  /// have waited.
  void complete(Warp& warp, const Op& op, const IssuedCopies& copies,
                std::vector<checks::AsyncCopyId>& ids);

  /// Reports an access that is not ordered after the copy `met` in the tracker of `owner`.
  static void report(Block& owner, Warp& warp, const Op& op, const Container& container,
                     std::size_t bytes, bool writes, const checks::AsyncCopyConflict& met);

 private:
  struct Copy {
    const Op* op = nullptr;
    const FunctionCode* code = nullptr;
    Container container;
    Mask lanes = 0;    // lanes that have not completed
    Mask tracked = 0;  // lanes in the tracker; another lane copies the same bytes as one of these
    std::size_t bytes = 0;
    std::uint64_t number = 0;
    bool grouped = true;
    BulkWrite write;  // unused if `grouped`
    checks::AsyncCopyId id = checks::kNoAsyncCopy;
    LaneOffsets offset{};  // offsets in the container
    std::array<std::uint32_t, kLanes> group{};
    std::vector<std::byte> data;  // bytes of all lanes; a bulk copy has one lane
    std::vector<std::byte> shadow;

    [[nodiscard]] std::size_t lane_offset(unsigned lane) const {
      return data.size() > bytes ? lane * bytes : 0;
    }
    [[nodiscard]] ResolvedAccess resolved() const;
    [[nodiscard]] std::size_t cell(unsigned lane) const;
    [[nodiscard]] std::size_t cells() const;
  };
  struct PerWarp {
    std::vector<std::unique_ptr<Copy>> in_flight;  // sorted by issue
    std::array<std::uint32_t, kLanes> groups{};    // number of groups that each lane has committed
    std::uint64_t issued = 0;
  };

  std::unique_ptr<Copy> new_copy(PerWarp& copies, const Warp& warp, const Op& op,
                                 const Container& container, Mask lanes, std::size_t bytes);
  static void digest(Warp& warp, const Copy& copy);
  static void note_proxy(Block& owner, Warp& warp, const Op& op, const Copy& sent);
  void send(Block& owner, Warp& warp, const Op& op, Copy& sent);
  [[nodiscard]] bool copies_the_same(const Copy& copy, const checks::AsyncCopyConflict& met) const;
  Mask write(const Copy& copy, Mask lanes);
  static void report_write(Warp& warp, const Copy& copy, Mask lanes, Mask rewrites);
  void complete_findings(Warp& warp, const Op& wait, const Copy& copy);
  void remove_completed(PerWarp& copies);

  Fetched fetched_;
  std::vector<PerWarp> warps_;  // the last entry has the bulk copies
  std::vector<std::unique_ptr<Copy>> spare_;
};

}  // namespace warpcheck::machine
