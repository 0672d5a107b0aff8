#include "properties/generate/grid_limits.hpp"

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

constexpr std::int64_t kMostBlocks = 65535;                        // along y, and along z
constexpr std::int64_t kMostGridElements = std::int64_t{1} << 23;  // of A, B and C together
constexpr std::int64_t kMostBlocksBefore = 4096;  // of the launches before the one to be refused
constexpr std::int64_t kCongruence = 4096;  // far enough for what m % 64 == 0 and the like take off

constexpr std::array<std::pair<std::string_view, Extent>, 3> kExtents = {
    {{"m", &Case::m}, {"n", &Case::n}, {"batch", &Case::batch}}};

std::int64_t blocks(const Contract& contract, const Case& problem,
                    const contract::Expression& axis) {
  return axis.evaluate(bindings(contract, problem)).value_or(0);
}

/// The first value of an extent that makes the axis too long, the axis growing with it.
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

bool is_cheap(const Contract& contract, const Case& p, std::size_t refused) {
  if (p.m < 1 || p.n < 1) return false;  // not launched
  if (p.batch * (p.m * p.n + p.m * p.k + p.k * p.n) > kMostGridElements) return false;
  std::int64_t before = 0;
  for (std::size_t step = 0; step < refused; ++step) {
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
    Case wish;
    wish.variant = contract.name;
    wish.m = other;
    wish.n = other;
    wish.k = 0;
    const auto least = least_beyond(contract, wish, extent, axis);
    if (!least) continue;
    for (const std::int64_t further : {std::int64_t{0}, kCongruence}) {
      wish.*extent = *least + further;
      std::optional<Case> found =
          violated(contract, wish) ? solver.nearest(wish) : std::optional(wish);
      if (found && blocks(contract, *found, axis) > kMostBlocks &&
          is_cheap(contract, *found, step)) {
        return found;
      }
    }
  }
  return std::nullopt;
}

/// The first value of an extent from which on the axis no longer grows, as with
/// min(ceil_div(m, 16), 64): from there the blocks walk. Empty where it never stops, or never grew.
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

/// Every block walks several times, further than a loop is unrolled.
std::optional<Case> walking(const Contract& contract, const Solver& solver,
                            const contract::Expression& axis, Extent extent, std::int64_t k) {
  constexpr std::int64_t kTimes = 5;
  constexpr std::int64_t kMost = 1 << 16;  // products of a batch take their time, one by one
  Case wish;
  wish.variant = contract.name;
  wish.m = wish.n = 1;
  wish.k = k;
  const auto end = end_of_growth(contract, wish, extent, axis);
  if (!end || *end > kMost / kTimes) return std::nullopt;
  wish.*extent = kTimes * *end;
  std::optional<Case> found = violated(contract, wish) ? solver.nearest(wish) : std::optional(wish);
  const bool far = found && (*found).*extent >= (kTimes - 1) * *end;
  return far && is_cheap(contract, *found, 0) ? found : std::nullopt;
}

/// visit(number of the launch, axis, extent) for the axes from `first` on, and each of the extents
/// that they depend on.
template <class Visit>
void for_axes(const Contract& contract, std::size_t first, Visit visit) {
  for (std::size_t step = 0; step < contract.launches.size(); ++step) {
    const auto& grid = contract.launches[step].grid;
    for (std::size_t i = first; i < grid.size(); ++i) {
      const auto names = grid[i].names();
      for (const auto& [name, extent] : kExtents) {
        if (!names.contains(std::string(name))) continue;
        if (extent == &Case::batch && !contract.takes(contract::ArgumentWord::batch)) continue;
        visit(step, grid[i], extent);
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
  for_axes(contract, 1, [&](std::size_t step, const contract::Expression& axis, Extent extent) {
    add(cases, beyond(contract, solver, step, axis, extent));
  });
  return cases;
}

std::vector<Case> grid_stride_cases(const Contract& contract, const Solver& solver) {
  std::vector<Case> cases;
  for_axes(contract, 0, [&](std::size_t, const contract::Expression& axis, Extent extent) {
    for (const std::int64_t k : {0, 1}) add(cases, walking(contract, solver, axis, extent, k));
  });
  return cases;
}

}  // namespace warpcheck::properties::generate
