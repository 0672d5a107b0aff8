// Comparison of two runs that must agree, for properties without a reference.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "properties/checks/property.hpp"

namespace warpcheck::properties::checks {

/// How the elements of a second run follow from those of a first.
struct Relation {
  FindingClass kind = FindingClass::wrong_result;  // of a difference
  std::string first;  // what the runs differ in, as it follows "with": "NaN in C"
  std::string second;
  /// Row of the first run's D that row `row` of the second one's must equal; empty: the same.
  std::function<std::int64_t(std::int64_t row)> row;
  /// Exponent of the power of two by which an element of the first run is scaled; empty: 0.
  std::function<int(std::int64_t row, std::int64_t column)> exponent;
};

/// Runs both and compares D bit by bit (scaled values by value). Findings of either run come
/// instead of the comparison.
[[nodiscard]] PropertyResult compare(run::Runner& runner, const run::Problem& first,
                                     const run::Problem& second, const Relation& relation);

}  // namespace warpcheck::properties::checks
