// Arrays, mipmapped arrays, and their copies.
#include "runtime/arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <utility>

#include "runtime/work/capture.hpp"

using namespace warpcheck;
using namespace warpcheck::runtime;

namespace {

/// Arrays by handle, also freed ones. They are never destroyed: the program's own destructors may
/// use them.
std::map<const void*, std::unique_ptr<Array>>& arrays() {
  static auto& all = *new std::map<const void*, std::unique_ptr<Array>>;
  return all;
}

Array* add_array(Array array) {
  auto made = std::make_unique<Array>(std::move(array));
  Array* const handle = made.get();
  arrays()[handle] = std::move(made);
  return handle;
}

constexpr unsigned kKnownFlags =
    cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
constexpr std::size_t kMostBytes = std::size_t{1} << 32;  // texels have 32-bit offsets

/// The reason why no array has this extent; empty: one can have it.
const char* wrong_extent(const cudaExtent& extent, unsigned flags) {
  if (extent.width == 0) return "the width is 0";
  const bool cube = (flags & cudaArrayCubemap) != 0;
  const bool layered = (flags & cudaArrayLayered) != 0;
  if (cube && extent.width != extent.height) return "a face of a cube must be square";
  if (cube && (extent.depth == 0 || extent.depth % 6 != 0 || (!layered && extent.depth != 6))) {
    return "the depth of a cube must be 6, or 6 for each layer";
  }
  if (layered && extent.depth == 0) return "a layered array needs a depth";
  if (!layered && !cube && extent.depth != 0 && extent.height == 0) {
    return "an array with a depth needs a height";
  }
  return nullptr;
}

/// The image of an array without addresses: levels lie one after another, the slices of each too.
device::Image image_of(const device::TexelFormat& format, const cudaExtent& extent, unsigned flags,
                       unsigned levels, std::size_t& bytes) {
  device::Image image;
  image.format = format;
  image.cube = (flags & cudaArrayCubemap) != 0;
  image.layered = (flags & cudaArrayLayered) != 0;
  const bool slices_are_layers = image.cube || image.layered;
  image.dimensions = extent.height == 0 ? 1 : extent.depth == 0 || slices_are_layers ? 2 : 3;
  if (image.layered) {
    image.layers = static_cast<std::uint32_t>(extent.depth / (image.cube ? 6 : 1));
  }
  bytes = 0;
  for (unsigned i = 0; i < levels; ++i) {
    const auto size = [&](std::size_t n) {
      return static_cast<std::uint32_t>(std::max<std::size_t>(n >> i, 1));
    };
    device::ImageLevel level;
    level.address = bytes;
    level.width = size(extent.width);
    level.height = size(extent.height);
    level.depth = slices_are_layers ? 1 : size(extent.depth);
    level.row_pitch = std::uint64_t{level.width} * format.bytes();
    level.slice_pitch = level.row_pitch * level.height;
    const std::size_t slices = slices_are_layers ? extent.depth : level.depth;
    bytes += level.slice_pitch * slices;
    image.levels.push_back(level);
  }
  return image;
}

/// The common part of all functions that allocate an array. Null and an error if it fails.
std::pair<Array*, cudaError_t> allocate_array(Runtime& runtime, const char* function,
                                              const cudaChannelFormatDesc* desc,
                                              const cudaExtent& extent, unsigned levels,
                                              unsigned flags) {
  const auto misuse = [&](const std::string& message) {
    return std::pair<Array*, cudaError_t>{
        nullptr, runtime.misuse(cudaErrorInvalidValue, fmt::format("{}: {}", function, message))};
  };
  if (desc == nullptr) return misuse("a pointer is null");
  if (const auto error = check_safe_call(runtime, function)) return {nullptr, error};
  if ((flags & ~kKnownFlags) != 0) {
    return {nullptr, runtime.unsupported(function, fmt::format("flags 0x{:x}", flags))};
  }
  const auto format = texel_format(*desc);
  if (!format) {
    return {nullptr,
            runtime.unsupported(
                function, fmt::format("channels of {}, {}, {} and {} bits of kind {}", desc->x,
                                      desc->y, desc->z, desc->w, static_cast<int>(desc->f)))};
  }
  if (const char* const wrong = wrong_extent(extent, flags)) return misuse(wrong);
  Array array;
  std::size_t bytes = 0;
  array.image = image_of(*format, extent, flags, levels, bytes);
  array.format = *desc;
  array.extent = extent;
  array.flags = flags;
  if (bytes >= kMostBytes) return {nullptr, runtime.unsupported(function, "arrays of 4 GiB")};
  void* address = nullptr;
  if (const cudaError_t error = allocate(runtime, function, &address, bytes, MemoryUse::device)) {
    return {nullptr, error};
  }
  for (device::ImageLevel& level : array.image.levels) level.address += address_of(address);
  return {add_array(std::move(array)), cudaSuccess};
}

cudaError_t make_array(const char* function, cudaArray_t* handle, const cudaChannelFormatDesc* desc,
                       const cudaExtent& extent, unsigned flags) {
  return api_call([&](Runtime& runtime) {
    if (handle == nullptr) {
      return runtime.misuse(cudaErrorInvalidValue,
                            fmt::format("{}: the pointer to the result is null", function));
    }
    const auto [array, error] = allocate_array(runtime, function, desc, extent, 1, flags);
    *handle = reinterpret_cast<cudaArray_t>(array);
    return error;
  });
}

cudaError_t free_array(const char* function, void* handle, bool mipmapped) {
  return api_call([&](Runtime& runtime) {
    if (handle == nullptr) return cudaSuccess;
    Array* const array = array_of(handle);
    if (array == nullptr || array->mipmapped != mipmapped || array->level_of != nullptr) {
      return runtime.misuse(cudaErrorInvalidResourceHandle,
                            fmt::format("{} frees {}, which is no {}array", function, handle,
                                        mipmapped ? "mipmapped " : ""));
    }
    if (const cudaError_t error = check_safe_call(runtime, function)) return error;
    array->freed = true;
    return free_memory(runtime, function, pointer_to(array->address()), MemoryUse::device);
  });
}

/// A copy between an array and memory; `to_array` is its direction.
cudaError_t copy_rows(const char* function, const void* handle, std::size_t x, std::size_t y,
                      const void* memory, std::size_t pitch, const Region& region,
                      cudaMemcpyKind kind, bool to_array, cudaStream_t stream = nullptr) {
  return api_call([&](Runtime& runtime) {
    const Array* const array = live_array(runtime, function, handle);
    if (array == nullptr) return cudaErrorInvalidResourceHandle;
    const auto place = place_in_array(runtime, function, *array, x, y, 0, region);
    if (!place) return cudaErrorInvalidValue;
    const RegionPlace other = {address_of(memory), pitch, 0};
    return submit(runtime, function, stream,
                  to_array ? CopyWork{function, *place, other, region, kind}
                           : CopyWork{function, other, *place, region, kind});
  });
}

/// The same for bytes that continue in the next row.
cudaError_t copy_bytes_of_rows(const char* function, const void* handle, std::size_t x,
                               std::size_t y, const void* memory, std::size_t bytes,
                               cudaMemcpyKind kind, bool to_array, cudaStream_t stream = nullptr) {
  return api_call([&](Runtime& runtime) {
    const Array* const array = live_array(runtime, function, handle);
    if (array == nullptr) return cudaErrorInvalidResourceHandle;
    const device::ImageLevel& level = array->image.levels.front();
    const RegionPlace place = {level.address + y * level.row_pitch + x};
    const RegionPlace other = {address_of(memory)};
    return submit(runtime, function, stream,
                  to_array ? CopyWork{function, place, other, {bytes}, kind}
                           : CopyWork{function, other, place, {bytes}, kind});
  });
}

}  // namespace

