#include "device/virtual/virtual_device.hpp"

#include <memory>

#include "tests/kernels/tested_device.hpp"

namespace warpcheck::campaign {

device::Device* tested_device() {
  static const std::unique_ptr<device::Device> kDevice = device::make_virtual_device();
  return kDevice.get();
}

}  // namespace warpcheck::campaign
