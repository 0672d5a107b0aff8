#include "workflows/bench/spot_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "campaign/case/product.hpp"
#include "campaign/run/element.hpp"
#include "reference/evaluate/evaluate.hpp"
#include "reference/gemm.hpp"

namespace warpcheck::workflows::bench {
namespace {

using campaign::Placement;
using campaign::run::Problem;
using reference::Matrix;

constexpr std::int64_t kPicked = 24;

/// The first number, the last one, and others at equal distances.
std::vector<std::int64_t> pick(std::int64_t extent) {
  const std::int64_t count = std::min(extent, kPicked);
  std::vector<std::int64_t> picked;
  for (std::int64_t i = 0; i < count; ++i) {
    picked.push_back(count == 1 ? 0 : i * (extent - 1) / (count - 1));
  }
  return picked;
}

Matrix picked_rows(const Matrix& matrix, const std::vector<std::int64_t>& rows) {
  Matrix result(static_cast<std::int64_t>(rows.size()), matrix.columns);
  for (std::int64_t i = 0; i < result.rows; ++i) {
    for (std::int64_t j = 0; j < result.columns; ++j) {
      result(i, j) = matrix(rows[static_cast<std::size_t>(i)], j);
    }
  }
  return result;
}

Matrix picked_columns(const Matrix& matrix, const std::vector<std::int64_t>& columns) {
  Matrix result(matrix.rows, static_cast<std::int64_t>(columns.size()));
  for (std::int64_t i = 0; i < result.rows; ++i) {
    for (std::int64_t j = 0; j < result.columns; ++j) {
      result(i, j) = matrix(i, columns[static_cast<std::size_t>(j)]);
    }
  }
  return result;
}

}  // namespace

std::string spot_check(const Problem& problem, std::span<const std::byte> d) {
  const std::vector<std::int64_t> rows = pick(problem.line.whole("m"));
  const std::vector<std::int64_t> columns = pick(problem.line.whole("n"));
  Problem sample;
  sample.variant = problem.variant;
  sample.line = problem.line;
  sample.alpha = problem.alpha;
  sample.beta = problem.beta;
  sample.line.set_value("m", rows.size());
  sample.line.set_value("n", columns.size());
  sample.operands.a = picked_rows(problem.operands.a, rows);
  sample.operands.b = picked_columns(problem.operands.b, columns);
  if (problem.reads_c()) {
    sample.operands.c = picked_columns(picked_rows(problem.operands.c, rows), columns);
  }
  if (problem.operands.bias.columns != 0) {
    sample.operands.bias = picked_columns(problem.operands.bias, columns);
  }
  const reference::Expected expected = reference::gemm(reference_problem(sample));
  const Placement& place = problem.layouts.output();
  for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
    for (std::int64_t j = 0; j < std::ssize(columns); ++j) {
      const std::int64_t row = rows[static_cast<std::size_t>(i)];
      const std::int64_t column = columns[static_cast<std::size_t>(j)];
      const double got = campaign::run::decode(place.type, &d[place.byte_of(row, column)]);
      if (!expected.accepts(i, j, got)) {
        return fmt::format("{} is {}, expected {} +- {}", place.element(row, column), got,
                           expected.value(i, j), expected.tolerance(i, j));
      }
    }
  }
  return {};
}

namespace {

std::string wrong_tensor_element(const Placement& place, const reference::ExpectedTensor& expected,
                                 std::span<const std::byte> bytes) {
  for (std::int64_t row = 0; row < place.all_rows(); ++row) {
    for (std::int64_t column = 0; column < place.columns; ++column) {
      const auto at = static_cast<std::size_t>(row * place.columns + column);
      const double got = campaign::run::decode(place.type, &bytes[place.byte_of(row, column)]);
      if (expected.accepts(at, got)) continue;
      const reference::Bounded values = expected.all_values(at);
      return fmt::format("{} is {}, expected {} +- {}", place.element(row, column), got,
                         values.value, values.error);
    }
  }
  return {};
}

}  // namespace

std::string wrong_element(const Problem& problem,
                          const std::function<std::vector<std::byte>(std::size_t)>& read) {
  if (campaign::is_product(problem.line)) return spot_check(problem, read(problem.output));
  const reference::ExpectedTensors expected =
      reference::evaluate(campaign::run::tensor_problem(problem));
  std::vector<std::size_t> outputs = problem.other_outputs;
  outputs.insert(outputs.begin(), problem.output);
  for (const std::size_t buffer : outputs) {
    const Placement& place = problem.layouts.operands[buffer];
    const std::string wrong =
        wrong_tensor_element(place, expected.find(place.name)->second, read(buffer));
    if (!wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace warpcheck::workflows::bench
