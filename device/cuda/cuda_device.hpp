// A real GPU, through the driver API. Kernels run in worker processes, so that a sticky error, a
// crash or a hang is a finding and the next job runs.
#pragma once

#include <chrono>
#include <memory>

#include "device/device.hpp"

namespace warpcheck::device::cuda {

struct Options {
  int gpu = 0;           // as the driver counts them: the first to be used
  unsigned workers = 1;  // processes, and so jobs in flight; further callers of run() wait. They
                         // are spread over all GPUs of the first one's model
  std::chrono::milliseconds timeout{20'000};  // of one job; then its worker is killed
};

/// Throws EnvironmentError, one sentence, when this machine has no NVIDIA driver or no such GPU.
/// The program's main() must begin with maybe_run_worker() of device/cuda/worker.hpp.
///
/// Findings of the device: faults by class (out-of-bounds, misaligned, illegal-instruction,
/// timeout; anything else that the driver reports, and a dead worker, as launch-failure),
/// guard-overwritten, input-modified. After a fault the outcome's buffers are the initial ones. A
/// GPU does not say which thread or line: places stay empty.
[[nodiscard]] std::unique_ptr<Device> open(const Options& options = {});

/// Whether open() with these options would find a GPU. Leaves no trace in this process.
[[nodiscard]] bool available(const Options& options = {});

}  // namespace warpcheck::device::cuda
