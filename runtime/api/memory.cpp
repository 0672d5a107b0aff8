// Allocations and what the host does with them.
#include "runtime/memory.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "runtime/device_model.hpp"
#include "runtime/work/capture.hpp"
#include "runtime/work/stream_races.hpp"
#include "runtime/work/streams.hpp"

using namespace warpcheck::runtime;

namespace {

constexpr std::size_t kPitchAlignment = 512;  // bytes

std::size_t pitch_of(std::size_t width) {
  return (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
}

cudaError_t set(const char* function, const RegionPlace& to, const Region& region, int value,
                cudaStream_t stream) {
  return api_call([&](Runtime& runtime) {
    return submit(runtime, function, stream,
                  FillWork{function, to, region, {static_cast<unsigned>(value)}});
  });
}

cudaError_t set_3d(const char* function, const cudaPitchedPtr& pointer, int value,
                   const cudaExtent& extent, cudaStream_t stream) {
  return set(function, {address_of(pointer.ptr), pointer.pitch, pointer.pitch * pointer.ysize},
             {extent.width, extent.height, extent.depth}, value, stream);
}

/// Allocates, unless a stream is being captured.
cudaError_t allocate_now(const char* function, void** pointer, size_t bytes, MemoryUse use) {
  return api_call([&](Runtime& runtime) {
    if (const cudaError_t error = check_safe_call(runtime, function)) return error;
    return allocate(runtime, function, pointer, bytes, use);
  });
}

cudaError_t free_now(const char* function, void* pointer, MemoryUse use) {
  return api_call([&](Runtime& runtime) {
    if (const cudaError_t error = check_safe_call(runtime, function)) return error;
    runtime.order().host_waits_for_all();
    return free_memory(runtime, function, pointer, use);
  });
}

}  // namespace

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return allocate_now("cudaMalloc", pointer, bytes, MemoryUse::device);
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned) {
  return allocate_now("cudaMallocManaged", pointer, bytes, MemoryUse::managed);
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return api_call([&](Runtime& runtime) {
    const cudaError_t error = allocate_now("cudaHostAlloc", pointer, bytes, MemoryUse::pinned);
    if (error != cudaSuccess || *pointer == nullptr) return error;
    runtime.allocation_at(address_of(*pointer))->flags = flags;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* pointer) {
  return api_call([&](Runtime& runtime) {
    const HostAllocation* const found = runtime.allocation_at(address_of(pointer));
    if (found == nullptr || found->use != MemoryUse::pinned) {
      return runtime.misuse(cudaErrorInvalidValue,
                            "cudaHostGetFlags: cudaHostAlloc did not allocate the memory");
    }
    *flags = found->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return allocate_now("cudaMallocHost", pointer, bytes, MemoryUse::pinned);
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  *pitch = pitch_of(width);
  return allocate_now("cudaMallocPitch", pointer, *pitch * height, MemoryUse::device);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  *pointer = {nullptr, pitch_of(extent.width), extent.width, extent.height};
  return allocate_now("cudaMalloc3D", &pointer->ptr, pointer->pitch * extent.height * extent.depth,
                      MemoryUse::device);
}

cudaError_t cudaFree(void* pointer) { return free_now("cudaFree", pointer, MemoryUse::device); }

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return with_stream("cudaFreeAsync", stream, [&](Runtime& runtime) {
    if (is_capturing(stream)) return record(runtime, "cudaFreeAsync", stream, FreeWork{pointer});
    if (const cudaError_t error = check_safe_call(runtime, "cudaFreeAsync")) return error;
    note_lifetime(runtime, "cudaFreeAsync", "frees", pointer, stream);
    return free_memory(runtime, "cudaFreeAsync", pointer, MemoryUse::device);
  });
}

cudaError_t cudaFreeHost(void* pointer) {
  return free_now("cudaFreeHost", pointer, MemoryUse::pinned);
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned) {
  return api_call([&](Runtime& runtime) {
    if (const cudaError_t error = check_safe_call(runtime, "cudaHostRegister")) return error;
    return register_memory(runtime, "cudaHostRegister", pointer, bytes);
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return api_call([&](Runtime& runtime) {
    if (const cudaError_t error = check_safe_call(runtime, "cudaHostUnregister")) return error;
    return unregister_memory(runtime, "cudaHostUnregister", pointer);
  });
}

cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  return set("cudaMemset", {address_of(pointer)}, {bytes}, value, nullptr);
}

cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  return set("cudaMemsetAsync", {address_of(pointer)}, {bytes}, value, stream);
}

cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return set("cudaMemset2D", {address_of(pointer), pitch}, {width, height}, value, nullptr);
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return set("cudaMemset2DAsync", {address_of(pointer), pitch}, {width, height}, value, stream);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return set_3d("cudaMemset3DAsync", pointer, value, extent, stream);
}

cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return set_3d("cudaMemset3D", pointer, value, extent, nullptr);
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
    const MemoryUse use = found != nullptr ? found->use  // null: a variable
                          : visible        ? MemoryUse::managed
                                           : MemoryUse::device;
    const bool on_device = use == MemoryUse::device || use == MemoryUse::imported;
    attributes->type = on_device                   ? cudaMemoryTypeDevice
                       : use == MemoryUse::managed ? cudaMemoryTypeManaged
                                                   : cudaMemoryTypeHost;
    attributes->devicePointer = const_cast<void*>(pointer);
    if (on_device) attributes->hostPointer = nullptr;
    return cudaSuccess;
  });
}
