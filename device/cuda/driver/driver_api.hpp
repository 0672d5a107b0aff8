// The CUDA driver API, opened at run time: building and starting the program require neither CUDA
// headers nor a driver. The declarations follow the CUDA Driver API reference manual and cover the
// functions that a worker calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace warpcheck::device::cuda {

using DeviceAddress = std::uint64_t;  // CUdeviceptr on 64-bit hosts
using Context = struct CudaContext*;
using Module = struct CudaModule*;
using Function = struct CudaFunction*;
using Stream = struct CudaStream*;
using Event = struct CudaEvent*;

/// Values of CUjit_option, CUdevice_attribute and CUfunction_attribute.
namespace constant {
inline constexpr int kJitErrorLogBuffer = 5;
inline constexpr int kJitErrorLogBufferSizeBytes = 6;
inline constexpr int kComputeCapabilityMajor = 75;
inline constexpr int kComputeCapabilityMinor = 76;
inline constexpr int kMaxDynamicSharedSizeBytes = 8;
inline constexpr int kNonPortableClusterSizeAllowed = 14;
inline constexpr int kLaunchAttributeClusterDimension = 4;
inline constexpr unsigned kNonBlockingStream = 1;
inline constexpr int kPinnedAllocation = 1;
inline constexpr int kOnDevice = 1;
inline constexpr int kReadAndWrite = 3;
}  // namespace constant

/// CUmemLocation.
struct MemoryLocation {
  int type = constant::kOnDevice;
  int device = 0;
};

/// CUmemAllocationProp.
struct AllocationProperties {
  int type = constant::kPinnedAllocation;
  int handle_types = 0;
  MemoryLocation location;
  void* windows_data = nullptr;
  std::uint64_t flags = 0;
};

/// CUmemAccessDesc.
struct MemoryAccess {
  MemoryLocation location;
  int flags = constant::kReadAndWrite;
};

/// CUlaunchAttribute with the value of CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION.
struct LaunchAttribute {
  int id = 0;
  int padding = 0;
  unsigned value[16] = {};
};

/// CUlaunchConfig.
struct LaunchConfig {
  unsigned grid[3] = {};
  unsigned block[3] = {};
  unsigned shared_bytes = 0;
  Stream stream = nullptr;
  const LaunchAttribute* attributes = nullptr;
  unsigned count = 0;
};

/// The driver's entry points. Each returns a CUresult: see driver_error.hpp.
struct DriverApi {
  int (*init)(unsigned flags);
  int (*driver_get_version)(int* version);
  int (*device_get_count)(int* count);
  int (*device_get)(int* device, int ordinal);
  int (*device_get_name)(char* name, int capacity, int device);
  int (*device_get_attribute)(int* value, int attribute, int device);
  int (*device_primary_ctx_retain)(Context* context, int device);
  int (*ctx_set_current)(Context context);
  int (*module_load_data_ex)(Module* module, const void* image, unsigned count, int* options,
                             void** values);
  int (*module_unload)(Module module);
  int (*module_get_function)(Function* function, Module module, const char* name);
  int (*func_set_attribute)(Function function, int attribute, int value);
  int (*mem_alloc)(DeviceAddress* address, std::size_t bytes);
  int (*mem_free)(DeviceAddress address);
  int (*memcpy_host_to_device)(DeviceAddress to, const void* from, std::size_t bytes);
  int (*memcpy_device_to_host)(void* to, DeviceAddress from, std::size_t bytes);
  int (*memcpy_host_to_device_async)(DeviceAddress to, const void* from, std::size_t bytes,
                                     Stream stream);
  int (*memcpy_device_to_host_async)(void* to, DeviceAddress from, std::size_t bytes,
                                     Stream stream);
  int (*mem_address_reserve)(DeviceAddress* address, std::size_t bytes, std::size_t alignment,
                             DeviceAddress wanted, unsigned long long flags);
  int (*mem_create)(std::uint64_t* handle, std::size_t bytes,
                    const AllocationProperties* properties, unsigned long long flags);
  int (*mem_map)(DeviceAddress address, std::size_t bytes, std::size_t offset, std::uint64_t handle,
                 unsigned long long flags);
  int (*mem_set_access)(DeviceAddress address, std::size_t bytes, const MemoryAccess* access,
                        std::size_t count);
  int (*mem_unmap)(DeviceAddress address, std::size_t bytes);
  int (*mem_release)(std::uint64_t handle);
  int (*mem_host_register)(void* memory, std::size_t bytes, unsigned flags);
  int (*mem_host_unregister)(void* memory);
  int (*launch_kernel)(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                       Stream stream, void** arguments, void** extra);
  /// Requires that all blocks are resident at once; otherwise
  /// CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE.
  int (*launch_cooperative_kernel)(Function function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared_bytes, Stream stream,
                                   void** arguments);
  /// launch_kernel_ex is null with drivers older than CUDA 11.8, tensor_map_encode_tiled with
  /// drivers older than CUDA 12.0.
  int (*launch_kernel_ex)(const LaunchConfig* config, Function function, void** arguments,
                          void** extra);
  int (*tensor_map_encode_tiled)(void* map, int type, unsigned rank, DeviceAddress address,
                                 const std::uint64_t* dims, const std::uint64_t* strides,
                                 const std::uint32_t* box, const std::uint32_t* steps,
                                 int interleave, int swizzle, int promotion, int fill);
  int (*stream_create)(Stream* stream, unsigned flags);
  int (*stream_query)(Stream stream);
  /// Stores a value once all preceding work of the stream is complete. This function and the next
  /// two are null with drivers older than CUDA 11.7.
  int (*stream_write_value)(Stream stream, DeviceAddress address, std::uint32_t value,
                            unsigned flags);
  int (*mem_host_alloc)(void** memory, std::size_t bytes, unsigned flags);
  int (*mem_host_get_device_pointer)(DeviceAddress* address, void* memory, unsigned flags);
  int (*event_create)(Event* event, unsigned flags);
  int (*event_record)(Event event, Stream stream);
  int (*event_elapsed_time)(float* milliseconds, Event start, Event end);
  int (*get_error_name)(int result, const char** name);
  int (*get_error_string)(int result, const char** text);

  /// Exists since CUDA 12.4; null with older drivers.
  int (*func_get_param_info)(Function function, std::size_t index, std::size_t* offset,
                             std::size_t* bytes);
};

/// Opens the library in the environment variable WARPCHECK_LIBCUDA, or libcuda.so.1. It stays open
/// until the process ends. Throws EnvironmentError if the library or an entry point is missing.
[[nodiscard]] DriverApi open_driver();

/// "CUDA_ERROR_MISALIGNED_ADDRESS (716): misaligned address": the name and text of the driver.
[[nodiscard]] std::string describe(const DriverApi& driver, int result);

}  // namespace warpcheck::device::cuda
