#include "workflows/exec/runtime/device_model.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

namespace warpcheck::workflows::exec {
namespace {

std::map<cudaLimit, std::size_t>& limits() {
  static auto* const all =
      new std::map<cudaLimit, std::size_t>{{cudaLimitStackSize, 1024},
                                           {cudaLimitPrintfFifoSize, 1 << 20},
                                           {cudaLimitMallocHeapSize, 8 << 20},
                                           {cudaLimitDevRuntimePendingLaunchCount, 2048}};
  return *all;
}

}  // namespace

cudaDeviceProp device_properties(unsigned multiprocessors) {
  cudaDeviceProp p{};
  std::snprintf(p.name, sizeof p.name, "warpcheck virtual device");
  p.sharedMemPerBlock = kDefaultShared;
  p.sharedMemPerBlockOptin = kMostShared;
  p.sharedMemPerMultiprocessor = kMultiprocessorShared;
  p.reservedSharedMemPerBlock = kReservedShared;
  p.regsPerBlock = static_cast<int>(kRegisters);
  p.regsPerMultiprocessor = static_cast<int>(kRegisters);
  p.warpSize = 32;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = kMostThreads;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = kMostThreads;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 0x7fffffff;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.totalConstMem = 64 << 10;
  p.major = kArchitecture / 10;
  p.minor = kArchitecture % 10;
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.multiProcessorCount = static_cast<int>(multiprocessors);
  p.canMapHostMemory = 1;
  p.concurrentKernels = 1;
  p.asyncEngineCount = 3;
  p.unifiedAddressing = 1;
  p.memoryBusWidth = 5120;
  p.l2CacheSize = 50 << 20;
  p.maxThreadsPerMultiProcessor = kMultiprocessorThreads;
  p.maxBlocksPerMultiProcessor = kMultiprocessorBlocks;
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = 1;
  p.localL1CacheSupported = 1;
  p.managedMemory = 1;
  p.concurrentManagedAccess = 1;
  p.pageableMemoryAccess = 0;
  p.cooperativeLaunch = 1;
  p.clusterLaunch = 1;
  p.memoryPoolsSupported = 1;
  p.hostRegisterSupported = 1;
  return p;
}

cudaError_t device_attribute(unsigned multiprocessors, cudaDeviceAttr attribute, int& value) {
  const cudaDeviceProp p = device_properties(multiprocessors);
  const auto number = [](auto given) { return static_cast<int>(given); };
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      value = p.maxThreadsPerBlock;
      break;
    case cudaDevAttrMaxBlockDimX:
      value = p.maxThreadsDim[0];
      break;
    case cudaDevAttrMaxBlockDimY:
      value = p.maxThreadsDim[1];
      break;
    case cudaDevAttrMaxBlockDimZ:
      value = p.maxThreadsDim[2];
      break;
    case cudaDevAttrMaxGridDimX:
      value = p.maxGridSize[0];
      break;
    case cudaDevAttrMaxGridDimY:
      value = p.maxGridSize[1];
      break;
    case cudaDevAttrMaxGridDimZ:
      value = p.maxGridSize[2];
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      value = number(p.sharedMemPerBlock);
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      value = number(p.sharedMemPerBlockOptin);
      break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      value = number(kMultiprocessorShared);
      break;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      value = number(kReservedShared);
      break;
    case cudaDevAttrTotalConstantMemory:
      value = number(p.totalConstMem);
      break;
    case cudaDevAttrWarpSize:
      value = p.warpSize;
      break;
    case cudaDevAttrMaxPitch:
      value = number(p.memPitch);
      break;
    case cudaDevAttrMaxRegistersPerBlock:
      value = p.regsPerBlock;
      break;
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      value = p.regsPerMultiprocessor;
      break;
    case cudaDevAttrClockRate:
      value = 1755000;
      break;
    case cudaDevAttrMemoryClockRate:
      value = 2619000;
      break;
    case cudaDevAttrTextureAlignment:
      value = number(p.textureAlignment);
      break;
    case cudaDevAttrTexturePitchAlignment:
      value = number(p.texturePitchAlignment);
      break;
    case cudaDevAttrMultiProcessorCount:
      value = p.multiProcessorCount;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      value = p.maxThreadsPerMultiProcessor;
      break;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      value = p.maxBlocksPerMultiProcessor;
      break;
    case cudaDevAttrGlobalMemoryBusWidth:
      value = p.memoryBusWidth;
      break;
    case cudaDevAttrL2CacheSize:
      value = p.l2CacheSize;
      break;
    case cudaDevAttrAsyncEngineCount:
      value = p.asyncEngineCount;
      break;
    case cudaDevAttrComputeCapabilityMajor:
      value = p.major;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      value = p.minor;
      break;
    case cudaDevAttrIntegrated:
    case cudaDevAttrKernelExecTimeout:
    case cudaDevAttrComputeMode:
    case cudaDevAttrEccEnabled:
    case cudaDevAttrPciBusId:
    case cudaDevAttrPciDeviceId:
    case cudaDevAttrPciDomainId:
    case cudaDevAttrTccDriver:
    case cudaDevAttrIsMultiGpuBoard:
    case cudaDevAttrPageableMemoryAccess:
    case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
    case cudaDevAttrDirectManagedMemAccessFromHost:
    case cudaDevAttrGPUDirectRDMASupported:
      value = 0;
      break;
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrGlobalL1CacheSupported:
    case cudaDevAttrLocalL1CacheSupported:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrHostNativeAtomicSupported:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrComputePreemptionSupported:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrMemoryPoolsSupported:
      value = 1;
      break;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      value = 2;
      break;
    default:
      return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

std::optional<std::size_t> device_limit(cudaLimit limit) {
  const auto found = limits().find(limit);
  if (found == limits().end()) return std::nullopt;
  return found->second;
}

void set_device_limit(cudaLimit limit, std::size_t value) { limits()[limit] = value; }

int resident_blocks(int threads, std::size_t shared_bytes) {
  if (threads <= 0 || threads > static_cast<int>(kMostThreads)) return 0;
  if (shared_bytes > kMostShared) return 0;
  const unsigned rounded = (static_cast<unsigned>(threads) + 31) / 32 * 32;
  const auto by_shared =
      static_cast<unsigned>(kMultiprocessorShared / (shared_bytes + kReservedShared));
  return static_cast<int>(
      std::min({kMultiprocessorBlocks, kMultiprocessorThreads / rounded, by_shared}));
}

}  // namespace warpcheck::workflows::exec
