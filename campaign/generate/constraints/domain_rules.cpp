#include "campaign/generate/constraints/domain_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "campaign/case/domain.hpp"
#include "campaign/generate/constraints/constraint_system.hpp"
#include "campaign/generate/constraints/domain_constraints.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;
using contract::Expression;

constexpr std::array<std::pair<std::string_view, std::int64_t Case::*>, 4> kSizes = {
    {{"m", &Case::m}, {"n", &Case::n}, {"k", &Case::k}, {"batch", &Case::batch}}};
constexpr std::array<std::string_view, 3> kAxisNames = {"x", "y", "z"};

DomainRule rule(std::string condition, std::string text, const Location& where) {
  return {Expression::parse(condition, where), std::move(text)};
}

/// Returns the values of each variable that the conjuncts of `requires` leave.
Domains declared_domains(const Contract& contract) {
  const std::vector<Constraint> constraints = domain_constraints(contract, 0);
  std::vector<const Constraint*> conjuncts;
  for (const Constraint& constraint : constraints) {
    if (constraint.conjunct) conjuncts.push_back(&constraint);
  }
  return ConstraintSystem(std::move(conjuncts), initial_domains(contract)).domains();
}

/// Returns true if `requires` bounds the size from above, or allows only sizes for which the axis
/// exceeds its limit.
bool is_declared(const Contract& contract, const Domains& declared, const GridAxis& axis,
                 std::int64_t Case::*size) {
  const std::size_t variable = variable_of(size);
  if (declared[variable].high < initial_domains(contract)[variable].high) return true;
  Case least;
  least.m = least.n = least.k = 1;
  least.*size = std::max<std::int64_t>(declared[variable].low, 1);
  const auto blocks = axis.extent(contract).evaluate(bindings(contract, least));
  return blocks && *blocks > axis.limit();
}

std::string launch_text(const Contract& contract, std::size_t launch) {
  return contract.launches.size() == 1 ? "the grid"
                                       : fmt::format("the grid of launch {}", launch + 1);
}

void add_block_rules(const Contract& contract, std::int64_t most, std::vector<DomainRule>& rules) {
  for (std::size_t i = 0; i < contract.launches.size(); ++i) {
    const auto& grid = contract.launches[i].grid;
    if (std::all_of(grid.begin(), grid.end(), [](const auto& axis) { return axis.is_constant(); }))
      continue;
    rules.push_back(rule(fmt::format("({}) * ({}) * ({}) <= {}", grid[0].text(), grid[1].text(),
                                     grid[2].text(), most),
                         fmt::format("{} of a generated case has at most {} blocks "
                                     "(`--limit blocks=N` changes it)",
                                     launch_text(contract, i), most),
                         grid[0].where()));
  }
}

}  // namespace

bool satisfies(const Contract& contract, const std::vector<DomainRule>& rules,
               const Case& problem) {
  const contract::Bindings names = bindings(contract, problem);
  return std::all_of(rules.begin(), rules.end(), [&](const DomainRule& each) {
    return each.condition.evaluate(names).value_or(0) != 0;
  });
}

std::vector<GridAxis> undeclared_axes(const Contract& contract) {
  std::vector<GridAxis> axes;
  const Domains declared = declared_domains(contract);
  for (std::size_t launch = 0; launch < contract.launches.size(); ++launch) {
    for (std::size_t i = 0; i < contract.launches[launch].grid.size(); ++i) {
      const GridAxis axis{launch, i};
      const auto names = axis.extent(contract).names();
      if (names.empty()) continue;
      const bool all_declared = std::all_of(kSizes.begin(), kSizes.end(), [&](const auto& size) {
        return !names.contains(std::string(size.first)) ||
               is_declared(contract, declared, axis, size.second);
      });
      if (!all_declared) axes.push_back(axis);
    }
  }
  return axes;
}

std::vector<DomainRule> domain_rules(const Contract& contract, const SizeLimits& limits) {
  std::vector<DomainRule> rules;
  const auto axes = limits.strict_launch ? std::vector<GridAxis>() : undeclared_axes(contract);
  for (const GridAxis& axis : axes) {
    if (limits.blocks <= axis.limit()) continue;  // the rule of all blocks is stricter
    const Expression& extent = axis.extent(contract);
    rules.push_back(
        rule(fmt::format("({}) <= {}", extent.text(), axis.limit()),
             fmt::format("{} has at most {} blocks along {}", launch_text(contract, axis.launch),
                         axis.limit(), kAxisNames.at(axis.axis)),
             extent.where()));
  }
  add_block_rules(contract, limits.blocks, rules);
  const Location& where = contract.where;
  rules.push_back(rule(
      fmt::format("batch * (max(m, 1) * max(n, 1) + max(k, 1) * (max(m, 1) + max(n, 1))) <= {}",
                  limits.elements),
      fmt::format("A, B and C of a generated case have at most {} elements "
                  "(`--limit elements=N` changes it)",
                  limits.elements),
      where));
  rules.push_back(rule(fmt::format("batch * max(m, 1) * max(n, 1) * max(k, 1) <= {}", limits.work),
                       fmt::format("a generated case has at most {} multiply-adds "
                                   "(`--limit work=N` changes it)",
                                   limits.work),
                       where));
  return rules;
}

}  // namespace warpcheck::campaign::generate
