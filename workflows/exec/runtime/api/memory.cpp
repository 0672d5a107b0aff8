// Allocations and what the host does with them.
#include "workflows/exec/runtime/memory.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "workflows/exec/runtime/device_model.hpp"

using namespace warpcheck::workflows::exec;

namespace {

constexpr std::size_t kPitchAlignment = 512;  // bytes

std::size_t pitch_of(std::size_t width) {
  return (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
}

}  // namespace

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return api_call([&](Runtime& runtime) {
    return allocate(runtime, "cudaMalloc", pointer, bytes, MemoryUse::device);
  });
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t) {
  return api_call([&](Runtime& runtime) {
    return allocate(runtime, "cudaMallocAsync", pointer, bytes, MemoryUse::device);
  });
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned) {
  return api_call([&](Runtime& runtime) {
    return allocate(runtime, "cudaMallocManaged", pointer, bytes, MemoryUse::managed);
  });
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned) {
  return api_call([&](Runtime& runtime) {
    return allocate(runtime, "cudaHostAlloc", pointer, bytes, MemoryUse::pinned);
  });
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return api_call([&](Runtime& runtime) {
    return allocate(runtime, "cudaMallocHost", pointer, bytes, MemoryUse::pinned);
  });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return api_call([&](Runtime& runtime) {
    *pitch = pitch_of(width);
    return allocate(runtime, "cudaMallocPitch", pointer, *pitch * height, MemoryUse::device);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  return api_call([&](Runtime& runtime) {
    *pointer = {nullptr, pitch_of(extent.width), extent.width, extent.height};
    return allocate(runtime, "cudaMalloc3D", &pointer->ptr,
                    pointer->pitch * extent.height * extent.depth, MemoryUse::device);
  });
}

cudaError_t cudaFree(void* pointer) {
  return api_call([&](Runtime& runtime) {
    return free_memory(runtime, "cudaFree", pointer, MemoryUse::device);
  });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) {
  return api_call([&](Runtime& runtime) {
    return free_memory(runtime, "cudaFreeAsync", pointer, MemoryUse::device);
  });
}

cudaError_t cudaFreeHost(void* pointer) {
  return api_call([&](Runtime& runtime) {
    return free_memory(runtime, "cudaFreeHost", pointer, MemoryUse::pinned);
  });
}

cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  return api_call([&](Runtime& runtime) {
    return fill(runtime, "cudaMemset", {address_of(pointer)}, {bytes}, value);
  });
}

cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t) {
  return api_call([&](Runtime& runtime) {
    return fill(runtime, "cudaMemsetAsync", {address_of(pointer)}, {bytes}, value);
  });
}

cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return api_call([&](Runtime& runtime) {
    return fill(runtime, "cudaMemset2D", {address_of(pointer), pitch}, {width, height}, value);
  });
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t) {
  return api_call([&](Runtime& runtime) {
    return fill(runtime, "cudaMemset2DAsync", {address_of(pointer), pitch}, {width, height}, value);
  });
}

cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return api_call([&](Runtime& runtime) {
    return fill(runtime, "cudaMemset3D",
                {address_of(pointer.ptr), pointer.pitch, pointer.pitch * pointer.ysize},
                {extent.width, extent.height, extent.depth}, value);
  });
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent, cudaStream_t) {
  return cudaMemset3D(pointer, value, extent);
}

cudaError_t cudaMemGetInfo(size_t* available, size_t* total) {
  return api_call([&](Runtime& runtime) {
    *total = runtime.session().total_bytes();
    *available = runtime.session().free_bytes();
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetDevicePointer(void** on_device, void* on_host, unsigned) {
  return api_call([&](Runtime& runtime) {
    const HostAllocation* const found = runtime.allocation_at(address_of(on_host));
    if (found == nullptr || found->use == MemoryUse::device) {
      return runtime.misuse(cudaErrorInvalidValue,
                            "cudaHostGetDevicePointer: the memory is neither allocated by "
                            "cudaHostAlloc nor registered");
    }
    *on_device = on_host;
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return api_call([&](Runtime& runtime) {
    *attributes = {};
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->hostPointer = const_cast<void*>(pointer);
    const auto memory = runtime.session().containing(address_of(pointer));
    if (!memory) return cudaSuccess;
    const bool visible = memory->kind == warpcheck::device::MemoryKind::host_visible;
    const HostAllocation* const found = runtime.allocation_at(address_of(pointer));
    const MemoryUse use = found != nullptr ? found->use  // else a variable
                          : visible        ? MemoryUse::managed
                                           : MemoryUse::device;
    attributes->type = use == MemoryUse::pinned    ? cudaMemoryTypeHost
                       : use == MemoryUse::managed ? cudaMemoryTypeManaged
                                                   : cudaMemoryTypeDevice;
    attributes->devicePointer = const_cast<void*>(pointer);
    if (use == MemoryUse::device) attributes->hostPointer = nullptr;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation, unsigned, cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, cudaMemLocation) {
  return cudaSuccess;
}
