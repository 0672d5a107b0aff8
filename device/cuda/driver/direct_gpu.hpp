// A GPU in this process, for measurements: launches are asynchronous, memory stays on the GPU
// between them, and after a fault the process cannot use the GPU again. Checks use cuda_device.hpp.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "device/cuda/driver/driver_api.hpp"
#include "device/cuda/driver/kernel_launch.hpp"
#include "device/device.hpp"

namespace warpcheck::device::cuda {

class DirectGpu {
 public:
  /// Opens the driver and its first GPU. Throws EnvironmentError if there is none.
  DirectGpu();
  ~DirectGpu();
  DirectGpu(const DirectGpu&) = delete;
  DirectGpu& operator=(const DirectGpu&) = delete;

  /// "NVIDIA H200 (sm_90), driver 580.159.03 for CUDA 13.0".
  [[nodiscard]] std::string description() const;
  /// The value of a CUdevice_attribute; 0 if the driver does not have it.
  [[nodiscard]] int attribute(int number) const;

  // All following functions throw std::runtime_error with the driver's text if a call fails.

  /// Assembles the PTX with its line numbers, once for each text.
  [[nodiscard]] Module load(const std::string& ptx);

  /// Allocates memory at a 256-byte boundary; release() frees it.
  [[nodiscard]] DeviceAddress allocate(std::size_t bytes);
  void release();

  /// Allocates each buffer separately and copies its rows. Padding and buffers without values stay
  /// uninitialized. Returns the addresses of their first bytes.
  [[nodiscard]] std::vector<DeviceAddress> place(std::span<const Buffer> buffers);
  void copy_rows(const Buffer& buffer, DeviceAddress to) const;
  [[nodiscard]] std::vector<std::byte> read(DeviceAddress from, std::size_t bytes) const;

  /// A kernel with its arguments, ready to be launched many times.
  struct Call {
    Function function = nullptr;
    LaunchShape shape;
    std::vector<std::vector<std::byte>> arguments;
  };

  /// The call of a kernel whose buffers are at these addresses.
  [[nodiscard]] Call prepare(Module module, const Launch& launch,
                             std::span<const DeviceAddress> addresses);
  /// Starts the kernel.
  void launch(Call& call) const;
  void wait() const;

  void begin_timing() const;
  /// Waits for the GPU. Returns the milliseconds since begin_timing().
  [[nodiscard]] double end_timing() const;

 private:
  void check(int result, std::string_view what) const;

  DriverApi driver_;
  int device_ = 0;
  Event start_ = nullptr;
  Event stop_ = nullptr;
  std::map<std::string, Module> modules_;
  // Cooperative entries of each module.
  std::map<Module, std::set<std::string, std::less<>>> cooperative_;
  std::vector<DeviceAddress> allocations_;
};

}  // namespace warpcheck::device::cuda
