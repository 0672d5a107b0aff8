#include "reference/bound.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace warpcheck::reference {

std::int64_t longest_path(std::int64_t k, std::int64_t split) {
  const std::int64_t slices = std::max<std::int64_t>(split, 1);
  return std::min(k, (k + slices - 1) / slices + slices - 1);
}

std::int64_t most_terms(const Matrix& a, const Matrix& b) {
  const auto nonzero = [](double value) { return static_cast<std::int64_t>(value != 0.0); };
  std::int64_t in_rows = 0;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const double* const row = a.values.data() + i * a.columns;
    in_rows = std::max(in_rows, std::transform_reduce(row, row + a.columns, std::int64_t{0},
                                                      std::plus<>(), nonzero));
  }
  std::vector<std::int64_t> in_columns(static_cast<std::size_t>(b.columns));
  for (std::int64_t k = 0; k < b.rows; ++k) {
    const double* const row = b.values.data() + k * b.columns;
    for (std::size_t j = 0; j < in_columns.size(); ++j) in_columns[j] += nonzero(row[j]);
  }
  const auto most = std::max_element(in_columns.begin(), in_columns.end());
  return std::min(in_rows, most == in_columns.end() ? 0 : *most);
}

double any_order_growth(std::int64_t path, double unit_roundoff) {
  return static_cast<double>(path) * unit_roundoff;
}

double statistical_growth(std::int64_t path, double terms, double failure, double unit_roundoff) {
  const double lambda = std::sqrt(2.0 * std::log(2.0 * terms / failure));
  const double steps = static_cast<double>(path);
  const double u = unit_roundoff;
  return std::expm1(lambda * std::sqrt(steps) * u + steps * u * u / (1.0 - u));
}

TensorSums tensor_sums(ScalarType operand) {
  return size_of(operand) == 1 ? TensorSums{13, 13} : TensorSums{24, 23};
}

namespace {

/// (2^-p + u) of tensor_growth().
double result_growth(const TensorSums& sums, double unit_roundoff) {
  return std::max(std::ldexp(1.0, -sums.result_bits), unit_roundoff) + unit_roundoff;
}

}  // namespace

double tensor_growth(std::int64_t path, const TensorSums& sums, double unit_roundoff) {
  const double cut = std::ldexp(1.0, -sums.fraction_bits);
  const double last = result_growth(sums, unit_roundoff);
  double growth = 0.0;
  for (const std::int64_t length : {4, 8, 16, 32}) {
    const auto steps = static_cast<double>((path + length - 1) / length);
    const auto addends = static_cast<double>(std::min(length, path) + 1);
    growth = std::max(growth, addends * cut * (steps + 1.0) + last * steps);
  }
  return std::expm1(growth);  // because the error of the running sum enters M_t and s_t
}

double sparse_tensor_growth(double terms, const TensorSums& sums, double unit_roundoff) {
  constexpr double kLongest = 32.0;  // products in one step
  const double cut = std::ldexp(1.0, -sums.fraction_bits);
  const double addends = 2.0 * terms + std::min(terms, kLongest) + 1.0;
  return std::expm1(addends * cut + terms * result_growth(sums, unit_roundoff));
}

Matrix running_error(const Matrix& a, const Matrix& b, double unit_roundoff, double underflow,
                     Vectors vectors) {
  Matrix errors(a.rows, b.columns);
  kernels(vectors).running_error(view(a), view(b), {unit_roundoff, underflow},
                                 errors.values.data());
  return errors;
}

}  // namespace warpcheck::reference
