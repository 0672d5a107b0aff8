#include "campaign/generate/constraints/search_variables.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace warpcheck::campaign::generate {
std::int64_t SearchVariable::get(const Case& problem) const {
  return std::visit(
      [&](auto field) -> std::int64_t {
        if constexpr (std::is_same_v<decltype(field), double Case::*>) {
          return std::llround(problem.*field);
        } else {
          return problem.*field;
        }
      },
      member);
}

void SearchVariable::set(Case& problem, std::int64_t value) const {
  std::visit(
      [&](auto field) {
        using Value = std::remove_reference_t<decltype(problem.*field)>;
        problem.*field = static_cast<Value>(value);
      },
      member);
}

std::size_t variable_of(SearchVariable::Member member) {
  const auto found =
      std::find_if(kSearchVariables.begin(), kSearchVariables.end(),
                   [&](const SearchVariable& variable) { return variable.member == member; });
  return static_cast<std::size_t>(found - kSearchVariables.begin());
}

}  // namespace warpcheck::campaign::generate
