// Cases whose grids are larger than a launch may have.
#pragma once

#include <vector>

#include "kernels/contract/contract.hpp"
#include "properties/case.hpp"
#include "properties/generate/solve.hpp"

namespace warpcheck::properties {

/// For the y and z axis of each launch and each of m, n and batch on which it depends: a case of
/// the domain whose grid has more than the 65535 blocks that a launch may have there (CUDA C++
/// Programming Guide, "Technical Specifications per Compute Capability"), by as little as may be,
/// and whose other extents are tiny, so that nothing but the launch's refusal costs time. None
/// where `requires` keeps the axis below its limit, or where only large matrices pass it.
[[nodiscard]] std::vector<Case> beyond_grid_limits(const kernels::Contract& contract,
                                                   const Solver& solver);

}  // namespace warpcheck::properties
