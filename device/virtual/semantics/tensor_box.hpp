// The elements that a bulk copy through a tensor map transfers (PTX ISA 5.5).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "device/tensor_map.hpp"

namespace warpcheck::semantics {

/// The operands of the instruction.
struct TensorPlace {
  std::array<std::int32_t, device::kMostTensorDimensions> at{};  // coordinates
  std::array<std::uint16_t, 3> offset{};  // im2col only, pixels along each axis of the bounding box
  std::uint64_t shared = 0;               // address in shared memory, which the swizzle depends on
};

/// 16 consecutive bytes of shared memory and of the tensor. The bytes from `first` to `end` - 1
/// exist in the tensor; the others are filled.
struct TensorChunk {
  std::uint32_t shared = 0;  // offset from the address of the copy
  std::uint8_t first = 0;
  std::uint8_t end = 0;
  std::uint64_t address = 0;  // global address of the first byte
};

using TensorBox = std::vector<TensorChunk>;

[[nodiscard]] TensorBox tensor_box(const device::TensorMap& map, const TensorPlace& place);

/// The chunks of a store or a reduction. It writes whole chunks, even beyond the end of the
/// innermost dimension, as an H200 does.
[[nodiscard]] TensorBox stored_box(const device::TensorMap& map, const TensorPlace& place);

enum class TensorAccess : std::uint8_t { load, store };

/// The reason why an H200 refuses a copy that begins at `place`; empty if it accepts the copy.
[[nodiscard]] std::string illegal_place(const device::TensorMap& map, const TensorPlace& place,
                                        TensorAccess access);

/// The address that the swizzle of a map uses instead of `address` in shared memory.
[[nodiscard]] std::uint64_t swizzled(unsigned swizzle, std::uint64_t address);

/// Byte `index` of a chunk outside the tensor.
[[nodiscard]] std::byte fill_of(const device::TensorMap& map, std::size_t index);

/// Converts the elements of a chunk as a load does: tf32 rounds to nearest even. Types with `ftz`
/// keep subnormal numbers, as on an H200.
void convert_loaded(const device::TensorMap& map, std::span<std::byte> bytes);

}  // namespace warpcheck::semantics
