#include "properties/generate/data.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/hash.hpp"
#include "reference/format.hpp"

namespace warpcheck::properties::generate {
namespace {

constexpr std::int64_t kSpecialPeriod = 16;

constexpr std::uint64_t step(std::uint64_t key, std::int64_t index) {
  return finalized(key + fibonacci_hash(static_cast<std::uint64_t>(index) + 1));
}

/// Streams of a seed: those of the operands have their numbers.
enum Stream : std::int64_t { kRows = 3, kColumns, kInner, kChoice, kBias };

/// 0 .. count - 1, from the high bits.
std::int64_t below(std::uint64_t bits, std::int64_t count) {
  return static_cast<std::int64_t>(((bits >> 32) * static_cast<std::uint64_t>(count)) >> 32);
}

double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

/// -range .. range
int exponent(std::uint64_t bits, int range) {
  return static_cast<int>(below(bits, 2 * std::int64_t{range} + 1)) - range;
}

double with_sign(std::uint64_t bits, double magnitude) {
  return (bits & 1) != 0 ? -magnitude : magnitude;
}

/// 1 <= |x| < 2, either sign.
double significand(std::uint64_t bits) {
  return with_sign(bits, std::bit_cast<double>((bits >> 12) | (std::uint64_t{1023} << 52)));
}

/// Sum of four 16-bit uniforms, centred, with variance 1.
double normal(std::uint64_t bits) {
  constexpr double kScale = 1.7320508075688772 / 65536.0;
  const auto sum = static_cast<std::int64_t>((bits & 0xffff) + ((bits >> 16) & 0xffff) +
                                             ((bits >> 32) & 0xffff) + (bits >> 48));
  return static_cast<double>(sum - std::int64_t{2} * 65535) * kScale;
}

double special_value(std::uint64_t bits, double largest) {
  switch (bits & 3) {
    case 0:
      return std::numeric_limits<double>::quiet_NaN();
    case 1:
      return HUGE_VAL;
    case 2:
      return -HUGE_VAL;
    default:
      return with_sign(bits >> 2, largest);
  }
}

}  // namespace

bool mean_zero(Recipe recipe) { return recipe != Recipe::onehot; }

Data::Data(const Case& problem, const DataTypes& types)
    : case_(problem), types_(types), ranges_(ranges(problem, types)) {
  const std::uint64_t choice = step(finalized(problem.seed), kChoice);
  if (problem.k > 1) {
    hot_stride_ = 1 + below(step(choice, 0), problem.k - 1);
    while (std::gcd(hot_stride_, problem.k) != 1) ++hot_stride_;
  }
  if (problem.m > 1) special_row_ = below(step(choice, 1), std::min(problem.m, kSpecialPeriod));
  if (problem.n > 1) special_column_ = below(step(choice, 2), std::min(problem.n, kSpecialPeriod));
}

ScalarType Data::type(Operand operand) const {
  return operand == Operand::a ? types_.a : operand == Operand::b ? types_.b : types_.c;
}

std::uint64_t Data::row_key(Operand operand, std::int64_t row) const {
  return step(step(finalized(case_.seed), static_cast<std::int64_t>(operand)), row);
}

double Data::element(Operand operand, std::int64_t row, std::int64_t column) const {
  return stored(operand, value(operand, row, column, step(row_key(operand, row), column)));
}

double Data::stored(Operand operand, double exact) const {
  const ScalarType storage = type(operand);
  if (storage == ScalarType::f32) return static_cast<double>(static_cast<float>(exact));
  return reference::round_to(storage, storage == ScalarType::u8 ? std::abs(exact) : exact);
}

reference::Matrix Data::matrix(Operand operand) const {
  reference::Matrix matrix(operand == Operand::b ? case_.k : case_.m,
                           operand == Operand::a ? case_.k : case_.n);
  std::size_t at = 0;
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    const std::uint64_t key = row_key(operand, row);
    for (std::int64_t column = 0; column < matrix.columns; ++column) {
      matrix.values[at++] = stored(operand, value(operand, row, column, step(key, column)));
    }
  }
  return matrix;
}

reference::Matrix Data::bias() const {
  const std::int64_t row = spared_row();
  const std::uint64_t key = step(finalized(case_.seed), kBias);
  reference::Matrix bias(1, case_.n);
  for (std::int64_t column = 0; column < case_.n; ++column) {
    bias(0, column) = stored(Operand::c, value(Operand::c, row, column, step(key, column)));
  }
  return bias;
}

double Data::value(Operand operand, std::int64_t row, std::int64_t column,
                   std::uint64_t bits) const {
  switch (case_.data) {
    case Recipe::lattice:
      return lattice(operand, bits);
    case Recipe::normal:
      return unit(type(operand)) * normal(bits);
    case Recipe::wide:
      return wide(operand, row, column, bits);
    case Recipe::cancellation:
      return unit(type(operand)) * cancellation(operand, row, column, bits);
    case Recipe::spikes:
      return spikes(operand, row, column, bits);
    case Recipe::onehot:
      return onehot(operand, row, column, bits);
    case Recipe::special:
      return special(operand, row, column, bits);
  }
  return 0.0;
}

