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

constexpr std::array<std::string_view, 3> kAxisNames = {"x", "y", "z"};

CaseRule rule(std::string condition, std::string text, const Location& where) {
  return {Expression::parse(condition, where), std::move(text)};
}

/// Returns the values of each variable that the conjuncts of `requires` leave to cases with extents
/// of at least 1.
Domains declared_domains(const Contract& contract, const CaseSchema& schema) {
  const std::vector<Constraint> constraints = domain_constraints(contract, schema, 0);
  std::vector<const Constraint*> conjuncts;
  for (const Constraint& constraint : constraints) {
    if (constraint.conjunct) conjuncts.push_back(&constraint);
  }
  Domains initial = initial_domains(schema);
  for (const std::size_t extent : schema.fields_of_kind(CaseField::Kind::extent)) {
    initial[extent] = intersection(initial[extent], IntegerSet{1, kUnbounded});
  }
  return ConstraintSystem(std::move(conjuncts), initial).domains();
}

/// Returns true if `requires` bounds the size from above, or allows only sizes for which the axis
/// exceeds its limit.
bool is_declared(const Contract& contract, const CaseSchema& schema, const Domains& declared,
                 const GridAxis& axis, std::size_t size) {
  // A larger bound, as of m * n < 2^31, is that of an index.
  constexpr std::int64_t kMostDeclared = 100'000'000;
  const std::int64_t most = initial_domains(schema)[size].high;
  if (declared[size].high < std::min(most, kMostDeclared)) return true;
  Case least;
  schema.set_extents(least, 1);
  schema.fields[size].set(least, std::max<std::int64_t>(declared[size].low, 1));
  const auto blocks = axis.extent(contract).evaluate(bindings(contract, least));
  return blocks && *blocks > axis.limit();
}

std::string launch_text(const Contract& contract, std::size_t launch) {
  return contract.launches.size() == 1 ? "the grid"
                                       : fmt::format("the grid of launch {}", launch + 1);
}

void add_block_rules(const Contract& contract, std::int64_t most, std::vector<CaseRule>& rules) {
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

bool satisfies(const Contract& contract, const std::vector<CaseRule>& rules, const Case& problem) {
  const contract::Bindings names = bindings(contract, problem);
  return std::all_of(rules.begin(), rules.end(), [&](const CaseRule& each) {
    return each.condition.evaluate(names).value_or(0) != 0;
  });
}

std::vector<GridAxis> undeclared_axes(const Contract& contract) {
  const CaseSchema schema = case_schema(contract);
  std::vector<GridAxis> axes;
  const Domains declared = declared_domains(contract, schema);
  std::vector<std::size_t> sizes = schema.fields_of_kind(CaseField::Kind::extent);
  const auto batches = schema.fields_of_kind(CaseField::Kind::batch);
  sizes.insert(sizes.end(), batches.begin(), batches.end());
  for (std::size_t launch = 0; launch < contract.launches.size(); ++launch) {
    for (std::size_t i = 0; i < contract.launches[launch].grid.size(); ++i) {
      const GridAxis axis{launch, i};
      const auto names = axis.extent(contract).names();
      if (names.empty()) continue;
      const bool all_declared = std::all_of(sizes.begin(), sizes.end(), [&](std::size_t size) {
        return !names.contains(schema.fields[size].name) ||
               is_declared(contract, schema, declared, axis, size);
      });
      if (!all_declared) axes.push_back(axis);
    }
  }
  return axes;
}

std::vector<CaseRule> domain_rules(const Contract& contract, const SizeLimits& limits) {
  const CaseSchema schema = case_schema(contract);
  std::vector<CaseRule> rules;
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
  rules.push_back(rule(fmt::format("{} <= {}", schema.elements.text(), limits.elements),
                       fmt::format("{} of a generated case have at most {} elements "
                                   "(`--limit elements=N` changes it)",
                                   schema.counted_operands, limits.elements),
                       where));
  rules.push_back(rule(fmt::format("{} <= {}", schema.work.text(), limits.work),
                       fmt::format("a generated case has at most {} multiply-adds "
                                   "(`--limit work=N` changes it)",
                                   limits.work),
                       where));
  return rules;
}

}  // namespace warpcheck::campaign::generate
