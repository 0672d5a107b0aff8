#include "reference/grid.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/avx2.hpp"
#include "reference/format.hpp"

namespace warpcheck::reference {
namespace {

constexpr std::uint64_t kFraction = (std::uint64_t{1} << 52) - 1;
constexpr int kFractionBits = 52;

/// Extremes of the bits of numbers. Bits of positive numbers have the order of the numbers.
struct Extremes {
  std::int64_t largest = 0;
  std::int64_t smallest_part = INT64_MAX;  // the lowest bit of a significand, as a number
  std::int64_t width = 0;                  // from the highest bit to the lowest one

  /// True if some value is infinite or NaN, or the lowest bit of one is a subnormal number.
  [[nodiscard]] bool are_special() const {
    return largest >= std::int64_t{0x7ff} << kFractionBits || smallest_part < kOne;
  }

  static constexpr auto kOne = std::int64_t{1} << kFractionBits;  // of the exponent
};

constexpr std::size_t kGridLanes = 8;
using Bits = std::int64_t __attribute__((vector_size(kGridLanes * sizeof(std::int64_t))));
using Numbers = double __attribute__((vector_size(kGridLanes * sizeof(double))));

/// The extremes of each lane.
struct Lanes {
  Bits largest = {};
  Bits smallest_part = Bits{} + INT64_MAX;
  Bits width = {};
};

void include(const double* values, Lanes& lanes) {
  constexpr auto kFractionOf = static_cast<std::int64_t>(kFraction);
  Bits bits;
  std::memcpy(&bits, values, sizeof bits);
  bits &= INT64_MAX;
  // A power of two is its own lowest bit. Otherwise the lowest bit of the fraction is the
  // difference to the number without it, which is exact.
  const Bits fraction = bits & kFractionOf;
  const Bits without = fraction == 0 ? Bits{} : bits & (bits - 1);
  const auto part =
      reinterpret_cast<Bits>(reinterpret_cast<Numbers>(bits) - reinterpret_cast<Numbers>(without));
  const Bits part_of_nonzero = bits == 0 ? Bits{} + INT64_MAX : part;
  const Bits width = bits == 0 ? Bits{} : bits - fraction - part + Extremes::kOne;
  lanes.largest = bits > lanes.largest ? bits : lanes.largest;
  lanes.smallest_part =
      part_of_nonzero < lanes.smallest_part ? part_of_nonzero : lanes.smallest_part;
  lanes.width = width > lanes.width ? width : lanes.width;
}

Extremes extremes(const double* values, std::size_t count) {
  Lanes lanes;
  std::size_t i = 0;
  for (; i + kGridLanes <= count; i += kGridLanes) include(values + i, lanes);
  std::array<double, kGridLanes> rest{};
  std::copy(values + i, values + count, rest.begin());
  include(rest.data(), lanes);
  Extremes e;
  for (std::size_t lane = 0; lane < kGridLanes; ++lane) {
    e.largest = std::max<std::int64_t>(e.largest, lanes.largest[lane]);
    e.smallest_part = std::min<std::int64_t>(e.smallest_part, lanes.smallest_part[lane]);
    e.width = std::max<std::int64_t>(e.width, lanes.width[lane]);
  }
  return e;
}

WARPCHECK_FOR_AVX2 Extremes extremes_with_avx2(const double* values, std::size_t count) {
  return extremes(values, count);
}

}  // namespace

void Grid::include(double value) {
  constexpr int kSpecial = 0x7ff;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const int biased = static_cast<int>(bits >> 52) & kSpecial;
  const std::uint64_t fraction = bits & kFraction;
  if (biased == kSpecial) {
    finite = false;
    return;
  }
  if (biased == 0 && fraction == 0) return;
  // value = significand * 2^(max(biased, 1) - 1075)
  const std::uint64_t significand = biased == 0 ? fraction : fraction | (kFraction + 1);
  const int zeros = std::countr_zero(significand);
  exponent = std::min(exponent, std::max(biased, 1) - 1075 + zeros);
  width = std::max(width, static_cast<int>(std::bit_width(significand)) - zeros);
  largest = std::max(largest, std::abs(value));
}

Grid grid_of(const Matrix& matrix) {
  const Values& values = matrix.values;
  const Extremes e = cpu_has_avx2() ? extremes_with_avx2(values.data(), values.size())
                                    : extremes(values.data(), values.size());
  Grid grid;
  if (e.are_special()) {
    for (const double value : values) grid.include(value);
  } else if (e.largest != 0) {
    constexpr int kBias = 1023;
    grid.exponent = static_cast<int>(e.smallest_part >> kFractionBits) - kBias;
    grid.largest = std::bit_cast<double>(e.largest);
    grid.width = static_cast<int>(e.width >> kFractionBits);
  }
  return grid;
}

Grid grid_of(double scalar) {
  Grid grid;
  grid.include(scalar);
  return grid;
}

double exact_limit(const Format& accumulator, const Grid& alpha, const Grid& a, const Grid& b,
                   const Grid& beta, const Grid& c, const Grid& bias) {
  const int product = a.exponent + b.exponent;
  int step = alpha.exponent + product;  // of the finished sum
  if (beta.largest != 0.0) step = std::min(step, beta.exponent + c.exponent);
  step = std::min(step, bias.exponent);
  // The step of every intermediate value that a kernel may compute.
  const int finest =
      std::min({step, product, alpha.exponent + a.exponent, alpha.exponent + b.exponent});
  if (std::ldexp(1.0, finest) < accumulator.smallest_step()) return 0.0;
  return std::ldexp(1.0, std::min(step, 1000) + accumulator.precision);
}

}  // namespace warpcheck::reference
