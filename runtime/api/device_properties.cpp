// cudaDeviceProp, whose members are attributes.
#include <fmt/format.h>

#include <cstddef>
#include <initializer_list>
#include <utility>

#include "runtime/device_model.hpp"

namespace warpcheck::runtime {
namespace {

using Properties = cudaDeviceProp;

template <typename Member>
using Members = std::initializer_list<std::pair<Member Properties::*, cudaDeviceAttr>>;

}  // namespace

cudaDeviceProp device_properties(const device::GpuModel& gpu) {
  Properties p{};
  const auto at = [&](int attribute) { return device_attribute(gpu, attribute).value(); };
  *fmt::format_to_n(p.name, sizeof p.name - 1, "warpcheck virtual device ({})", gpu.name).out =
      '\0';
  for (const auto& [member, attribute] : Members<std::size_t>{
           {&Properties::sharedMemPerBlock, cudaDevAttrMaxSharedMemoryPerBlock},
           {&Properties::memPitch, cudaDevAttrMaxPitch},
           {&Properties::totalConstMem, cudaDevAttrTotalConstantMemory},
           {&Properties::textureAlignment, cudaDevAttrTextureAlignment},
           {&Properties::texturePitchAlignment, cudaDevAttrTexturePitchAlignment},
           {&Properties::surfaceAlignment, cudaDevAttrSurfaceAlignment},
           {&Properties::sharedMemPerMultiprocessor, cudaDevAttrMaxSharedMemoryPerMultiprocessor},
           {&Properties::sharedMemPerBlockOptin, cudaDevAttrMaxSharedMemoryPerBlockOptin},
           {&Properties::reservedSharedMemPerBlock, cudaDevAttrReservedSharedMemoryPerBlock},
       }) {
    p.*member = static_cast<std::size_t>(at(attribute));
  }
  for (const auto& [member, attribute] : Members<int>{
           {&Properties::regsPerBlock, cudaDevAttrMaxRegistersPerBlock},
           {&Properties::warpSize, cudaDevAttrWarpSize},
           {&Properties::maxThreadsPerBlock, cudaDevAttrMaxThreadsPerBlock},
           {&Properties::major, cudaDevAttrComputeCapabilityMajor},
           {&Properties::minor, cudaDevAttrComputeCapabilityMinor},
           {&Properties::multiProcessorCount, cudaDevAttrMultiProcessorCount},
           {&Properties::canMapHostMemory, cudaDevAttrCanMapHostMemory},
           {&Properties::maxTexture1D, cudaDevAttrMaxTexture1DWidth},
           {&Properties::maxTexture1DMipmap, cudaDevAttrMaxTexture1DMipmappedWidth},
           {&Properties::maxTextureCubemap, cudaDevAttrMaxTextureCubemapWidth},
           {&Properties::maxSurface1D, cudaDevAttrMaxSurface1DWidth},
           {&Properties::maxSurfaceCubemap, cudaDevAttrMaxSurfaceCubemapWidth},
           {&Properties::concurrentKernels, cudaDevAttrConcurrentKernels},
           {&Properties::ECCEnabled, cudaDevAttrEccEnabled},
           {&Properties::asyncEngineCount, cudaDevAttrAsyncEngineCount},
           {&Properties::unifiedAddressing, cudaDevAttrUnifiedAddressing},
           {&Properties::memoryBusWidth, cudaDevAttrGlobalMemoryBusWidth},
           {&Properties::l2CacheSize, cudaDevAttrL2CacheSize},
           {&Properties::persistingL2CacheMaxSize, cudaDevAttrMaxPersistingL2CacheSize},
           {&Properties::maxThreadsPerMultiProcessor, cudaDevAttrMaxThreadsPerMultiProcessor},
           {&Properties::streamPrioritiesSupported, cudaDevAttrStreamPrioritiesSupported},
           {&Properties::globalL1CacheSupported, cudaDevAttrGlobalL1CacheSupported},
           {&Properties::localL1CacheSupported, cudaDevAttrLocalL1CacheSupported},
           {&Properties::regsPerMultiprocessor, cudaDevAttrMaxRegistersPerMultiprocessor},
           {&Properties::managedMemory, cudaDevAttrManagedMemory},
           {&Properties::concurrentManagedAccess, cudaDevAttrConcurrentManagedAccess},
           {&Properties::computePreemptionSupported, cudaDevAttrComputePreemptionSupported},
           {&Properties::canUseHostPointerForRegisteredMem,
            cudaDevAttrCanUseHostPointerForRegisteredMem},
           {&Properties::cooperativeLaunch, cudaDevAttrCooperativeLaunch},
           {&Properties::maxBlocksPerMultiProcessor, cudaDevAttrMaxBlocksPerMultiprocessor},
           {&Properties::accessPolicyMaxWindowSize, cudaDevAttrMaxAccessPolicyWindowSize},
           {&Properties::hostRegisterSupported, cudaDevAttrHostRegisterSupported},
           {&Properties::hostRegisterReadOnlySupported, cudaDevAttrHostRegisterReadOnlySupported},
           {&Properties::memoryPoolsSupported, cudaDevAttrMemoryPoolsSupported},
           {&Properties::ipcEventSupported, cudaDevAttrIpcEventSupport},
           {&Properties::clusterLaunch, cudaDevAttrClusterLaunch},
           {&Properties::deviceNumaId, cudaDevAttrNumaId},
       }) {
    p.*member = at(attribute);
  }
  const auto fill = [&](int* to, std::initializer_list<cudaDeviceAttr> attributes) {
    for (const cudaDeviceAttr attribute : attributes) *to++ = at(attribute);
  };
  fill(p.maxThreadsDim,
       {cudaDevAttrMaxBlockDimX, cudaDevAttrMaxBlockDimY, cudaDevAttrMaxBlockDimZ});
  fill(p.maxGridSize, {cudaDevAttrMaxGridDimX, cudaDevAttrMaxGridDimY, cudaDevAttrMaxGridDimZ});
  fill(p.maxTexture2D, {cudaDevAttrMaxTexture2DWidth, cudaDevAttrMaxTexture2DHeight});
  fill(p.maxTexture2DMipmap,
       {cudaDevAttrMaxTexture2DMipmappedWidth, cudaDevAttrMaxTexture2DMipmappedHeight});
  fill(p.maxTexture2DLinear,
       {cudaDevAttrMaxTexture2DLinearWidth, cudaDevAttrMaxTexture2DLinearHeight,
        cudaDevAttrMaxTexture2DLinearPitch});
  fill(p.maxTexture2DGather,
       {cudaDevAttrMaxTexture2DGatherWidth, cudaDevAttrMaxTexture2DGatherHeight});
  fill(p.maxTexture3D,
       {cudaDevAttrMaxTexture3DWidth, cudaDevAttrMaxTexture3DHeight, cudaDevAttrMaxTexture3DDepth});
  fill(p.maxTexture3DAlt, {cudaDevAttrMaxTexture3DWidthAlt, cudaDevAttrMaxTexture3DHeightAlt,
                           cudaDevAttrMaxTexture3DDepthAlt});
  fill(p.maxTexture1DLayered,
       {cudaDevAttrMaxTexture1DLayeredWidth, cudaDevAttrMaxTexture1DLayeredLayers});
  fill(p.maxTexture2DLayered,
       {cudaDevAttrMaxTexture2DLayeredWidth, cudaDevAttrMaxTexture2DLayeredHeight,
        cudaDevAttrMaxTexture2DLayeredLayers});
  fill(p.maxTextureCubemapLayered,
       {cudaDevAttrMaxTextureCubemapLayeredWidth, cudaDevAttrMaxTextureCubemapLayeredLayers});
  fill(p.maxSurface2D, {cudaDevAttrMaxSurface2DWidth, cudaDevAttrMaxSurface2DHeight});
  fill(p.maxSurface3D,
       {cudaDevAttrMaxSurface3DWidth, cudaDevAttrMaxSurface3DHeight, cudaDevAttrMaxSurface3DDepth});
  fill(p.maxSurface1DLayered,
       {cudaDevAttrMaxSurface1DLayeredWidth, cudaDevAttrMaxSurface1DLayeredLayers});
  fill(p.maxSurface2DLayered,
       {cudaDevAttrMaxSurface2DLayeredWidth, cudaDevAttrMaxSurface2DLayeredHeight,
        cudaDevAttrMaxSurface2DLayeredLayers});
  fill(p.maxSurfaceCubemapLayered,
       {cudaDevAttrMaxSurfaceCubemapLayeredWidth, cudaDevAttrMaxSurfaceCubemapLayeredLayers});
  return p;
}

}  // namespace warpcheck::runtime
