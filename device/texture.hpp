// Textures and surfaces: images in device memory, and how a texture instruction samples them. The
// terms are those of the CUDA C++ Programming Guide, "Texture and Surface Memory".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warpcheck::device {

/// The format of a texel: 1, 2 or 4 channels of 8, 16 or 32 bits. Floating-point channels have 16
/// or 32 bits.
struct TexelFormat {
  enum class Kind : std::uint8_t { unsigned_integer, signed_integer, floating };
  Kind kind = Kind::floating;
  unsigned bits = 32;
  unsigned channels = 1;

  [[nodiscard]] unsigned bytes() const { return bits / 8 * channels; }
  friend bool operator==(const TexelFormat&, const TexelFormat&) = default;
};

/// One level of an image: the address of its first texel, its extent in texels, and the distances
/// of rows and of slices (layers, faces) in bytes.
struct ImageLevel {
  std::uint64_t address = 0;
  std::uint32_t width = 1;
  std::uint32_t height = 1;
  std::uint32_t depth = 1;
  std::uint64_t row_pitch = 0;
  std::uint64_t slice_pitch = 0;
};

/// An image, whose slices are its depth, its layers, or the faces of cubes.
struct Image {
  TexelFormat format;
  unsigned dimensions = 1;  // 1, 2 or 3
  bool cube = false;        // each layer has six faces
  bool layered = false;
  std::uint32_t layers = 1;        // 1 for an image that is not layered
  std::vector<ImageLevel> levels;  // largest level first; never empty
};

enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };

struct Sampler {
  std::array<AddressMode, 3> address{AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
  bool linear = false;      // true: filters the nearest texels; false: takes the nearest texel
  bool normalized = false;  // coordinates range from 0 to 1
  bool to_float = false;    // integers of 8 and 16 bits become floats from 0 or -1 to 1
  bool srgb = false;        // the first three channels of 8 bits are decoded from sRGB
  std::array<float, 4> border{};
  bool linear_levels = false;  // true: filters two levels; false: takes the nearest level
  float level_bias = 0;
  float least_level = 0;
  float most_level = 0;
};

/// A texture or surface object.
struct Texture {
  std::string name;  // name in findings
  Image image;
  Sampler sampler;  // unused by surfaces
  bool is_surface = false;
};

}  // namespace warpcheck::device
