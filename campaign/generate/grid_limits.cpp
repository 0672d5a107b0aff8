#include "campaign/generate/grid_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "campaign/case/domain.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/product.hpp"
#include "campaign/case/schema.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;
using Kind = CaseField::Kind;

constexpr std::int64_t kMostBlocks = kMostBlocksOfYOrZ;
constexpr std::int64_t kMostGridElements = std::int64_t{1} << 23;  // largest extent
constexpr std::int64_t kMostCaseElements = std::int64_t{1} << 24;  // elements of a case
constexpr std::int64_t kMostCaseWork = std::int64_t{1} << 27;      // multiply-adds of a case
// Blocks of the launches before the one that fails.
constexpr std::int64_t kMostBlocksBefore = 4096;
constexpr std::int64_t kCongruence = 4096;  // exceeds what m % 64 == 0 and the like subtract

std::int64_t blocks(const Contract& contract, const Case& problem,
                    const contract::Expression& axis) {
  return axis.evaluate(bindings(contract, problem)).value_or(0);
}

/// Returns the first value of an extent for which the axis is too long. The axis grows with the
/// extent.
std::optional<std::int64_t> least_beyond(const Contract& contract, Case problem,
                                         const CaseField& extent,
                                         const contract::Expression& axis) {
  const auto is_beyond = [&](std::int64_t value) {
    extent.set(problem, value);
    return blocks(contract, problem, axis) > kMostBlocks;
  };
  if (!is_beyond(kMostGridElements)) return std::nullopt;
  std::int64_t inside = 0;
  std::int64_t beyond = kMostGridElements;
  while (beyond - inside > 1) {
    const std::int64_t middle = inside + (beyond - inside) / 2;
    (is_beyond(middle) ? beyond : inside) = middle;
  }
  return beyond;
}

/// Returns true if the launches before the one that fails have few blocks.
bool fails_early(const Contract& contract, const Case& p, std::size_t failing_launch) {
  std::int64_t before = 0;
  for (std::size_t step = 0; step < failing_launch; ++step) {
    if (!applies(contract, contract.launches[step], p)) continue;
    std::int64_t product = 1;
    for (const contract::Expression& axis : contract.launches[step].grid) {
      product *= std::clamp<std::int64_t>(blocks(contract, p, axis), 0, kMostBlocks);
    }
    before += product;
  }
  return before <= kMostBlocksBefore;
}

/// Returns extents of this size; those of sums are `reduced`, if that is ordinary.
Case with_extents(const Contract& contract, const CaseSchema& schema, std::int64_t size,
                  std::int64_t reduced) {
  Case problem;
  problem.variant = contract.name;
  for (const std::size_t extent : schema.fields_of_kind(Kind::extent)) {
    const CaseField& field = schema.fields[extent];
    const bool is_ordinary = reduced > 0 || field.has_zero;
    field.set(problem, field.is_reduced && is_ordinary ? reduced : size);
  }
  return normalized(contract, problem);
}

/// Returns true for a case that costs little, and that has a launch.
bool is_small(const Contract& contract, const CaseSchema& schema, const Case& problem) {
  const contract::Bindings names = bindings(contract, problem);
  const auto at_most = [&](const contract::Expression& expression, std::int64_t most) {
    return expression.evaluate(names).value_or(most + 1) <= most;
  };
  return !launches_nothing(problem) && at_most(schema.elements, kMostCaseElements) &&
         at_most(schema.work, kMostCaseWork);
}

std::optional<Case> beyond(const Contract& contract, const Solver& solver, std::size_t step,
                           const contract::Expression& axis, const CaseField& extent) {
  for (const std::int64_t others : {1, 32}) {
    const CaseSchema& schema = solver.schema();
    Case target = with_extents(contract, schema, others, 0);
    const auto least = least_beyond(contract, target, extent, axis);
    if (!least) continue;
    for (const std::int64_t further : {std::int64_t{0}, kCongruence}) {
      extent.set(target, *least + further);
      const std::optional<Case> found = solver.project(target);
      if (found && blocks(contract, *found, axis) > kMostBlocks &&
          applies(contract, contract.launches[step], *found) &&
          is_small(contract, schema, *found) && fails_early(contract, *found, step)) {
        return found;
      }
    }
  }
  return std::nullopt;
}

