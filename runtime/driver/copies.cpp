// Copies of the driver.
#include <utility>

#include "runtime/arrays.hpp"
#include "runtime/driver/driver.hpp"
#include "runtime/work/work.hpp"

using namespace warpcheck::runtime;

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
  CUarray array = nullptr;
};

/// Empty after a report.
std::optional<RegionPlace> place_of(Runtime& runtime, const char* function, const Side& side,
                                    const Region& region) {
  if (side.type == CU_MEMORYTYPE_ARRAY) {
    const Array* const array = live_array(runtime, function, side.array);
    if (array == nullptr) return std::nullopt;
    return place_in_array(runtime, function, *array, side.x, side.y, side.z, region);
  }
  const std::uint64_t begin = side.type == CU_MEMORYTYPE_HOST ? address_of(side.host) : side.device;
  const std::size_t slice = side.pitch * side.height;
  return RegionPlace{begin + side.z * slice + side.y * side.pitch + side.x, side.pitch, slice};
}

cudaError_t read_region(Runtime& runtime, const char* function, const Side& to, const Side& from,
                        const Region& region, CopyWork& work) {
  const auto to_place = place_of(runtime, function, to, region);
  const auto from_place = place_of(runtime, function, from, region);
  if (!to_place || !from_place) return cudaErrorInvalidValue;
  work = {function, *to_place, *from_place, region, kind_of(to.type, from.type)};
  return cudaSuccess;
}

CUresult copy_region(const char* function, const Side& to, const Side& from, const Region& region,
                     CUstream stream) {
  return context_call(function, [&](Runtime& runtime) {
    CopyWork work;
    const cudaError_t error = read_region(runtime, function, to, from, region, work);
    return error == cudaSuccess ? submit(runtime, function, stream, work) : error;
  });
}

/// A pitch of 0 is that of rows without gaps.
CUresult copy_2d(const char* function, const CUDA_MEMCPY2D& copy, CUstream stream) {
  const auto pitch_of = [&](std::size_t pitch, std::size_t x) {
    return pitch == 0 ? x + copy.WidthInBytes : pitch;
  };
  return copy_region(function,
                     {copy.dstMemoryType, copy.dstDevice, copy.dstHost, copy.dstXInBytes, copy.dstY,
                      pitch_of(copy.dstPitch, copy.dstXInBytes), 0, 0, copy.dstArray},
                     {copy.srcMemoryType, copy.srcDevice, copy.srcHost, copy.srcXInBytes, copy.srcY,
                      pitch_of(copy.srcPitch, copy.srcXInBytes), 0, 0, copy.srcArray},
                     {copy.WidthInBytes, copy.Height, 1}, stream);
}

/// The destination and the source of a copy.
std::pair<Side, Side> sides_of(const CUDA_MEMCPY3D& copy) {
  return {{copy.dstMemoryType, copy.dstDevice, copy.dstHost, copy.dstXInBytes, copy.dstY,
           copy.dstPitch, copy.dstZ, copy.dstHeight, copy.dstArray},
          {copy.srcMemoryType, copy.srcDevice, copy.srcHost, copy.srcXInBytes, copy.srcY,
           copy.srcPitch, copy.srcZ, copy.srcHeight, copy.srcArray}};
}

CUresult copy_3d(const char* function, const CUDA_MEMCPY3D& copy, CUstream stream) {
  const auto [to, from] = sides_of(copy);
  return copy_region(function, to, from, {copy.WidthInBytes, copy.Height, copy.Depth}, stream);
}

Side in_memory(CUmemorytype type, CUdeviceptr device, const void* host) {
  return {type, device, host, 0, 0, 0};
}

/// Byte `x` of an array of one row.
Side in_array(CUarray array, size_t x) {
  return {CU_MEMORYTYPE_ARRAY, 0, nullptr, x, 0, 0, 0, 0, array};
}

}  // namespace

cudaError_t warpcheck::runtime::read_copy(Runtime& runtime, const char* function,
                                          const CUDA_MEMCPY3D& copy, CopyWork& work) {
  const auto [to, from] = sides_of(copy);
  const Region region{copy.WidthInBytes, copy.Height, copy.Depth};
  const cudaError_t error = read_region(runtime, function, to, from, region, work);
  work.function = "cuGraphLaunch";
  return error;
}

CUresult cuMemcpyHtoA(CUarray to, size_t x, const void* from, size_t bytes) {
  return copy_region("cuMemcpyHtoA", in_array(to, x), in_memory(CU_MEMORYTYPE_HOST, 0, from),
                     {bytes}, nullptr);
}
CUresult cuMemcpyHtoAAsync(CUarray to, size_t x, const void* from, size_t bytes, CUstream stream) {
  return copy_region("cuMemcpyHtoAAsync", in_array(to, x), in_memory(CU_MEMORYTYPE_HOST, 0, from),
                     {bytes}, stream);
}
CUresult cuMemcpyAtoH(void* to, CUarray from, size_t x, size_t bytes) {
  return copy_region("cuMemcpyAtoH", in_memory(CU_MEMORYTYPE_HOST, 0, to), in_array(from, x),
                     {bytes}, nullptr);
}
CUresult cuMemcpyAtoHAsync(void* to, CUarray from, size_t x, size_t bytes, CUstream stream) {
  return copy_region("cuMemcpyAtoHAsync", in_memory(CU_MEMORYTYPE_HOST, 0, to), in_array(from, x),
                     {bytes}, stream);
}
CUresult cuMemcpyDtoA(CUarray to, size_t x, CUdeviceptr from, size_t bytes) {
  return copy_region("cuMemcpyDtoA", in_array(to, x),
                     in_memory(CU_MEMORYTYPE_DEVICE, from, nullptr), {bytes}, nullptr);
}
CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t x, size_t bytes) {
  return copy_region("cuMemcpyAtoD", in_memory(CU_MEMORYTYPE_DEVICE, to, nullptr),
                     in_array(from, x), {bytes}, nullptr);
}
CUresult cuMemcpyAtoA(CUarray to, size_t to_x, CUarray from, size_t from_x, size_t bytes) {
  return copy_region("cuMemcpyAtoA", in_array(to, to_x), in_array(from, from_x), {bytes}, nullptr);
}
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
