// A GPU through the driver API. Kernels run in worker processes, so that a sticky error, a crash or
// a hang is a finding, and the next job runs.
#pragma once

#include <chrono>
#include <memory>

#include "device/device.hpp"

namespace warpcheck::device::cuda {

struct Options {
  int gpu = 0;  // driver's number of the first GPU
  // Concurrent jobs; further callers of run() wait. They use all GPUs of the first GPU's model.
  unsigned workers = 1;
  std::chrono::milliseconds timeout{20'000};  // time limit of one job; then its worker is killed
};

/// Opens the device. Throws EnvironmentError with one sentence if the machine has no NVIDIA driver
/// or no such GPU. The program's main() must begin with maybe_run_worker() of
/// device/cuda/worker.hpp.
///
/// The device reports faults (out-of-bounds, misaligned, illegal-instruction, timeout; other errors
/// of the driver and a crash of the worker as launch-failure), guard-overwritten and
/// input-modified. After a fault the buffers of the outcome are the initial ones. A GPU does not
/// report the thread or line of a fault, so these places are empty.
[[nodiscard]] std::unique_ptr<Device> open(const Options& options = {});

/// True if open() finds a GPU with these options. Has no effect on this process.
[[nodiscard]] bool available(const Options& options = {});

}  // namespace warpcheck::device::cuda
