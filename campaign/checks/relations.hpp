// Comparison of two runs that must agree, for properties without a reference.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaign/checks/check_result.hpp"
#include "campaign/judge/pattern.hpp"

namespace warpcheck::campaign::checks {

/// The element (i, j) is scaled by rows[i] * columns[j], powers of two.
struct Scaling {
  std::vector<double> rows;
  std::vector<double> columns;
};

/// A law that the elements of a first and a second run must satisfy.
struct Relation {
  FindingClass kind = FindingClass::wrong_result;  // class of a difference
  std::string first = {};  // feature of the first run, a phrase after "with": "NaN in C"
  std::string second = {};
  /// The element of the first run's output that this element of the second one's must equal, or
  /// nullopt if it may have any value; empty: the same. `output` is that of the second run.
  std::function<std::optional<judge::Place>(const Placement& output, judge::Place element)> origin =
      {};
  std::optional<Scaling> scaling = {};  // scaling of the elements of the first run
  /// True if these values of an element of the second run's output and of its origin are both
  /// right, although their bits differ; empty: never.
  std::function<bool(const Placement& output, judge::Place element, double got, double expected)>
      allows = {};
};

/// Runs both and compares D bit by bit (scaled values by value). Findings of either run come
/// instead of the comparison.
[[nodiscard]] CheckResult compare(run::Runner& runner, const run::Problem& first,
                                  const run::Problem& second, const Relation& relation);

/// The same with a first run that has ended.
[[nodiscard]] CheckResult compare(run::Runner& runner, const run::Run& first,
                                  const run::Problem& second, const Relation& relation);

}  // namespace warpcheck::campaign::checks
