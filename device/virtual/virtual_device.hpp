// The virtual device: PTX executed on the CPU under full checking.
#pragma once

#include <memory>
#include <optional>

#include "device/device.hpp"
#include "device/gpu_model.hpp"

namespace warpcheck::device {

struct VirtualOptions {
  unsigned host_threads = 1;   // that run the blocks of one launch; does not change the result
  bool races = true;           // detect races; without, accesses to shared memory are faster
  bool weak_volatile = false;  // volatile accesses are weak: they race, and order nothing
  unsigned mma_arch = 0;       // 80: tensor cores of sm_80; 0: of the module's .target
  std::optional<GpuModel> gpu = {};  // empty: the largest one of the module's .target
  Limits limits = {};
};

[[nodiscard]] std::unique_ptr<Device> make_virtual_device(const VirtualOptions& options = {});

}  // namespace warpcheck::device
