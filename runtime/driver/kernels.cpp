// Kernels of the driver: attributes, occupancy and launches.
#include <cstring>
#include <utility>

#include "runtime/driver/driver.hpp"
#include "runtime/work/work.hpp"

using namespace warpcheck::runtime;

namespace {

CUresult launch(const char* function, CUstream stream, LaunchWork work, void** arguments,
                void** extra) {
  return context_call(function, [&](Runtime& runtime) {
    return submit_launch(runtime, function, stream, std::move(work), arguments, extra);
  });
}

}  // namespace

CUresult cuLaunchKernel(CUfunction kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void** arguments, void** extra) {
  return launch("cuLaunchKernel", stream,
                {kernel, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, {}},
                arguments, extra);
}

CUresult cuLaunchCooperativeKernel(CUfunction kernel, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared_bytes, CUstream stream,
                                   void** arguments) {
  return launch("cuLaunchCooperativeKernel", stream,
                {kernel, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, {}},
                arguments, nullptr);
}

namespace {

/// Calls body(runtime, work) with the launch of a configuration.
template <typename Body>
CUresult with_config(const char* function, CUfunction kernel, const CUlaunchConfig* config,
                     Body body) {
  LaunchWork work{kernel,
                  {config->gridDimX, config->gridDimY, config->gridDimZ},
                  {config->blockDimX, config->blockDimY, config->blockDimZ},
                  config->sharedMemBytes,
                  {}};
  return context_call(function, [&](Runtime& runtime) {
    for (unsigned i = 0; i < config->numAttrs; ++i) {
      static_assert(sizeof(cudaLaunchAttributeValue) == sizeof(CUlaunchAttributeValue));
      cudaLaunchAttributeValue value;
      std::memcpy(&value, &config->attrs[i].value, sizeof value);
      const auto id = static_cast<cudaLaunchAttributeID>(config->attrs[i].id);
      if (const auto error = read_attribute(runtime, function, id, value, work)) return error;
    }
    return body(runtime, std::move(work));
  });
}

}  // namespace

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction kernel, void** arguments,
                          void** extra) {
  constexpr const char* kFunction = "cuLaunchKernelEx";
  return with_config(kFunction, kernel, config, [&](Runtime& runtime, LaunchWork work) {
    return submit_launch(runtime, kFunction, config->hStream, std::move(work), arguments, extra);
  });
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction kernel) {
  return driver_call([&](Runtime& runtime) {
    cudaFuncAttributes all;
    if (const cudaError_t error = cudaFuncGetAttributes(&all, kernel)) return error;
    switch (attribute) {
      case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = all.maxThreadsPerBlock;
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = static_cast<int>(all.sharedSizeBytes);
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
        *value = static_cast<int>(all.constSizeBytes);
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = static_cast<int>(all.localSizeBytes);
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = all.numRegs;
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_PTX_VERSION:
        *value = all.ptxVersion;
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = all.binaryVersion;
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = all.maxDynamicSharedSizeBytes;
        return cudaSuccess;
      default:
        return runtime.unsupported("cuFuncGetAttribute",
                                   "warpcheck exec does not implement this attribute");
    }
  });
}

// A kernel of a library and its function have the same handle.
CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel,
                              CUdevice) {
  return cuFuncGetAttribute(value, attribute, reinterpret_cast<CUfunction>(kernel));
}
CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                              CUdevice) {
  return cuFuncSetAttribute(reinterpret_cast<CUfunction>(kernel), attribute, value);
}
CUresult cuKernelSetCacheConfig(CUkernel, CUfunc_cache, CUdevice) { return CUDA_SUCCESS; }

CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache) { return CUDA_SUCCESS; }

CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction kernel,
                                      const CUlaunchConfig* config) {
  constexpr const char* kFunction = "cuOccupancyMaxActiveClusters";
  return with_config(kFunction, kernel, config, [&](Runtime& runtime, const LaunchWork& work) {
    return count_clusters(runtime, kFunction, work, *clusters);
  });
}
CUresult cuOccupancyMaxPotentialClusterSize(int* blocks, CUfunction kernel,
                                            const CUlaunchConfig* config) {
  constexpr const char* kFunction = "cuOccupancyMaxPotentialClusterSize";
  return with_config(kFunction, kernel, config, [&](Runtime& runtime, const LaunchWork& work) {
    return find_largest_cluster(runtime, kFunction, work, *blocks);
  });
}

CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction kernel,
                                          CUoccupancyB2DSize shared_of, size_t shared_bytes,
                                          int limit) {
  int multiprocessors = 0;
  CUresult result =
      cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0);
  int most = 0;  // resident threads
  const int largest = limit > 0 && limit < 1024 ? limit : 1024;
  for (int threads = largest; threads > 0 && result == CUDA_SUCCESS;
       threads -= threads % 32 == 0 ? 32 : threads % 32) {
    int blocks = 0;
    const size_t bytes = shared_of != nullptr ? shared_of(threads) : shared_bytes;
    result = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, bytes);
    if (blocks * threads <= most) continue;
    most = blocks * threads;
    *block = threads;
    *grid = blocks * multiprocessors;
  }
  return result;
}
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction kernel,
                                                   CUoccupancyB2DSize shared_of,
                                                   size_t shared_bytes, int limit, unsigned) {
  return cuOccupancyMaxPotentialBlockSize(grid, block, kernel, shared_of, shared_bytes, limit);
}
