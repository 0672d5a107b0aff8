// The virtual device: PTX executed on the CPU under full checking.
#pragma once

#include <memory>
#include <optional>

#include "device/device.hpp"
#include "device/gpu_model.hpp"

namespace warpcheck::device {

struct VirtualOptions {
  // Threads that run the blocks of one launch; their number does not change the result.
  unsigned host_threads = 1;
  bool races = true;           // true: detect races; false: accesses to shared memory are faster
  bool weak_volatile = false;  // volatile accesses are weak: they race, and order nothing
  unsigned mma_arch = 0;       // 80: tensor cores of sm_80; 0: tensor cores of the module's .target
  std::optional<GpuModel> gpu = {};  // empty: the largest GPU of the module's .target
  Limits limits = {};
};

[[nodiscard]] std::unique_ptr<Device> make_virtual_device(const VirtualOptions& options = {});

}  // namespace warpcheck::device
