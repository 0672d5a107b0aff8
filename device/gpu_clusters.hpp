// Clusters that a GPU holds.
#pragma once

#include "device/gpu_model.hpp"

namespace warpcheck::device {

/// Clusters of `cluster` blocks that are resident together. `blocks`: see resident_blocks().
[[nodiscard]] unsigned resident_clusters(const GpuModel& gpu, unsigned blocks, unsigned cluster);

}  // namespace warpcheck::device
