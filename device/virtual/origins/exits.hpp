// The branches by which threads leave a kernel before a barrier.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "device/virtual/machine/block/warp.hpp"

namespace warpcheck::origins {

/// "(0, 0, 0)(3, 1, 0)": a block and a thread.
[[nodiscard]] std::string key_of(const ThreadPlace& thread);

/// The conditional branches and exits that each thread reached, and when it last did.
class Exits {
 public:
  void note(const machine::Warp& warp, const machine::Op& op);

  /// Sets the place of each group of threads that exited before a barrier. The place is the last
  /// branch of the group's first thread from which it could still have reached the barrier.
  void set_places(const machine::Program& program, Finding& finding) const;

 private:
  // Maps an op to the time when a thread last reached it.
  using LastTimes = std::unordered_map<std::uint32_t, std::uint64_t>;

  std::map<std::string, LastTimes> threads_;
  std::uint64_t time_ = 0;
};

}  // namespace warpcheck::origins
