// The CUDA driver's own declarations, whose functions the library exports too. They share the state
// of the CUDA runtime.
#pragma once

#pragma GCC visibility push(default)
#include <cuda.h>
#pragma GCC visibility pop

#include "runtime/memory.hpp"
#include "runtime/work/work.hpp"

namespace warpcheck::runtime {

/// The driver's code for an error of the runtime. Most have the same number.
[[nodiscard]] CUresult result_of(cudaError_t error);

/// Runs the body of a function of the driver with the runtime locked. The runtime's own last error
/// does not change.
template <typename Body>
CUresult driver_call(Body body) {
  const cudaError_t before = last_error();
  const bool used_before = uses_runtime();
  const cudaError_t error = api_call([&](Runtime& runtime) {
    uses_runtime() = used_before;
    return body(runtime);
  });
  last_error() = before;
  return result_of(error);
}

/// The context of the calling thread; null: none.
[[nodiscard]] CUcontext& current_context();

/// True if a function of the runtime, or the start of a program with kernels, has made the primary
/// context current.
[[nodiscard]] inline bool uses_primary_context(Runtime& runtime) {
  return uses_runtime() || runtime.binaries().has_registered();
}

/// The same for a function that requires a context. The runtime's functions make one current.
template <typename Body>
CUresult context_call(const char* function, Body body) {
  return driver_call([&](Runtime& runtime) {
    if (current_context() == nullptr && !uses_primary_context(runtime)) {
      return runtime.misuse(cudaErrorDeviceUninitialized,
                            std::string(function) + ": no context is current in this thread");
    }
    return body(runtime);
  });
}

/// Calls a function of the runtime.
template <typename Call>
CUresult forward(const char* function, Call call) {
  return context_call(function, [&](Runtime&) { return call(); });
}

/// The same for one that may call functions of the host, while the runtime is not locked: they may
/// wait for other threads.
template <typename Call>
CUresult forward_unlocked(const char* function, Call call) {
  const CUresult refused = context_call(function, [](Runtime&) { return cudaSuccess; });
  if (refused != CUDA_SUCCESS) return refused;
  const cudaError_t before = last_error();
  const bool used_before = uses_runtime();
  const cudaError_t error = call();
  last_error() = before;
  uses_runtime() = used_before;
  return result_of(error);
}

/// Reads a copy that a node of a graph does.
cudaError_t read_copy(Runtime& runtime, const char* function, const CUDA_MEMCPY3D& copy,
                      CopyWork& work);

[[nodiscard]] inline void* pointer_to_device(CUdeviceptr address) { return pointer_to(address); }

}  // namespace warpcheck::runtime
