// A digest of what the threads of a launch do to memory and to order it: equal where every thread
// comes to the same barriers, fences and waits in the same order, and between two of them reads and
// writes the same bytes. It says nothing of the order of threads, of a thread's accesses between
// two barriers, which nobody else can see, of how many bytes each of them takes at once, or of how
// often a thread that waits for a flag looks at it, which is a matter of time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::checks {

enum class Act : std::uint8_t {
  read,
  poll,  // a strong read
  write,
  update,  // atomic
  copy,    // the issue of an asynchronous one
  commit,  // of the copies issued
  wait,    // for asynchronous copies
  mbarrier,
  barrier,
  warp_barrier,
  fence,
};

/// Of one block.
class AccessDigest {
 public:
  void start(std::size_t warps) { warps_.assign(warps, {}); }

  /// `lanes` of a warp each came to one that orders what is before it and what is behind: `what`,
  /// beyond the kind.
  void order(unsigned warp, machine::Mask lanes, Act act, std::uint64_t what = 0);

  /// Each of `lanes` reached `bytes` bytes at an address of its own.
  using Addresses = std::array<std::uint64_t, machine::kLanes>;
  void access(unsigned warp, machine::Mask lanes, Act act, const Addresses& addresses,
              std::size_t bytes);

  /// And left there, or is to leave there, what lies at `contents`.
  using Contents = std::array<const std::byte*, machine::kLanes>;
  void access(unsigned warp, machine::Mask lanes, Act act, const Addresses& addresses,
              const Contents& contents, std::size_t bytes);

  /// Each of `lanes` looked, with a strong load, at what lies at `contents`. Of looks at the same
  /// place one after another only the last counts, with what it saw.
  void poll(unsigned warp, machine::Mask lanes, const Addresses& addresses,
            const Contents& contents, std::size_t bytes);

  /// Of all threads, as those of block number `block`. Sums of blocks do not depend on their order.
  [[nodiscard]] std::uint64_t sum(std::uint64_t block) const;

 private:
  using Lanes = std::array<std::uint64_t, machine::kLanes>;  // a word per thread
  struct PerWarp {
    Lanes before{};  // digests of all up to the last that orders
    Lanes since{};   // sums over the accesses after it, the last poll left out
    Lanes polled{};  // the address of the last access, where that was a poll; or 0
    Lanes seen{};    // and its digest
  };
  /// Each of `lanes` does something else.
  static void end_polls(PerWarp& digests, machine::Mask lanes);

  std::vector<PerWarp> warps_;
};

}  // namespace warpcheck::checks
