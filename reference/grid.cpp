#include "reference/grid.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
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
  std::int64_t special = 0;  // not 0: some value is infinite, NaN, or has subnormal parts
};

/// Without branches, so that the compiler can vectorise the loop.
Extremes extremes(const double* values, std::size_t count) {
  constexpr std::int64_t kSign = INT64_MIN;
  constexpr auto kInfinityBits = std::int64_t{0x7ff} << kFractionBits;
  constexpr auto kOne = std::int64_t{1} << kFractionBits;  // of the exponent
  constexpr std::int64_t kLeastBits = (kFractionBits + 1) * kOne;
  Extremes e;
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = std::bit_cast<std::int64_t>(values[i]) & ~kSign;
    const bool is_zero = bits == 0;
    e.special |= static_cast<std::int64_t>(!is_zero && bits < kLeastBits) |
                 static_cast<std::int64_t>(bits >= kInfinityBits);
    // A power of two is its own lowest bit. Otherwise the lowest bit of the fraction is the
    // difference to the number without it, which is exact.
    const bool is_power_of_two = (bits & static_cast<std::int64_t>(kFraction)) == 0;
    const double without =
        std::bit_cast<double>(is_power_of_two ? std::int64_t{0} : bits & (bits - 1));
    const auto part = std::bit_cast<std::int64_t>(std::bit_cast<double>(bits) - without);
    e.largest = std::max(e.largest, bits);
    e.smallest_part = std::min(e.smallest_part, is_zero ? INT64_MAX : part);
    const auto power_of_two = bits & ~static_cast<std::int64_t>(kFraction);
    e.width = std::max(e.width, is_zero ? std::int64_t{0} : power_of_two - part + kOne);
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
  const std::vector<double>& values = matrix.values;
  const Extremes e = cpu_has_avx2() ? extremes_with_avx2(values.data(), values.size())
                                    : extremes(values.data(), values.size());
  Grid grid;
  if (e.special != 0) {
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
