// Tensor maps. Their 128 bytes have the project's own format, which only the virtual device reads.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string>

#include "device/tensor_map.hpp"
#include "runtime/driver/driver.hpp"

using namespace warpcheck::runtime;
using warpcheck::device::kMostTensorDimensions;
using warpcheck::device::kTensorMapBytes;
using warpcheck::device::TensorMap;

namespace {

static_assert(sizeof(CUtensorMap) == kTensorMapBytes);

/// Copies at most `count` elements, which an array of the API has.
template <class To, class From>
void assign(To& to, const From* from, std::size_t count) {
  if (from != nullptr) std::copy_n(from, std::min(count, to.size()), to.begin());
}

/// The arguments that both kinds of map have.
struct Arguments {
  CUtensorMapDataType type;
  cuuint32_t rank;
  void* address;
  const cuuint64_t* dims;
  const cuuint64_t* strides;
  const cuuint32_t* steps;
  CUtensorMapInterleave interleave;
  CUtensorMapSwizzle swizzle;
  CUtensorMapL2promotion promotion;
  CUtensorMapFloatOOBfill fill;
};

TensorMap map_of(const Arguments& arguments) {
  TensorMap map;
  map.type = arguments.type;
  map.rank = arguments.rank;
  map.address = reinterpret_cast<std::uint64_t>(arguments.address);
  assign(map.dims, arguments.dims, map.rank);
  assign(map.strides, arguments.strides, map.rank == 0 ? 0 : map.rank - 1);
  assign(map.steps, arguments.steps, map.rank);
  map.interleave = arguments.interleave;
  map.swizzle = arguments.swizzle;
  map.promotion = arguments.promotion;
  map.fill = arguments.fill;
  return map;
}

/// Writes the map if its arguments are legal.
cudaError_t write_map(Runtime& runtime, const char* function, CUtensorMap* result,
                      const TensorMap& map) {
  if (const auto reason = warpcheck::device::illegal_argument(map)) {
    return runtime.misuse(cudaErrorInvalidValue, std::string(function) + ": " + *reason);
  }
  const auto bytes = encode(map);
  std::memcpy(result, bytes.data(), bytes.size());
  return cudaSuccess;
}

/// The name of an argument that is null; empty if none is.
std::string null_argument(const CUtensorMap* map, const Arguments& arguments) {
  if (map == nullptr) return "tensorMap";
  if (arguments.dims == nullptr) return "globalDim";
  if (arguments.strides == nullptr && arguments.rank > 1) return "globalStrides";
  if (arguments.steps == nullptr) return "elementStrides";
  return {};
}

cudaError_t refuse_null(Runtime& runtime, const char* function, const std::string& argument) {
  return runtime.misuse(cudaErrorInvalidValue,
                        std::string(function) + ": " + argument + " is null");
}

}  // namespace

CUresult cuTensorMapEncodeTiled(CUtensorMap* tensorMap, CUtensorMapDataType type, cuuint32_t rank,
                                void* address, const cuuint64_t* dims, const cuuint64_t* strides,
                                const cuuint32_t* box, const cuuint32_t* steps,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  return driver_call([&](Runtime& runtime) {
    constexpr const char* kName = "cuTensorMapEncodeTiled";
    const Arguments arguments{type,  rank,       address, dims,      strides,
                              steps, interleave, swizzle, promotion, fill};
    std::string null = null_argument(tensorMap, arguments);
    if (null.empty() && box == nullptr) null = "boxDim";
    if (!null.empty()) return refuse_null(runtime, kName, null);
    TensorMap map = map_of(arguments);
    assign(map.box, box, rank);
    return write_map(runtime, kName, tensorMap, map);
  });
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap* tensorMap, CUtensorMapDataType type, cuuint32_t rank,
                                 void* address, const cuuint64_t* dims, const cuuint64_t* strides,
                                 const int* lower, const int* upper, cuuint32_t channels,
                                 cuuint32_t pixels, const cuuint32_t* steps,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  return driver_call([&](Runtime& runtime) {
    constexpr const char* kName = "cuTensorMapEncodeIm2col";
    const Arguments arguments{type,  rank,       address, dims,      strides,
                              steps, interleave, swizzle, promotion, fill};
    std::string null = null_argument(tensorMap, arguments);
    if (null.empty() && lower == nullptr) null = "pixelBoxLowerCorner";
    if (null.empty() && upper == nullptr) null = "pixelBoxUpperCorner";
    if (!null.empty()) return refuse_null(runtime, kName, null);
    TensorMap map = map_of(arguments);
    map.im2col = true;
    assign(map.lower, lower, rank < 2 ? 0 : rank - 2);
    assign(map.upper, upper, rank < 2 ? 0 : rank - 2);
    map.channels = channels;
    map.pixels = pixels;
    return write_map(runtime, kName, tensorMap, map);
  });
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* tensorMap, void* address) {
  return driver_call([&](Runtime& runtime) {
    constexpr const char* kName = "cuTensorMapReplaceAddress";
    if (tensorMap == nullptr) return refuse_null(runtime, kName, "tensorMap");
    auto map = warpcheck::device::decode(std::span<const std::byte, kTensorMapBytes>(
        reinterpret_cast<const std::byte*>(tensorMap), kTensorMapBytes));
    if (!map) {
      return runtime.misuse(cudaErrorInvalidValue,
                            fmt::format("{}: no cuTensorMapEncode function wrote the map", kName));
    }
    map->address = reinterpret_cast<std::uint64_t>(address);
    return write_map(runtime, kName, tensorMap, *map);
  });
}
