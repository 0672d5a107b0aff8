#include "device/cuda/driver/kernel_launch.hpp"

#include <array>

#include "device/cuda/driver/driver_error.hpp"

namespace warpcheck::device::cuda {
namespace {

int launch_cluster(const DriverApi& driver, Function function, const LaunchShape& shape,
                   void** arguments, Stream stream) {
  if (driver.launch_kernel_ex == nullptr) return kNotSupported;
  const LaunchAttribute cluster{constant::kLaunchAttributeClusterDimension,
                                0,
                                {shape.cluster.x, shape.cluster.y, shape.cluster.z}};
  const LaunchConfig config{{shape.grid.x, shape.grid.y, shape.grid.z},
                            {shape.block.x, shape.block.y, shape.block.z},
                            static_cast<unsigned>(shape.shared_bytes),
                            stream,
                            &cluster,
                            1};
  return driver.launch_kernel_ex(&config, function, arguments, nullptr);
}

}  // namespace

int encode_tensor_map(const DriverApi& driver, const TensorMap& map, DeviceAddress address,
                      std::vector<std::byte>& bytes) {
  if (driver.tensor_map_encode_tiled == nullptr) return kNotSupported;
  struct alignas(kTensorMapAlignment) {
    std::array<std::byte, kTensorMapBytes> bytes;
  } encoded;
  const int result = driver.tensor_map_encode_tiled(
      &encoded, static_cast<int>(map.type), map.rank, address, map.dims.data(), map.strides.data(),
      map.box.data(), map.steps.data(), static_cast<int>(map.interleave),
      static_cast<int>(map.swizzle), static_cast<int>(map.promotion), static_cast<int>(map.fill));
  bytes.assign(encoded.bytes.begin(), encoded.bytes.end());
  return result;
}

int raise_limits(const DriverApi& driver, Function function, const LaunchShape& shape) {
  int result = kSuccess;
  if (shape.shared_bytes > 0) {
    result = driver.func_set_attribute(function, constant::kMaxDynamicSharedSizeBytes,
                                       static_cast<int>(shape.shared_bytes));
  }
  if (result == kSuccess && shape.cluster.x * shape.cluster.y * shape.cluster.z > kPortableBlocks) {
    result = driver.func_set_attribute(function, constant::kNonPortableClusterSizeAllowed, 1);
  }
  return result;
}

int launch(const DriverApi& driver, Function function, const LaunchShape& shape, void** arguments,
           Stream stream) {
  if (shape.cluster.x != 0) return launch_cluster(driver, function, shape, arguments, stream);
  const auto shared_bytes = static_cast<unsigned>(shape.shared_bytes);
  if (shape.cooperative && driver.launch_cooperative_kernel != nullptr) {
    return driver.launch_cooperative_kernel(function, shape.grid.x, shape.grid.y, shape.grid.z,
                                            shape.block.x, shape.block.y, shape.block.z,
                                            shared_bytes, stream, arguments);
  }
  return driver.launch_kernel(function, shape.grid.x, shape.grid.y, shape.grid.z, shape.block.x,
                              shape.block.y, shape.block.z, shared_bytes, stream, arguments,
                              nullptr);
}

}  // namespace warpcheck::device::cuda
