// The condition that separates the failing cases of a campaign from the passing ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"

namespace warpcheck::campaign::conditions {

struct SeenCase {
  Case problem;
  bool failed = false;
};

struct Separation {
  std::string condition;  // true in every passing case and in no failing one: "k % 8 == 0"
  std::int64_t failing = 0;
  std::int64_t passing = 0;
};

/// Returns the simplest condition on the quantities_of_cases() that separates the
/// normalized cases. Empty if there is none, or if there are too few cases to state it. `smallest`
/// is a further failing case, which no condition may hold in; it does not count as one of the
/// cases.
[[nodiscard]] std::optional<Separation> separating_condition(const std::vector<SeenCase>& cases,
                                                             const Case& smallest);

}  // namespace warpcheck::campaign::conditions
