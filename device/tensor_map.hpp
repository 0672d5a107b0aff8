// Tensor maps (CUDA driver API, "Tensor Map Object Management"): the description of a tensor in
// global memory, through which bulk copies access it. A map has 128 bytes; their format belongs to
// this project, not to the hardware.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpcheck::device {

inline constexpr std::size_t kTensorMapBytes = 128;
inline constexpr std::size_t kTensorMapAlignment = 64;
inline constexpr unsigned kMostTensorDimensions = 5;

/// The arguments of cuTensorMapEncodeTiled or, if `im2col`, of cuTensorMapEncodeIm2col. Types and
/// modes have the numbers of the driver API.
struct TensorMap {
  bool im2col = false;
  unsigned type = 0;
  unsigned rank = 0;
  std::uint64_t address = 0;
  std::array<std::uint64_t, kMostTensorDimensions> dims{};         // elements
  std::array<std::uint64_t, kMostTensorDimensions - 1> strides{};  // bytes
  std::array<std::uint32_t, kMostTensorDimensions> box{};          // elements; tiled only
  std::array<std::uint32_t, kMostTensorDimensions> steps{};        // elements
  std::array<std::int32_t, 3> lower{};  // lower corner in pixels; im2col only
  std::array<std::int32_t, 3> upper{};
  std::uint32_t channels = 0;  // channels of a pixel
  std::uint32_t pixels = 0;    // pixels of a column
  unsigned interleave = 0;     // 0: none; 1: slices of 16 bytes; 2: slices of 32 bytes
  unsigned swizzle = 0;    // 0: none; 1: within 32 bytes; 2: within 64 bytes; 3: within 128 bytes
  unsigned promotion = 0;  // promotion of fetches to the L2 cache; has no effect on values
  unsigned fill = 0;       // elements outside the tensor; 0: zeros; 1: NaNs

  friend bool operator==(const TensorMap&, const TensorMap&) = default;
};

/// The names of the types, such as "u8"; the index is the type's number.
[[nodiscard]] std::span<const std::string_view> tensor_element_names();
/// Bytes of one element; 0 for a type that does not exist, or that requires compute capability
/// 10.0.
[[nodiscard]] unsigned tensor_element_bytes(unsigned type);
[[nodiscard]] bool is_floating(unsigned type);

/// The first of the dimensions of an im2col map that the bounding box limits: the innermost one of
/// an interleaved tensor, whose channels are slices.
[[nodiscard]] inline unsigned first_pixel_axis(const TensorMap& map) {
  return map.interleave != 0 ? 0 : 1;
}

/// The reason why the driver refuses the arguments: "boxDim[0] is 512: expected 1 to 256". Empty if
/// it accepts them.
[[nodiscard]] std::optional<std::string> illegal_argument(const TensorMap& map);

[[nodiscard]] std::array<std::byte, kTensorMapBytes> encode(const TensorMap& map);
/// Decodes a map. Empty if the bytes are not those of a map.
[[nodiscard]] std::optional<TensorMap> decode(std::span<const std::byte, kTensorMapBytes> bytes);

/// The fields that tensormap.replace changes.
enum class TensorMapField : std::uint8_t {
  address,
  rank,
  box,
  dim,
  stride,
  step,
  type,
  interleave,
  swizzle,
  fill
};

/// Replaces a field. `dimension`: for box, dim, stride and step. `value` is that of the instruction
/// (PTX ISA 9.7.9.28). Zeros become a map of one dimension; other bytes that are no map remain
/// none.
void replace(std::span<std::byte, kTensorMapBytes> bytes, TensorMapField field, unsigned dimension,
             std::uint64_t value);
/// True for a map with a replaced field: illegal_argument() may refuse it.
[[nodiscard]] bool has_replaced_field(std::span<const std::byte, kTensorMapBytes> bytes);

}  // namespace warpcheck::device
