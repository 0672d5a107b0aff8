#include "device/cuda/cuda_device.hpp"

#include <memory>

#include "tests/kernels/tested_device.hpp"

namespace warpcheck::campaign {

device::Device* tested_device() {
  static const std::unique_ptr<device::Device> kDevice =
      device::cuda::available() ? device::cuda::open({}) : nullptr;
  return kDevice.get();
}

}  // namespace warpcheck::campaign
