#include "campaign/generate/data/data.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/parallel_for.hpp"
#include "campaign/generate/data/random_bits.hpp"
#include "reference/format.hpp"

namespace warpcheck::campaign::generate {
namespace {

using random_bits::at;
using random_bits::below;

/// Returns the inverse of a number prime to `modulus`, by the extended Euclidean algorithm.
std::int64_t modular_inverse(std::int64_t number, std::int64_t modulus) {
  std::int64_t rest = modulus;
  std::int64_t next_rest = number;
  std::int64_t factor = 0;
  std::int64_t next_factor = 1;
  while (next_rest != 0) {
    const std::int64_t quotient = rest / next_rest;
    rest = std::exchange(next_rest, rest - quotient * next_rest);
    factor = std::exchange(next_factor, factor - quotient * next_factor);
  }
  return factor < 0 ? factor + modulus : factor;
}

}  // namespace

bool mean_zero(Recipe recipe) { return recipe != Recipe::onehot && !is_structured(recipe); }

Data::Data(const Case& problem, const DataTypes& types)
    : product_(problem),
      recipe_(problem.data),
      seed_(problem.seed),
      types_(types),
      ranges_(ranges(product_, types)) {
  const std::uint64_t choice = stream(Stream::choice);
  const std::int64_t k = product_.k;
  if (k > 1) {
    hot_stride_ = 1 + below(at(choice, 0), k - 1);
    while (std::gcd(hot_stride_, k) != 1) ++hot_stride_;
    hot_inverse_ = modular_inverse(hot_stride_, k);
  }
  if (product_.m > 1) special_row_ = below(at(choice, 1), std::min(product_.m, kSpecialPeriod));
  if (product_.n > 1) {
    special_column_ = below(at(choice, 2), std::min(product_.n, kSpecialPeriod));
  }
}

ScalarType Data::type(Operand operand) const {
  return operand == Operand::a ? types_.a : operand == Operand::b ? types_.b : types_.c;
}

std::uint64_t Data::stream(Stream number) const {
  return at(finalized(seed_), static_cast<std::int64_t>(number));
}

std::uint64_t Data::row_key(Operand operand, std::int64_t row) const {
  return at(stream(static_cast<Stream>(operand)), row);
}

double Data::element(Operand operand, std::int64_t row, std::int64_t column) const {
  double value = 0.0;
  fill(operand, row, row_key(operand, row), column, std::span(&value, 1));
  return value;
}

reference::Matrix Data::matrix(Operand operand) const {
  reference::Matrix matrix =
      reference::Matrix::uninitialized(operand == Operand::b ? product_.k : product_.m,
                                       operand == Operand::a ? product_.k : product_.n);
  const auto columns = static_cast<std::size_t>(matrix.columns);
  const auto fill_row = [&](std::size_t number) {
    const auto row = static_cast<std::int64_t>(number);
    fill(operand, row, row_key(operand, row), 0,
         std::span(matrix.values).subspan(number * columns, columns));
  };
  for_each_row(static_cast<std::size_t>(matrix.rows), columns, fill_row);
  return matrix;
}

reference::Matrix Data::bias() const {
  reference::Matrix bias(1, product_.n);
  fill(Operand::c, spared_row(), stream(Stream::bias), 0, bias.values);
  return bias;
}

}  // namespace warpcheck::campaign::generate
