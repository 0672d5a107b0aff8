#include "device/virtual/semantics/texture.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "device/virtual/semantics/formats.hpp"

namespace warpcheck::semantics {
namespace {

using device::AddressMode;
using device::Image;
using device::ImageLevel;
using device::Sampler;

constexpr std::int32_t kBorder = -1;
constexpr int kFraction = 256;  // coordinates have 8 fractional bits
// Unit to which normalized coordinates are rounded down.
constexpr double kNormalizedUnits = 0x1p21;

/// The texels of one axis, and the weight of the second in 1/256.
struct AxisTaps {
  std::array<std::int32_t, 2> texel{};  // indices of texels, or kBorder
  std::int32_t weight = 0;
};

/// A position in texels, rounded down to `bits` fractional bits. It saturates; NaN is 0.
std::int64_t fixed_point(double texels, unsigned bits) {
  if (std::isnan(texels)) return 0;
  const double bounded = std::clamp(texels, -0x1p31, 0x1p31);
  return static_cast<std::int64_t>(std::floor(std::ldexp(bounded, static_cast<int>(bits))));
}

/// A position in texels with 8 fractional bits, rounded to the nearest.
std::int64_t fixed_point(double texels) { return fixed_point(texels + 0x1p-9, 8); }

/// The texel that a texel number selects. The number may be outside the axis.
std::int32_t addressed(std::int64_t texel, std::uint32_t size, AddressMode mode) {
  const std::int64_t n = size;
  if (texel >= 0 && texel < n) return static_cast<std::int32_t>(texel);
  switch (mode) {
    case AddressMode::border:
      return kBorder;
    case AddressMode::wrap:
      return static_cast<std::int32_t>((texel % n + n) % n);
    case AddressMode::mirror: {
      const std::int64_t in_period = (texel % (2 * n) + 2 * n) % (2 * n);
      return static_cast<std::int32_t>(in_period < n ? in_period : 2 * n - 1 - in_period);
    }
    case AddressMode::clamp:
      break;
  }
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(texel, 0, n - 1));
}

/// The address mode of an axis. Without normalized coordinates, wrap and mirror count as clamp.
AddressMode mode_of(const Sampler& sampler, std::size_t axis) {
  const AddressMode mode = sampler.address[axis];
  const bool repeats = mode == AddressMode::wrap || mode == AddressMode::mirror;
  return repeats && !sampler.normalized ? AddressMode::clamp : mode;
}

/// Scales a coordinate to texels. A normalized one is first reduced to the period of its mode.
double in_texels(float coordinate, std::uint32_t size, AddressMode mode, bool normalized) {
  if (!normalized) return coordinate;
  double reduced = flush(coordinate);
  if (mode == AddressMode::wrap || mode == AddressMode::mirror) {
    if (!std::isfinite(coordinate)) return 0;
    const double period = mode == AddressMode::wrap ? 1 : 2;
    reduced -= period * std::floor(reduced / period);
  }
  const double kept =
      std::isfinite(reduced) ? std::floor(reduced * kNormalizedUnits) / kNormalizedUnits : reduced;
  return kept * size;
}

AxisTaps axis_taps(float coordinate, std::uint32_t size, AddressMode mode, const Sampler& sampler,
                   bool linear) {
  const double texels = in_texels(coordinate, size, mode, sampler.normalized);
  AxisTaps taps;
  if (!linear) {
    const std::int64_t texel = fixed_point(texels, 0);
    taps.texel[0] = taps.texel[1] = addressed(texel, size, mode);
    return taps;
  }
  const std::int64_t position = fixed_point(texels) - kFraction / 2;
  taps.texel[0] = addressed(position >> 8, size, mode);
  taps.texel[1] = addressed((position >> 8) + 1, size, mode);
  // A clamped axis has one texel beyond the centre of its first or last texel.
  const bool beyond =
      mode == AddressMode::clamp && (position < 0 || position >> 8 >= std::int64_t{size} - 1);
  taps.weight = beyond ? 0 : static_cast<std::int32_t>(position & (kFraction - 1));
  return taps;
}

std::uint32_t layer_of(const Image& image, std::uint32_t layer) {
  return image.layered ? std::min(layer, image.layers - 1) : 0;
}

/// The product of weights, rounded to 8 bits.
std::int32_t product(std::int32_t one, std::int32_t other) {
  return (one * other + kFraction / 2) / kFraction;
}

/// Adds the combinations of the texels of the axes. The weight `share` is split along the depth,
/// then along the columns, then along the rows, each time into whole 1/256. Ties go to the second
/// texel, except in the last step of the first column.
void combine(const std::array<AxisTaps, 3>& axes, std::uint32_t first_slice, std::uint32_t level,
             std::int32_t share, Taps& taps) {
  std::array<std::int32_t, 8> weight{};
  for (unsigned slice = 0; slice < 2; ++slice) {
    const std::int32_t behind = product(share, axes[2].weight);
    const std::int32_t all = slice == 0 ? share - behind : behind;
    const std::int32_t right = product(all, axes[0].weight);
    const std::int32_t lower_right = product(right, axes[1].weight);
    const std::int32_t left = all - right;
    const std::int32_t lower_left = (left * axes[1].weight + kFraction / 2 - 1) / kFraction;
    weight[4 * slice] = left - lower_left;
    weight[4 * slice + 1] = right - lower_right;
    weight[4 * slice + 2] = lower_left;
    weight[4 * slice + 3] = lower_right;
  }
  for (unsigned corner = 0; corner < 8; ++corner) {
    if (weight[corner] == 0) continue;
    Tap tap;
    tap.level = level;
    tap.weight = static_cast<std::uint32_t>(weight[corner]);
    std::array<std::int32_t, 3> texel{};
    for (unsigned axis = 0; axis < 3; ++axis) {
      texel[axis] = axes[axis].texel[corner >> axis & 1];
      tap.border = tap.border || texel[axis] == kBorder;
    }
    if (!tap.border) {
      tap.x = static_cast<std::uint32_t>(texel[0]);
      tap.y = static_cast<std::uint32_t>(texel[1]);
      tap.slice = first_slice + static_cast<std::uint32_t>(texel[2]);
    }
    taps.add(tap);
  }
}

/// The face of a cube that a direction meets, and the place on the face, from -1 to 1.
struct FacePlace {
  std::uint32_t face = 0;
  float s = 0;
  float t = 0;
};

FacePlace face_of(const std::array<float, 3>& direction) {
  const auto [x, y, z] = direction;
  const float ax = std::fabs(x);
  const float ay = std::fabs(y);
  const float az = std::fabs(z);
  // If extents are equal, the later axis determines the face.
  if (az >= ax && az >= ay) {
    return std::signbit(z) ? FacePlace{5, -x / az, -y / az} : FacePlace{4, x / az, -y / az};
  }
  if (ay >= ax) {
    return std::signbit(y) ? FacePlace{3, x / ay, -z / ay} : FacePlace{2, x / ay, z / ay};
  }
  return std::signbit(x) ? FacePlace{1, z / ax, -y / ax} : FacePlace{0, -z / ax, -y / ax};
}

std::array<float, 3> position_of(const Image& image, const Coordinates& at, std::uint32_t& slice) {
  slice = layer_of(image, at.layer) * (image.cube ? 6 : 1);
  if (!image.cube) return at.position;
  const FacePlace place = face_of(at.position);
  slice += place.face;
  return {0.5F * place.s + 0.5F, 0.5F * place.t + 0.5F, 0};
}

std::uint32_t size_on(const ImageLevel& level, unsigned axis) {
  return axis == 0 ? level.width : axis == 1 ? level.height : level.depth;
}

std::array<AxisTaps, 3> taps_on_axes(const Image& image, const ImageLevel& level,
                                     const Sampler& sampler, const std::array<float, 3>& position,
                                     bool linear) {
  std::array<AxisTaps, 3> axes;
  for (unsigned axis = 0; axis < (image.cube ? 2 : image.dimensions); ++axis) {
    const AddressMode mode = image.cube ? AddressMode::clamp : mode_of(sampler, axis);
    axes[axis] = axis_taps(position[axis], size_on(level, axis), mode, sampler, linear);
  }
  // The hardware samples a line as a plane of one row at its upper edge. With a border, half of
  // each result is therefore the border's.
  if (image.dimensions == 1 && !image.layered && linear) {
    axes[1] = axis_taps(0, 1, mode_of(sampler, 1), sampler, true);
  }
  return axes;
}

}  // namespace

