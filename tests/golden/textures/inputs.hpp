// Texels and coordinates of record.cu, the same on every machine.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "instructions.cuh"

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {  // splitmix64
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  unsigned below(unsigned limit) { return static_cast<unsigned>(bits() % limit); }
  /// In [0, 1), a multiple of 2^-24.
  float unit() { return static_cast<float>(bits() >> 40) * 0x1p-24f; }

 private:
  std::uint64_t state_;
};

/// The values of the texels. Formats of integers use random bits for all of these.
enum class Content {
  step,      // 0 or 1, at random: results are weights
  mantissa,  // magnitude in [1, 2), either sign
  range,     // exponents from -40 to 40
  special,   // infinities, NaNs, zeros, subnormal and the largest numbers
};

inline float single_of(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline float texel_value(Content content, Rng& random) {
  static const float kSpecial[] = {
      0.0f,      -0.0f,     single_of(0x7f800000), single_of(0xff800000),
      1.0f,      -1.0f,     single_of(0x7fc00000), single_of(0xffa00001),
      0x1p-149f, 0x1p-127f, 0x1.fffffep127f,       -0x1.fffffep127f};
  const float sign = random.below(2) == 0 ? 1.0f : -1.0f;
  const float mantissa = 1.0f + std::ldexp(static_cast<float>(random.below(1 << 23)), -23);
  switch (content) {
    case Content::step:
      return static_cast<float>(random.below(2));
    case Content::mantissa:
      return sign * mantissa;
    case Content::range:
      return sign * std::ldexp(mantissa, static_cast<int>(random.below(81)) - 40);
    default:
      return kSpecial[random.below(12)];
  }
}

/// A number in half precision, from bits of the content.
inline std::uint16_t half_value(Content content, Rng& random) {
  static const std::uint16_t kSpecial[] = {0,      0x8000, 0x7c00, 0xfc00, 0x3c00, 0xbc00,
                                           0x7e00, 0xfd01, 0x0001, 0x03ff, 0x7bff, 0xfbff};
  const auto sign = static_cast<std::uint16_t>(random.below(2) << 15);
  const auto mantissa = static_cast<std::uint16_t>(random.below(1 << 10));
  switch (content) {
    case Content::step:
      return random.below(2) == 0 ? 0 : 0x3c00;
    case Content::mantissa:
      return sign | 0x3c00 | mantissa;
    case Content::range:
      return static_cast<std::uint16_t>(sign | ((1 + random.below(30)) << 10) | mantissa);
    default:
      return kSpecial[random.below(12)];
  }
}

/// Coordinates in texels around an axis of `n` texels: edges and centres of texels, fractions that
/// fixed-point numbers round, and numbers far outside.
inline float coordinate(int n, Rng& random) {
  const auto width = static_cast<float>(n);
  const auto texel = static_cast<float>(static_cast<int>(random.below(3 * n + 4)) - n - 2);
  switch (random.below(8)) {
    case 0:
      return texel + 0.5f * static_cast<float>(random.below(2));
    case 1: {  // numbers around multiples of 1/512
      const float fraction = std::ldexp(static_cast<float>(random.below(512)), -9);
      const int steps = static_cast<int>(random.below(3)) - 1;
      return texel + fraction + std::ldexp(static_cast<float>(steps), -13);
    }
    case 2: {  // close to an edge or a centre
      const float exact = texel + 0.5f * static_cast<float>(random.below(2));
      const float sign = random.below(2) == 0 ? 1.0f : -1.0f;
      return exact + std::ldexp(sign, -6 - static_cast<int>(random.below(18)));
    }
    case 3: {
      static const float kFar[] = {0x1p15f,   -0x1p15f,       0x1p20f,   0x1p24f,    -0x1p24f,
                                   0x1p31f,   -0x1p31f,       0x1p32f,   1e20f,      -1e20f,
                                   HUGE_VALF, -HUGE_VALF,     NAN,       0x1p-149f,  -0x1p-126f,
                                   -0.0f,     0x1p23f + 5.0f, 70000.25f, -32769.75f, 1e10f};
      return kFar[random.below(20)];
    }
    default:
      return width * random.unit();
  }
}

inline int integer_coordinate(int n, Rng& random) {
  static const int kFar[] = {std::numeric_limits<int>::max(),
                             std::numeric_limits<int>::min(),
                             -32769,
                             65536,
                             1 << 20,
                             -(1 << 24)};
  if (random.below(8) == 0) return kFar[random.below(6)];
  return static_cast<int>(random.below(3 * n + 4)) - n - 2;
}

struct Extent {
  int width = 0, height = 0, depth = 0;  // 0: without this axis
};

/// Points for an image. Floating-point coordinates are divided by the extent if `normalized`.
inline std::vector<Point> points_in(const Extent& extent, int layers, bool normalized,
                                    std::size_t count, std::uint64_t seed) {
  Rng random(seed);
  std::vector<Point> points(count);
  for (Point& p : points) {
    const int n[] = {extent.width, extent.height, extent.depth};
    float c[3] = {};
    for (int axis = 0; axis < 3; ++axis) {
      if (n[axis] == 0) continue;
      c[axis] = coordinate(n[axis], random);
      if (normalized) c[axis] /= static_cast<float>(n[axis]);
      p.i[axis] = integer_coordinate(n[axis], random);
      // From 1/16 to 16 texels a pixel.
      for (float* gradient : {&p.dx[axis], &p.dy[axis]}) {
        const float part = 2.0f * random.unit() - 1.0f;
        const int exponent = static_cast<int>(random.below(9)) - 4;
        *gradient = std::ldexp(part, exponent) / static_cast<float>(n[axis]);
      }
    }
    p.x = c[0], p.y = c[1], p.z = c[2];
    p.layer = random.below(16) == 0 ? 0xfffffff0 : random.below(static_cast<unsigned>(layers) + 2);
    switch (random.below(4)) {
      case 0:
        p.level = static_cast<float>(static_cast<int>(random.below(8)) - 2);
        break;
      case 1:
        p.level = static_cast<float>(random.below(2048)) * 0x1p-9f;
        break;
      case 2: {
        static const float kFar[] = {-1e10f,     1e10f, NAN,  HUGE_VALF,
                                     -HUGE_VALF, 0.5f,  1.5f, 0.49999f};
        p.level = kFar[random.below(8)];
        break;
      }
      default:
        p.level = 8.0f * random.unit() - 1.0f;
    }
  }
  return points;
}

/// Directions for a cube map: inside of faces, and on edges and corners.
inline std::vector<Point> directions(int layers, std::size_t count, std::uint64_t seed) {
  Rng random(seed);
  std::vector<Point> points(count);
  for (Point& p : points) {
    float c[3];
    for (float& value : c) {
      static const float kExact[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, -0.5f, 0.75f, -0.9375f};
      value = random.below(3) == 0 ? kExact[random.below(8)] : 2.0f * random.unit() - 1.0f;
    }
    if (random.below(2) == 0) c[random.below(3)] = random.below(2) == 0 ? 1.0f : -1.0f;
    if (random.below(24) == 0) c[random.below(3)] = random.below(2) == 0 ? NAN : HUGE_VALF;
    p.x = c[0], p.y = c[1], p.z = c[2];
    p.layer = random.below(static_cast<unsigned>(layers) + 2);
  }
  return points;
}
