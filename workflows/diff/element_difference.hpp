// Two outputs of one problem, element by element.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/run/problem.hpp"
#include "campaign/run/runner.hpp"

namespace warpcheck::workflows::diff {

/// The element of the output that differs most on a case, in units of the bound.
struct ElementDifference {
  campaign::Case problem;  // the case as the first variant runs it
  std::string element;     // "D[3, 4]", "y[3, 4]"
  double before = 0.0;
  double after = 0.0;
  double expected = 0.0;
  double tolerance = 0.0;      // absolute tolerance of the first variant
  double over_bound = 0.0;     // |after - before| / tolerance
  std::optional<double> ulps;  // values of D's type from one to the other; empty where the two have
                               // D in different types
  std::int64_t differing = 0;  // elements of the case
  std::int64_t elements = 0;
};

/// Returns the number of values of a format between two of its values, the second one included: 0
/// between zeros of either sign, infinite if one alone is NaN.
[[nodiscard]] double ulps_between(ScalarType type, const std::byte* one, const std::byte* other);

/// Compares the bits of two outputs of the same type, else the values; all NaNs are equal. Empty if
/// no element differs. An operation of the language may have several outputs, in the same order.
[[nodiscard]] std::optional<ElementDifference> largest_difference(
    const campaign::run::Problem& problem, const std::vector<campaign::run::Output>& before,
    const std::vector<campaign::run::Output>& after);

}  // namespace warpcheck::workflows::diff
