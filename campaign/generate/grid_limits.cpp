#include "campaign/generate/grid_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "campaign/case/domain.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;
using Extent = std::int64_t Case::*;

constexpr std::int64_t kMostBlocks = kMostBlocksOfYOrZ;
constexpr std::int64_t kMostGridElements = std::int64_t{1} << 23;  // A, B and C together
// Blocks of the launches before the one that fails.
constexpr std::int64_t kMostBlocksBefore = 4096;
constexpr std::int64_t kCongruence = 4096;  // exceeds what m % 64 == 0 and the like subtract

constexpr std::array<std::pair<std::string_view, Extent>, 3> kExtents = {
    {{"m", &Case::m}, {"n", &Case::n}, {"batch", &Case::batch}}};

Extent extent_named(std::string_view name) {
  return std::find_if(kExtents.begin(), kExtents.end(),
                      [&](const auto& each) { return each.first == name; })
      ->second;
}

std::int64_t blocks(const Contract& contract, const Case& problem,
                    const contract::Expression& axis) {
  return axis.evaluate(bindings(contract, problem)).value_or(0);
}

/// Returns the first value of an extent for which the axis is too long. The axis grows with the
/// extent.
std::optional<std::int64_t> least_beyond(const Contract& contract, const GridExtents& extents,
                                         Case problem, const std::string& extent,
                                         const contract::Expression& axis) {
  const auto is_beyond = [&](std::int64_t value) {
    extents.set(problem, extent, value);
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

std::optional<Case> beyond(const Contract& contract, const GridExtents& extents, std::size_t step,
                           const contract::Expression& axis, const std::string& extent) {
  for (const std::int64_t others : {1, 32}) {
    Case target = extents.target(others);
    const auto least = least_beyond(contract, extents, target, extent, axis);
    if (!least) continue;
    for (const std::int64_t further : extents.further) {
      extents.set(target, extent, *least + further);
      const std::optional<Case> found = extents.project(target, extent);
      if (found && blocks(contract, *found, axis) > kMostBlocks &&
          applies(contract, contract.launches[step], *found) && extents.is_small(*found) &&
          fails_early(contract, *found, step)) {
        return found;
      }
    }
  }
  return std::nullopt;
}

bool is_small(const Case& p) {
  if (p.m < 1 || p.n < 1) return false;  // such a case has no launch
  return p.batch * (p.m * p.n + p.m * p.k + p.k * p.n) <= kMostGridElements;
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
  return iterates && is_small(*found) ? found : std::nullopt;
}

/// Calls visit(axis, its expression, extent) for the axes from `first` on and each extent on which
/// they depend.
template <class Visit>
void for_axes(const Contract& contract, const std::vector<std::string>& extents, std::size_t first,
              Visit visit) {
  for (std::size_t step = 0; step < contract.launches.size(); ++step) {
    const auto& grid = contract.launches[step].grid;
    for (std::size_t i = first; i < grid.size(); ++i) {
      const auto names = grid[i].names();
      for (const std::string& extent : extents) {
        if (names.contains(extent)) visit(GridAxis{step, i}, grid[i], extent);
      }
    }
  }
}

/// The extents of the grid of a product.
std::vector<std::string> extents_of(const Contract& contract) {
  std::vector<std::string> names;
  for (const auto& [name, extent] : kExtents) {
    if (extent == &Case::batch && !contract.takes(contract::ArgumentWord::batch)) continue;
    names.emplace_back(name);
  }
  return names;
}

void add(std::vector<Case>& cases, std::optional<Case> found) {
  if (!found || std::find(cases.begin(), cases.end(), *found) != cases.end()) return;
  cases.push_back(std::move(*found));
}

}  // namespace

GridExtents grid_extents(const Contract& contract, const Solver& solver) {
  GridExtents extents;
  extents.names = extents_of(contract);
  extents.target = [&](std::int64_t others) {
    Case target;
    target.variant = contract.name;
    target.m = others;
    target.n = others;
    target.k = 0;
    return target;
  };
  extents.set = [](Case& problem, const std::string& name, std::int64_t value) {
    problem.*extent_named(name) = value;
  };
  extents.project = [&](const Case& target, const std::string&) { return solver.project(target); };
  extents.is_small = is_small;
  extents.further = {0, kCongruence};
  return extents;
}

std::vector<Case> beyond_grid_limits(const Contract& contract, const GridExtents& extents) {
  std::vector<Case> cases;
  for_axes(contract, extents.names, 1,
           [&](const GridAxis& at, const contract::Expression& axis, const std::string& extent) {
             add(cases, beyond(contract, extents, at.launch, axis, extent));
           });
  return cases;
}

std::vector<MissingLimit> missing_limits(const Contract& contract, const GridExtents& extents,
                                         const std::vector<GridAxis>& undeclared) {
  std::vector<MissingLimit> missing;
  for_axes(
      contract, extents.names, 1,
      [&](const GridAxis& at, const contract::Expression& axis, const std::string& extent) {
        if (std::find(undeclared.begin(), undeclared.end(), at) == undeclared.end()) return;
        auto problem = beyond(contract, extents, at.launch, axis, extent);
        if (!problem) return;
        const std::int64_t count = blocks(contract, *problem, axis);
        const auto least = least_beyond(contract, extents, *problem, extent, axis);
        const bool is_alone = axis.names().size() == 1;
        missing.push_back({std::move(*problem), axis, count,
                           is_alone && least ? fmt::format("{} <= {}", extent, *least - 1)
                                             : fmt::format("{} <= {}", axis.text(), kMostBlocks)});
      });
  return missing;
}

std::vector<Case> grid_stride_cases(const Contract& contract, const Solver& solver) {
  std::vector<Case> cases;
  for_axes(contract, extents_of(contract), 0,
           [&](const GridAxis&, const contract::Expression& axis, const std::string& extent) {
             for (const std::int64_t k : {0, 1}) {
               add(cases, grid_stride_case(contract, solver, axis, extent_named(extent), k));
             }
           });
  return cases;
}

}  // namespace warpcheck::campaign::generate
