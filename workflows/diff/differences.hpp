// The elements in which two outputs differ, counted, with the largest difference.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "campaign/run/runner.hpp"
#include "workflows/diff/element_difference.hpp"

namespace warpcheck::workflows::diff {

/// The correct value of one element, and whether both results are correct.
struct Judged {
  double expected = 0.0;
  double tolerance = 0.0;
  bool accepts_both = false;
};

/// The differences of all outputs of a problem.
class Differences {
 public:
  /// Judges the values of one element before and after.
  using Judge =
      std::function<Judged(std::int64_t row, std::int64_t column, double before, double after)>;

  /// Adds the elements of one output. Only those that differ are judged.
  void add(const campaign::run::Output& before, const campaign::run::Output& after,
           const Judge& judge);

  /// Returns the largest difference, of a problem with this case; empty if no element differs.
  [[nodiscard]] std::optional<ElementDifference> largest(const campaign::Case& problem);

 private:
  std::optional<ElementDifference> largest_;
  std::int64_t differing_ = 0;
  std::int64_t elements_ = 0;
};

}  // namespace warpcheck::workflows::diff
