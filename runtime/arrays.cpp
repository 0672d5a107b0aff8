#include "runtime/arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpcheck::runtime {
namespace {

using Kind = device::TexelFormat::Kind;

std::optional<Kind> kind_of(cudaChannelFormatKind kind) {
  switch (kind) {
    case cudaChannelFormatKindSigned:
      return Kind::signed_integer;
    case cudaChannelFormatKindUnsigned:
      return Kind::unsigned_integer;
    case cudaChannelFormatKindFloat:
      return Kind::floating;
    default:
      return std::nullopt;
  }
}

/// One side of cudaMemcpy3D(): an array, or memory with a pitch.
struct CopySide {
  Array* array = nullptr;
  cudaPitchedPtr memory{};
  cudaPos at{};

  /// Bytes of an element of cudaMemcpy3DParms::extent.
  [[nodiscard]] std::size_t element() const {
    return array == nullptr ? 1 : array->image.format.bytes();
  }
};

std::optional<RegionPlace> place_of_side(Runtime& runtime, const CopySide& side,
                                         const Region& region) {
  if (side.array != nullptr) {
    return place_in_array(runtime, "cudaMemcpy3D", *side.array, side.at.x * side.element(),
                          side.at.y, side.at.z, region);
  }
  const std::size_t slice_pitch = side.memory.pitch * side.memory.ysize;
  return RegionPlace{address_of(side.memory.ptr) + side.at.z * slice_pitch +
                         side.at.y * side.memory.pitch + side.at.x,
                     side.memory.pitch, slice_pitch};
}

}  // namespace

std::optional<device::TexelFormat> texel_format(const cudaChannelFormatDesc& format) {
  const std::array<int, 4> bits = {format.x, format.y, format.z, format.w};
  const auto channels =
      static_cast<unsigned>(std::find(bits.begin(), bits.end(), 0) - bits.begin());
  const bool equal =
      std::all_of(bits.begin(), bits.begin() + channels, [&](int one) { return one == bits[0]; }) &&
      std::all_of(bits.begin() + channels, bits.end(), [](int one) { return one == 0; });
  const auto kind = kind_of(format.f);
  const bool has_width = bits[0] == 8 || bits[0] == 16 || bits[0] == 32;
  if (!kind || !equal || !has_width || channels == 3 || (*kind == Kind::floating && bits[0] == 8)) {
    return std::nullopt;
  }
  return device::TexelFormat{*kind, static_cast<unsigned>(bits[0]), channels};
}

Array* live_array(Runtime& runtime, const char* function, const void* handle, bool mipmapped) {
  Array* const array = array_of(handle);
  if (array == nullptr || array->mipmapped != mipmapped) {
    runtime.report(FindingClass::api_misuse, fmt::format("{}: {} is no {}array", function, handle,
                                                         mipmapped ? "mipmapped " : ""));
    return nullptr;
  }
  const Array& owner = array->level_of != nullptr ? *array->level_of : *array;
  if (owner.freed) {
    const auto error = runtime.session().read(array->address(), {}, nullptr);
    const std::string name = error ? error->allocation : "";
    runtime.report(FindingClass::use_after_free,
                   fmt::format("{} uses an array ({}) that was freed", function, name),
                   runtime.stacks_of(name));
    return nullptr;
  }
  return array;
}

std::optional<RegionPlace> place_in_array(Runtime& runtime, const char* function,
                                          const Array& array, std::size_t x, std::size_t y,
                                          std::size_t z, const Region& region) {
  const device::ImageLevel& level = array.image.levels.front();
  const std::size_t row = level.width * array.image.format.bytes();
  const std::size_t slices =
      std::size_t{array.image.layers} * level.depth * (array.image.cube ? 6 : 1);
  const auto within = [](std::size_t first, std::size_t count, std::size_t size) {
    return first <= size && count <= size - first;
  };
  if (!within(x, region.bytes, row) || !within(y, region.rows, level.height) ||
      !within(z, region.slices, slices)) {
    const auto info = runtime.session().containing(array.address());
    const std::string name = info ? info->name : "the array";
    runtime.report(
        FindingClass::out_of_bounds,
        fmt::format(
            "{} copies {} x {} x {} bytes, rows and slices at ({}, {}, {}) of {}, which has "
            "{} x {} x {}",
            function, region.bytes, region.rows, region.slices, x, y, z, name, row, level.height,
            slices),
        runtime.stacks_of(name));
    return std::nullopt;
  }
  return RegionPlace{level.address + z * level.slice_pitch + y * level.row_pitch + x,
                     level.row_pitch, level.slice_pitch};
}

cudaError_t read_array_copy(Runtime& runtime, const char* function,
                            const cudaMemcpy3DParms& parameters, ArrayCopy& copy) {
  CopySide to{nullptr, parameters.dstPtr, parameters.dstPos};
  CopySide from{nullptr, parameters.srcPtr, parameters.srcPos};
  for (const auto& [handle, side] :
       {std::pair{parameters.dstArray, &to}, std::pair{parameters.srcArray, &from}}) {
    if (handle == nullptr) continue;
    side->array = live_array(runtime, function, handle);
    if (side->array == nullptr) return cudaErrorInvalidResourceHandle;
  }
  if (to.array != nullptr && from.array != nullptr && to.element() != from.element()) {
    return runtime.misuse(
        cudaErrorInvalidValue,
        fmt::format("{}: texels of {} and of {} bytes", function, from.element(), to.element()));
  }
  // The extent counts texels if an array takes part; positions in memory count bytes.
  const cudaExtent& extent = parameters.extent;
  const Region region{extent.width * std::max(to.element(), from.element()), extent.height,
                      extent.depth};
  const auto to_place = place_of_side(runtime, to, region);
  const auto from_place = place_of_side(runtime, from, region);
  if (!to_place || !from_place) return cudaErrorInvalidValue;
  copy = {*to_place, *from_place, region};
  return cudaSuccess;
}

}  // namespace warpcheck::runtime
