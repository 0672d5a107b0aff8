#include "workflows/bench/timing.hpp"

#include <algorithm>
#include <cmath>

namespace warpcheck::workflows::bench {
namespace {

double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

}  // namespace

double Timing::spread() const { return (upper_quartile - lower_quartile) / 2.0 / median; }

Timing summarize(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return {quantile(times, 0.5), quantile(times, 0.25), quantile(times, 0.75), times.front(),
          times.size()};
}

}  // namespace warpcheck::workflows::bench
