// Copies of the driver.
#include "workflows/exec/runtime/driver/driver.hpp"
#include "workflows/exec/runtime/work/work.hpp"

using namespace warpcheck::workflows::exec;

namespace {

CUresult copy_bytes(const char* function, std::uint64_t to, std::uint64_t from, size_t bytes,
                    cudaMemcpyKind kind, CUstream stream = nullptr) {
  return context_call(function, [&](Runtime& runtime) {
    return submit(runtime, function, stream, CopyWork{function, {to}, {from}, {bytes}, kind});
  });
}

/// The two sides of a copy as the runtime states them. Memory of the type `unified` is on either.
cudaMemcpyKind kind_of(CUmemorytype to, CUmemorytype from) {
  if (to == CU_MEMORYTYPE_UNIFIED || from == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
  if (to == CU_MEMORYTYPE_HOST) {
    return from == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
  }
  return from == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

/// The first byte of a side, whose parameters have the same names for two and three dimensions.
std::uint64_t first_byte(CUmemorytype type, CUdeviceptr device, const void* host) {
  return type == CU_MEMORYTYPE_HOST ? address_of(host) : device;
}

CUresult copy_region(const char* function, const CUDA_MEMCPY3D& copy, CUstream stream) {
  return context_call(function, [&](Runtime& runtime) {
    if (copy.srcMemoryType == CU_MEMORYTYPE_ARRAY || copy.dstMemoryType == CU_MEMORYTYPE_ARRAY) {
      return runtime.unsupported(function, "warpcheck exec has no CUDA arrays of the driver");
    }
    const std::size_t to_slice = copy.dstPitch * copy.dstHeight;
    const std::size_t from_slice = copy.srcPitch * copy.srcHeight;
    const RegionPlace to = {first_byte(copy.dstMemoryType, copy.dstDevice, copy.dstHost) +
                                copy.dstZ * to_slice + copy.dstY * copy.dstPitch + copy.dstXInBytes,
                            copy.dstPitch, to_slice};
    const RegionPlace from = {first_byte(copy.srcMemoryType, copy.srcDevice, copy.srcHost) +
                                  copy.srcZ * from_slice + copy.srcY * copy.srcPitch +
                                  copy.srcXInBytes,
                              copy.srcPitch, from_slice};
    return submit(runtime, function, stream,
                  CopyWork{function,
                           to,
                           from,
                           {copy.WidthInBytes, copy.Height, copy.Depth},
                           kind_of(copy.dstMemoryType, copy.srcMemoryType)});
  });
}

CUresult copy_rows(const char* function, const CUDA_MEMCPY2D& copy, CUstream stream) {
  CUDA_MEMCPY3D region{};
  region.srcXInBytes = copy.srcXInBytes;
  region.srcY = copy.srcY;
  region.srcMemoryType = copy.srcMemoryType;
  region.srcHost = copy.srcHost;
  region.srcDevice = copy.srcDevice;
  region.srcPitch = copy.srcPitch == 0 ? copy.srcXInBytes + copy.WidthInBytes : copy.srcPitch;
  region.dstXInBytes = copy.dstXInBytes;
  region.dstY = copy.dstY;
  region.dstMemoryType = copy.dstMemoryType;
  region.dstHost = copy.dstHost;
  region.dstDevice = copy.dstDevice;
  region.dstPitch = copy.dstPitch == 0 ? copy.dstXInBytes + copy.WidthInBytes : copy.dstPitch;
  region.WidthInBytes = copy.WidthInBytes;
  region.Height = copy.Height;
  region.Depth = 1;
  return copy_region(function, region, stream);
}

}  // namespace

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy_bytes("cuMemcpy", to, from, bytes, cudaMemcpyDefault);
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy_bytes("cuMemcpyAsync", to, from, bytes, cudaMemcpyDefault, stream);
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  return copy_bytes("cuMemcpyHtoD", to, address_of(from), bytes, cudaMemcpyHostToDevice);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return copy_bytes("cuMemcpyHtoDAsync", to, address_of(from), bytes, cudaMemcpyHostToDevice,
                    stream);
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  return copy_bytes("cuMemcpyDtoH", address_of(to), from, bytes, cudaMemcpyDeviceToHost);
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy_bytes("cuMemcpyDtoHAsync", address_of(to), from, bytes, cudaMemcpyDeviceToHost,
                    stream);
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy_bytes("cuMemcpyDtoD", to, from, bytes, cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy_bytes("cuMemcpyDtoDAsync", to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t bytes) {
  return copy_bytes("cuMemcpyPeer", to, from, bytes, cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpy2D(const CUDA_MEMCPY2D* copy) { return copy_rows("cuMemcpy2D", *copy, nullptr); }
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* copy) {
  return copy_rows("cuMemcpy2DUnaligned", *copy, nullptr);
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* copy, CUstream stream) {
  return copy_rows("cuMemcpy2DAsync", *copy, stream);
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* copy) { return copy_region("cuMemcpy3D", *copy, nullptr); }
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* copy, CUstream stream) {
  return copy_region("cuMemcpy3DAsync", *copy, stream);
}
