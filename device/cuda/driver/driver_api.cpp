#include "device/cuda/driver/driver_api.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "base/diagnostic.hpp"

namespace warpcheck::device::cuda {
namespace {

template <typename Entry>
void bind_optional(void* library, const char* name, Entry& entry) {
  entry = reinterpret_cast<Entry>(dlsym(library, name));
}

template <typename Entry>
void bind(void* library, const char* name, Entry& entry) {
  bind_optional(library, name, entry);
  if (entry == nullptr) {
    throw EnvironmentError(fmt::format(
        "the NVIDIA driver has no entry point {}: a driver for CUDA 11 or newer is required",
        name));
  }
}

}  // namespace

DriverApi open_driver() {
  const char* chosen = std::getenv("WARPCHECK_LIBCUDA");
  const char* name = chosen != nullptr ? chosen : "libcuda.so.1";
  void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw EnvironmentError(
        fmt::format("no NVIDIA driver on this machine: {} cannot be opened", name));
  }
  DriverApi api{};
  bind(library, "cuInit", api.init);
  bind(library, "cuDriverGetVersion", api.driver_get_version);
  bind(library, "cuDeviceGetCount", api.device_get_count);
  bind(library, "cuDeviceGet", api.device_get);
  bind(library, "cuDeviceGetName", api.device_get_name);
  bind(library, "cuDeviceGetAttribute", api.device_get_attribute);
  bind(library, "cuDevicePrimaryCtxRetain", api.device_primary_ctx_retain);
  bind(library, "cuCtxSetCurrent", api.ctx_set_current);
  bind(library, "cuModuleLoadDataEx", api.module_load_data_ex);
  bind(library, "cuModuleUnload", api.module_unload);
  bind(library, "cuModuleGetFunction", api.module_get_function);
  bind(library, "cuFuncSetAttribute", api.func_set_attribute);
  bind(library, "cuMemAlloc_v2", api.mem_alloc);
  bind(library, "cuMemFree_v2", api.mem_free);
  bind(library, "cuMemcpyHtoD_v2", api.memcpy_host_to_device);
  bind(library, "cuMemcpyDtoH_v2", api.memcpy_device_to_host);
  bind(library, "cuMemcpyHtoDAsync_v2", api.memcpy_host_to_device_async);
  bind(library, "cuMemcpyDtoHAsync_v2", api.memcpy_device_to_host_async);
  bind(library, "cuMemAddressReserve", api.mem_address_reserve);
  bind(library, "cuMemCreate", api.mem_create);
  bind(library, "cuMemMap", api.mem_map);
  bind(library, "cuMemSetAccess", api.mem_set_access);
  bind(library, "cuMemUnmap", api.mem_unmap);
  bind(library, "cuMemRelease", api.mem_release);
  bind(library, "cuMemHostRegister_v2", api.mem_host_register);
  bind(library, "cuMemHostUnregister", api.mem_host_unregister);
  bind(library, "cuLaunchKernel", api.launch_kernel);
  bind_optional(library, "cuLaunchCooperativeKernel", api.launch_cooperative_kernel);
  bind_optional(library, "cuLaunchKernelEx", api.launch_kernel_ex);
  bind_optional(library, "cuTensorMapEncodeTiled", api.tensor_map_encode_tiled);
  bind(library, "cuStreamCreate", api.stream_create);
  bind(library, "cuStreamQuery", api.stream_query);
  bind_optional(library, "cuStreamWriteValue32_v2", api.stream_write_value);
  bind_optional(library, "cuMemHostAlloc", api.mem_host_alloc);
  bind_optional(library, "cuMemHostGetDevicePointer_v2", api.mem_host_get_device_pointer);
  bind(library, "cuEventCreate", api.event_create);
  bind(library, "cuEventRecord", api.event_record);
  bind(library, "cuEventElapsedTime", api.event_elapsed_time);
  bind(library, "cuGetErrorName", api.get_error_name);
  bind(library, "cuGetErrorString", api.get_error_string);
  bind_optional(library, "cuFuncGetParamInfo", api.func_get_param_info);
  return api;
}

std::string describe(const DriverApi& driver, int result) {
  const char* name = nullptr;
  const char* text = nullptr;
  driver.get_error_name(result, &name);
  driver.get_error_string(result, &text);
  return fmt::format("{} ({}): {}", name != nullptr ? name : "unknown error", result,
                     text != nullptr ? text : "no description");
}

}  // namespace warpcheck::device::cuda
