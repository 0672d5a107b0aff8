// References in C++: the values, bounds and special values of the language.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/reference/evaluate/host_functions.hpp"
#include "tests/reference/evaluate/problems.hpp"

namespace warpcheck::reference {
namespace {

constexpr std::int64_t kTwinRows = 3;
constexpr std::int64_t kTwinColumns = 50;

const char* const kSoftmaxTree =
    "peak[i] = max(j: scale * x[i,j])\n"
    "total[i] = sum(j: exp(scale * x[i,j] - peak[i]))\n"
    "y[i,j] = exp(scale * x[i,j] - peak[i]) / total[i]";
const char* const kRmsNormTree =
    "mean[i] = sum(k: x[i,k] * x[i,k]) / columns\n"
    "y[i,j] = x[i,j] * (1 / sqrt(mean[i] + 1e-5)) * w[j]";
const char* const kLayerNormTree =
    "mean[i] = sum(k: x[i,k]) / columns\n"
    "variance[i] = sum(k: (x[i,k] - mean[i]) * (x[i,k] - mean[i])) / columns\n"
    "y[i,j] = (x[i,j] - mean[i]) * (1 / sqrt(variance[i] + 1e-5)) * w[j]";

struct Pair {
  ExpectedTensor tree;
  ExpectedTensor host;
};

Pair both(TensorProblem problem, operation::HostFunction& function) {
  ExpectedTensor tree = evaluate(problem).begin()->second;
  problem.host = &function;
  return {std::move(tree), evaluate(problem).begin()->second};
}

void expect_near(const Pair& pair, double largest_ratio) {
  ASSERT_EQ(pair.tree.value.extents, pair.host.value.extents);
  for (std::size_t i = 0; i < pair.tree.value.values.size(); ++i) {
    const double bound = pair.tree.tolerance[i];
    EXPECT_NEAR(pair.host.value.values[i], pair.tree.value.values[i], 1e-6 * bound) << i;
    EXPECT_GE(pair.host.tolerance[i], 0.9 * bound) << i;
    EXPECT_LE(pair.host.tolerance[i], largest_ratio * bound) << i;
  }
}

struct Twin {
  const char* name;
  const char* definition;
  InProcess (*function)();
};

class HostTwin : public testing::TestWithParam<Twin> {};

TEST_P(HostTwin, HasTheValuesAndBoundsOfTheTree) {
  const operation::Operation operation = over_rows(GetParam().definition);
  InProcess function = GetParam().function();
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (const ScalarType type : {ScalarType::f32, ScalarType::f16}) {
    TensorProblem problem = problem_of(
        operation, kTwinRows, kTwinColumns, [&] { return round_to(type, normal(random)); }, 0.5);
    problem.accumulate = type;
    problem.types["y"] = type;
    expect_near(both(problem, function), 1.5);
  }
}

TEST_P(HostTwin, HasTheNanAndInfinitiesOfTheTree) {
  const operation::Operation operation = over_rows(GetParam().definition);
  InProcess function = GetParam().function();
  for (const double special : {std::nan(""), kInfinity, -kInfinity, 3e38}) {
    TensorProblem problem = problem_of(operation, kTwinRows, 5, [] { return 1.0; });
    problem.inputs["x"].values[6] = special;
    const Pair pair = both(problem, function);
    for (std::size_t i = 0; i < pair.tree.value.values.size(); ++i) {
      const double expected = pair.tree.value.values[i];
      if (std::isinf(pair.tree.tolerance[i])) {
        EXPECT_TRUE(std::isinf(pair.host.tolerance[i])) << special << " " << i;
      } else {
        EXPECT_TRUE(pair.host.accepts(i, expected)) << special << " " << i;
        // The interface of functions has no special values besides numbers: any value is correct
        // where a partial result overflows.
        const bool may_overflow = special == 3e38;
        EXPECT_TRUE(may_overflow || !std::isinf(pair.host.tolerance[i])) << special << " " << i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    EvaluateHost, HostTwin,
    testing::Values(Twin{"Softmax", kSoftmaxTree, [] { return row_function<Real>(Softmax()); }},
                    Twin{"RmsNorm", kRmsNormTree, [] { return row_function<Real>(RmsNorm()); }},
                    Twin{"LayerNorm", kLayerNormTree,
                         [] { return row_function<Real>(LayerNorm()); }}),
    [](const auto& twin) { return std::string(twin.param.name); });

/// over_rows() without columns in y.
operation::Operation sums_operation() {
  return over_rows("y[i] = sum(j: x[i,j] * w[j])", {"y", {"rows"}});
}

template <class Statement>
InProcess sums(Statement statement) {
  return InProcess("sums", [statement](const warpcheck_reference_call& call) {
    const auto function = [statement](const Real* x, const Real* w, const long*, Real* y, long rows,
                                      long columns, Real) {
      for (long i = 0; i < rows; ++i) y[i] = statement(x + i * columns, w, columns);
    };
    detail::call_reference<const Real*, const Real*, const long*, Real*, long, long, Real>(function,
                                                                                           call);
  });
}

Real dot(const Real* x, const Real* w, long columns) {
  Real sum = 0;
  for (long j = 0; j < columns; ++j) sum += x[j] * w[j];
  return sum;
}

TEST(EvaluateHost, SumsOfTheLatticeAreExactAsInTheTree) {
  const operation::Operation operation = sums_operation();
  InProcess function = sums(dot);
  std::mt19937_64 random(1);
  const TensorProblem problem = problem_of(operation, kTwinRows, kTwinColumns,
                                           [&] { return static_cast<double>(random() % 9) - 4.0; });
  const Pair pair = both(problem, function);
  EXPECT_EQ(pair.host.value.values, pair.tree.value.values);
  EXPECT_EQ(pair.host.tolerance, pair.tree.tolerance);
  EXPECT_EQ(pair.host.tolerance, std::vector<double>(kTwinRows, 0.0));
}

// The running sum stays exact; in another order, a partial sum is rounded.
TEST(EvaluateHost, SumWithCancellationIsBoundedInAnyOrder) {
  const operation::Operation operation = sums_operation();
  InProcess plus = sums([](const Real* x, const Real*, long columns) {
    Real sum = 0;
    for (long j = 0; j < columns; ++j) sum = sum + x[j];
    return sum;
  });
  TensorProblem problem = problem_of(operation, 1, 4, [] { return 1.0; });
  problem.inputs["x"].values = {0x1p30, -0x1p30, 1.0, 1.0};
  problem.host = &plus;
  EXPECT_GE(evaluate(problem).at("y").tolerance[0], 1.0);
}

TEST(EvaluateHost, TensorCoresTruncateAsInTheTree) {
  const operation::Operation operation = sums_operation();
  InProcess function = sums(dot);
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (const std::int64_t columns : {1, 2, 3, 50}) {
    TensorProblem problem = problem_of(operation, kTwinRows, columns,
                                       [&] { return round_to(ScalarType::f16, normal(random)); });
    problem.tensor_cores = true;
    expect_near(both(problem, function), 1.5);
  }
}

TEST(EvaluateHost, UncertainBranchMakesEveryValueCorrect) {
  const operation::Operation operation = sums_operation();
  const auto relu = [](const Real* x, const Real* w, long columns) {
    const Real sum = dot(x, w, columns);
    return sum > 0 ? sum : Real(0);
  };
  InProcess branch = sums(relu);
  InProcess selects = sums([](const Real* x, const Real* w, long columns) {
    const Real sum = dot(x, w, columns);
    return select(sum > 0, sum, 0);
  });
  TensorProblem problem = problem_of(operation, 1, 3, [] { return 0.1; });
  problem.inputs["x"].values = {0.1, 0.2, -0.3};
  problem.host = &branch;
  EXPECT_EQ(evaluate(problem).at("y").tolerance[0], kInfinity);
  problem.host = &selects;
  EXPECT_LT(evaluate(problem).at("y").tolerance[0], 1e-7);
  problem.inputs["x"].values = {0.1, 0.2, 0.3};  // certain
  problem.host = &branch;
  EXPECT_LT(evaluate(problem).at("y").tolerance[0], 1e-7);
}

TEST(EvaluateHost, ElementWithoutAValueIsAnError) {
  const operation::Operation operation = over_rows(kSoftmaxTree);
  InProcess function = row_function<Real>(
      [](const Real*, const Real*, const long*, Real* y, long, long columns, Real) {
        for (long j = 0; j < columns; ++j) y[j] = 1;
        y[columns] *= 2;
      });
  TensorProblem problem = problem_of(operation, 2, 4, [] { return 1.0; });
  problem.host = &function;
  try {
    (void)evaluate(problem);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("leaves element 4 of output 0 without a value"));
  }
}

// The function of double: (300 u(f32) + 16 u(tf32) + u(f32)) s.
TEST(EvaluateHost, DeclaredTermsBoundAFunctionOfDouble) {
  const operation::Operation operation = sums_operation();
  InProcess function("sums", [](const warpcheck_reference_call& call) {
    detail::call_reference<const double*, const double*, const long*, double*, long, long, double>(
        [](const double* x, const double* w, const long*, double* y, long rows, long columns,
           double) {
          for (long i = 0; i < rows; ++i) {
            y[i] = 0;
            for (long j = 0; j < columns; ++j) y[i] += x[i * columns + j] * w[j];
          }
        },
        call);
  });
  TensorProblem problem = problem_of(operation, 1, 2, [] { return 1.0; });
  problem.inputs["x"].values = {3.0, -1.0};
  problem.host = &function;
  problem.terms = 300.0;
  problem.products = ScalarType::tf32;
  const ExpectedTensor expected = evaluate(problem).at("y");
  EXPECT_EQ(expected.value.values[0], 2.0);
  const double growth = (300.0 * 0x1p-24 + 16.0 * 0x1p-11) * 4.0;
  EXPECT_NEAR(expected.tolerance[0], growth + 0x1p-24 * (2.0 + growth), 1e-12);
}

// A kernel in f32 multiplies the infinity by a weight that is 0 there, and tiny in double.
TEST(EvaluateHost, DeclaredTermsAdmitAnyValueForAnInfinity) {
  const operation::Operation operation = sums_operation();
  InProcess function("sums", [](const warpcheck_reference_call& call) {
    detail::call_reference<const double*, const double*, const long*, double*, long, long, double>(
        [](const double* x, const double*, const long*, double* y, long, long, double) {
          y[0] = std::exp(-200.0) * x[0];
        },
        call);
  });
  TensorProblem problem = problem_of(operation, 1, 1, [] { return 1.0; });
  problem.host = &function;
  problem.terms = 1.0;
  for (const double special : {kInfinity, std::nan("")}) {
    problem.inputs["x"].values = {special};
    const ExpectedTensor expected = evaluate(problem).at("y");
    EXPECT_TRUE(expected.accepts(0, std::nan("")));
    EXPECT_EQ(expected.accepts(0, 1.0), std::isinf(special));
  }
}

TEST(EvaluateHost, OperationWithoutReferenceIsAnError) {
  operation::Operation operation = over_rows("y[i,j] = x[i,j]");
  operation.statements.clear();
  const TensorProblem problem = problem_of(operation, 2, 4, [] { return 1.0; });
  EXPECT_THROW((void)evaluate(problem), InputError);
}

}  // namespace
}  // namespace warpcheck::reference
