#include "device/virtual/semantics/texture.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warpcheck::semantics {
namespace {

using device::AddressMode;
using device::Image;
using device::ImageLevel;
using device::Sampler;

constexpr std::int32_t kBorder = -1;
constexpr int kFraction = 256;  // coordinates have 8 fractional bits

/// The texels of one axis, and the weight of the second in 1/256.
struct AxisTaps {
  std::array<std::int32_t, 2> texel{};  // or kBorder
  std::int32_t weight = 0;
};

/// A position in texels with 8 fractional bits. It saturates; NaN is 0.
std::int64_t fixed_point(float texels) {
  if (std::isnan(texels)) return 0;
  const double bounded = std::clamp(static_cast<double>(texels), -0x1p31, 0x1p31);
  return static_cast<std::int64_t>(std::floor(bounded * kFraction + 0.5));
}

/// The texel that a texel number means, which may be outside of the axis.
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

/// Without normalized coordinates, wrap and mirror are clamp.
AddressMode mode_of(const Sampler& sampler, std::size_t axis) {
  const AddressMode mode = sampler.address[axis];
  const bool repeats = mode == AddressMode::wrap || mode == AddressMode::mirror;
  return repeats && !sampler.normalized ? AddressMode::clamp : mode;
}

/// A normalized coordinate is reduced to the period of its mode before it is scaled.
float in_texels(float coordinate, std::uint32_t size, AddressMode mode, bool normalized) {
  if (!normalized) return coordinate;
  float reduced = coordinate;
  if (mode == AddressMode::wrap && std::isfinite(coordinate)) {
    reduced = coordinate - std::floor(coordinate);
  } else if (mode == AddressMode::mirror && std::isfinite(coordinate)) {
    reduced = coordinate - 2 * std::floor(coordinate / 2);
  }
  return reduced * static_cast<float>(size);
}

AxisTaps axis_taps(float coordinate, std::uint32_t size, AddressMode mode, const Sampler& sampler,
                   bool linear) {
  const float texels = in_texels(coordinate, size, mode, sampler.normalized);
  AxisTaps taps;
  if (!linear) {
    const std::int64_t texel = fixed_point(texels) >> 8;
    taps.texel[0] = taps.texel[1] = addressed(texel, size, mode);
    return taps;
  }
  const std::int64_t position = fixed_point(texels) - kFraction / 2;
  taps.texel[0] = addressed(position >> 8, size, mode);
  taps.texel[1] = addressed((position >> 8) + 1, size, mode);
  taps.weight = static_cast<std::int32_t>(position & (kFraction - 1));
  return taps;
}

std::uint32_t layer_of(const Image& image, std::uint32_t layer) {
  return image.layered ? std::min(layer, image.layers - 1) : 0;
}

/// All combinations of the texels of the axes whose weight is not 0.
Taps combined(const std::array<AxisTaps, 3>& axes, std::uint32_t first_slice) {
  Taps taps;
  for (unsigned corner = 0; corner < 8; ++corner) {
    Tap tap;
    tap.weight = 1;
    std::array<std::int32_t, 3> texel{};
    for (unsigned axis = 0; axis < 3; ++axis) {
      const unsigned second = corner >> axis & 1;
      const std::int32_t weight = axes[axis].weight;
      tap.weight *= static_cast<std::uint32_t>(second != 0 ? weight : kFraction - weight);
      texel[axis] = axes[axis].texel[second];
      tap.border = tap.border || texel[axis] == kBorder;
    }
    if (tap.weight == 0) continue;
    if (!tap.border) {
      tap.x = static_cast<std::uint32_t>(texel[0]);
      tap.y = static_cast<std::uint32_t>(texel[1]);
      tap.slice = first_slice + static_cast<std::uint32_t>(texel[2]);
    }
    taps.add(tap);
  }
  return taps;
}

/// The face of a cube that a direction meets, and the place on it from -1 to 1.
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
  if (ax >= ay && ax >= az) {
    return std::signbit(x) ? FacePlace{1, z / ax, -y / ax} : FacePlace{0, -z / ax, -y / ax};
  }
  if (ay >= az)
    return std::signbit(y) ? FacePlace{3, x / ay, -z / ay} : FacePlace{2, x / ay, z / ay};
  return std::signbit(z) ? FacePlace{5, -x / az, -y / az} : FacePlace{4, x / az, -y / az};
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
  return axes;
}

}  // namespace

