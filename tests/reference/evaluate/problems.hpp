// Problems of operations, and kernels of the host that compute them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/scalar_type.hpp"
#include "operation/operation.hpp"
#include "reference/evaluate/evaluate.hpp"
#include "reference/format.hpp"
#include "reference/gemm.hpp"

namespace warpcheck::reference {

/// x[rows, columns], w[columns], at[rows] (integers), scale; the output y.
inline operation::Operation over_rows(const std::string& definition,
                                      const operation::Tensor& output = {"y",
                                                                         {"rows", "columns"}}) {
  operation::Operation operation;
  operation.extents = {"rows", "columns"};
  operation.inputs = {{"x", {"rows", "columns"}}, {"w", {"columns"}}, {"at", {"rows"}, true}};
  operation.outputs = {output};
  operation.scalars = {"scale"};
  operation::define(operation, definition, {"example.toml", 1, 1});
  return operation;
}

/// Values of over_rows(); `generate` returns the elements of x and w.
template <class Generate>
TensorProblem problem_of(const operation::Operation& operation, std::int64_t rows,
                         std::int64_t columns, Generate generate, double scale = 1.0) {
  TensorProblem problem;
  problem.operation = &operation;
  problem.extents = {{"rows", rows}, {"columns", columns}};
  problem.scalars = {{"scale", scale}};
  TensorData x{{rows, columns}, {}};
  for (std::int64_t i = 0; i < rows * columns; ++i) x.values.push_back(generate());
  TensorData w{{columns}, {}};
  for (std::int64_t i = 0; i < columns; ++i) w.values.push_back(generate());
  TensorData at{{rows}, {}};
  for (std::int64_t i = 0; i < rows; ++i) at.values.push_back(static_cast<double>(rows - 1 - i));
  problem.inputs = {{"x", std::move(x)}, {"w", std::move(w)}, {"at", std::move(at)}};
  return problem;
}

/// D = alpha A B + beta C in the language.
inline operation::Operation gemm_operation() {
  operation::Operation operation;
  operation.extents = {"m", "n", "k"};
  operation.inputs = {{"a", {"m", "k"}}, {"b", {"k", "n"}}, {"c", {"m", "n"}}};
  operation.outputs = {{"d", {"m", "n"}}};
  operation.scalars = {"alpha", "beta"};
  operation::define(operation, "d[i,j] = alpha * sum(l: a[i,l] * b[l,j]) + beta * c[i,j]", {});
  return operation;
}

/// The same problem for gemm_operation().
inline TensorProblem tensor_problem(const operation::Operation& operation, const Gemm& gemm) {
  TensorProblem problem;
  problem.operation = &operation;
  problem.extents = {{"m", gemm.a.rows}, {"n", gemm.b.columns}, {"k", gemm.a.columns}};
  problem.scalars = {{"alpha", gemm.alpha}, {"beta", gemm.beta}};
  for (const auto& [name, matrix] :
       {std::pair<const char*, const Matrix*>{"a", &gemm.a}, {"b", &gemm.b}, {"c", &gemm.c}}) {
    problem.inputs[name] = {{matrix->rows, matrix->columns},
                            {matrix->values.begin(), matrix->values.end()}};
  }
  return problem;
}

/// A number format in which each operation rounds, with sums in a random order: a chain, or a tree
/// with up to 8 leaves a node.
class SimulatedFormat {
 public:
  SimulatedFormat(ScalarType type, std::uint64_t seed) : type_(type), random_(seed) {}

  [[nodiscard]] double operator()(double value) const { return round_to(type_, value); }

  double sum(std::vector<double> terms) {
    std::shuffle(terms.begin(), terms.end(), random_);
    return partial(terms.data(), terms.size(), random_() % 2 == 0 ? terms.size() : 8);
  }

 private:
  double partial(const double* terms, std::size_t count, std::size_t leaves) {
    if (count > leaves) {
      const double left = partial(terms, count / 2, leaves);
      return (*this)(left + partial(terms + count / 2, count - count / 2, leaves));
    }
    double total = 0.0;
    for (std::size_t i = 0; i < count; ++i) total = (*this)(total + terms[i]);
    return total;
  }

  ScalarType type_;
  std::mt19937_64 random_;
};

}  // namespace warpcheck::reference
