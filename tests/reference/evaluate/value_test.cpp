// Values of operations: definitions of mathematics, special values, and errors.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/gemm.hpp"
#include "tests/reference/evaluate/problems.hpp"

namespace warpcheck::reference {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

struct Counter {
  double next = 0.0;
  double operator()() { return ++next; }
};

/// The output for x = 1 2 3 / 4 5 6, w = 7 8 9, at = 1 0 and scale = 0.5.
ExpectedTensor result_of(const std::string& definition,
                         const operation::Tensor& output = {"y", {"rows", "columns"}}) {
  const operation::Operation operation = over_rows(definition, output);
  return evaluate(problem_of(operation, 2, 3, Counter(), 0.5)).at("y");
}

std::vector<double> values_of(const std::string& definition,
                              const operation::Tensor& output = {"y", {"rows", "columns"}}) {
  return result_of(definition, output).value.values;
}

const operation::Tensor kRow = {"y", {"rows"}};

using Values = std::vector<double>;

// Rows of y have three elements, and the sums two terms.
TEST(Evaluate, ReductionsAreShorterThanTheirRow) {
  EXPECT_EQ(values_of("y[i,j] = sum(k in rows: w[j] * x[k,j] where k <= j)"),
            (Values{7, 56, 81, 7, 56, 81}));
  EXPECT_EQ(values_of("y[i,j] = sum(k in rows: sum(l in rows: x[l,j] where l <= k) where k <= j)"),
            (Values{1, 9, 12, 1, 9, 12}));
  EXPECT_EQ(values_of("y[i,j] = sum(k in rows: x[k,j - 1] where j >= 1)"),
            (Values{0, 5, 7, 0, 5, 7}));
  EXPECT_EQ(values_of("y[i,j] = sum(l in columns: sum(k in rows: x[k,l + j] where l + j <= 2))"),
            (Values{21, 16, 9, 21, 16, 9}));
  EXPECT_EQ(values_of("y[i,j] = argmax(k in rows: x[k,j] where k <= i)"),
            (Values{0, 0, 0, 1, 1, 1}));
}

// The condition holds at some elements of a row only.
TEST(Evaluate, ReadOutsideIsAnErrorIfOneElementUsesIt) {
  EXPECT_THROW((void)values_of("y[i,j] = sum(k in rows: w[k + 2] where k <= j)"), InputError);
  EXPECT_THROW((void)values_of("y[i,j] = sum(k in columns: w[3] where k >= 1)"), InputError);
  EXPECT_EQ(values_of("y[i,j] = sum(k in rows: w[k + 2] where k < 1)"), (Values{9, 9, 9, 9, 9, 9}));
}

TEST(Evaluate, ReductionsAndConditions) {
  EXPECT_EQ(values_of("y[i] = sum(j: x[i,j])", kRow), (Values{6, 15}));
  EXPECT_EQ(values_of("y[i] = prod(j: x[i,j])", kRow), (Values{6, 120}));
  EXPECT_EQ(values_of("y[i] = max(j: x[i,j] where j != 2)", kRow), (Values{2, 5}));
  EXPECT_EQ(values_of("y[i] = min(j: -x[i,j])", kRow), (Values{-3, -6}));
  EXPECT_EQ(values_of("y[i] = argmax(j: abs(x[i,j] - 5) where j > 0)", kRow), (Values{1, 2}));
  EXPECT_EQ(values_of("y[i] = argmin(j in columns: 1.0 where i + j > 1)", kRow), (Values{2, 1}));
  EXPECT_EQ(values_of("y[i] = select(any(j: x[i,j] > 5), 1, 0)", kRow), (Values{0, 1}));
  EXPECT_EQ(values_of("y[i] = select(all(j: x[i,j] > 1 or i == 0), 1, 0)", kRow), (Values{1, 1}));
  EXPECT_EQ(values_of("y[] = sum(i, j: x[i,j] * w[j])", {"y", {}}), (Values{50 + 122}));
}

// The largest of no element is undefined, the sum is not.
TEST(Evaluate, ReductionsOverAnExtentOfZero) {
  const auto of = [](const std::string& reduction) {
    const operation::Operation operation = over_rows("y[i] = " + reduction, kRow);
    return evaluate(problem_of(operation, 2, 0, Counter(), 0.5)).at("y");
  };
  for (const char* sum : {"sum(j: x[i,j])", "sum(k, j: x[i,j] * x[i,k])"}) {
    const ExpectedTensor result = of(sum);
    EXPECT_EQ(result.value.values, (Values{0, 0})) << sum;
    EXPECT_EQ(result.tolerance, (Values{0, 0})) << sum;
  }
  EXPECT_EQ(of("prod(j: x[i,j])").value.values, (Values{1, 1}));
  for (const char* undefined :
       {"max(j: x[i,j])", "min(j: x[i,j])", "argmax(j: x[i,j])", "2 * max(j: abs(x[i,j]))"}) {
    for (const double any : {0.0, -kInfinity, kNotANumber}) {
      EXPECT_TRUE(of(undefined).accepts(0, any)) << undefined;
    }
  }
}

TEST(Evaluate, EmptyReductions) {
  const auto empty = [](const std::string& reduction) {
    return values_of("y[i] = " + reduction, kRow).front();
  };
  EXPECT_EQ(empty("sum(j: x[i,j] where j > 9)"), 0.0);
  EXPECT_EQ(empty("prod(j: x[i,j] where j > 9)"), 1.0);
  EXPECT_EQ(empty("max(j: x[i,j] where j > 9)"), -kInfinity);
  EXPECT_EQ(empty("min(j: x[i,j] where j > 9)"), kInfinity);
  EXPECT_EQ(empty("argmax(j: x[i,j] where j > 9)"), -1.0);
  EXPECT_EQ(empty("select(all(j: x[i,j] > 9 where j > 9), 1, 0)"), 1.0);
  EXPECT_EQ(empty("select(any(j: x[i,j] < 9 where j > 9), 1, 0)"), 0.0);
}

TEST(Evaluate, IndexArithmeticAndGather) {
  EXPECT_EQ(values_of("y[i,j] = x[at[i], j]"), (Values{4, 5, 6, 1, 2, 3}));
  EXPECT_EQ(values_of("y[i,j] = x[i, j // 2 * 2]"), (Values{1, 1, 3, 4, 4, 6}));
  EXPECT_EQ(values_of("y[i,j] = w[(j + i) % columns]"), (Values{7, 8, 9, 8, 9, 7}));
  EXPECT_EQ(values_of("y[i,j] = (x[i, j - 1] or 0) + (x[i, j + 1] or -1)"),
            (Values{2, 4, 1, 5, 10, 4}));
  EXPECT_EQ(values_of("y[i,j] = sum(k in columns: x[i, k + 1] where k < j)"),
            (Values{0, 2, 5, 0, 5, 11}));
}

TEST(Evaluate, PowersAndPi) {
  EXPECT_EQ(values_of("y[i,j] = ceil(scale * x[i,j]) - trunc(scale * x[i,j])"),
            (Values{1, 0, 1, 0, 1, 0}));
  const ExpectedTensor result = result_of("y[i,j] = sin(pi * x[i,j] / 2) + pow(-x[i,j], 3)");
  const Values exact = {0, -8, -28, -64, -124, -216};
  for (std::size_t i = 0; i < exact.size(); ++i) {
    EXPECT_TRUE(result.accepts(i, exact[i])) << i;
    EXPECT_LT(result.tolerance[i], 1e-5 * (1.0 + std::abs(exact[i]))) << i;
  }
  EXPECT_EQ(values_of("y[i,j] = pow(x[i,j], 0)"), (Values{1, 1, 1, 1, 1, 1}));
}

TEST(Evaluate, PowersOfSpecialNumbersFollowIeee) {
  const auto operation = over_rows("y[i,j] = pow(x[i,j], w[j])");
  TensorProblem problem = problem_of(operation, 2, 3, Counter());
  problem.inputs["x"].values = {kNotANumber, 0.0, -2.0, 1.0, kInfinity, -kInfinity};
  problem.inputs["w"].values = {0.0, -1.0, 0.5};
  const ExpectedTensor result = evaluate(problem).at("y");
  EXPECT_TRUE(result.accepts(0, 1.0));
  EXPECT_FALSE(result.accepts(0, kNotANumber));
  EXPECT_TRUE(result.accepts(1, kInfinity));
  EXPECT_TRUE(result.accepts(2, kNotANumber));
  EXPECT_TRUE(result.accepts(3, 1.0));
  EXPECT_TRUE(result.accepts(4, 0.0));
  EXPECT_TRUE(result.accepts(5, kInfinity));
}

TEST(Evaluate, UncertainArgumentsMayReachAPole) {
  const ExpectedTensor result = result_of("y[i,j] = tan(pi / 2 + 0.0 * x[i,j])");
  EXPECT_TRUE(result.accepts(0, 1e9));
  EXPECT_TRUE(result.accepts(0, -1e9));
}

// A kernel compares with the float next to 0.3, which is larger.
TEST(Evaluate, NumbersOfTheDefinitionAreRoundedByKernels) {
  const auto operation = over_rows("y[i,j] = select(x[i,j] > 0.3, 1, 0) + cos(1000.1 * x[i,j])");
  TensorProblem problem = problem_of(operation, 1, 1, [] { return static_cast<double>(0.3F); });
  const ExpectedTensor result = evaluate(problem).at("y");
  const float angle = 1000.1F * 0.3F;
  EXPECT_TRUE(result.accepts(0, static_cast<double>(std::cos(angle))));
  EXPECT_TRUE(result.accepts(0, 1.0 + static_cast<double>(std::cos(angle))));
}

TEST(Evaluate, RecurrencesUseEarlierElements) {
  EXPECT_EQ(values_of("y[i,j] = scan(j: 2 * (y[i, j - 1] or 1) + x[i,j])"),
            (Values{3, 8, 19, 6, 17, 40}));
}

TEST(Evaluate, RoundsWhereTheOperationRounds) {
  EXPECT_EQ(values_of("y[i,j] = as_s8(x[i,j] * 100)"), (Values{100, 127, 127, 127, 127, 127}));
  EXPECT_EQ(values_of("y[i,j] = round(scale * x[i,j]) + floor(scale * x[i,j])"),
            (Values{0, 2, 3, 4, 4, 6}));
}

TEST(Evaluate, ExactOperationsHaveNoTolerance) {
  for (const double tolerance :
       result_of("y[i,j] = scale * x[i,j] + sum(k: x[i,k] * w[k])").tolerance) {
    EXPECT_EQ(tolerance, 0.0);
  }
  for (const double tolerance : result_of("y[i,j] = x[i,j] / 3 + 0.1").tolerance) {
    EXPECT_GT(tolerance, 0.0);
  }
}

TEST(Evaluate, UncertainConditionsAdmitBothResults) {
  // 0.1 + 0.2 may round to 0.3 or not.
  const ExpectedTensor result = result_of("y[i,j] = select(scale / 5 * 3 > 0.3, 1.0, 2.0)");
  EXPECT_TRUE(result.accepts(0, 1.0));
  EXPECT_TRUE(result.accepts(0, 2.0));
  EXPECT_FALSE(result.accepts(0, 4.0));
}

TEST(Evaluate, ReadsOutsideOfATensorAreErrors) {
  try {
    (void)values_of("y[i,j] = x[i, j]\n  + w[j + 1]");
    FAIL();
  } catch (const InputError& error) {
    const Diagnostic& first = error.diagnostics().front();
    EXPECT_EQ(first.where.line, 2U);
    EXPECT_EQ(first.where.column, 5U);
    EXPECT_EQ(first.message,
              "reads w[3], outside of 3: write '... or 0' if elements outside have a value");
  }
}

TEST(Evaluate, SpecialValuesFollowIeee) {
  const auto softmax = over_rows(
      "peak[i] = max(j: x[i,j])\n"
      "y[i,j] = exp(x[i,j] - peak[i]) / sum(k: exp(x[i,k] - peak[i]))");
  TensorProblem problem = problem_of(softmax, 2, 3, Counter());
  problem.inputs["x"].values = {1.0, -kInfinity, 2.0, kNotANumber, 1.0, 2.0};
  const ExpectedTensor result = evaluate(problem).at("y");
  EXPECT_EQ(result.value.values[1], 0.0);
  EXPECT_NEAR(result.value.values[2], 1.0 / (1.0 + std::exp(-1.0)), 1e-15);
  EXPECT_FALSE(result.accepts(1, kNotANumber));
  EXPECT_FALSE(result.accepts(2, kNotANumber));
  EXPECT_TRUE(result.accepts(3, kNotANumber));
}

TEST(Evaluate, InfinityTimesACertainSignIsCertain) {
  const auto operation = over_rows("y[i,j] = exp(scale * w[j]) * x[i,j] / (1 + exp(w[j]))");
  TensorProblem problem = problem_of(operation, 1, 3, Counter(), 0.1);
  problem.inputs["x"].values = {kInfinity, -kInfinity, 1.0};
  const ExpectedTensor result = evaluate(problem).at("y");
  EXPECT_TRUE(result.accepts(0, kInfinity));
  EXPECT_FALSE(result.accepts(0, kNotANumber));
  EXPECT_FALSE(result.accepts(1, 1.0));
  // The factor may round to 0.
  const auto small = over_rows("y[i,j] = exp(scale * w[j]) * x[i,j]");
  problem.operation = &small;
  problem.scalars["scale"] = -40.0;
  EXPECT_TRUE(evaluate(problem).at("y").accepts(0, kNotANumber));
  EXPECT_TRUE(evaluate(problem).at("y").accepts(0, kInfinity));
}

// A masked element is left out, or multiplied by 0.
TEST(Evaluate, EitherAdmitsBothOperands) {
  const auto operation = over_rows(
      "y[i] = either(sum(j: x[i,j] where j > 0), sum(j: x[i,j] * select(j > 0, 1, 0)))", kRow);
  TensorProblem problem = problem_of(operation, 2, 3, Counter());
  problem.inputs["x"].values[0] = kInfinity;
  const ExpectedTensor result = evaluate(problem).at("y");
  EXPECT_TRUE(result.accepts(0, 5.0));
  EXPECT_TRUE(result.accepts(0, kNotANumber));
  EXPECT_TRUE(result.accepts(1, 11.0));
  EXPECT_FALSE(result.accepts(1, 12.0));
  EXPECT_FALSE(result.accepts(1, kNotANumber));
  EXPECT_FALSE(result.accepts(0, kInfinity));
  const ExpectedTensor numbers = result_of("y[i,j] = either(x[i,j], x[i,j] + 1)");
  EXPECT_TRUE(numbers.accepts(0, 1.0));
  EXPECT_TRUE(numbers.accepts(0, 2.0));
  EXPECT_FALSE(numbers.accepts(0, 1.5));
  EXPECT_FALSE(numbers.accepts(0, 3.0));
}

TEST(Evaluate, PositionsOfEqualElements) {
  const auto accepted = [](const char* word) {
    const auto operation = over_rows("y[i] = " + std::string(word) + "(j: x[i,j])", kRow);
    TensorProblem problem = problem_of(operation, 1, 5, Counter());
    problem.inputs["x"].values = {1.0, 4.0, 2.0, 4.0, 3.0};
    std::vector<int> positions;
    for (int j = 0; j < 5; ++j) {
      if (evaluate(problem).at("y").accepts(0, j)) positions.push_back(j);
    }
    return positions;
  };
  EXPECT_EQ(accepted("argmax"), (std::vector<int>{1}));
  EXPECT_EQ(accepted("any_argmax"), (std::vector<int>{1, 3}));
  EXPECT_EQ(accepted("any_argmin"), (std::vector<int>{0}));
}

// 0.1 + 0.2 may round to 0.3 or not: the largest is the first or the last, and not one between.
TEST(Evaluate, UncertainPositionsAreNoInterval) {
  const auto operation = over_rows("y[i] = argmax(j: x[i,j] / 5 * 3)", kRow);
  TensorProblem problem = problem_of(operation, 1, 3, Counter());
  problem.inputs["x"].values = {0.5, 0.1, 0.5000000001};
  const ExpectedTensor result = evaluate(problem).at("y");
  EXPECT_TRUE(result.accepts(0, 2.0));
  EXPECT_TRUE(result.accepts(0, 0.0));
  EXPECT_FALSE(result.accepts(0, 1.0));
}

TEST(Evaluate, FunctionsOfAnyValueMayBeNan) {
  const auto operation = over_rows("y[i,j] = tanh(max(k: x[i,k]))");
  TensorProblem problem = problem_of(operation, 1, 3, Counter());
  problem.inputs["x"].values = {1.0, kNotANumber, 2.0};
  const ExpectedTensor result = evaluate(problem).at("y");
  EXPECT_TRUE(result.accepts(0, kNotANumber));
  EXPECT_TRUE(result.accepts(0, std::tanh(2.0)));
}

// -2e38 - 2e38 + infinity is NaN in f32, and -2e38 + infinity - 2e38 is infinity.
TEST(Evaluate, PartialSumsMayOverflowBesideAnInfinity) {
  const auto operation = over_rows("y[i] = sum(j: x[i,j])", kRow);
  TensorProblem problem = problem_of(operation, 2, 3, Counter());
  problem.inputs["x"].values = {-2e38, -2e38, kInfinity, -2e38, 1.0, kInfinity};
  const ExpectedTensor result = evaluate(problem).at("y");
  EXPECT_TRUE(result.accepts(0, kInfinity));
  EXPECT_TRUE(result.accepts(0, kNotANumber));
  EXPECT_TRUE(result.accepts(1, kInfinity));
  EXPECT_FALSE(result.accepts(1, kNotANumber));
  EXPECT_FALSE(result.accepts(1, -kInfinity));
}

TEST(Evaluate, OverflowMayBecomeInfinite) {
  const auto operation = over_rows("y[i,j] = x[i,j] * scale");
  TensorProblem problem = problem_of(
      operation, 1, 1, [] { return 60000.0; }, 2.0);
  problem.types["y"] = ScalarType::f16;
  const ExpectedTensor result = evaluate(problem).at("y");
  EXPECT_TRUE(result.accepts(0, kInfinity));
  EXPECT_FALSE(result.accepts(0, -kInfinity));
}

}  // namespace
}  // namespace warpcheck::reference