double Data::lattice(Operand operand, std::uint64_t bits) const {
  const std::uint64_t range = operand == Operand::c ? ranges_.lattice_of_c : ranges_.lattice;
  return with_sign(bits, static_cast<double>(1 + ((bits >> 1) & (range - 1))));
}

double Data::wide(Operand operand, std::int64_t row, std::int64_t column,
                  std::uint64_t bits) const {
  const std::uint64_t seed = finalized(case_.seed);
  const auto exponent_of_row = [&] {
    return exponent(step(step(seed, kRows), row), ranges_.spread);
  };
  const auto exponent_of_column = [&] {
    return exponent(step(step(seed, kColumns), column), ranges_.spread);
  };
  const auto exponent_of_inner = [&](std::int64_t k) {
    return exponent(step(step(seed, kInner), k), std::max(1, ranges_.spread / 3));
  };
  // In integer formats the least exponent is 0.
  const int base = reference::format(type(operand)).integer ? 2 * ranges_.spread + 1 : 0;
  const int own = base + exponent(finalized(bits), std::max(1, ranges_.spread / 8));
  switch (operand) {
    case Operand::a:
      return significand(bits) * power_of_two(exponent_of_row() + exponent_of_inner(column) + own);
    case Operand::b:
      return significand(bits) * power_of_two(exponent_of_column() - exponent_of_inner(row) + own);
    case Operand::c:
      break;
  }
  return significand(bits) * power_of_two(exponent_of_row() + exponent_of_column() + own);
}

double Data::cancellation(Operand operand, std::int64_t row, std::int64_t column,
                          std::uint64_t bits) const {
  const std::int64_t half = case_.k / 2;
  const std::int64_t inner = operand == Operand::a ? column : row;
  if (operand == Operand::c || inner < half || inner == 2 * half) return normal(bits);
  const bool negated = (operand == Operand::b) == (types_.a == ScalarType::u8);
  const double first = operand == Operand::a ? normal(step(row_key(operand, row), column - half))
                                             : normal(step(row_key(operand, row - half), column));
  return negated ? -first : first;
}

double Data::spikes(Operand operand, std::int64_t row, std::int64_t column,
                    std::uint64_t bits) const {
  if (operand != Operand::a) return significand(bits);
  const std::uint64_t spike = step(step(finalized(case_.seed), kInner), column);
  return significand(bits) * (below(spike, case_.m) == row ? power_of_two(ranges_.spike) : 1.0);
}

std::int64_t Data::hot(std::int64_t line) const {
  return case_.k - 1 - (line % case_.k) * hot_stride_ % case_.k;
}

double Data::code(std::int64_t row, std::int64_t column) const {
  const std::int64_t mask = (std::int64_t{1} << ranges_.code_bits) - 1;
  return static_cast<double>((((row & mask) << ranges_.code_bits) | (column & mask)) + 1);
}

double Data::onehot(Operand operand, std::int64_t row, std::int64_t column,
                    std::uint64_t bits) const {
  // Quarters, so that an element of C read for another one leaves a fraction and passes for no
  // code.
  if (operand == Operand::c) {
    const bool integer = reference::format(types_.c).integer;  // beyond every code
    return static_cast<double>(1 + bits % 3) *
           (integer ? power_of_two(2 * ranges_.code_bits + 1) : 0.25);
  }
  const Operand hot_operand = (case_.seed & 1) == 0 ? Operand::a : Operand::b;
  if (operand != hot_operand) return code(row, column);
  const bool is_hot = operand == Operand::a ? column == hot(row) : row == hot(column);
  return is_hot ? 1.0 : 0.0;
}

double Data::special(Operand operand, std::int64_t row, std::int64_t column,
                     std::uint64_t bits) const {
  const double largest = reference::format(type(operand)).largest;
  switch (operand) {
    case Operand::a:
      if (row % kSpecialPeriod == special_row_) {
        const std::uint64_t line = row_key(operand, row);
        if (below(finalized(line), case_.k) == column) return special_value(line, largest);
      }
      break;
    case Operand::b:
      if (column % kSpecialPeriod == special_column_) {
        const std::uint64_t line = step(step(finalized(case_.seed), kColumns), column);
        if (below(finalized(line), case_.k) == row) return special_value(line, largest);
      }
      break;
    case Operand::c: {
      if (reference::format(types_.c).integer) break;  // sums stay within the accumulator
      // One element that nothing special reaches.
      const bool spared = row == spared_row() && column == (special_column_ == 0 ? 1 : 0);
      if (!spared && below(finalized(bits), 32) == 0) return special_value(bits >> 8, largest);
      break;
    }
  }
  return lattice(operand, bits);
}

}  // namespace warpcheck::properties::generate
