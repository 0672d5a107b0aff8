// Operations of several dimensions against loops.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/reference/evaluate/problems.hpp"

namespace warpcheck::reference {
namespace {

TensorData integers(std::mt19937_64& random, std::vector<std::int64_t> extents) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : extents) elements *= extent;
  TensorData data{std::move(extents), {}};
  for (std::int64_t i = 0; i < elements; ++i) {
    data.values.push_back(static_cast<double>(random() % 9) - 4.0);
  }
  return data;
}

TEST(EvaluateOperations, ConvolutionReadsZeroOutsideOfTheImage) {
  operation::Operation operation;
  operation.extents = {"rows", "columns", "taps"};
  operation.inputs = {{"x", {"rows", "columns"}}, {"w", {"taps", "taps"}}};
  operation.outputs = {{"y", {"rows", "columns"}}};
  operation::define(
      operation, "y[i,j] = sum(r, s: (x[i + r - taps // 2, j + s - taps // 2] or 0) * w[r,s])", {});
  std::mt19937_64 random(1);
  TensorProblem problem;
  problem.operation = &operation;
  problem.extents = {{"rows", 5}, {"columns", 7}, {"taps", 3}};
  problem.inputs = {{"x", integers(random, {5, 7})}, {"w", integers(random, {3, 3})}};
  const ExpectedTensor result = evaluate(problem).at("y");
  for (std::int64_t i = 0; i < 5; ++i) {
    for (std::int64_t j = 0; j < 7; ++j) {
      double sum = 0.0;
      for (std::int64_t tap = 0; tap < 9; ++tap) {
        const std::int64_t row = i + tap / 3 - 1;
        const std::int64_t column = j + tap % 3 - 1;
        if (row < 0 || row >= 5 || column < 0 || column >= 7) continue;
        sum += problem.inputs.at("x").values[static_cast<std::size_t>(row * 7 + column)] *
               problem.inputs.at("w").values[static_cast<std::size_t>(tap)];
      }
      const auto at = static_cast<std::size_t>(i * 7 + j);
      EXPECT_EQ(result.value.values[at], sum);
      EXPECT_EQ(result.tolerance[at], 0.0);
    }
  }
}

TEST(EvaluateOperations, ExtentsMayBeNumbers) {
  operation::Operation operation;
  operation.extents = {"rows"};
  operation.inputs = {{"x", {"rows", "3"}}};
  operation.outputs = {{"y", {"rows"}}};
  operation::define(operation, "y[i] = sum(j, k in 4: x[i,j] * k)", {});
  TensorProblem problem;
  problem.operation = &operation;
  problem.extents = {{"rows", 2}};
  problem.inputs = {{"x", {{2, 3}, {1, 2, 3, 4, 5, 6}}}};
  EXPECT_EQ(evaluate(problem).at("y").value.values, (std::vector<double>{36, 90}));
}

// Windows of 3 elements, each 2 after the one before.
TEST(EvaluateOperations, WindowsMayOverlap) {
  operation::Operation operation;
  operation.extents = {"windows"};
  operation.inputs = {{"x", {"2 * windows + 1"}}};
  operation.outputs = {{"y", {"windows"}}};
  operation::define(operation, "y[i] = max(r in 3: x[2 * i + r])", {});
  TensorProblem problem;
  problem.operation = &operation;
  problem.extents = {{"windows", 3}};
  problem.inputs = {{"x", {{7}, {1, 5, 2, 4, 3, 0, 6}}}};
  EXPECT_EQ(evaluate(problem).at("y").value.values, (std::vector<double>{5, 4, 6}));
}

TEST(EvaluateOperations, CausalAttentionIgnoresLaterKeys) {
  operation::Operation operation;
  operation.extents = {"heads", "length", "width"};
  for (const char* const name : {"q", "k", "v"}) {
    operation.inputs.push_back({name, {"heads", "length", "width"}});
  }
  operation.outputs = {{"y", {"heads", "length", "width"}}};
  operation::define(operation,
                    "s[h,i,j] = sum(d: q[h,i,d] * k[h,j,d]) / sqrt(width)\n"
                    "peak[h,i] = max(j: s[h,i,j] where j <= i)\n"
                    "p[h,i,j] = select(j <= i, exp(s[h,i,j] - peak[h,i]), 0)\n"
                    "y[h,i,d] = sum(j: p[h,i,j] * v[h,j,d] where j <= i) / sum(j: p[h,i,j])",
                    {});
  std::mt19937_64 random(2);
  TensorProblem problem;
  problem.operation = &operation;
  problem.extents = {{"heads", 2}, {"length", 5}, {"width", 4}};
  for (const char* const name : {"q", "k", "v"}) {
    problem.inputs[name] = integers(random, {2, 5, 4});
  }
  TensorProblem poisoned = problem;
  for (std::size_t d = 0; d < 4; ++d) {
    for (const char* const name : {"k", "v"}) {
      poisoned.inputs[name].values[4 * 4 + d] = std::nan("");  // the last key of the first head
    }
  }
  const ExpectedTensor result = evaluate(problem).at("y");
  const ExpectedTensor same = evaluate(poisoned).at("y");
  for (std::size_t i = 0; i < 40; ++i) {
    const bool reads_it = i / 4 == 4;
    EXPECT_EQ(std::isnan(same.value.values[i]), reads_it) << i;
    // A score has the error of 5 roundings of terms up to 8, because a kernel may scale q first.
    EXPECT_LT(result.tolerance[i], 2e-4);
    if (reads_it) continue;
    EXPECT_EQ(result.value.values[i], same.value.values[i]) << i;
  }
  for (std::size_t d = 0; d < 4; ++d) {  // the first query has one key
    EXPECT_TRUE(result.accepts(d, problem.inputs.at("v").values[d]));
  }
}

}  // namespace
}  // namespace warpcheck::reference
