// Textures: the texels that a coordinate selects, their weights, and their values (CUDA C++
// Programming Guide, "Texture Fetching"; PTX ISA 9.7.10).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "device/texture.hpp"

namespace warpcheck::semantics {

/// The four channels of a texel or a result, as bits of f32, s32 or u32.
using Channels = std::array<std::uint32_t, 4>;

/// One texel of a sample, and its weight in 1/256.
struct Tap {
  bool border = false;  // the tap is the border colour, not a texel
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t slice = 0;  // index in the depth, the layer, or 6 * layer + face
  std::uint32_t level = 0;
  std::uint32_t weight = 0;
};

inline constexpr std::size_t kMostTaps = 16;  // eight taps in each of two levels

/// The texels that one sample reads.
struct Taps {
  unsigned count = 0;
  std::array<Tap, kMostTaps> tap;

  void add(const Tap& one) { tap[count++] = one; }
};

struct Coordinates {
  std::array<float, 3> position{};
  std::uint32_t layer = 0;
};
struct TexelCoordinates {
  std::array<std::int32_t, 3> position{};
  std::uint32_t layer = 0;
};

/// Two levels, and the weight of the second in 1/256.
struct Levels {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  std::uint32_t weight = 0;
};
/// The levels that a level of detail selects. Without `level_of_detail`, the instruction reads the
/// largest level that the sampler admits, without its bias.
[[nodiscard]] Levels levels_at(const device::Image& image, const device::Sampler& sampler,
                               std::optional<float> level_of_detail);

/// The texels that a texture instruction with floating-point coordinates reads.
[[nodiscard]] Taps taps_at(const device::Image& image, const device::Sampler& sampler,
                           const Coordinates& at, const Levels& levels = {});
/// The texels for integer coordinates, which count texels of one level. Outside the image they
/// select the border, whose channels are then 0.
[[nodiscard]] Taps taps_at(const device::Image& image, const TexelCoordinates& at,
                           std::uint32_t level = 0);
/// The four texels of tld4, in the order of its results.
[[nodiscard]] Taps gathered_taps_at(const device::Image& image, const device::Sampler& sampler,
                                    const Coordinates& at, std::uint32_t level = 0);

/// The channels of a texel, as the sampler's read mode presents them. Channels that the format does
/// not have are 0.
[[nodiscard]] Channels texel_channels(const device::TexelFormat& format,
                                      const device::Sampler& sampler, const std::byte* texel);
[[nodiscard]] Channels border_channels(const device::TexelFormat& format,
                                       const device::Sampler& sampler);

/// The weighted sum of floating-point texels.
[[nodiscard]] Channels filter(const device::TexelFormat& format, const device::Sampler& sampler,
                              const Taps& taps, const std::array<Channels, kMostTaps>& texels);

/// The level of detail for gradients of the coordinates: log2 of the longer gradient in texels.
[[nodiscard]] float level_of_gradients(const device::Image& image, const device::Sampler& sampler,
                                       const std::array<float, 3>& dx,
                                       const std::array<float, 3>& dy);

/// The bits that a formatted store writes: channels of 32 bits, converted to the format.
[[nodiscard]] std::array<std::byte, 16> formatted_texel(const device::TexelFormat& format,
                                                        const Channels& channels);

}  // namespace warpcheck::semantics
