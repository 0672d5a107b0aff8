// The process in which kernels run. A sticky error, a crash or a hang ends only this process.
#pragma once

namespace warpcheck::device::cuda {

/// main() of every program that opens a CUDA device must call this first: the device starts the
/// same program as its worker. In a worker, it runs jobs and ends the process; otherwise it
/// returns.
void maybe_run_worker(int argc, char** argv);

}  // namespace warpcheck::device::cuda
