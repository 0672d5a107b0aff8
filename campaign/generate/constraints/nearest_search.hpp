// A search for the values of variables that are nearest to a target.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "campaign/generate/constraints/constraint_system.hpp"

namespace warpcheck::campaign::generate {

using Values = std::vector<std::int64_t>;

/// Bounds of a search.
struct SearchLimits {
  std::int64_t narrowings = 0;  // most narrowings; each is by one constraint
  std::size_t branches = 0;     // values of a variable tried before an earlier one changes
};

/// The result of a search. No values exist if `values` is empty and `exhausted` is true.
struct SearchResult {
  std::optional<Values> values;
  bool exhausted = false;
};

/// The values to be near to.
struct SearchTarget {
  Values values;
  std::vector<std::size_t> positive = {};  // variables that are at least 1, as far as possible
};

/// Binds the variables in the given order, each to the value nearest to its target that the
/// constraints leave. `accepts` is the last check of complete values.
[[nodiscard]] SearchResult search_nearest(const ConstraintSystem& system,
                                          const std::vector<std::size_t>& order,
                                          const SearchTarget& target, const SearchLimits& limits,
                                          const std::function<bool(const Values&)>& accepts);

}  // namespace warpcheck::campaign::generate
