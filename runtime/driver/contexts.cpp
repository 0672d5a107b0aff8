// Devices and contexts of the driver. All contexts share the memory of the one device.
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "runtime/driver/driver.hpp"

using namespace warpcheck::runtime;

struct CUctx_st {
  unsigned flags = 0;
};

namespace {

CUctx_st& primary_context() {
  static auto* const context = new CUctx_st();
  return *context;
}
int primary_references = 0;

/// The contexts that cuCtxCreate() has created.
std::vector<std::unique_ptr<CUctx_st>>& contexts() {
  static auto* const all = new std::vector<std::unique_ptr<CUctx_st>>();
  return *all;
}

/// The contexts of this thread below the current one.
std::vector<CUcontext>& context_stack() {
  thread_local std::vector<CUcontext> stack;
  return stack;
}

bool context_exists(CUcontext context) {
  return context == &primary_context() ||
         std::any_of(contexts().begin(), contexts().end(),
                     [&](const auto& one) { return one.get() == context; });
}

cudaError_t wrong_context(Runtime& runtime, const char* function) {
  return runtime.misuse(cudaErrorDeviceUninitialized,
                        std::string(function) + ": the context does not exist or was destroyed");
}

cudaError_t create(CUcontext* context, unsigned flags) {
  if (current_context() != nullptr) context_stack().push_back(current_context());
  *context = contexts().emplace_back(std::make_unique<CUctx_st>(CUctx_st{flags})).get();
  current_context() = *context;
  return cudaSuccess;
}

}  // namespace

namespace warpcheck::runtime {

CUcontext& current_context() {
  thread_local CUcontext context = nullptr;
  return context;
}

}  // namespace warpcheck::runtime

CUresult cuInit(unsigned) {
  return driver_call([](Runtime&) { return cudaSuccess; });
}
CUresult cuDriverGetVersion(int* version) { return result_of(cudaDriverGetVersion(version)); }

CUresult cuDeviceGetCount(int* count) { return result_of(cudaGetDeviceCount(count)); }
CUresult cuDeviceGet(CUdevice* device, int number) {
  *device = number;
  return driver_call([&](Runtime& runtime) {
    return number == 0 ? cudaSuccess
                       : runtime.misuse(cudaErrorInvalidDevice, "cuDeviceGet: there is device 0");
  });
}
CUresult cuDeviceGetName(char* name, int bytes, CUdevice device) {
  return driver_call([&](Runtime&) {
    cudaDeviceProp properties;
    const cudaError_t error = cudaGetDeviceProperties(&properties, device);
    if (error == cudaSuccess && bytes > 0) {
      std::strncpy(name, properties.name, static_cast<std::size_t>(bytes) - 1);
      name[bytes - 1] = '\0';
    }
    return error;
  });
}
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  return driver_call([&](Runtime&) {
    cudaDeviceProp properties;
    const cudaError_t error = cudaGetDeviceProperties(&properties, device);
    if (error == cudaSuccess) *uuid = properties.uuid;
    return error;
  });
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice) {
  return driver_call([&](Runtime& runtime) {
    *bytes = runtime.session().total_bytes();
    return cudaSuccess;
  });
}
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  const CUresult error =
      cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  if (error != CUDA_SUCCESS) return error;
  return cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}
CUresult cuDeviceGetPCIBusId(char* id, int bytes, CUdevice device) {
  return result_of(cudaDeviceGetPCIBusId(id, bytes, device));
}
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return result_of(cudaDeviceCanAccessPeer(can, device, peer));
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  return driver_call([&](Runtime&) {
    ++primary_references;
    *context = &primary_context();
    return cudaSuccess;
  });
}
CUresult cuDevicePrimaryCtxRelease(CUdevice) {
  return driver_call([](Runtime& runtime) {
    if (primary_references == 0) return wrong_context(runtime, "cuDevicePrimaryCtxRelease");
    --primary_references;
    return cudaSuccess;
  });
}
CUresult cuDevicePrimaryCtxSetFlags(CUdevice, unsigned flags) {
  return driver_call([&](Runtime&) {
    primary_context().flags = flags;
    return cudaSuccess;
  });
}
CUresult cuDevicePrimaryCtxGetState(CUdevice, unsigned* flags, int* active) {
  return driver_call([&](Runtime& runtime) {
    *flags = primary_context().flags;
    *active = primary_references > 0 || runtime.binaries().has_registered() ? 1 : 0;
    return cudaSuccess;
  });
}

CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams*, unsigned flags, CUdevice) {
  return driver_call([&](Runtime&) { return create(context, flags); });
}
/// The version for programs that were compiled before CUDA 13.
extern "C" __attribute__((visibility("default"))) CUresult cuCtxCreate_v2(CUcontext* context,
                                                                          unsigned flags,
                                                                          CUdevice) {
  return driver_call([&](Runtime&) { return create(context, flags); });
}
CUresult cuCtxDestroy(CUcontext context) {
  return driver_call([&](Runtime& runtime) {
    if (!context_exists(context) || context == &primary_context()) {
      return wrong_context(runtime, "cuCtxDestroy");
    }
    if (current_context() == context) cuCtxPopCurrent(nullptr);
    std::erase_if(contexts(), [&](const auto& one) { return one.get() == context; });
    return cudaSuccess;
  });
}
CUresult cuCtxPushCurrent(CUcontext context) {
  return driver_call([&](Runtime& runtime) {
    if (!context_exists(context)) return wrong_context(runtime, "cuCtxPushCurrent");
    if (current_context() != nullptr) context_stack().push_back(current_context());
    current_context() = context;
    return cudaSuccess;
  });
}
CUresult cuCtxPopCurrent(CUcontext* context) {
  return driver_call([&](Runtime& runtime) {
    if (current_context() == nullptr) return wrong_context(runtime, "cuCtxPopCurrent");
    if (context != nullptr) *context = current_context();
    std::vector<CUcontext>& below = context_stack();
    current_context() = below.empty() ? nullptr : below.back();
    if (!below.empty()) below.pop_back();
    return cudaSuccess;
  });
}
CUresult cuCtxSetCurrent(CUcontext context) {
  return driver_call([&](Runtime& runtime) {
    if (context != nullptr && !context_exists(context))
      return wrong_context(runtime, "cuCtxSetCurrent");
    current_context() = context;
    return cudaSuccess;
  });
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  return driver_call([&](Runtime& runtime) {
    *context = current_context();
    if (*context == nullptr && uses_primary_context(runtime)) *context = &primary_context();
    return cudaSuccess;
  });
}
CUresult cuCtxGetDevice(CUdevice* device) {
  return context_call("cuCtxGetDevice", [&](Runtime&) {
    *device = 0;
    return cudaSuccess;
  });
}
CUresult cuCtxGetApiVersion(CUcontext, unsigned* version) {
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetFlags(unsigned* flags) {
  return context_call("cuCtxGetFlags", [&](Runtime&) {
    *flags = current_context() == nullptr ? primary_context().flags : current_context()->flags;
    return cudaSuccess;
  });
}
CUresult cuCtxSetCacheConfig(CUfunc_cache) { return CUDA_SUCCESS; }
CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return result_of(cudaDeviceGetStreamPriorityRange(least, greatest));
}
CUresult cuProfilerStart() { return CUDA_SUCCESS; }
CUresult cuProfilerStop() { return CUDA_SUCCESS; }
