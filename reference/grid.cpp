#include "reference/grid.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "base/vectorized.hpp"
#include "reference/format.hpp"

namespace warpcheck::reference {
namespace {

constexpr std::uint64_t kFraction = (std::uint64_t{1} << 52) - 1;
constexpr int kFractionBits = 52;

constexpr std::int64_t kOne = std::int64_t{1} << kFractionBits;  // 1 in the exponent's fixed point
constexpr std::int64_t kInfinite = std::int64_t{0x7ff} << kFractionBits;
constexpr auto kFractionOf = static_cast<std::int64_t>(kFraction);

constexpr std::size_t kGridLanes = 8;
constexpr std::size_t kGridBlock = 8 * kGridLanes;
using Bits = std::int64_t __attribute__((vector_size(kGridLanes * sizeof(std::int64_t))));
using Numbers = double __attribute__((vector_size(kGridLanes * sizeof(double))));

/// Bits of magnitudes, and their parts of the lowest bits. Bits of positive numbers have the order
/// of the numbers.
struct Parts {
  Bits bits;
  Bits lowest;

  explicit Parts(const double* values) {
    std::memcpy(&bits, values, sizeof bits);
    bits &= INT64_MAX;
    // A power of two is its own lowest bit. Otherwise the lowest bit of the fraction is the
    // difference to the number without it, which is exact.
    const Bits without = (bits & kFractionOf) == 0 ? Bits{} : bits & (bits - 1);
    lowest = reinterpret_cast<Bits>(reinterpret_cast<Numbers>(bits) -
                                    reinterpret_cast<Numbers>(without));
  }
};

template <class F>
std::int64_t reduced(const Bits& lanes, const F& f) {
  std::int64_t result = lanes[0];
  for (std::size_t i = 1; i < kGridLanes; ++i) result = f(result, std::int64_t{lanes[i]});
  return result;
}

std::int64_t largest_of(const Bits& lanes) {
  return reduced(lanes, [](std::int64_t x, std::int64_t y) { return std::max(x, y); });
}

/// Calls f(values) with blocks of kGridBlock values, of which the last one ends with zeros, as long
/// as it returns true.
template <class F>
void for_each_block(const double* values, std::size_t count, const F& f) {
  std::size_t i = 0;
  for (; i + kGridBlock <= count; i += kGridBlock) {
    if (!f(values + i)) return;
  }
  std::array<double, kGridBlock> rest{};
  std::copy(values + i, values + count, rest.begin());
  f(rest.data());
}

/// The largest value, and the largest power of two of which all values are multiples.
struct Extremes {
  std::int64_t largest = 0;         // its bits
  std::int64_t lowest = INT64_MAX;  // bits of the power of two
  double step = 0.0;                // the power of two; 0: not known
  double inverse = HUGE_VAL;        // 1 / step

  /// True if some value is infinite or NaN, or the lowest bit of one is a subnormal number.
  [[nodiscard]] bool are_special() const { return largest >= kInfinite || lowest < kOne; }

  /// Returns true if all values are multiples of the step. May return false although they are.
  bool include_multiples(const double* values) {
    constexpr double kWeightOne = 0x1.8p52;  // the last bit of a sum with it has the weight 1
    Numbers most{};
    Bits are_multiples = ~Bits{};
    for (std::size_t i = 0; i < kGridBlock; i += kGridLanes) {
      Numbers numbers;
      std::memcpy(&numbers, values + i, sizeof numbers);
      const Numbers whole = numbers * inverse + kWeightOne - kWeightOne;
      are_multiples &= whole * step == numbers;
      const Numbers magnitudes =
          reinterpret_cast<Numbers>(reinterpret_cast<Bits>(numbers) & INT64_MAX);
      most = magnitudes > most ? magnitudes : most;
    }
    if (reduced(are_multiples, [](std::int64_t x, std::int64_t y) { return x & y; }) == 0) {
      return false;
    }
    largest = std::max(largest, largest_of(reinterpret_cast<Bits>(most)));
    return true;
  }

