// The one imaginary device.
#include <fmt/format.h>

#include <cstdio>
#include <cstring>

#include "runtime/device_model.hpp"
#include "runtime/runtime.hpp"
#include "runtime/work/capture.hpp"
#include "runtime/work/work.hpp"

using namespace warpcheck::runtime;

namespace {

cudaError_t check_device(Runtime& runtime, const char* function, int device) {
  if (device == 0) return cudaSuccess;
  return runtime.misuse(cudaErrorInvalidDevice,
                        fmt::format("{}: found device {}, there is device 0", function, device));
}

cudaError_t check_device(const char* function, int device) {
  return api_call([&](Runtime& runtime) { return check_device(runtime, function, device); });
}

}  // namespace

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) { return check_device("cudaSetDevice", device); }
cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return check_device("cudaInitDevice", device);
}
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  *flags = 0;
  return cudaSuccess;
}
cudaError_t cudaSetValidDevices(int*, int) { return cudaSuccess; }
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return api_call([&](Runtime& runtime) {
    const cudaError_t error = check_device(runtime, "cudaGetDeviceProperties", device);
    if (error != cudaSuccess) return error;
    *properties = device_properties(runtime.gpu());
    properties->totalGlobalMem = runtime.session().total_bytes();
    return error;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return api_call([&](Runtime& runtime) {
    if (const cudaError_t error = check_device(runtime, "cudaDeviceGetAttribute", device)) {
      return error;
    }
    const auto known = device_attribute(runtime.gpu(), attribute);
    if (!known) return cudaErrorInvalidValue;  // a program may test whether an attribute exists
    *value = *known;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceReset() {
  return api_call([](Runtime& runtime) {
    runtime.order().host_waits_for_all();
    runtime.reset_device_error();
    last_error() = cudaSuccess;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return api_call([&](Runtime&) {
    const auto known = device_limit(limit);
    if (!known) return cudaErrorUnsupportedLimit;
    *value = *known;
    return cudaSuccess;
  });
}
/// Only the limit of pending launches has an effect.
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return api_call([&](Runtime& runtime) {
    if (!device_limit(limit)) return cudaErrorUnsupportedLimit;
    if (const auto error = check_safe_call(runtime, "cudaDeviceSetLimit")) return error;
    set_device_limit(limit, value);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  *can = 0;
  if (device == 0 && peer == 0) return cudaSuccess;
  return last_error() = cudaErrorInvalidDevice;  // a program may test which devices exist
}
cudaError_t cudaDeviceGetPCIBusId(char* id, int bytes, int) {
  std::snprintf(id, static_cast<std::size_t>(bytes), "0000:00:00.0");
  return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char*) { return cudaGetDevice(device); }
/// Two different devices have such attributes; there is one.
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int, int) {
  *value = 0;
  return last_error() = cudaErrorInvalidDevice;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  return last_error() = peer == 0 ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice;
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return last_error() = peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice;
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaFuncSetSharedMemConfig(const void*, cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget,
                                               cudaFlushGPUDirectRDMAWritesScope) {
  return cudaSuccess;
}
cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
cudaError_t cudaDeviceGraphMemTrim(int device) {
  return api_call([&](Runtime& runtime) {
    graph_memory_use().trim(runtime);
    return check_device(runtime, "cudaDeviceGraphMemTrim", device);
  });
}
/// Used and reserved memory are the same here.
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return api_call([&](Runtime& runtime) {
    if (attribute > cudaGraphMemAttrReservedMemHigh) return cudaErrorInvalidValue;
    const bool high =
        attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    *static_cast<std::uint64_t*>(value) =
        high ? graph_memory_use().high() : graph_memory_use().current();
    return check_device(runtime, "cudaDeviceGetGraphMemAttribute", device);
  });
}
/// A program may set the high watermarks to 0 alone.
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return api_call([&](Runtime& runtime) {
    const bool high =
        attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    if (!high || *static_cast<const std::uint64_t*>(value) != 0) {
      return runtime.misuse(cudaErrorInvalidValue,
                            "cudaDeviceSetGraphMemAttribute: only the high watermarks can be set, "
                            "to 0");
    }
    graph_memory_use().reset_high();
    return check_device(runtime, "cudaDeviceSetGraphMemAttribute", device);
  });
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
