// The arguments that cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col accept, as driver 580 does.
#include <fmt/format.h>

#include "device/tensor_map.hpp"

namespace warpcheck::device {
namespace {

using Reason = std::optional<std::string>;

constexpr std::uint64_t kStrideLimit = std::uint64_t{1} << 40;
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 32;  // limit of one dimension
constexpr std::array<unsigned, 4> kSwizzleBytes = {0, 32, 64, 128};

Reason out_of_range(std::string_view what, std::int64_t value, std::int64_t least,
                    std::int64_t most) {
  if (value >= least && value <= most) return std::nullopt;
  return fmt::format("{} is {}: expected {} to {}", what, value, least, most);
}

Reason no_multiple(std::string_view what, std::uint64_t value, std::uint64_t unit) {
  if (value % unit == 0) return std::nullopt;
  return fmt::format("{} is {}: expected a multiple of {} bytes", what, value, unit);
}

template <class... Reasons>
Reason first_of(const Reasons&... reasons) {
  Reason first;
  ((first = first ? first : reasons), ...);
  return first;
}

Reason illegal_mode(const TensorMap& map) {
  if (tensor_element_bytes(map.type) == 0) {
    return fmt::format("the data type {} does not exist for compute capability 9.0", map.type);
  }
  const Reason reason = first_of(
      out_of_range("interleave", map.interleave, 0, 2), out_of_range("swizzle", map.swizzle, 0, 3),
      out_of_range("l2Promotion", map.promotion, 0, 3), out_of_range("oobFill", map.fill, 0, 1),
      out_of_range("tensorRank", map.rank, map.interleave != 0 || map.im2col ? 3 : 1,
                   kMostTensorDimensions));
  if (reason) return reason;
  if (map.fill != 0 && !is_floating(map.type)) {
    return fmt::format("oobFill requests NaNs for elements of type {}",
                       tensor_element_names()[map.type]);
  }
  return std::nullopt;
}

Reason illegal_tensor(const TensorMap& map) {
  const unsigned unit = map.interleave == 2 ? 32 : 16;
  Reason reason = no_multiple("globalAddress", map.address, unit);
  for (unsigned i = 0; i < map.rank && !reason; ++i) {
    reason = out_of_range(fmt::format("globalDim[{}]", i), static_cast<std::int64_t>(map.dims[i]),
                          1, kMostElements);
  }
  for (unsigned i = 0; i + 1 < map.rank && !reason; ++i) {
    const std::string name = fmt::format("globalStrides[{}]", i);
    if (map.strides[i] >= kStrideLimit) {
      return fmt::format("{} is {} bytes: expected less than 2^40", name, map.strides[i]);
    }
    reason = no_multiple(name, map.strides[i], unit);
  }
  return reason;
}

Reason illegal_steps(const TensorMap& map) {
  Reason reason;
  for (unsigned i = 0; i < map.rank && !reason; ++i) {
    reason = out_of_range(fmt::format("elementStrides[{}]", i), map.steps[i], 1, 8);
  }
  return reason;
}

/// Checks a row: `elements` of the innermost dimension are consecutive in shared memory.
Reason illegal_row(const TensorMap& map, std::string_view what, std::uint32_t elements) {
  const std::uint64_t bytes = std::uint64_t{elements} * tensor_element_bytes(map.type);
  const std::string name = fmt::format("{} * the size of an element", what);
  if (const Reason reason = no_multiple(name, bytes, 16)) return reason;
  if (map.interleave != 0 || map.swizzle == 0 || bytes <= kSwizzleBytes[map.swizzle])
    return std::nullopt;
  return fmt::format("{} is {} bytes, but the swizzle spans {} bytes", name, bytes,
                     kSwizzleBytes[map.swizzle]);
}

Reason illegal_box(const TensorMap& map) {
  Reason reason;
  for (unsigned i = 0; i < map.rank && !reason; ++i) {
    reason = out_of_range(fmt::format("boxDim[{}]", i), map.box[i], 1, 256);
  }
  return first_of(reason, illegal_row(map, "boxDim[0]", map.box[0]));
}

Reason illegal_pixels(const TensorMap& map) {
  Reason reason = first_of(out_of_range("channelsPerPixel", map.channels, 1, 256),
                           out_of_range("pixelsPerColumn", map.pixels, 1, 1024),
                           illegal_row(map, "channelsPerPixel", map.channels));
  const unsigned axes = map.rank - 2;
  const std::int64_t limit = axes == 1 ? 32768 : axes == 2 ? 128 : 16;
  for (unsigned i = 0; i < axes && !reason; ++i) {
    reason = first_of(
        out_of_range(fmt::format("pixelBoxLowerCorner[{}]", i), map.lower[i], -limit, limit - 1),
        out_of_range(fmt::format("pixelBoxUpperCorner[{}]", i), map.upper[i], -limit, limit - 1));
    const unsigned axis = first_pixel_axis(map) + i;
    // The driver computes with 32 bits.
    const auto end = static_cast<std::int32_t>(static_cast<std::uint32_t>(map.dims[axis]) +
                                               static_cast<std::uint32_t>(map.upper[i]));
    if (!reason && end <= map.lower[i]) {
      return fmt::format("the bounding box begins at {} and ends before {} along dimension {}",
                         map.lower[i], end, axis);
    }
  }
  return reason;
}

}  // namespace

std::optional<std::string> illegal_argument(const TensorMap& map) {
  Reason reason = illegal_mode(map);
  if (!reason) reason = illegal_tensor(map);
  if (!reason) reason = illegal_steps(map);
  if (!reason) reason = map.im2col ? illegal_pixels(map) : illegal_box(map);
  return reason;
}

}  // namespace warpcheck::device