Taps taps_at(const Image& image, const Sampler& sampler, const Coordinates& at,
             const Levels& levels) {
  std::uint32_t slice = 0;
  const auto position = position_of(image, at, slice);
  Taps taps;
  const auto add = [&](std::uint32_t level, std::uint32_t share) {
    const auto axes = taps_on_axes(image, image.levels[level], sampler, position, sampler.linear);
    combine(axes, slice, level, static_cast<std::int32_t>(share), taps);
  };
  add(levels.first, kFraction - levels.weight);
  if (levels.weight != 0) add(levels.second, levels.weight);
  return taps;
}

Taps taps_at(const Image& image, const TexelCoordinates& at, std::uint32_t level) {
  std::array<AxisTaps, 3> axes;
  for (unsigned axis = 0; axis < image.dimensions; ++axis) {
    const std::int32_t texel =
        addressed(at.position[axis], size_on(image.levels[level], axis), AddressMode::border);
    axes[axis].texel = {texel, texel};
  }
  Taps taps;
  combine(axes, layer_of(image, at.layer), level, kFraction, taps);
  return taps;
}

Taps gathered_taps_at(const Image& image, const Sampler& sampler, const Coordinates& at,
                      std::uint32_t level) {
  std::uint32_t slice = 0;
  const auto position = position_of(image, at, slice);
  const auto axes = taps_on_axes(image, image.levels[level], sampler, position, true);
  // The texels at (0, 1), (1, 1), (1, 0) and (0, 0).
  constexpr std::array<std::array<unsigned, 2>, 4> kOrder = {{{0, 1}, {1, 1}, {1, 0}, {0, 0}}};
  Taps taps;
  for (const auto& [right, lower] : kOrder) {
    const std::int32_t x = axes[0].texel[right];
    const std::int32_t y = axes[1].texel[lower];
    Tap tap;
    tap.level = level;
    tap.border = x == kBorder || y == kBorder;
    if (!tap.border) {
      tap.x = static_cast<std::uint32_t>(x);
      tap.y = static_cast<std::uint32_t>(y);
      tap.slice = slice;
    }
    taps.add(tap);
  }
  return taps;
}

