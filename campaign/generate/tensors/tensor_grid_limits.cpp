#include "campaign/generate/tensors/tensor_grid_limits.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "campaign/case/domain.hpp"
#include "campaign/case/normalized.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;
using contract::Expression;

constexpr double kMostSteps = 0x1p24;      // most steps of a case that fails
constexpr std::int64_t kRemainders = 128;  // remainders of a size, as in rows % 100 == 7

Case with_extents(const Contract& contract, std::int64_t size) {
  Case problem;
  problem.variant = contract.name;
  for (const std::string& extent : contract.tensors->operation.extents) {
    problem.set_value(extent, static_cast<double>(size));
  }
  return normalized(contract, problem);
}

bool holds(const Contract& contract, const Expression& condition, Case problem,
           const std::string& extent, std::int64_t size) {
  problem.set_value(extent, static_cast<double>(size));
  return condition.evaluate(bindings(contract, problem)).value_or(0) != 0;
}

/// Returns true if the condition bounds the extent from above: it holds for no large size, of any
/// remainder, whatever the other extents are.
bool bounds_from_above(const Contract& contract, const Expression& condition,
                       const std::string& extent) {
  // 2^8 3^3 5^2 7 11 13: a multiple of usual tiles. Its square, as a batch stride, has 63 bits.
  constexpr std::int64_t kLarge = 172'972'800;
  constexpr std::array<std::int64_t, 5> kOthers = {1, 64, kLarge / 4, kLarge, 2 * kLarge};
  return std::none_of(kOthers.begin(), kOthers.end(), [&](std::int64_t others) {
    const Case problem = with_extents(contract, others);
    for (std::int64_t i = 0; i < kRemainders; ++i) {
      if (holds(contract, condition, problem, extent, kLarge + i)) return true;
    }
    return false;
  });
}

/// Returns true if the condition admits only sizes from `least` on.
bool begins_at(const Contract& contract, const Expression& condition, const std::string& extent,
               std::int64_t least) {
  const Case problem = with_extents(contract, 1);
  const auto holds_near = [&](std::int64_t most) {
    for (std::int64_t size = most; size > std::max<std::int64_t>(most - kRemainders, 0); --size) {
      if (holds(contract, condition, problem, extent, size)) return true;
    }
    return false;
  };
  for (std::int64_t size = least - 1; size > 0; size /= 2) {
    if (holds_near(size)) return false;
  }
  return true;
}

/// Returns the first size for which the axis is too long; 0 if there is none of a cheap case.
std::int64_t first_beyond(const Contract& contract, const GridAxis& axis,
                          const std::string& extent) {
  Case problem = with_extents(contract, 1);
  const auto is_beyond = [&](std::int64_t size) {
    problem.set_value(extent, static_cast<double>(size));
    const auto blocks = axis.extent(contract).evaluate(bindings(contract, problem));
    return blocks && *blocks > axis.limit();
  };
  std::int64_t beyond = static_cast<std::int64_t>(kMostSteps);
  if (!is_beyond(beyond)) return 0;
  std::int64_t inside = 0;
  while (beyond - inside > 1) {
    const std::int64_t middle = inside + (beyond - inside) / 2;
    (is_beyond(middle) ? beyond : inside) = middle;
  }
  return beyond;
}

/// Returns true if `requires` states a bound of the extent, or only sizes beyond the limit.
bool is_declared(const Contract& contract, const GridAxis& axis, const std::string& extent) {
  for (const Expression& demand : contract.requires_) {
    for (const Expression& condition : demand.conjuncts()) {
      const auto names = condition.names();
      if (!names.contains(extent)) continue;
      if (bounds_from_above(contract, condition, extent)) return true;
      const std::int64_t first = names.size() == 1 ? first_beyond(contract, axis, extent) : 0;
      if (first != 0 && begins_at(contract, condition, extent, first)) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<GridAxis> undeclared_axes_of_tensors(const Contract& contract) {
  std::vector<GridAxis> axes;
  const std::vector<std::string>& extents = contract.tensors->operation.extents;
  for (std::size_t launch = 0; launch < contract.launches.size(); ++launch) {
    for (std::size_t i = 1; i < contract.launches[launch].grid.size(); ++i) {
      const GridAxis axis{launch, i};
      const auto names = axis.extent(contract).names();
      if (names.empty()) continue;
      const bool all_declared =
          std::all_of(extents.begin(), extents.end(), [&](const std::string& extent) {
            return !names.contains(extent) || is_declared(contract, axis, extent);
          });
      if (!all_declared) axes.push_back(axis);
    }
  }
  return axes;
}

GridExtents grid_extents_of_tensors(const Contract& contract, const TensorDomain& domain) {
  GridExtents extents;
  extents.names = contract.tensors->operation.extents;
  extents.target = [&](std::int64_t others) { return with_extents(contract, others); };
  extents.set = [&](Case& problem, const std::string& name, std::int64_t value) {
    problem.set_value(name, static_cast<double>(value));
    problem = normalized(contract, problem);
  };
  extents.project = [&](const Case& target, const std::string& name) {
    return domain.nearest(target, name);
  };
  extents.is_small = [&](const Case& problem) { return domain.is_affordable(problem, kMostSteps); };
  extents.further = {0, 32, 64, 96, 4096};  // a repair changes an extent by 16 at most
  return extents;
}

}  // namespace warpcheck::campaign::generate
