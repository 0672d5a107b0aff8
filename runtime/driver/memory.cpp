// Memory of the driver.
#include <bit>

#include "runtime/driver/driver.hpp"
#include "runtime/work/capture.hpp"
#include "runtime/work/streams.hpp"

using namespace warpcheck::runtime;

namespace {

CUresult allocate_now(const char* function, void** pointer, size_t bytes, MemoryUse use) {
  return context_call(function, [&](Runtime& runtime) {
    if (const cudaError_t error = check_safe_call(runtime, function)) return error;
    if (bytes == 0) {
      return runtime.misuse(cudaErrorInvalidValue, std::string(function) + ": 0 bytes");
    }
    return allocate(runtime, function, pointer, bytes, use);
  });
}

CUresult allocate_now(const char* function, CUdeviceptr* address, size_t bytes, MemoryUse use) {
  void* pointer = nullptr;
  const CUresult result = allocate_now(function, &pointer, bytes, use);
  *address = address_of(pointer);
  return result;
}

CUresult free_now(const char* function, void* pointer, MemoryUse use) {
  return context_call(function, [&](Runtime& runtime) {
    if (const cudaError_t error = check_safe_call(runtime, function)) return error;
    runtime.order().host_waits_for_all();
    return free_memory(runtime, function, pointer, use);
  });
}

CUresult set(const char* function, CUdeviceptr to, size_t pitch, FillValue value, size_t width,
             size_t height, CUstream stream) {
  return context_call(function, [&](Runtime& runtime) {
    return submit(runtime, function, stream,
                  FillWork{function, {to, pitch}, {width * value.element_bytes, height}, value});
  });
}

}  // namespace

CUresult cuMemAlloc(CUdeviceptr* address, size_t bytes) {
  return allocate_now("cuMemAlloc", address, bytes, MemoryUse::device);
}
CUresult cuMemAllocManaged(CUdeviceptr* address, size_t bytes, unsigned) {
  return allocate_now("cuMemAllocManaged", address, bytes, MemoryUse::managed);
}
CUresult cuMemAllocPitch(CUdeviceptr* address, size_t* pitch, size_t width, size_t height,
                         unsigned) {
  return context_call("cuMemAllocPitch", [&](Runtime&) {
    void* pointer = nullptr;
    const cudaError_t error = cudaMallocPitch(&pointer, pitch, width, height);
    *address = address_of(pointer);
    return error;
  });
}
CUresult cuMemAllocHost(void** pointer, size_t bytes) {
  return allocate_now("cuMemAllocHost", pointer, bytes, MemoryUse::pinned);
}
CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned) {
  return allocate_now("cuMemHostAlloc", pointer, bytes, MemoryUse::pinned);
}
CUresult cuMemFree(CUdeviceptr address) {
  return free_now("cuMemFree", pointer_to_device(address), MemoryUse::device);
}
CUresult cuMemFreeHost(void* pointer) {
  return free_now("cuMemFreeHost", pointer, MemoryUse::pinned);
}
CUresult cuMemAllocAsync(CUdeviceptr* address, size_t bytes, CUstream stream) {
  return context_call("cuMemAllocAsync", [&](Runtime& runtime) {
    if (const cudaError_t error = check_stream(runtime, "cuMemAllocAsync", stream)) return error;
    void* pointer = nullptr;
    const cudaError_t error =
        allocate_in_order(runtime, "cuMemAllocAsync", &pointer, bytes, stream);
    *address = address_of(pointer);
    return error;
  });
}
CUresult cuMemHostRegister(void* pointer, size_t bytes, unsigned) {
  return context_call("cuMemHostRegister", [&](Runtime& runtime) {
    if (const auto error = check_safe_call(runtime, "cuMemHostRegister")) return error;
    return register_memory(runtime, "cuMemHostRegister", pointer, bytes);
  });
}
CUresult cuMemHostUnregister(void* pointer) {
  return context_call("cuMemHostUnregister", [&](Runtime& runtime) {
    if (const auto error = check_safe_call(runtime, "cuMemHostUnregister")) return error;
    return unregister_memory(runtime, "cuMemHostUnregister", pointer);
  });
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr* address, void* pointer, unsigned flags) {
  return context_call("cuMemHostGetDevicePointer", [&](Runtime&) {
    void* on_device = nullptr;
    const cudaError_t error = cudaHostGetDevicePointer(&on_device, pointer, flags);
    *address = address_of(on_device);
    return error;
  });
}
CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* bytes, CUdeviceptr address) {
  return context_call("cuMemGetAddressRange", [&](Runtime& runtime) {
    const auto found = runtime.session().containing(address);
    if (!found) return cudaErrorSymbolNotFound;  // a program may try addresses
    if (base != nullptr) *base = found->address;
    if (bytes != nullptr) *bytes = found->bytes;
    return cudaSuccess;
  });
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
  return set("cuMemsetD8", to, 0, {value, 1}, count, 1, nullptr);
}
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
  return set("cuMemsetD16", to, 0, {value, 2}, count, 1, nullptr);
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned value, size_t count) {
  return set("cuMemsetD32", to, 0, {value, 4}, count, 1, nullptr);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return set("cuMemsetD8Async", to, 0, {value, 1}, count, 1, stream);
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  return set("cuMemsetD16Async", to, 0, {value, 2}, count, 1, stream);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
  return set("cuMemsetD32Async", to, 0, {value, 4}, count, 1, stream);
}
CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                      size_t height) {
  return set("cuMemsetD2D8", to, pitch, {value, 1}, width, height, nullptr);
}
CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                       size_t height) {
  return set("cuMemsetD2D16", to, pitch, {value, 2}, width, height, nullptr);
}
CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height) {
  return set("cuMemsetD2D32", to, pitch, {value, 4}, width, height, nullptr);
}

/// Memory that the driver did not allocate has no attributes.
CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr address) {
  return context_call("cuPointerGetAttribute", [&](Runtime& runtime) {
    cudaPointerAttributes all{};
    const cudaError_t error = cudaPointerGetAttributes(&all, pointer_to_device(address));
    if (error != cudaSuccess) return error;
    if (all.type == cudaMemoryTypeUnregistered) return cudaErrorInvalidValue;
    switch (attribute) {
      case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *static_cast<CUmemorytype*>(value) =
            all.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return cudaSuccess;
      case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *static_cast<void**>(value) = all.devicePointer;
        return cudaSuccess;
      case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        *static_cast<void**>(value) = all.hostPointer;
        return all.hostPointer != nullptr ? cudaSuccess : cudaErrorInvalidValue;
      case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *static_cast<int*>(value) = all.type == cudaMemoryTypeManaged ? 1 : 0;
        return cudaSuccess;
      case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *static_cast<int*>(value) = all.device;
        return cudaSuccess;
      case CU_POINTER_ATTRIBUTE_CONTEXT:
        return cuCtxGetCurrent(static_cast<CUcontext*>(value)) == CUDA_SUCCESS
                   ? cudaSuccess
                   : cudaErrorInvalidValue;
      default:
        return runtime.unsupported("cuPointerGetAttribute",
                                   "warpcheck exec does not implement this attribute");
    }
  });
}

CUresult cuIpcOpenMemHandle(CUdeviceptr* address, CUipcMemHandle handle, unsigned flags) {
  return forward("cuIpcOpenMemHandle", [&] {
    void* pointer = nullptr;
    const cudaError_t error =
        cudaIpcOpenMemHandle(&pointer, std::bit_cast<cudaIpcMemHandle_t>(handle), flags);
    *address = address_of(pointer);
    return error;
  });
}