namespace {

/// The nearest f32; of two, the larger in magnitude. Subnormal numbers become 0, NaN becomes
/// canonical.
std::uint32_t filtered_single(double value) {
  if (std::isnan(value)) return 0x7fff'ffff;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const bool tie = (bits & 0x1fff'ffff) == 0x1000'0000;
  return to_bits(flush(static_cast<float>(std::bit_cast<double>(tie ? bits + 1 : bits))));
}

/// The sum of texels in the precision of their format: integers in 16 bits, f16 in f16.
std::uint32_t filtered(const device::TexelFormat& format, double value) {
  using Format = device::TexelFormat::Kind;
  if (format.kind == Format::floating && format.bits == 32) return filtered_single(value);
  if (format.kind == Format::floating) {
    return std::isnan(value) ? 0x7fff'e000 : to_bits(widen(narrow<f16, Rounding::rna>(value)));
  }
  const double most = format.kind == Format::unsigned_integer ? 65535 : 32767;
  // Sums are multiples of 1/256 up to the rounding of the texels; ties go up.
  return to_bits(static_cast<float>(std::floor(value * most + 0.5 + 0x1p-9) / most));
}

}  // namespace

Channels filter(const device::TexelFormat& format, const Sampler& sampler, const Taps& taps,
                const std::array<Channels, kMostTaps>& texels) {
  if (!sampler.linear && taps.count == 1) return texels[0];
  Channels result{};
  for (unsigned channel = 0; channel < format.channels; ++channel) {
    double sum = 0;
    for (unsigned i = 0; i < taps.count; ++i) {
      const double texel = flush(std::bit_cast<float>(texels[i][channel]));
      sum += texel * taps.tap[i].weight;
    }
    result[channel] = filtered(format, sum / kFraction);
  }
  return result;
}

Levels levels_at(const Image& image, const Sampler& sampler, std::optional<float> level_of_detail) {
  const float level = level_of_detail ? *level_of_detail + sampler.level_bias : 0;
  const auto last = static_cast<std::uint32_t>(image.levels.size() - 1);
  const float most = std::min(sampler.most_level, static_cast<float>(last));
  const float clamped = std::isnan(level) ? sampler.least_level
                                          : std::min(std::max(level, sampler.least_level), most);
  const auto position =
      static_cast<std::uint32_t>(std::max<std::int64_t>(fixed_point(clamped, 8), 0));
  if (!sampler.linear_levels) {
    const std::uint32_t nearest = std::min((position + kFraction / 2) >> 8, last);
    return {nearest, nearest, 0};
  }
  const std::uint32_t first = std::min(position >> 8, last);
  return {first, std::min(first + 1, last), position & (kFraction - 1)};
}

float level_of_gradients(const Image& image, const Sampler& sampler, const std::array<float, 3>& dx,
                         const std::array<float, 3>& dy) {
  const ImageLevel& base = image.levels.front();
  double longest = 0;
  for (const auto* gradient : {&dx, &dy}) {
    double sum = 0;
    for (unsigned axis = 0; axis < image.dimensions; ++axis) {
      const double scale = sampler.normalized ? size_on(base, axis) : 1;
      sum += (*gradient)[axis] * scale * (*gradient)[axis] * scale;
    }
    longest = std::max(longest, sum);
  }
  return static_cast<float>(0.5 * std::log2(longest));
}

}  // namespace warpcheck::semantics