Taps taps_at(const Image& image, const ImageLevel& level, const Sampler& sampler,
             const Coordinates& at) {
  std::uint32_t slice = 0;
  const auto position = position_of(image, at, slice);
  return combined(taps_on_axes(image, level, sampler, position, sampler.linear), slice);
}

Taps taps_at(const Image& image, const ImageLevel& level, const Sampler& sampler,
             const TexelCoordinates& at) {
  std::array<AxisTaps, 3> axes;
  for (unsigned axis = 0; axis < image.dimensions; ++axis) {
    const std::int32_t texel =
        addressed(at.position[axis], size_on(level, axis), mode_of(sampler, axis));
    axes[axis].texel = {texel, texel};
  }
  return combined(axes, layer_of(image, at.layer));
}

Taps gathered_taps_at(const Image& image, const ImageLevel& level, const Sampler& sampler,
                      const Coordinates& at) {
  std::uint32_t slice = 0;
  const auto position = position_of(image, at, slice);
  const auto axes = taps_on_axes(image, level, sampler, position, true);
  // The texels at (0, 1), (1, 1), (1, 0) and (0, 0).
  constexpr std::array<std::array<unsigned, 2>, 4> kOrder = {{{0, 1}, {1, 1}, {1, 0}, {0, 0}}};
  Taps taps;
  for (const auto& [right, lower] : kOrder) {
    const std::int32_t x = axes[0].texel[right];
    const std::int32_t y = axes[1].texel[lower];
    Tap tap;
    tap.border = x == kBorder || y == kBorder;
    if (!tap.border) {
      tap = {false, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), slice, 0};
    }
    taps.add(tap);
  }
  return taps;
}

Channels filter(const device::TexelFormat&, const Sampler&, const Taps& taps,
                const std::array<Channels, 8>& texels) {
  if (taps.count == 1) return texels[0];
  Channels result{};
  for (unsigned channel = 0; channel < 4; ++channel) {
    double sum = 0;
    for (unsigned i = 0; i < taps.count; ++i) {
      sum += static_cast<double>(std::bit_cast<float>(texels[i][channel])) * taps.tap[i].weight;
    }
    result[channel] = std::bit_cast<std::uint32_t>(static_cast<float>(sum * 0x1p-24));
  }
  return result;
}

Levels levels_at(const Image& image, const Sampler& sampler, float level_of_detail) {
  const float biased = level_of_detail + sampler.level_bias;
  const float most = std::min(sampler.most_level, static_cast<float>(image.levels.size() - 1));
  const float clamped = std::isnan(biased) ? sampler.least_level
                                           : std::min(std::max(biased, sampler.least_level), most);
  const auto position = static_cast<std::uint32_t>(std::max<std::int64_t>(fixed_point(clamped), 0));
  const auto last = static_cast<std::uint32_t>(image.levels.size() - 1);
  if (!sampler.linear_levels) {
    const std::uint32_t nearest = std::min((position + kFraction / 2) >> 8, last);
    return {nearest, nearest, 0};
  }
  const std::uint32_t first = std::min(position >> 8, last);
  return {first, std::min(first + 1, last), position & (kFraction - 1)};
}

Channels filter_levels(const Channels& first, const Channels& second, std::uint32_t weight) {
  if (weight == 0) return first;
  Channels result{};
  for (unsigned channel = 0; channel < 4; ++channel) {
    const double a = std::bit_cast<float>(first[channel]);
    const double b = std::bit_cast<float>(second[channel]);
    const double sum = a * (kFraction - weight) + b * weight;
    result[channel] = std::bit_cast<std::uint32_t>(static_cast<float>(sum / kFraction));
  }
  return result;
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
