// Guesses the block and the grid of a kernel: from its launches in host code, or from its body.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ptx/entry_usage.hpp"
#include "workflows/init/source/host_expression.hpp"
#include "workflows/init/source/kernels_in_source.hpp"

namespace warpcheck::workflows::init {

struct Geometry {
  std::vector<std::string> block;
  std::vector<std::string> grid;
  std::int64_t tile_m = 0;  // elements of C per block along m and n; 0: unknown
  std::int64_t tile_n = 0;
  std::string shared = {};  // bytes of dynamic shared memory of a launch; empty: none, or unknown
};

struct GeometryInput {
  const KernelDeclaration& kernel;
  const HostScope& scope;  // constants in the scope of the kernel
  ptx::EntryUsage usage;
  bool has_batch = false;
  bool has_splits = false;
};

/// The geometry of a launch. Extents that the host code computes from something unknown are taken
/// from the guesses for the body.
[[nodiscard]] std::optional<Geometry> geometry_of_launch(const KernelLaunch& launch,
                                                         const HostScope& scope);

/// Guesses in the order of their likelihood.
[[nodiscard]] std::vector<Geometry> guess_geometry(const GeometryInput& input);

}  // namespace warpcheck::workflows::init
