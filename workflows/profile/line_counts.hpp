// Instruction counts of a profile, summed by source line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workflows/profile/profile.hpp"

namespace warpcheck::workflows::profile {

/// Sums over the instructions of one source line.
struct LineCounts {
  std::string file;
  unsigned line = 0;
  std::uint64_t warps = 0;
  std::uint64_t predicated_on = 0;
  std::uint64_t global_requests = 0;
  std::uint64_t global_sectors = 0;
  std::uint64_t global_excess = 0;  // sectors beyond the ideal
  std::uint64_t shared_requests = 0;
  std::uint64_t shared_wavefronts = 0;
  std::uint64_t shared_ideal = 0;  // wavefronts without bank conflicts
  // The largest ratio of wavefronts to ideal wavefronts of an instruction, rounded. 0: the line
  // does not access shared memory.
  unsigned ways = 0;
  std::uint64_t branches = 0;
  std::uint64_t divergent = 0;

  [[nodiscard]] std::uint64_t bank_conflicts() const { return shared_wavefronts - shared_ideal; }
  [[nodiscard]] std::uint64_t excess() const { return global_excess + bank_conflicts(); }
};

/// Returns the lines by excess memory traffic, then by instructions, the largest first.
[[nodiscard]] std::vector<LineCounts> by_line(const Profile& profile);

}  // namespace warpcheck::workflows::profile
