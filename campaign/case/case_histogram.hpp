// Histograms of the cases of a variant: over their sensitivity and over their largest errors.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>

namespace warpcheck::campaign {

/// Upper edges of the bins, in units of |error| / bound. A case belongs to the first bin whose edge
/// its largest error does not exceed. The first bin counts cases without an error; the last two
/// count wrong cases: a finite ratio, and a violated equality.
inline constexpr std::array<double, 12> kErrorEdges = {0.0,
                                                       1e-4,
                                                       3.16e-4,
                                                       1e-3,
                                                       3.16e-3,
                                                       1e-2,
                                                       3.16e-2,
                                                       0.1,
                                                       0.316,
                                                       1.0,
                                                       std::numeric_limits<double>::max(),
                                                       HUGE_VAL};

/// Numbers of cases.
struct Histogram {
  // Cases by tenths of the sensitivity; the last tenth includes 1. Counts the cases whose mean is
  // VariantReport::sensitivity.
  std::array<std::int64_t, 10> sensitivity{};
  std::array<std::int64_t, kErrorEdges.size()> error{};

  void add_sensitivity(double value) {
    const auto tenth = static_cast<std::size_t>(std::clamp(value, 0.0, 1.0) * 10.0);
    ++sensitivity[std::min(tenth, sensitivity.size() - 1)];
  }

  void add_error(double ratio) {
    const auto* const bin = std::lower_bound(kErrorEdges.begin(), kErrorEdges.end(), ratio);
    ++error[static_cast<std::size_t>(std::distance(kErrorEdges.begin(), bin))];
  }

  friend bool operator==(const Histogram&, const Histogram&) = default;
};

}  // namespace warpcheck::campaign
