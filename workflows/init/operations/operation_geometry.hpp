// The geometries that a kernel of an operation may have.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workflows/init/draft/geometry_guess.hpp"
#include "workflows/init/operations/operation_kernel.hpp"

namespace warpcheck::workflows::init {

struct PossibleGeometry {
  Geometry geometry;
  std::int64_t per_thread = 1;  // elements
};

/// The second extent, or the only one.
[[nodiscard]] const std::string& columns_of(const std::vector<std::string>& extents);

/// Returns the geometry of the launch, if there is one. Otherwise returns several, small grids
/// first, because a grid that is larger than necessary passes, too.
[[nodiscard]] std::vector<PossibleGeometry> possible_geometries(
    const OperationKernel& kernel, const Roles& roles, const std::vector<std::string>& extents);

}  // namespace warpcheck::workflows::init
