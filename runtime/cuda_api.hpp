// The CUDA runtime's own declarations, whose functions the library exports.
#pragma once

#pragma GCC visibility push(default)
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

extern "C" {
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     struct CUstream_st* stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream);
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared_bytes, cudaStream_t stream);
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
char __cudaInitModule(void** handle);
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name,
                            int thread_limit, uint3* thread, uint3* block, dim3* block_extent,
                            dim3* grid_extent, int* warp_size);
void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int is_external,
                       size_t bytes, int is_constant, int is_global);
void __cudaRegisterManagedVar(void** handle, void** host, char* device, const char* name,
                              int is_external, size_t bytes, int is_constant, int is_global);
cudaError_t warpcheck_unsupported_function(const char* name);
int warpcheck_unsupported_blas_function(const char* name);
}
#pragma GCC visibility pop

namespace warpcheck::runtime {

/// The error that cudaGetLastError() returns in this thread.
cudaError_t& last_error();

/// True if the calling thread has called a function of the runtime, which makes the primary context
/// current.
bool& uses_runtime();

}  // namespace warpcheck::runtime
