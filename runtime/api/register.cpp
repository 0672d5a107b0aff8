// Functions that nvcc's code calls: it registers the fat binaries of the program at its start.
#include <vector>

#include "runtime/runtime.hpp"

using namespace warpcheck::runtime;

namespace {

struct CallConfiguration {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes;
  cudaStream_t stream;
};

/// The configurations of launches by <<<>>> whose stub has not run yet, in this thread.
std::vector<CallConfiguration>& call_configurations() {
  thread_local std::vector<CallConfiguration> all;
  return all;
}

Binaries::Binary& binary_of(void** handle) { return *reinterpret_cast<Binaries::Binary*>(handle); }

}  // namespace

void** __cudaRegisterFatBinary(void* wrapper) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard lock(runtime.mutex());
  return reinterpret_cast<void**>(runtime.binaries().add(wrapper));
}

void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}

char __cudaInitModule(void** handle) {
  return api_call([&](Runtime& runtime) {
           runtime.binaries().load(binary_of(handle));
           return cudaSuccess;
         }) == cudaSuccess
             ? 1
             : 0;
}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard lock(runtime.mutex());
  runtime.binaries().add_function(binary_of(handle), host, name);
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t, int, int) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard lock(runtime.mutex());
  runtime.binaries().add_variable(binary_of(handle), host, name);
}

void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int, size_t, int,
                              int) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard lock(runtime.mutex());
  runtime.binaries().add_managed(binary_of(handle), host, name);
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     struct CUstream_st* stream) {
  call_configurations().push_back({grid, block, shared_bytes, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes,
                                       void* stream) {
  std::vector<CallConfiguration>& all = call_configurations();
  if (all.empty()) return cudaErrorMissingConfiguration;
  *grid = all.back().grid;
  *block = all.back().block;
  *shared_bytes = all.back().shared_bytes;
  *static_cast<cudaStream_t*>(stream) = all.back().stream;
  all.pop_back();
  return cudaSuccess;
}

/// A kernel's handle is the function of the host that stands for it.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  *kernel = static_cast<cudaKernel_t>(const_cast<void*>(function));
  return cudaSuccess;
}

cudaError_t warpcheck_unsupported_function(const char* name) {
  return api_call([&](Runtime& runtime) {
    return runtime.unsupported(name, "warpcheck exec does not implement this function");
  });
}
