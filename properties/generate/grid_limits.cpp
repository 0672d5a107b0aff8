#include "properties/generate/grid_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "properties/case/domain.hpp"

namespace warpcheck::properties::generate {
namespace {

using contract::Contract;
using Extent = std::int64_t Case::*;

constexpr std::int64_t kMostBlocks = kMostBlocksOfYOrZ;
constexpr std::int64_t kMostGridElements = std::int64_t{1} << 23;  // of A, B and C together
constexpr std::int64_t kMostBlocksBefore = 4096;  // of the launches before the one that fails
constexpr std::int64_t kCongruence = 4096;        // exceeds what m % 64 == 0 and the like subtract

constexpr std::array<std::pair<std::string_view, Extent>, 3> kExtents = {
    {{"m", &Case::m}, {"n", &Case::n}, {"batch", &Case::batch}}};

std::string_view name_of(Extent extent) {
  return std::find_if(kExtents.begin(), kExtents.end(),
                      [&](const auto& each) { return each.second == extent; })
      ->first;
}

std::int64_t blocks(const Contract& contract, const Case& problem,
                    const contract::Expression& axis) {
  return axis.evaluate(bindings(contract, problem)).value_or(0);
}

/// Returns the first value of an extent for which the axis is too long. The axis grows with the
/// extent.
std::optional<std::int64_t> least_beyond(const Contract& contract, Case problem, Extent extent,
                                         const contract::Expression& axis) {
  const auto is_beyond = [&](std::int64_t value) {
    problem.*extent = value;
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

bool is_cheap(const Contract& contract, const Case& p, std::size_t failing_launch) {
  if (p.m < 1 || p.n < 1) return false;  // not launched
  if (p.batch * (p.m * p.n + p.m * p.k + p.k * p.n) > kMostGridElements) return false;
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

std::optional<Case> beyond(const Contract& contract, const Solver& solver, std::size_t step,
                           const contract::Expression& axis, Extent extent) {
  for (const std::int64_t other : {1, 32}) {
    Case target;
    target.variant = contract.name;
    target.m = other;
    target.n = other;
    target.k = 0;
    const auto least = least_beyond(contract, target, extent, axis);
    if (!least) continue;
    for (const std::int64_t further : {std::int64_t{0}, kCongruence}) {
      target.*extent = *least + further;
      const std::optional<Case> found = solver.project(target);
      if (found && blocks(contract, *found, axis) > kMostBlocks &&
          applies(contract, contract.launches[step], *found) && is_cheap(contract, *found, step)) {
        return found;
      }
    }
  }
  return std::nullopt;
}

/// Returns the first value of an extent from which on the axis does not grow, as in
/// min(ceil_div(m, 16), 64), so that blocks execute a grid-stride loop. Empty if the axis does not
/// stop growing, or never grows.
std::optional<std::int64_t> end_of_growth(const Contract& contract, Case problem, Extent extent,
                                          const contract::Expression& axis) {
  const auto at = [&](std::int64_t value) {
    problem.*extent = value;
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
                                     const contract::Expression& axis, Extent extent,
                                     std::int64_t k) {
  constexpr std::int64_t kTimes = 5;
  constexpr std::int64_t kMost = 1 << 16;  // each product of a batch takes time
  Case target;
  target.variant = contract.name;
  target.m = target.n = 1;
  target.k = k;
  const auto end = end_of_growth(contract, target, extent, axis);
  if (!end || *end > kMost / kTimes) return std::nullopt;
  target.*extent = kTimes * *end;
  const std::optional<Case> found = solver.project(target);
  const bool iterates = found && (*found).*extent >= (kTimes - 1) * *end;
  return iterates && is_cheap(contract, *found, 0) ? found : std::nullopt;
}

/// Calls visit(axis, its expression, extent) for the axes from `first` on and each extent on which
/// they depend.
template <class Visit>
void for_axes(const Contract& contract, std::size_t first, Visit visit) {
  for (std::size_t step = 0; step < contract.launches.size(); ++step) {
    const auto& grid = contract.launches[step].grid;
    for (std::size_t i = first; i < grid.size(); ++i) {
      const auto names = grid[i].names();
      for (const auto& [name, extent] : kExtents) {
        if (!names.contains(std::string(name))) continue;
        if (extent == &Case::batch && !contract.takes(contract::ArgumentWord::batch)) continue;
        visit(GridAxis{step, i}, grid[i], extent);
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
  for_axes(contract, 1, [&](const GridAxis& at, const contract::Expression& axis, Extent extent) {
    add(cases, beyond(contract, solver, at.launch, axis, extent));
  });
  return cases;
}

std::vector<MissingLimit> missing_limits_of_product(const Contract& contract) {
  std::vector<MissingLimit> missing;
  const Solver solver(contract);
  const std::vector<GridAxis> undeclared = undeclared_axes(contract);
  for_axes(contract, 1, [&](const GridAxis& at, const contract::Expression& axis, Extent extent) {
    if (std::find(undeclared.begin(), undeclared.end(), at) == undeclared.end()) return;
    auto problem = beyond(contract, solver, at.launch, axis, extent);
    if (!problem) return;
    const std::int64_t count = blocks(contract, *problem, axis);
    const auto least = least_beyond(contract, *problem, extent, axis);
    const bool is_alone = axis.names().size() == 1;
    missing.push_back({std::move(*problem), axis, count,
                       is_alone && least ? fmt::format("{} <= {}", name_of(extent), *least - 1)
                                         : fmt::format("{} <= {}", axis.text(), kMostBlocks)});
  });
  return missing;
}

std::vector<Case> grid_stride_cases(const Contract& contract, const Solver& solver) {
  std::vector<Case> cases;
  for_axes(contract, 0, [&](const GridAxis&, const contract::Expression& axis, Extent extent) {
    for (const std::int64_t k : {0, 1})
      add(cases, grid_stride_case(contract, solver, axis, extent, k));
  });
  return cases;
}

}  // namespace warpcheck::properties::generate
