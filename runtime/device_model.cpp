#include "runtime/device_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace warpcheck::runtime {
namespace {

struct Attribute {
  int number;
  int value;
};

/// The attributes that no model changes, as an H200 (driver 580.159.04) returns them. Features that
/// `exec` lacks are 0: sparse and deferred arrays, external semaphores, exported memory, RDMA,
/// multicast, waits of streams for memory. The order is that of CUdevice_attribute.
constexpr std::array kAttributes = {
    Attribute{cudaDevAttrMaxThreadsPerBlock, device::kMostBlockThreads},
    Attribute{cudaDevAttrMaxBlockDimX, device::kMostBlockThreads},
    Attribute{cudaDevAttrMaxBlockDimY, device::kMostBlockThreads},
    Attribute{cudaDevAttrMaxBlockDimZ, device::kMostBlockDepth},
    Attribute{cudaDevAttrMaxGridDimX, device::kMostGridWidth},
    Attribute{cudaDevAttrMaxGridDimY, device::kMostGridHeight},
    Attribute{cudaDevAttrMaxGridDimZ, device::kMostGridHeight},
    Attribute{cudaDevAttrMaxSharedMemoryPerBlock, device::kDefaultBlockShared},
    Attribute{cudaDevAttrTotalConstantMemory, 64 << 10},
    Attribute{cudaDevAttrWarpSize, 32},
    Attribute{cudaDevAttrMaxPitch, 0x7fffffff},
    Attribute{cudaDevAttrMaxRegistersPerBlock, device::kMultiprocessorRegisters},
    Attribute{cudaDevAttrTextureAlignment, 512},
    Attribute{cudaDevAttrGpuOverlap, 1},
    Attribute{cudaDevAttrKernelExecTimeout, 0},
    Attribute{cudaDevAttrIntegrated, 0},
    Attribute{cudaDevAttrCanMapHostMemory, 1},
    Attribute{cudaDevAttrComputeMode, cudaComputeModeDefault},
    Attribute{cudaDevAttrMaxTexture1DWidth, 131072},
    Attribute{cudaDevAttrMaxTexture2DWidth, 131072},
    Attribute{cudaDevAttrMaxTexture2DHeight, 65536},
    Attribute{cudaDevAttrMaxTexture3DWidth, 16384},
    Attribute{cudaDevAttrMaxTexture3DHeight, 16384},
    Attribute{cudaDevAttrMaxTexture3DDepth, 16384},
    Attribute{cudaDevAttrMaxTexture2DLayeredWidth, 32768},
    Attribute{cudaDevAttrMaxTexture2DLayeredHeight, 32768},
    Attribute{cudaDevAttrMaxTexture2DLayeredLayers, 2048},
    Attribute{cudaDevAttrSurfaceAlignment, 512},
    Attribute{cudaDevAttrConcurrentKernels, 1},
    Attribute{cudaDevAttrEccEnabled, 1},
    Attribute{cudaDevAttrPciBusId, 0},
    Attribute{cudaDevAttrPciDeviceId, 0},
    Attribute{cudaDevAttrTccDriver, 0},
    Attribute{cudaDevAttrAsyncEngineCount, 3},
    Attribute{cudaDevAttrUnifiedAddressing, 1},
    Attribute{cudaDevAttrMaxTexture1DLayeredWidth, 32768},
    Attribute{cudaDevAttrMaxTexture1DLayeredLayers, 2048},
    Attribute{44 /* CAN_TEX2D_GATHER */, 1},
    Attribute{cudaDevAttrMaxTexture2DGatherWidth, 32768},
    Attribute{cudaDevAttrMaxTexture2DGatherHeight, 32768},
    Attribute{cudaDevAttrMaxTexture3DWidthAlt, 8192},
    Attribute{cudaDevAttrMaxTexture3DHeightAlt, 8192},
    Attribute{cudaDevAttrMaxTexture3DDepthAlt, 32768},
    Attribute{cudaDevAttrPciDomainId, 0},
    Attribute{cudaDevAttrTexturePitchAlignment, 32},
    Attribute{cudaDevAttrMaxTextureCubemapWidth, 32768},
    Attribute{cudaDevAttrMaxTextureCubemapLayeredWidth, 32768},
    Attribute{cudaDevAttrMaxTextureCubemapLayeredLayers, 2046},
    Attribute{cudaDevAttrMaxSurface1DWidth, 32768},
    Attribute{cudaDevAttrMaxSurface2DWidth, 131072},
    Attribute{cudaDevAttrMaxSurface2DHeight, 65536},
    Attribute{cudaDevAttrMaxSurface3DWidth, 16384},
    Attribute{cudaDevAttrMaxSurface3DHeight, 16384},
    Attribute{cudaDevAttrMaxSurface3DDepth, 16384},
    Attribute{cudaDevAttrMaxSurface1DLayeredWidth, 32768},
    Attribute{cudaDevAttrMaxSurface1DLayeredLayers, 2048},
    Attribute{cudaDevAttrMaxSurface2DLayeredWidth, 32768},
    Attribute{cudaDevAttrMaxSurface2DLayeredHeight, 32768},
    Attribute{cudaDevAttrMaxSurface2DLayeredLayers, 2048},
    Attribute{cudaDevAttrMaxSurfaceCubemapWidth, 32768},
    Attribute{cudaDevAttrMaxSurfaceCubemapLayeredWidth, 32768},
    Attribute{cudaDevAttrMaxSurfaceCubemapLayeredLayers, 2046},
    Attribute{cudaDevAttrMaxTexture1DLinearWidth, 268435456},
    Attribute{cudaDevAttrMaxTexture2DLinearWidth, 131072},
    Attribute{cudaDevAttrMaxTexture2DLinearHeight, 65000},
    Attribute{cudaDevAttrMaxTexture2DLinearPitch, 2097120},
    Attribute{cudaDevAttrMaxTexture2DMipmappedWidth, 32768},
    Attribute{cudaDevAttrMaxTexture2DMipmappedHeight, 32768},
    Attribute{cudaDevAttrMaxTexture1DMipmappedWidth, 32768},
    Attribute{cudaDevAttrStreamPrioritiesSupported, 1},
    Attribute{cudaDevAttrGlobalL1CacheSupported, 1},
    Attribute{cudaDevAttrLocalL1CacheSupported, 1},
    Attribute{cudaDevAttrMaxRegistersPerMultiprocessor, device::kMultiprocessorRegisters},
    Attribute{cudaDevAttrManagedMemory, 1},
    Attribute{cudaDevAttrIsMultiGpuBoard, 0},
    Attribute{cudaDevAttrMultiGpuBoardGroupID, 0},
    Attribute{cudaDevAttrHostNativeAtomicSupported, 0},
    Attribute{cudaDevAttrPageableMemoryAccess, 0},
    Attribute{cudaDevAttrConcurrentManagedAccess, 1},
    Attribute{cudaDevAttrComputePreemptionSupported, 1},
    Attribute{cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
    Attribute{cudaDevAttrReserved92, 0},
    Attribute{cudaDevAttrReserved93, 0},
    Attribute{cudaDevAttrReserved94, 0},
    Attribute{cudaDevAttrCooperativeLaunch, 1},
    Attribute{cudaDevAttrReserved96, 0},
    Attribute{cudaDevAttrCanFlushRemoteWrites, 0},
    Attribute{cudaDevAttrHostRegisterSupported, 1},
    Attribute{cudaDevAttrPageableMemoryAccessUsesHostPageTables, 0},
    Attribute{cudaDevAttrDirectManagedMemAccessFromHost, 0},
    Attribute{102 /* VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED */, 1},
    Attribute{103 /* HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED */, 0},
    Attribute{104 /* HANDLE_TYPE_WIN32_HANDLE_SUPPORTED */, 0},
    Attribute{105 /* HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED */, 0},
    Attribute{107 /* GENERIC_COMPRESSION_SUPPORTED */, 0},
    Attribute{cudaDevAttrMaxAccessPolicyWindowSize, 134217728},
    Attribute{110 /* GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED */, 0},
    Attribute{cudaDevAttrReservedSharedMemoryPerBlock, device::kReservedBlockShared},
    Attribute{cudaDevAttrSparseCudaArraySupported, 0},
    Attribute{cudaDevAttrHostRegisterReadOnlySupported, 1},
    Attribute{cudaDevAttrTimelineSemaphoreInteropSupported, 0},
    Attribute{cudaDevAttrMemoryPoolsSupported, 1},
    Attribute{cudaDevAttrGPUDirectRDMASupported, 0},
    Attribute{cudaDevAttrGPUDirectRDMAFlushWritesOptions, 0},
    Attribute{cudaDevAttrGPUDirectRDMAWritesOrdering, 0},
    Attribute{cudaDevAttrMemoryPoolSupportedHandleTypes, 0},
    Attribute{cudaDevAttrDeferredMappingCudaArraySupported, 0},
    Attribute{cudaDevAttrReserved122, 0},
    Attribute{cudaDevAttrReserved123, 0},
    Attribute{cudaDevAttrReserved124, 0},
    Attribute{cudaDevAttrIpcEventSupport, 1},
    Attribute{cudaDevAttrReserved128, 0},
    Attribute{cudaDevAttrReserved129, 0},
    Attribute{cudaDevAttrNumaConfig, cudaDeviceNumaConfigNone},
    Attribute{cudaDevAttrNumaId, -1},
    Attribute{cudaDevAttrReserved132, 0},
    Attribute{cudaDevAttrMpsEnabled, 0},
    Attribute{cudaDevAttrHostNumaId, 0},
    Attribute{cudaDevAttrD3D12CigSupported, 0},
    Attribute{136 /* MEM_DECOMPRESS_ALGORITHM_MASK */, 0},
    Attribute{137 /* MEM_DECOMPRESS_MAXIMUM_LENGTH */, 0},
    Attribute{cudaDevAttrVulkanCigSupported, 0},
    Attribute{cudaDevAttrGpuPciDeviceId, 0},
    Attribute{cudaDevAttrGpuPciSubsystemId, 0},
    Attribute{cudaDevAttrReserved141, 0},
    Attribute{cudaDevAttrHostNumaMemoryPoolsSupported, 0},
    Attribute{cudaDevAttrHostNumaMultinodeIpcSupported, 0},
    Attribute{cudaDevAttrHostMemoryPoolsSupported, 0},
    Attribute{cudaDevAttrReserved145, 0},
    Attribute{146, 0},
    Attribute{cudaDevAttrOnlyPartialHostNativeAtomicSupported, 0},
};

std::map<cudaLimit, std::size_t>& limits() {
  static auto* const all = new std::map<cudaLimit, std::size_t>{
      {cudaLimitStackSize, 1024},           {cudaLimitPrintfFifoSize, 1 << 20},
      {cudaLimitMallocHeapSize, 8 << 20},   {cudaLimitDevRuntimePendingLaunchCount, 2048},
      {cudaLimitMaxL2FetchGranularity, 64}, {cudaLimitPersistingL2CacheSize, 0}};
  return *all;
}

}  // namespace

std::optional<int> device_attribute(const device::GpuModel& gpu, int attribute) {
  const auto number = [](auto value) { return static_cast<int>(value); };
  switch (attribute) {
    case cudaDevAttrClockRate:
      return 1000 * gpu.clock_megahertz;
    case cudaDevAttrMultiProcessorCount:
      return number(gpu.multiprocessors);
    case cudaDevAttrMemoryClockRate:
      return 1000 * gpu.memory_megahertz;
    case cudaDevAttrGlobalMemoryBusWidth:
      return gpu.bus_bits;
    case cudaDevAttrL2CacheSize:
      return gpu.l2_megabytes << 20;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return number(gpu.threads);
    case cudaDevAttrComputeCapabilityMajor:
      return gpu.capability / 10;
    case cudaDevAttrComputeCapabilityMinor:
      return gpu.capability % 10;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return number(gpu.shared);
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      return gpu.single_per_double;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return number(gpu.block_shared);
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return number(gpu.blocks);
    case cudaDevAttrMaxPersistingL2CacheSize:  // five eighths, since compute capability 8.0
      return gpu.capability < 80 ? 0 : (gpu.l2_megabytes << 20) / 8 * 5;
    case cudaDevAttrClusterLaunch:
    case cudaDevAttrReserved127:  // TENSOR_MAP_ACCESS_SUPPORTED
      return gpu.capability >= 90 ? 1 : 0;
    case cudaDevAttrMemSyncDomainCount:
      return gpu.capability >= 90 ? 4 : 1;
    default:
      break;
  }
  const auto* const found =
      std::find_if(kAttributes.begin(), kAttributes.end(),
                   [&](const Attribute& one) { return one.number == attribute; });
  if (found == kAttributes.end()) return std::nullopt;
  return found->value;
}

std::optional<std::size_t> device_limit(cudaLimit limit) {
  const auto found = limits().find(limit);
  if (found == limits().end()) return std::nullopt;
  return found->second;
}

void set_device_limit(cudaLimit limit, std::size_t value) { limits()[limit] = value; }

}  // namespace warpcheck::runtime