/// Returns the first value of an extent from which on the axis does not grow, as in
/// min(ceil_div(m, 16), 64), so that blocks execute a grid-stride loop. Empty if the axis does not
/// stop growing, or never grows.
std::optional<std::int64_t> end_of_growth(const Contract& contract, Case problem,
                                          const CaseField& extent,
                                          const contract::Expression& axis) {
  const auto at = [&](std::int64_t value) {
    extent.set(problem, value);
    return blocks(contract, problem, axis);
  };
  const std::int64_t last = at(kMostGridElements);
  if (at(kMostGridElements / 2) != last || at(1) == last) return std::nullopt;
  std::int64_t growing = 1;
  std::int64_t ended = kMostGridElements / 2;
  while (ended - growing > 1) {
    const std::int64_t middle = growing + (ended - growing) / 2;
    (at(middle) == last ? ended : growing) = middle;
  }
  return ended;
}

/// Returns a case in which each block executes more iterations of its grid-stride loop than the
/// compiler unrolls.
std::optional<Case> grid_stride_case(const Contract& contract, const Solver& solver,
                                     const contract::Expression& axis, const CaseField& extent,
                                     std::int64_t reduced) {
  constexpr std::int64_t kTimes = 5;
  constexpr std::int64_t kMost = 1 << 16;  // each product of a batch takes time
  Case target = with_extents(contract, solver.schema(), 1, reduced);
  const auto end = end_of_growth(contract, target, extent, axis);
  if (!end || *end > kMost / kTimes) return std::nullopt;
  extent.set(target, kTimes * *end);
  const std::optional<Case> found = solver.project(target);
  const bool iterates = found && extent.get(*found) >= (kTimes - 1) * *end;
  return iterates && is_small(contract, solver.schema(), *found) ? found : std::nullopt;
}

/// Calls visit(axis, its expression, extent) for the axes from `first` on and each extent, or
/// batch, on which they depend.
template <class Visit>
void for_axes(const Contract& contract, const CaseSchema& schema, std::size_t first, Visit visit) {
  for (std::size_t step = 0; step < contract.launches.size(); ++step) {
    const auto& grid = contract.launches[step].grid;
    for (std::size_t i = first; i < grid.size(); ++i) {
      const auto names = grid[i].names();
      for (const CaseField& field : schema.fields) {
        const bool is_size = field.kind == Kind::extent || field.kind == Kind::batch;
        if (is_size && field.is_taken && names.contains(field.name)) {
          visit(GridAxis{step, i}, grid[i], field);
        }
      }
    }
  }
}

void add(std::vector<Case>& cases, std::optional<Case> found) {
  if (!found || std::find(cases.begin(), cases.end(), *found) != cases.end()) return;
  cases.push_back(std::move(*found));
}

}  // namespace

std::vector<Case> beyond_grid_limits(const Contract& contract, const Solver& solver) {
  std::vector<Case> cases;
  for_axes(contract, solver.schema(), 1,
           [&](const GridAxis& at, const contract::Expression& axis, const CaseField& extent) {
             add(cases, beyond(contract, solver, at.launch, axis, extent));
           });
  return cases;
}

std::vector<MissingLimit> missing_limits(const Contract& contract) {
  const Solver solver(contract);
  const std::vector<GridAxis> undeclared = undeclared_axes(contract);
  std::vector<MissingLimit> missing;
  for_axes(
      contract, solver.schema(), 1,
      [&](const GridAxis& at, const contract::Expression& axis, const CaseField& extent) {
        if (std::find(undeclared.begin(), undeclared.end(), at) == undeclared.end()) return;
        auto problem = beyond(contract, solver, at.launch, axis, extent);
        if (!problem) return;
        const std::int64_t count = blocks(contract, *problem, axis);
        const auto least = least_beyond(contract, *problem, extent, axis);
        const bool is_alone = axis.names().size() == 1;
        missing.push_back({std::move(*problem), axis, count,
                           is_alone && least ? fmt::format("{} <= {}", extent.name, *least - 1)
                                             : fmt::format("{} <= {}", axis.text(), kMostBlocks)});
      });
  return missing;
}

std::vector<Case> grid_stride_cases(const Contract& contract, const Solver& solver) {
  std::vector<Case> cases;
  for_axes(contract, solver.schema(), 0,
           [&](const GridAxis&, const contract::Expression& axis, const CaseField& extent) {
             for (const std::int64_t reduced : {0, 1}) {
               add(cases, grid_stride_case(contract, solver, axis, extent, reduced));
             }
           });
  return cases;
}

}  // namespace warpcheck::campaign::generate