  void include_any(const double* values) {
    Bits most{};
    Bits least = Bits{} + INT64_MAX;
    for (std::size_t i = 0; i < kGridBlock; i += kGridLanes) {
      const Parts parts(values + i);
      const Bits lowest_of_nonzero = parts.bits == 0 ? Bits{} + INT64_MAX : parts.lowest;
      most = parts.bits > most ? parts.bits : most;
      least = lowest_of_nonzero < least ? lowest_of_nonzero : least;
    }
    largest = std::max(largest, largest_of(most));
    lowest = std::min(
        lowest, reduced(least, [](std::int64_t x, std::int64_t y) { return std::min(x, y); }));
    if (lowest == INT64_MAX || are_special()) return;
    step = std::bit_cast<double>(lowest);
    inverse = 1.0 / step;
  }
};

Extremes extremes(const double* values, std::size_t count) {
  Extremes e;
  for_each_block(values, count, [&](const double* block) {
    if (!e.include_multiples(block)) e.include_any(block);
    return !e.are_special();
  });
  return e;
}

/// Returns the width of the widest value, or that of another one, if it is at least `enough`.
/// Empty if some value is not a normal number.
std::optional<int> widest(const double* values, std::size_t count, int enough) {
  std::int64_t width = 0;
  bool is_special = false;
  for_each_block(values, count, [&](const double* block) {
    Bits most{};
    Bits special{};
    for (std::size_t i = 0; i < kGridBlock; i += kGridLanes) {
      const Parts parts(block + i);
      const Bits nonzero_bits = (parts.bits - (parts.bits & kFractionOf)) - parts.lowest + kOne;
      const Bits lane_bits = parts.bits == 0 ? Bits{} : nonzero_bits;
      special |= (parts.bits != 0) & ((parts.lowest < kOne) | (parts.bits >= kInfinite));
      most = lane_bits > most ? lane_bits : most;
    }
    is_special = reduced(special, [](std::int64_t x, std::int64_t y) { return x | y; }) != 0;
    width = std::max(width, largest_of(most) >> kFractionBits);
    return !is_special && width < enough;
  });
  return is_special ? std::nullopt : std::optional(static_cast<int>(width));
}

/// Returns the significant bits of a finite value; 0 of others.
int width_of(double value) {
  int exponent = 0;
  const double significand = std::frexp(value, &exponent);
  if (!std::isfinite(value) || value == 0.0) return 0;
  constexpr int kPrecision = kFractionBits + 1;
  const auto bits = static_cast<std::uint64_t>(std::ldexp(std::abs(significand), kPrecision));
  return kPrecision - std::countr_zero(bits);
}

}  // namespace

int step_exponent(double value) {
  constexpr int kSpecial = 0x7ff;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const int biased = static_cast<int>(bits >> 52) & kSpecial;
  const std::uint64_t fraction = bits & kFraction;
  if (biased == kSpecial || (biased == 0 && fraction == 0)) return Grid{}.exponent;
  // value = significand * 2^(max(biased, 1) - 1075)
  const std::uint64_t significand = biased == 0 ? fraction : fraction | (kFraction + 1);
  return std::max(biased, 1) - 1075 + std::countr_zero(significand);
}

void Grid::include(double value) {
  if (!std::isfinite(value)) {
    finite = false;
    return;
  }
  exponent = std::min(exponent, step_exponent(value));
  largest = std::max(largest, std::abs(value));
}

Grid grid_of(const Matrix& matrix) {
  const Values& values = matrix.values;
  const Extremes e = vectorized([&] { return extremes(values.data(), values.size()); });
  Grid grid;
  if (e.are_special()) {
    for (const double value : values) grid.include(value);
  } else if (e.largest != 0) {
    constexpr int kBias = 1023;
    grid.exponent = static_cast<int>(e.lowest >> kFractionBits) - kBias;
    grid.largest = std::bit_cast<double>(e.largest);
  }
  return grid;
}

int width_of(const Matrix& matrix, int enough) {
  const Values& values = matrix.values;
  const auto normal_width =
      vectorized([&] { return widest(values.data(), values.size(), enough); });
  if (normal_width) return *normal_width;
  int width = 0;
  for (const double value : values) width = std::max(width, width_of(value));
  return width;
}

Grid grid_of(double scalar) {
  Grid grid;
  grid.include(scalar);
  return grid;
}

double exact_limit(const Format& accumulator, const Grid& alpha, const Grid& a, const Grid& b,
                   const Grid& beta, const Grid& c, const Grid& bias) {
  const int product = a.exponent + b.exponent;
  int step = alpha.exponent + product;  // exponent of the step of the finished sum
  if (beta.largest != 0.0) step = std::min(step, beta.exponent + c.exponent);
  step = std::min(step, bias.exponent);
  // The step of every intermediate value that a kernel may compute.
  const int finest =
      std::min({step, product, alpha.exponent + a.exponent, alpha.exponent + b.exponent});
  if (std::ldexp(1.0, finest) < accumulator.smallest_step()) return 0.0;
  return std::ldexp(1.0, std::min(step, 1000) + accumulator.precision);
}

}  // namespace warpcheck::reference
