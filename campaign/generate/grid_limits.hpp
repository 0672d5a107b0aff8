// Cases with grids that exceed the limit of a launch or are smaller than the matrix.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/generate/constraints/domain_rules.hpp"
#include "campaign/generate/sampling/solver.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

/// Returns cases whose grid exceeds the 65535 blocks that a launch may have along y and z (CUDA C++
/// Programming Guide, "Technical Specifications per Compute Capability"): one for each of these
/// axes of each launch and each extent on which the axis depends. The grid exceeds the limit by as
/// little as possible and the other extents are tiny, so that a case costs no time. An axis has no
/// case if `requires` keeps it below its limit, or if only large operands exceed it, or if a rule
/// of the solver excludes it.
[[nodiscard]] std::vector<Case> beyond_grid_limits(const contract::Contract& contract,
                                                   const Solver& solver);

/// A limit of the grid that `requires` does not state.
struct MissingLimit {
  Case problem;               // exceeds the limit by as little as possible
  contract::Expression axis;  // axis of the grid
  std::int64_t blocks = 0;    // blocks along the axis
  std::string requires_;      // the condition: "m <= 1048560"
};

/// Returns the limits along y and z that a case of the domain exceeds although the author did not
/// declare such sizes: see undeclared_axes().
[[nodiscard]] std::vector<MissingLimit> missing_limits(const contract::Contract& contract);

/// Returns cases in which blocks execute a grid-stride loop: those of each axis of the grid that
/// stops growing with an extent or the batch, as in min(ceil_div(m, 16), 64). That extent is five
/// times the one at which the axis stops growing, unless that is too large. The others are 1;
/// those of sums are also 0, for which a kernel may have another loop.
[[nodiscard]] std::vector<Case> grid_stride_cases(const contract::Contract& contract,
                                                  const Solver& solver);

}  // namespace warpcheck::campaign::generate
