// The imaginary device of programs: the results of cudaDeviceGetAttribute(),
// cudaGetDeviceProperties() and cudaDeviceGetLimit().
#pragma once

#include <cstddef>
#include <optional>

#include "device/gpu_model.hpp"
#include "runtime/cuda_api.hpp"

namespace warpcheck::runtime {

/// Returns the properties without totalGlobalMem.
[[nodiscard]] cudaDeviceProp device_properties(const device::GpuModel& gpu);

/// The value of an attribute, which has the same number in the driver; empty: it does not exist.
[[nodiscard]] std::optional<int> device_attribute(const device::GpuModel& gpu, int attribute);

/// A limit of cudaDeviceGetLimit(), as the program has set it; empty for one that the device does
/// not have. The runtime is locked.
[[nodiscard]] std::optional<std::size_t> device_limit(cudaLimit limit);
void set_device_limit(cudaLimit limit, std::size_t value);

}  // namespace warpcheck::runtime
