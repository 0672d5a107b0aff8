// The minimum coverage of the source that a user requires.
#pragma once

namespace warpcheck::workflows::coverage {

/// Percentages; 0: not required.
struct MinimumCoverage {
  double lines = 0.0;
  double branches = 0.0;

  [[nodiscard]] bool is_required() const { return lines > 0.0 || branches > 0.0; }
};

}  // namespace warpcheck::workflows::coverage
