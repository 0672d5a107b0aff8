// A share: how many of a number of things meet a condition.
#pragma once

#include <cstdint>

namespace warpcheck {

struct Share {
  std::int64_t met = 0;
  std::int64_t all = 0;

  /// 1 if `all` is 0.
  [[nodiscard]] double share() const {
    return all == 0 ? 1.0 : static_cast<double>(met) / static_cast<double>(all);
  }
  [[nodiscard]] bool reaches(double percent) const {
    return 100.0 * static_cast<double>(met) >= percent * static_cast<double>(all);
  }
};

}  // namespace warpcheck
