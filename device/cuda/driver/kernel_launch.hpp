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
  Dim3 cluster = {0, 0, 0};  // blocks of a cluster; x = 0: the kernel's own cluster size
  std::size_t shared_bytes = 0;
  bool cooperative = false;
};

/// Sets `bytes` to the driver's format of a map of memory from `address` on. Returns a CUresult.
[[nodiscard]] int encode_tensor_map(const DriverApi& driver, const TensorMap& map,
                                    DeviceAddress address, std::vector<std::byte>& bytes);

/// The largest portable cluster; an attribute of the kernel allows clusters of more blocks.
inline constexpr unsigned kPortableBlocks = 8;

/// Raises the limits of the kernel that the launch would exceed. Returns a CUresult.
[[nodiscard]] int raise_limits(const DriverApi& driver, Function function,
                               const LaunchShape& shape);

/// Starts the kernel in the stream and does not wait for it. Returns a CUresult.
[[nodiscard]] int launch(const DriverApi& driver, Function function, const LaunchShape& shape,
                         void** arguments, Stream stream = nullptr);

}  // namespace warpcheck::device::cuda
