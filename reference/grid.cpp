#include "reference/grid.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "reference/format.hpp"

namespace warpcheck::reference {

void Grid::include(double value) {
  constexpr std::uint64_t kFraction = (std::uint64_t{1} << 52) - 1;
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
  Grid grid;
  for (const double value : matrix.values) grid.include(value);
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
