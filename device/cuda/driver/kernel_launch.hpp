// The driver's calls that start a kernel.
#pragma once

#include <cstddef>
#include <vector>

#include "device/cuda/driver/driver_api.hpp"
#include "device/finding.hpp"
#include "device/tensor_map.hpp"

namespace warpcheck::device::cuda {

struct LaunchShape {
  Dim3 grid;
  Dim3 block;
  Dim3 cluster = {0, 0, 0};  // blocks; x = 0: as the kernel declares
  std::size_t shared_bytes = 0;
  bool cooperative = false;
};

/// Sets `bytes` to the driver's format of a map of memory from `address` on. Returns a CUresult.
[[nodiscard]] int encode_tensor_map(const DriverApi& driver, const TensorMap& map,
                                    DeviceAddress address, std::vector<std::byte>& bytes);

/// Clusters of more blocks are allowed by an attribute of the kernel.
inline constexpr unsigned kPortableBlocks = 8;

/// Raises the limits of the kernel that the launch would exceed. Returns a CUresult.
[[nodiscard]] int raise_limits(const DriverApi& driver, Function function,
                               const LaunchShape& shape);

/// Starts the kernel in the stream and does not wait for it. Returns a CUresult.
[[nodiscard]] int launch(const DriverApi& driver, Function function, const LaunchShape& shape,
                         void** arguments, Stream stream = nullptr);

}  // namespace warpcheck::device::cuda
