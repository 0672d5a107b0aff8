// Execution times of two variants on one problem.
#pragma once

#include <vector>

#include "campaign/report.hpp"
#include "contract/compile/variant.hpp"
#include "device/device.hpp"

namespace warpcheck::workflows::diff {

/// Time of the launches of one problem.
struct Speed {
  campaign::Case problem;  // normalized for the variant `before`
  unsigned runs = 0;
  double before_seconds = 0.0;  // the median
  double after_seconds = 0.0;
};

/// Runs the variants in turn, after one warm-up run of each. The problem is the one nearest to
/// the sizes in both domains; an operation of the language has extents that are as equal as
/// possible. Throws InputError if there is none, or if a run does not complete: `sentence`
/// describes its finding.
[[nodiscard]] Speed measure_speed(const contract::Variant& before, const contract::Variant& after,
                                  device::Device& device,
                                  const std::vector<campaign::NamedValue>& sizes, unsigned runs,
                                  const campaign::FindingSentence& sentence);

}  // namespace warpcheck::workflows::diff
