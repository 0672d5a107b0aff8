// The asynchronous copies of a block's warps (cp.async, PTX ISA 9.7.9.25.3): read at their issue,
// written when somebody waits for them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "device/virtual/checks/async_copy_tracker.hpp"
#include "device/virtual/machine/block/mbarriers.hpp"
#include "device/virtual/machine/memory/resolved_access.hpp"

namespace warpcheck::machine {

class AsyncCopies {
 public:
  static constexpr std::size_t kLargest = 16;  // bytes of one lane's cp.async

  /// What a cp.async has read and not issued yet, lane after lane.
  struct Fetched {
    std::array<std::byte, kLanes * kLargest> data;
    std::array<std::byte, kLanes * kLargest> shadow;
  };

  void start(std::size_t warps);

  [[nodiscard]] Fetched& fetched() { return fetched_; }

  /// Sends `bytes` of each lane of `fetched` on their way.
  void issue(Warp& warp, const Op& op, const ResolvedAccess& reach, Mask lanes, std::size_t bytes);

  /// Sends the bytes of one lane. They belong to no group: somebody must wait for the result.
  IssuedCopies issue_bulk(Warp& warp, const Op& op, const Container& container,
                          std::uint64_t offset, unsigned lane, Bytes source);

  /// Closes the group that each of the lanes has open.
  void commit(unsigned warp, Mask lanes);

  /// Lands all groups of the lanes but the `pending` last ones. `op` is the wait.
  void wait(Warp& warp, const Op& op, Mask lanes, std::uint32_t pending);

  /// All that these lanes have issued and that is not known to have landed.
  [[nodiscard]] IssuedCopies issued(unsigned warp, Mask lanes) const;

  /// Lands copies for the running lanes of `warp`, which waited for them elsewhere than their
  /// issuers do. The race detector is told only that those lanes know; the others' names are added
  /// to `ids`.
  void land(Warp& warp, const Op& op, const IssuedCopies& copies,
            std::vector<checks::AsyncCopyId>& ids);

  /// An access met a copy that it is not ordered after.
  void report(Warp& warp, const Op& op, const Container& container, std::size_t bytes, bool writes,
              const checks::AsyncCopyConflict& met);

 private:
  struct Copy {
    const Op* op = nullptr;
    const FunctionCode* code = nullptr;
    Container container;
    Mask lanes = 0;    // that have not landed
    Mask tracked = 0;  // that the race detector knows of; others bring what one of these brings
    std::size_t bytes = 0;
    std::uint64_t number = 0;
    bool grouped = true;
    checks::AsyncCopyId id = checks::kNoAsyncCopy;
    LaneOffsets offset{};  // in the container
    std::array<std::uint32_t, kLanes> group{};
    std::vector<std::byte> data;  // of all lanes; of a bulk copy, of its one lane
    std::vector<std::byte> shadow;

    [[nodiscard]] std::size_t of_lane(unsigned lane) const {
      return data.size() > bytes ? lane * bytes : 0;
    }
    [[nodiscard]] ResolvedAccess reach() const;
    [[nodiscard]] std::size_t cell(unsigned lane) const;
    [[nodiscard]] std::size_t cells() const;
  };
  struct PerWarp {
    std::vector<std::unique_ptr<Copy>> aloft;    // in the order of their issue
    std::array<std::uint32_t, kLanes> groups{};  // that each lane has committed
    std::uint64_t issued = 0;
  };

  std::unique_ptr<Copy> new_copy(Warp& warp, const Op& op, const Container& container, Mask lanes,
                                 std::size_t bytes);
  static void digest(Warp& warp, const Copy& copy);
  void send(Warp& warp, const Op& op, std::unique_ptr<Copy> copy);
  [[nodiscard]] bool copies_the_same(const Copy& copy, const checks::AsyncCopyConflict& met) const;
  Mask write(const Copy& copy, Mask lanes);
  static void tell_landed(Warp& warp, const Copy& copy, Mask landing, Mask rewrites);
  void say_where(Warp& warp, const Op& wait, const Copy& copy);
  void drop_landed(PerWarp& copies);

  Fetched fetched_;
  std::vector<PerWarp> warps_;
  std::vector<std::unique_ptr<Copy>> spare_;
};

}  // namespace warpcheck::machine
