// The virtual device: PTX executed on the CPU under full checking.
#pragma once

#include <memory>

#include "device/device.hpp"

namespace warpcheck::device {

struct VirtualOptions {
  unsigned host_threads = 1;  // over which the blocks of one launch are spread; changes no result
  bool races = true;          // look for races; without, shared memory is faster
  unsigned mma_arch = 0;      // 80 for the tensor cores of sm_80; 0: as the module's .target says
};

[[nodiscard]] std::unique_ptr<Device> make_virtual_device(const VirtualOptions& options = {});

}  // namespace warpcheck::device
