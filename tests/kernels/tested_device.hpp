// The device on which a program checks the laws.
#pragma once

#include "device/device.hpp"

namespace warpcheck::campaign {

/// Null: this machine does not have the device. All tests share it, because the worker of a GPU
/// needs a second to start.
[[nodiscard]] device::Device* tested_device();

}  // namespace warpcheck::campaign
