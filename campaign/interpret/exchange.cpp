#include "campaign/interpret/exchange.hpp"

#include <fmt/format.h>

#include <utility>

namespace warpcheck::campaign::interpret {
namespace {

/// Returns the first argument of the launches that is written so; null if there is none.
const contract::Argument* find_argument(const contract::Contract& contract, std::string_view text) {
  for (const contract::LaunchStep& step : contract.launches) {
    for (const contract::Argument& argument : step.arguments) {
      if (argument.text == text) return &argument;
    }
  }
  return nullptr;
}

}  // namespace

bool is_passed(const contract::Contract& contract, std::string_view argument) {
  return find_argument(contract, argument) != nullptr;
}

Interpretation with_arguments_exchanged(contract::Contract contract, std::string_view one,
                                        std::string_view other) {
  const contract::Argument first = *find_argument(contract, one);
  const contract::Argument second = *find_argument(contract, other);
  for (contract::LaunchStep& step : contract.launches) {
    for (contract::Argument& argument : step.arguments) {
      if (argument.text == first.text) {
        argument = second;
      } else if (argument.text == second.text) {
        argument = first;
      }
    }
  }
  return {fmt::format("the arguments {} and {} exchanged", one, other), std::move(contract)};
}

Interpretation with_grid_exchanged(Interpretation interpretation) {
  for (contract::LaunchStep& step : interpretation.contract.launches) {
    std::swap(step.grid[0], step.grid[1]);
  }
  interpretation.change += interpretation.change.empty() ? "" : ", and ";
  interpretation.change += "the axes x and y of `grid` exchanged";
  return interpretation;
}

}  // namespace warpcheck::campaign::interpret
