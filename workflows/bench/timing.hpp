// The summary of repeated measurements.
#pragma once

#include <cstddef>
#include <vector>

namespace warpcheck::workflows::bench {

/// Quantiles of times in one unit.
struct Timing {
  double median = 0.0;
  double lower_quartile = 0.0;
  double upper_quartile = 0.0;
  double fastest = 0.0;
  std::size_t count = 0;

  /// Half the distance of the quartiles over the median.
  [[nodiscard]] double spread() const;
};

/// Quantiles are interpolated between neighbours. Requires at least one time.
[[nodiscard]] Timing summarize(std::vector<double> times);

}  // namespace warpcheck::workflows::bench
