#include "device/cuda/driver/gpu_name.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>

namespace warpcheck::device::cuda {
namespace {

/// "580.159.03 ", the version that the kernel module reports; empty if it reports none.
std::string driver_release() {
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;) {
    const bool is_release = word.size() > 4 && word.find('.') != std::string::npos &&
                            word.find_first_not_of("0123456789.") == std::string::npos;
    if (is_release) return word + " ";
  }
  return {};
}

}  // namespace

std::string gpu_model(const DriverApi& driver, int device) {
  std::array<char, 256> name{};
  int major = 0;
  int minor = 0;
  driver.device_get_name(name.data(), static_cast<int>(name.size()) - 1, device);
  driver.device_get_attribute(&major, constant::kComputeCapabilityMajor, device);
  driver.device_get_attribute(&minor, constant::kComputeCapabilityMinor, device);
  return fmt::format("{} (sm_{}{})", name.data(), major, minor);
}

std::string describe_gpu(const DriverApi& driver, int device) {
  int version = 0;
  driver.driver_get_version(&version);
  return fmt::format("{}, driver {}for CUDA {}.{}", gpu_model(driver, device), driver_release(),
                     version / 1000, version % 1000 / 10);
}

}  // namespace warpcheck::device::cuda
