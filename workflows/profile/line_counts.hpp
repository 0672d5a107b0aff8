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
  unsigned ways = 0;  // of the worst instruction: wavefronts over ideal wavefronts, rounded; 0
                      // where the line does not access shared memory
  std::uint64_t branches = 0;
  std::uint64_t divergent = 0;

  [[nodiscard]] std::uint64_t bank_conflicts() const { return shared_wavefronts - shared_ideal; }
  [[nodiscard]] std::uint64_t excess() const { return global_excess + bank_conflicts(); }
};

/// By excess memory traffic, then by instructions, largest first.
[[nodiscard]] std::vector<LineCounts> by_line(const Profile& profile);

}  // namespace warpcheck::workflows::profile
