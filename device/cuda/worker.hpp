// The process in which kernels run. A sticky error, a crash or a hang ends it, and nothing else.
#pragma once

namespace warpcheck::device::cuda {

/// Must be the first thing in main() of every program that opens a CUDA device: the device starts
/// this same program again as its worker. Returns at once unless the program was started so; then
/// it serves jobs and ends the process.
void maybe_run_worker(int argc, char** argv);

}  // namespace warpcheck::device::cuda
