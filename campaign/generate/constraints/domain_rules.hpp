// Rules that a generated case meets besides `requires`: what the device can launch, and how much
// work a case may take.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/generate/constraints/size_limits.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

/// Returns true if the condition of each rule holds.
[[nodiscard]] bool satisfies(const contract::Contract& contract, const std::vector<CaseRule>& rules,
                             const Case& problem);

/// The largest numbers of blocks along x, y and z (CUDA C++ Programming Guide, "Technical
/// Specifications per Compute Capability").
inline constexpr std::int64_t kMostBlocksOfX = 0x7fff'ffff;
inline constexpr std::int64_t kMostBlocksOfYOrZ = 65535;

/// An axis of the grid of a launch.
struct GridAxis {
  std::size_t launch = 0;
  std::size_t axis = 0;  // 0: x

  [[nodiscard]] const contract::Expression& extent(const contract::Contract& contract) const {
    return contract.launches[launch].grid.at(axis);
  }
  [[nodiscard]] std::int64_t limit() const {
    return axis == 0 ? kMostBlocksOfX : kMostBlocksOfYOrZ;
  }

  friend bool operator==(const GridAxis&, const GridAxis&) = default;
};

/// Returns the axes that depend on a case and that `requires` lets exceed the limit of a launch
/// only because it does not mention the size. Excludes axes for all of whose extents `requires`
/// states an upper bound, or a lower bound beyond the limit: the author declares these sizes.
[[nodiscard]] std::vector<GridAxis> undeclared_axes(const contract::Contract& contract);

/// Returns the rules of generated cases.
[[nodiscard]] std::vector<CaseRule> domain_rules(const contract::Contract& contract,
                                                 const SizeLimits& limits);

}  // namespace warpcheck::campaign::generate
