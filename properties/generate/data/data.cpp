#include "properties/generate/data/data.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel_for.hpp"
#include "properties/generate/data/random_bits.hpp"
#include "reference/format.hpp"

namespace warpcheck::properties::generate {
namespace {

using random_bits::at;
using random_bits::below;

}  // namespace

bool mean_zero(Recipe recipe) { return recipe != Recipe::onehot; }

Data::Data(const Case& problem, const DataTypes& types)
    : case_(problem), types_(types), ranges_(ranges(problem, types)) {
  const std::uint64_t choice = stream(Stream::choice);
  if (problem.k > 1) {
    hot_stride_ = 1 + below(at(choice, 0), problem.k - 1);
    while (std::gcd(hot_stride_, problem.k) != 1) ++hot_stride_;
  }
  if (problem.m > 1) special_row_ = below(at(choice, 1), std::min(problem.m, kSpecialPeriod));
  if (problem.n > 1) special_column_ = below(at(choice, 2), std::min(problem.n, kSpecialPeriod));
}

ScalarType Data::type(Operand operand) const {
  return operand == Operand::a ? types_.a : operand == Operand::b ? types_.b : types_.c;
}

std::uint64_t Data::stream(Stream number) const {
  return at(finalized(case_.seed), static_cast<std::int64_t>(number));
}

std::uint64_t Data::row_key(Operand operand, std::int64_t row) const {
  return at(stream(static_cast<Stream>(operand)), row);
}

double Data::element(Operand operand, std::int64_t row, std::int64_t column) const {
  double exact = value(operand, row, column, at(row_key(operand, row), column));
  round(operand, std::span(&exact, 1));
  return exact;
}

void Data::round(Operand operand, std::span<double> exact) const {
  const ScalarType storage = type(operand);
  if (storage == ScalarType::u8) {
    for (double& value : exact) value = std::abs(value);
  }
  reference::round_to(storage, exact);
}

reference::Matrix Data::matrix(Operand operand) const {
  reference::Matrix matrix(operand == Operand::b ? case_.k : case_.m,
                           operand == Operand::a ? case_.k : case_.n);
  const auto fill = [&](std::size_t number) {
    const auto row = static_cast<std::int64_t>(number);
    const std::uint64_t key = row_key(operand, row);
    for (std::int64_t column = 0; column < matrix.columns; ++column) {
      matrix(row, column) = value(operand, row, column, at(key, column));
    }
    round(operand, std::span(matrix.values)
                       .subspan(number * static_cast<std::size_t>(matrix.columns),
                                static_cast<std::size_t>(matrix.columns)));
  };
  for_each_row(static_cast<std::size_t>(matrix.rows), static_cast<std::size_t>(matrix.columns),
               fill);
  return matrix;
}

reference::Matrix Data::bias() const {
  const std::int64_t row = spared_row();
  const std::uint64_t key = stream(Stream::bias);
  reference::Matrix bias(1, case_.n);
  for (std::int64_t column = 0; column < case_.n; ++column) {
    bias(0, column) = value(Operand::c, row, column, at(key, column));
  }
  round(Operand::c, bias.values);
  return bias;
}

}  // namespace warpcheck::properties::generate
