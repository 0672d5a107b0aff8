// The values of each recipe.
#include <algorithm>
#include <cmath>
#include <limits>

#include "properties/generate/data/data.hpp"
#include "properties/generate/data/random_bits.hpp"
#include "reference/format.hpp"

namespace warpcheck::properties::generate {
namespace {

using namespace random_bits;

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
  const auto exponent_of_row = [&] {
    return exponent(at(stream(Stream::rows), row), ranges_.spread);
  };
  const auto exponent_of_column = [&] {
    return exponent(at(stream(Stream::columns), column), ranges_.spread);
  };
  const auto exponent_of_inner = [&](std::int64_t k) {
    return exponent(at(stream(Stream::inner), k), std::max(1, ranges_.spread / 3));
  };
  // In integer formats the least exponent is 0.
  const int base = reference::format(type(operand)).integer ? 2 * ranges_.spread + 1 : 0;
  const int own = base + exponent(finalized(bits), std::max(1, ranges_.spread / 8));
  switch (operand) {
    case Operand::a:
      return significand(bits) * two_to_the(exponent_of_row() + exponent_of_inner(column) + own);
    case Operand::b:
      return significand(bits) * two_to_the(exponent_of_column() - exponent_of_inner(row) + own);
    default:  // C
      break;
  }
  return significand(bits) * two_to_the(exponent_of_row() + exponent_of_column() + own);
}

double Data::cancellation(Operand operand, std::int64_t row, std::int64_t column,
                          std::uint64_t bits) const {
  const std::int64_t half = case_.k / 2;
  const std::int64_t inner = operand == Operand::a ? column : row;
  if (operand == Operand::c || inner < half || inner == 2 * half) return normal(bits);
  const bool negated = (operand == Operand::b) == (types_.a == ScalarType::u8);
  const double first = operand == Operand::a ? normal(at(row_key(operand, row), column - half))
                                             : normal(at(row_key(operand, row - half), column));
  return negated ? -first : first;
}

double Data::spikes(Operand operand, std::int64_t row, std::int64_t column,
                    std::uint64_t bits) const {
  if (operand != Operand::a) return significand(bits);
  const std::uint64_t spike = at(stream(Stream::inner), column);
  return significand(bits) * (below(spike, case_.m) == row ? two_to_the(ranges_.spike) : 1.0);
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
  // Quarters, so that an element of C that is read in place of another one leaves a fraction, which
  // is no code.
  if (operand == Operand::c) {
    const bool integer = reference::format(types_.c).integer;  // above every code
    return static_cast<double>(1 + bits % 3) *
           (integer ? two_to_the(2 * ranges_.code_bits + 1) : 0.25);
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
        const std::uint64_t line = at(stream(Stream::columns), column);
        if (below(finalized(line), case_.k) == row) return special_value(line, largest);
      }
      break;
    default: {                                         // C
      if (reference::format(types_.c).integer) break;  // sums stay within the accumulator
      // One element of D depends on no special value.
      const bool spared = row == spared_row() && column == (special_column_ == 0 ? 1 : 0);
      if (!spared && below(finalized(bits), 32) == 0) return special_value(bits >> 8, largest);
      break;
    }
  }
  return lattice(operand, bits);
}

}  // namespace warpcheck::properties::generate
