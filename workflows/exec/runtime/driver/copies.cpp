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

/// The source or the destination of a copy.
struct Side {
  CUmemorytype type;
  CUdeviceptr device;
  const void* host;
  std::size_t x;  // bytes
  std::size_t y;
  std::size_t pitch;
  std::size_t z = 0;
  std::size_t height = 0;  // rows of a slice
};

RegionPlace place_of(const Side& side) {
  const std::uint64_t begin = side.type == CU_MEMORYTYPE_HOST ? address_of(side.host) : side.device;
  const std::size_t slice = side.pitch * side.height;
  return {begin + side.z * slice + side.y * side.pitch + side.x, side.pitch, slice};
}

CUresult copy_region(const char* function, const Side& to, const Side& from, const Region& region,
                     CUstream stream) {
  return context_call(function, [&](Runtime& runtime) {
    if (from.type == CU_MEMORYTYPE_ARRAY || to.type == CU_MEMORYTYPE_ARRAY) {
      return runtime.unsupported(function, "warpcheck exec has no CUDA arrays of the driver");
    }
    return submit(
        runtime, function, stream,
        CopyWork{function, place_of(to), place_of(from), region, kind_of(to.type, from.type)});
  });
}

/// A pitch of 0 is that of rows without gaps.
CUresult copy_2d(const char* function, const CUDA_MEMCPY2D& copy, CUstream stream) {
  const auto pitch_of = [&](std::size_t pitch, std::size_t x) {
    return pitch == 0 ? x + copy.WidthInBytes : pitch;
  };
  return copy_region(function,
                     {copy.dstMemoryType, copy.dstDevice, copy.dstHost, copy.dstXInBytes, copy.dstY,
                      pitch_of(copy.dstPitch, copy.dstXInBytes)},
                     {copy.srcMemoryType, copy.srcDevice, copy.srcHost, copy.srcXInBytes, copy.srcY,
                      pitch_of(copy.srcPitch, copy.srcXInBytes)},
                     {copy.WidthInBytes, copy.Height, 1}, stream);
}

CUresult copy_3d(const char* function, const CUDA_MEMCPY3D& copy, CUstream stream) {
  return copy_region(function,
                     {copy.dstMemoryType, copy.dstDevice, copy.dstHost, copy.dstXInBytes, copy.dstY,
                      copy.dstPitch, copy.dstZ, copy.dstHeight},
                     {copy.srcMemoryType, copy.srcDevice, copy.srcHost, copy.srcXInBytes, copy.srcY,
                      copy.srcPitch, copy.srcZ, copy.srcHeight},
                     {copy.WidthInBytes, copy.Height, copy.Depth}, stream);
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
CUresult cuMemcpy2D(const CUDA_MEMCPY2D* copy) { return copy_2d("cuMemcpy2D", *copy, nullptr); }
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* copy) {
  return copy_2d("cuMemcpy2DUnaligned", *copy, nullptr);
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* copy, CUstream stream) {
  return copy_2d("cuMemcpy2DAsync", *copy, stream);
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* copy) { return copy_3d("cuMemcpy3D", *copy, nullptr); }
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* copy, CUstream stream) {
  return copy_3d("cuMemcpy3DAsync", *copy, stream);
}
