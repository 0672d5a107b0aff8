// What a comparison of two variants is told as: a table for a person, a line of JSON for a program.
#pragma once

#include <optional>
#include <string>

#include "report/paint.hpp"
#include "workflows/diff/difference.hpp"
#include "workflows/diff/speed.hpp"

namespace warpcheck::report {

/// A comparison with what its reader calls the two.
struct Difference {
  std::string before;  // "HEAD~1:mine.cu"
  std::string after;
  workflows::diff::DifferenceReport report;
  std::optional<workflows::diff::Speed> speed;
};

[[nodiscard]] std::string text(const Difference& difference, const Paint& paint);

/// {"event":"difference", old: {...}, new: {...}, device, cases, compared, differing, erring,
/// drift, remarks, largest, smallest, speed}: one object without a line feed. old and new have
/// target, variant, verdict, failed, findings, largest_error, mean_error, worst and cost; largest
/// and smallest have case, element, old, new, expected, tolerance, over_bound, ulps, differing and
/// elements, and are null where no element differs. What is infinite is the text "inf".
[[nodiscard]] std::string json(const Difference& difference);

}  // namespace warpcheck::report
