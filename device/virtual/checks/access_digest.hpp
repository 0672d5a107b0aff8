// A digest of the memory accesses and the synchronisation of the threads of a launch. Two launches
// have the same digest if every thread executes the same barriers, fences and waits in the same
// order, and reads and writes the same bytes between two of them. The digest does not depend on the
// order of threads, on the order and width of a thread's accesses between two barriers, which no
// other thread can observe, or on how often a thread polls a flag, which depends on timing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::checks {

enum class Act : std::uint8_t {
  read,
  poll,  // strong read
  write,
  update,  // atomic
  copy,    // issue of an asynchronous copy
  commit,  // commit of a group of asynchronous copies
  wait,    // wait for asynchronous copies
  mbarrier,
  barrier,
  warp_barrier,
  fence,
};

/// The digest of one block.
class AccessDigest {
 public:
  void start(std::size_t warps) { warps_.assign(warps, {}); }

  /// Each of `lanes` executed an act that orders the accesses before it and after it. `what` holds
  /// the parameters of the act.
  void order(unsigned warp, machine::Mask lanes, Act act, std::uint64_t what = 0);

  /// Each of `lanes` accessed `bytes` bytes at its own address.
  using Addresses = std::array<std::uint64_t, machine::kLanes>;
  void access(unsigned warp, machine::Mask lanes, Act act, const Addresses& addresses,
              std::size_t bytes);

  /// Each of `lanes` wrote, or will write, the bytes at `contents` to its own address.
  using Contents = std::array<const std::byte*, machine::kLanes>;
  void access(unsigned warp, machine::Mask lanes, Act act, const Addresses& addresses,
              const Contents& contents, std::size_t bytes);

  /// Each of `lanes` read the bytes at `contents` with a strong load. Among consecutive polls of
  /// the same address only the last counts.
  void poll(unsigned warp, machine::Mask lanes, const Addresses& addresses,
            const Contents& contents, std::size_t bytes);

  /// The digest of all threads, as threads of block number `block`. The digests of blocks are
  /// added, so that the order of blocks does not matter.
  [[nodiscard]] std::uint64_t sum(std::uint64_t block) const;

 private:
  using Lanes = std::array<std::uint64_t, machine::kLanes>;  // a word for each thread of a warp
  struct PerWarp {
    Lanes before{};  // digests up to and including the last ordering act
    Lanes since{};   // sums over the accesses after that act, without the last poll
    Lanes polled{};  // address of the last access if it was a poll, otherwise 0
    Lanes seen{};    // digest of that poll
  };
  /// Adds the last poll of each of `lanes` to its sum.
  static void end_polls(PerWarp& digests, machine::Mask lanes);

  std::vector<PerWarp> warps_;
};

}  // namespace warpcheck::checks
