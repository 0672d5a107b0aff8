// Launches and the attributes of kernels.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/device_model.hpp"
#include "runtime/work/work.hpp"

using namespace warpcheck::runtime;

cudaError_t warpcheck::runtime::unknown_kernel(Runtime& runtime, const char* function) {
  return runtime.misuse(cudaErrorInvalidDeviceFunction,
                        fmt::format("{}: the function is no kernel of the program", function));
}

cudaError_t warpcheck::runtime::read_attribute(Runtime& runtime, const char* function,
                                               cudaLaunchAttributeID id,
                                               const cudaLaunchAttributeValue& value,
                                               LaunchWork& work) {
  switch (id) {
    case cudaLaunchAttributeClusterDimension:
      work.cluster = warpcheck::Dim3{value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
      return cudaSuccess;
    case cudaLaunchAttributeProgrammaticStreamSerialization:
      work.programmatic = value.programmaticStreamSerializationAllowed != 0;
      return cudaSuccess;
    case cudaLaunchAttributeProgrammaticEvent:
    case cudaLaunchAttributeLaunchCompletionEvent:
      return runtime.unsupported(function, "an event that the launch itself records");
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
      return runtime.unsupported(function, "a node of a graph that the device updates");
    default:  // other attributes do not change what the kernel does
      return cudaSuccess;
  }
}

cudaError_t warpcheck::runtime::read_config(Runtime& runtime, const char* function,
                                            const cudaLaunchConfig_t& config, LaunchWork& work) {
  work.grid = config.gridDim;
  work.block = config.blockDim;
  work.shared_bytes = config.dynamicSmemBytes;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& one = config.attrs[i];
    if (const auto error = read_attribute(runtime, function, one.id, one.val, work)) return error;
  }
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  return api_call([&](Runtime& runtime) {
    return submit_launch(runtime, "cudaLaunchKernel", stream,
                         {function, grid, block, shared_bytes, {}}, arguments);
  });
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared_bytes, cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t shared_bytes,
                                        cudaStream_t stream) {
  return api_call([&](Runtime& runtime) {
    return submit_launch(runtime, "cudaLaunchCooperativeKernel", stream,
                         {function, grid, block, shared_bytes, {}}, arguments);
  });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  return api_call([&](Runtime& runtime) {
    LaunchWork work;
    work.host = function;
    if (const auto error = read_config(runtime, "cudaLaunchKernelExC", *config, work)) return error;
    return submit_launch(runtime, "cudaLaunchKernelExC", config->stream, std::move(work),
                         arguments);
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return api_call([&](Runtime& runtime) {
    const Kernel* const kernel = runtime.binaries().kernel(function);
    if (kernel == nullptr) return unknown_kernel(runtime, "cudaFuncGetAttributes");
    *attributes = {};
    attributes->sharedSizeBytes = kernel->info.static_shared_bytes;
    attributes->localSizeBytes = kernel->info.local_bytes;
    attributes->maxThreadsPerBlock = static_cast<int>(warpcheck::device::kMostBlockThreads);
    attributes->numRegs = 32;
    attributes->ptxVersion = static_cast<int>(kernel->architecture);
    attributes->binaryVersion = runtime.gpu().capability;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(kernel->most_dynamic_shared);
    attributes->preferredShmemCarveout = kernel->carveout;
    attributes->nonPortableClusterSizeAllowed = kernel->large_clusters ? 1 : 0;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return api_call([&](Runtime& runtime) {
    Kernel* const kernel = runtime.binaries().kernel(function);
    if (kernel == nullptr) return unknown_kernel(runtime, "cudaFuncSetAttribute");
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
      kernel->carveout = value;
      return cudaSuccess;
    }
    if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed) {
      kernel->large_clusters = value != 0;
      return cudaSuccess;
    }
    if (attribute == cudaFuncAttributeClusterSchedulingPolicyPreference) return cudaSuccess;
    // An attribute of a later version of CUDA: programs that try it have another way.
    if (attribute >= cudaFuncAttributeMax) return cudaErrorInvalidValue;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) {
      return runtime.unsupported(
          "cudaFuncSetAttribute",
          fmt::format("warpcheck exec does not implement attribute {}", int{attribute}));
    }
    const std::size_t most = runtime.gpu().block_shared;
    if (value < 0 || kernel->info.static_shared_bytes + static_cast<std::size_t>(value) > most) {
      return runtime.misuse(
          cudaErrorInvalidValue,
          fmt::format("cudaFuncSetAttribute: {} bytes of dynamic shared memory and {} bytes of "
                      "static shared memory exceed the {} bytes of a block",
                      value, kernel->info.static_shared_bytes, most));
    }
    kernel->most_dynamic_shared = static_cast<std::size_t>(value);
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetCacheConfig(const void*, cudaFuncCache) { return cudaSuccess; }

cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset,
                                 size_t* bytes) {
  return api_call([&](Runtime& runtime) {
    const Kernel* const kernel = runtime.binaries().kernel(function);
    if (kernel == nullptr) return unknown_kernel(runtime, "cudaFuncGetParamInfo");
    if (index >= kernel->info.parameters.size()) return cudaErrorInvalidValue;  // ends a loop
    *offset = kernel->info.parameters[index].offset;
    if (bytes != nullptr) *bytes = kernel->info.parameters[index].bytes;
    return cudaSuccess;
  });
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute,
                                            int value, int) {
  return cudaFuncSetAttribute(kernel, attribute, value);
}

/// A cudaFunction_t is the function of the host too.
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbol) {
  *function = static_cast<cudaFunction_t>(const_cast<void*>(symbol));
  return cudaSuccess;
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  return __cudaGetKernel(kernel, function);
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return api_call([&](Runtime& runtime) {
    const Kernel* const kernel = runtime.binaries().kernel(function);
    if (kernel == nullptr) return unknown_kernel(runtime, "cudaFuncGetName");
    *name = kernel->info.entry.c_str();
    return cudaSuccess;
  });
}