Array* runtime::array_of(const void* handle) {
  const auto found = arrays().find(handle);
  return found == arrays().end() ? nullptr : found->second.get();
}

bool runtime::is_in_array(std::uint64_t address) {
  return std::any_of(arrays().begin(), arrays().end(), [address](const auto& entry) {
    const device::ImageLevel& level = entry.second->image.levels.front();
    const device::Image& image = entry.second->image;
    const std::uint64_t slices = std::uint64_t{level.depth} * image.layers * (image.cube ? 6 : 1);
    return address - level.address < level.slice_pitch * slices;
  });
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width,
                            size_t height, unsigned flags) {
  return make_array("cudaMallocArray", array, desc, {width, height, 0}, flags);
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc,
                              cudaExtent extent, unsigned flags) {
  return make_array("cudaMalloc3DArray", array, desc, extent, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array) { return free_array("cudaFreeArray", array, false); }

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* handle,
                                     const cudaChannelFormatDesc* desc, cudaExtent extent,
                                     unsigned levels, unsigned flags) {
  return api_call([&](Runtime& runtime) {
    constexpr const char* kFunction = "cudaMallocMipmappedArray";
    if (handle == nullptr || levels == 0) {
      return runtime.misuse(cudaErrorInvalidValue,
                            fmt::format("{}: {}", kFunction,
                                        levels == 0 ? "an array has at least one level"
                                                    : "the pointer to the result is null"));
    }
    const bool volume = (flags & (cudaArrayLayered | cudaArrayCubemap)) == 0;
    const std::size_t largest = std::max({extent.width, extent.height, volume ? extent.depth : 0});
    const auto most = static_cast<unsigned>(std::bit_width(largest));
    const auto [array, error] = allocate_array(runtime, kFunction, desc, extent,
                                               std::clamp(levels, 1U, std::max(most, 1U)), flags);
    *handle = reinterpret_cast<cudaMipmappedArray_t>(array);
    if (array != nullptr) array->mipmapped = true;
    return error;
  });
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  return free_array("cudaFreeMipmappedArray", array, true);
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* handle, cudaMipmappedArray_const_t mipmapped,
                                       unsigned level) {
  return api_call([&](Runtime& runtime) {
    constexpr const char* kFunction = "cudaGetMipmappedArrayLevel";
    const Array* const all = live_array(runtime, kFunction, mipmapped, true);
    if (all == nullptr) return cudaErrorInvalidResourceHandle;
    if (level >= all->image.levels.size()) {
      return runtime.misuse(cudaErrorInvalidValue,
                            fmt::format("{}: level {} of an array of {}", kFunction, level,
                                        all->image.levels.size()));
    }
    for (const auto& [key, array] : arrays()) {  // a level has one handle
      if (array->level_of == all && array->address() == all->image.levels[level].address) {
        *handle = reinterpret_cast<cudaArray_t>(array.get());
        return cudaSuccess;
      }
    }
    Array one = *all;
    one.mipmapped = false;
    one.level_of = all;
    one.image.levels = {all->image.levels[level]};
    const device::ImageLevel& size = one.image.levels.front();
    one.extent.width = size.width;
    if (one.extent.height != 0) one.extent.height = size.height;
    if (one.image.dimensions == 3) one.extent.depth = size.depth;
    *handle = reinterpret_cast<cudaArray_t>(add_array(std::move(one)));
    return cudaSuccess;
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned* flags,
                             cudaArray_t handle) {
  return api_call([&](Runtime& runtime) {
    const Array* const array = live_array(runtime, "cudaArrayGetInfo", handle);
    if (array == nullptr) return cudaErrorInvalidResourceHandle;
    if (desc != nullptr) *desc = array->format;
    if (extent != nullptr) *extent = array->extent;
    if (flags != nullptr) *flags = array->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t handle) {
  return api_call([&](Runtime& runtime) {
    const Array* const array = live_array(runtime, "cudaGetChannelDesc", handle);
    if (array == nullptr) return cudaErrorInvalidResourceHandle;
    *desc = array->format;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_rows("cudaMemcpy2DToArray", to, x, y, from, pitch, {width, height}, kind, true);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return copy_rows("cudaMemcpy2DToArrayAsync", to, x, y, from, pitch, {width, height}, kind, true,
                   stream);
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_rows("cudaMemcpy2DFromArray", from, x, y, to, pitch, {width, height}, kind, false);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return copy_rows("cudaMemcpy2DFromArrayAsync", from, x, y, to, pitch, {width, height}, kind,
                   false, stream);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height, cudaMemcpyKind kind) {
  return api_call([&](Runtime& runtime) {
    constexpr const char* kFunction = "cudaMemcpy2DArrayToArray";
    const Array* const target = live_array(runtime, kFunction, to);
    const Array* const source = live_array(runtime, kFunction, from);
    if (target == nullptr || source == nullptr) return cudaErrorInvalidResourceHandle;
    const Region region{width, height};
    const auto to_place = place_in_array(runtime, kFunction, *target, to_x, to_y, 0, region);
    const auto from_place = place_in_array(runtime, kFunction, *source, from_x, from_y, 0, region);
    if (!to_place || !from_place) return cudaErrorInvalidValue;
    return submit(runtime, kFunction, nullptr,
                  CopyWork{kFunction, *to_place, *from_place, region, kind});
  });
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  return copy_bytes_of_rows("cudaMemcpyToArray", to, x, y, from, bytes, kind, true);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                   size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_bytes_of_rows("cudaMemcpyToArrayAsync", to, x, y, from, bytes, kind, true, stream);
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  return copy_bytes_of_rows("cudaMemcpyFromArray", from, x, y, to, bytes, kind, false);
}

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_bytes_of_rows("cudaMemcpyFromArrayAsync", from, x, y, to, bytes, kind, false, stream);
}
