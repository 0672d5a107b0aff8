// Cases whose grids are larger than a launch may have, or smaller than the matrix.
#pragma once

#include <vector>

#include "contract/contract.hpp"
#include "properties/case/case.hpp"
#include "properties/generate/solver.hpp"

namespace warpcheck::properties::generate {

/// For the y and z axis of each launch and each of m, n and batch on which it depends: a case of
/// the domain whose grid has more than the 65535 blocks that a launch may have there (CUDA C++
/// Programming Guide, "Technical Specifications per Compute Capability"), by as little as may be,
/// and whose other extents are tiny, so that nothing but the launch's refusal costs time. None
/// where `requires` keeps the axis below its limit, or where only large matrices pass it.
[[nodiscard]] std::vector<Case> beyond_grid_limits(const contract::Contract& contract,
                                                   const Solver& solver);

/// Where an axis of the grid stops growing with m, n or batch, as with min(ceil_div(m, 16), 64),
/// and blocks must walk: cases with five times the extent from which on they do, where that is not
/// too many, with k = 0, for which a kernel may have a loop of its own, and with k = 1.
[[nodiscard]] std::vector<Case> grid_stride_cases(const contract::Contract& contract,
                                                  const Solver& solver);

}  // namespace warpcheck::properties::generate
