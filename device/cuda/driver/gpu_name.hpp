// The names of GPUs in reports.
#pragma once

#include <string>

#include "device/cuda/driver/driver_api.hpp"

namespace warpcheck::device::cuda {

/// "NVIDIA H200 (sm_90)".
[[nodiscard]] std::string gpu_model(const DriverApi& driver, int device);

/// "NVIDIA H200 (sm_90), driver 580.159.03 for CUDA 13.0".
[[nodiscard]] std::string describe_gpu(const DriverApi& driver, int device);

}  // namespace warpcheck::device::cuda
