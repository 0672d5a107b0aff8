// How many of all.
#pragma once

#include <cstdint>

namespace warpcheck {

struct Share {
  std::int64_t met = 0;
  std::int64_t all = 0;

  /// 1 where there is nothing to meet.
  [[nodiscard]] double share() const {
    return all == 0 ? 1.0 : static_cast<double>(met) / static_cast<double>(all);
  }
  [[nodiscard]] bool reaches(double percent) const {
    return 100.0 * static_cast<double>(met) >= percent * static_cast<double>(all);
  }
};

}  // namespace warpcheck
