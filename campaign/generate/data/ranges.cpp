#include "campaign/generate/data/ranges.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "reference/bound.hpp"
#include "reference/format.hpp"

namespace warpcheck::campaign::generate {
namespace {

using reference::format;

constexpr std::uint64_t kLattice = 16;
constexpr std::uint64_t kLatticeOfS32 = std::uint64_t{1}
                                        << 26;  // f32 cannot represent all integers there
constexpr int kSpike = 12;

std::uint64_t lattice(const DataTypes& types, std::int64_t k) {
  const double entries = std::min({static_cast<double>(kLattice), format(types.a).exact_integers(),
                                   format(types.b).exact_integers()});
  auto range = std::bit_floor(static_cast<std::uint64_t>(entries));
  double exact = format(types.accumulate).exact_integers();
  if (types.tensor_cores && types.accumulate == ScalarType::f32) {
    exact = std::min(exact, std::ldexp(1.0, reference::tensor_sums(types.a).fraction_bits + 1));
  }
  const double budget = exact / 4.0;
  while (range > 1 && static_cast<double>(k) * static_cast<double>(range * range) > budget) {
    range /= 2;
  }
  // Most elements of D, about range^2 sqrt(k) / 3, are exact in D's own type.
  const double shown = 3.0 * format(types.c).exact_integers();
  while (range > 2 &&
         std::sqrt(static_cast<double>(k)) * static_cast<double>(range * range) > shown) {
    range /= 2;
  }
  return range;
}

/// Sums of products of 8-bit integers seldom reach the integers that s32 can represent and f32
/// cannot. The values of C reach them.
std::uint64_t lattice_of_c(const DataTypes& types, std::uint64_t other_types) {
  const bool s32 = types.c == ScalarType::s32 && types.accumulate == ScalarType::s32;
  return s32 ? kLatticeOfS32 : other_types;
}

/// A row of A has k / m spikes on average, and the sum of that many signed ones, about
/// 2^(spike + 1.2) sqrt(k / m), stays four times below the largest value of D and of the running
/// sum.
int spike(const Product& product, const DataTypes& types) {
  const double largest = std::min(format(types.c).largest, format(types.accumulate).largest) / 16.0;
  const auto in_a_row =
      static_cast<double>(product.k) / static_cast<double>(std::max<std::int64_t>(product.m, 1));
  const int in_sum = std::ilogb(largest / std::sqrt(in_a_row + 1.0)) + 1;
  return std::clamp(std::min(in_sum, std::ilogb(format(types.a).largest) - 1), 1, kSpike);
}

}  // namespace

Ranges ranges(const Product& product, const DataTypes& types) {
  const auto narrowest = [&](auto property) {
    return std::min({property(format(types.a)), property(format(types.b)),
                     property(format(types.c)), property(format(types.accumulate))});
  };
  const int precision = narrowest([](const reference::Format& f) { return f.precision; });
  const int reach = narrowest([](const reference::Format& f) { return -f.smallest_exponent; });
  const std::uint64_t range = lattice(types, product.k);
  return {.lattice = range,
          .lattice_of_c = lattice_of_c(types, range),
          .spread = std::max(1, std::min(reach, 126) / 4 - 1),
          .code_bits = std::max(1, (precision - 2) / 2),
          .spike = spike(product, types)};
}

double unit(ScalarType type) {
  const reference::Format& to = format(type);
  return to.integer ? std::ldexp(1.0, std::min(to.precision, 12) - 2) : 1.0;
}

}  // namespace warpcheck::campaign::generate
