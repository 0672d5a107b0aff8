// Bounds of operations: no correct kernel exceeds them, and they are close to the worst one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/gemm.hpp"
#include "tests/reference/evaluate/host_functions.hpp"
#include "tests/reference/evaluate/problems.hpp"

namespace warpcheck::reference {
namespace {

constexpr std::int64_t kColumns =
    300;  // columns for f32; bf16 has 40: sums of 256 terms have no bound

const char* const kSoftmax =
    "peak[i] = max(j: scale * x[i,j])\n"
    "total[i] = sum(j: exp(scale * x[i,j] - peak[i]))\n"
    "y[i,j] = exp(scale * x[i,j] - peak[i]) / total[i]";

const char* const kRmsNorm =
    "mean[i] = sum(k: x[i,k] * x[i,k]) / columns\n"
    "y[i,j] = x[i,j] * rsqrt(mean[i] + 1e-5) * w[j]";

using Kernel = std::vector<double> (*)(const TensorProblem&, SimulatedFormat&);

std::vector<double> softmax_kernel(const TensorProblem& problem, SimulatedFormat& round) {
  const std::vector<double>& x = problem.inputs.at("x").values;
  std::vector<double> scaled;
  for (const double value : x) scaled.push_back(round(value * problem.scalars.at("scale")));
  const double peak = *std::max_element(scaled.begin(), scaled.end());
  std::vector<double> terms;
  for (const double value : scaled) terms.push_back(round(std::exp(round(value - peak))));
  const double total = round.sum(terms);
  for (double& term : terms) term = round(term / total);
  return terms;
}

std::vector<double> rms_norm_kernel(const TensorProblem& problem, SimulatedFormat& round) {
  const std::vector<double>& x = problem.inputs.at("x").values;
  const std::vector<double>& w = problem.inputs.at("w").values;
  std::vector<double> squares;
  for (const double value : x) squares.push_back(round(value * value));
  const double mean = round(round.sum(squares) / static_cast<double>(x.size()));
  const double factor = round(1.0 / std::sqrt(round(mean + round(1e-5))));
  std::vector<double> result;
  for (std::size_t i = 0; i < x.size(); ++i) result.push_back(round(round(x[i] * factor) * w[i]));
  return result;
}

const char* const kNormOfCubes = "y[i,j] = x[i,j] / pow(sum(k: pow(abs(x[i,k]), 3)), 1 / 3)";

std::vector<double> norm_of_cubes_kernel(const TensorProblem& problem, SimulatedFormat& round) {
  const std::vector<double>& x = problem.inputs.at("x").values;
  std::vector<double> cubes;
  for (const double value : x) cubes.push_back(round(round(value * value) * std::abs(value)));
  const double third = round(1.0 / 3.0);
  const double norm = round(std::pow(round.sum(cubes), third));
  std::vector<double> result;
  for (const double value : x) result.push_back(round(value / norm));
  return result;
}

const char* const kRotation =
    "total[i] = sum(k: log1p(exp(x[i,k])))\n"
    "y[i,j] = x[i,j] * cos(total[i] * pi / 100) - w[j] * sin(total[i] * pi / 100)";

std::vector<double> rotation_kernel(const TensorProblem& problem, SimulatedFormat& round) {
  const std::vector<double>& x = problem.inputs.at("x").values;
  const std::vector<double>& w = problem.inputs.at("w").values;
  std::vector<double> terms;
  for (const double value : x) terms.push_back(round(std::log1p(round(std::exp(value)))));
  const double angle = round(round(round.sum(terms) * round(std::acos(-1.0))) / 100.0);
  const double cosine = round(std::cos(angle));
  const double sine = round(std::sin(angle));
  std::vector<double> result;
  for (std::size_t i = 0; i < x.size(); ++i) {
    result.push_back(round(round(x[i] * cosine) - round(w[i] * sine)));
  }
  return result;
}

/// The largest error of 1000 kernels with sums in random orders, in units of the tolerance.
double largest_share(const char* definition, Kernel kernel, ScalarType type,
                     operation::HostFunction* host = nullptr) {
  const operation::Operation operation = over_rows(definition);
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  double largest = 0.0;
  for (std::uint64_t round = 0; round < 20; ++round) {
    TensorProblem problem = problem_of(
        operation, 1, type == ScalarType::bf16 ? 40 : kColumns,
        [&] { return round_to(type, normal(random)); }, 0.5);
    problem.accumulate = type;
    problem.types["y"] = type;
    problem.host = host;
    const ExpectedTensor expected = evaluate(problem).at("y");
    for (std::uint64_t order = 0; order < 50; ++order) {
      SimulatedFormat format(type, round * 50 + order);
      const std::vector<double> got = kernel(problem, format);
      for (std::size_t i = 0; i < got.size(); ++i) {
        const double error = std::abs(got[i] - expected.value.values[i]);
        largest = std::max(largest, error / expected.tolerance[i]);
      }
    }
  }
  return largest;
}

class BoundOfTypes : public testing::TestWithParam<ScalarType> {};

TEST_P(BoundOfTypes, SoftmaxIsWithinTheBoundAndNear) {
  const double share = largest_share(kSoftmax, softmax_kernel, GetParam());
  EXPECT_LE(share, 1.0);
  EXPECT_GE(share, 0.01);
}

TEST_P(BoundOfTypes, RmsNormIsWithinTheBoundAndNear) {
  const double share = largest_share(kRmsNorm, rms_norm_kernel, GetParam());
  EXPECT_LE(share, 1.0);
  EXPECT_GE(share, 0.01);
}

TEST_P(BoundOfTypes, SoftmaxInCppIsWithinTheBoundAndNear) {
  InProcess host = row_function<Real>(Softmax());
  const double share = largest_share(kSoftmax, softmax_kernel, GetParam(), &host);
  EXPECT_LE(share, 1.0);
  EXPECT_GE(share, 0.01);
}

TEST_P(BoundOfTypes, PowersAreWithinTheBoundAndNear) {
  const double share = largest_share(kNormOfCubes, norm_of_cubes_kernel, GetParam());
  EXPECT_LE(share, 1.0);
  EXPECT_GE(share, 0.01);
}

TEST_P(BoundOfTypes, RmsNormInCppIsWithinTheBoundAndNear) {
  InProcess host = row_function<Real>(RmsNorm());
  const double share = largest_share(kRmsNorm, rms_norm_kernel, GetParam(), &host);
  EXPECT_LE(share, 1.0);
  EXPECT_GE(share, 0.01);
}

TEST_P(BoundOfTypes, RotationIsWithinTheBoundAndNear) {
  const double share = largest_share(kRotation, rotation_kernel, GetParam());
  EXPECT_LE(share, 1.0);
  EXPECT_GE(share, 0.01);
}

INSTANTIATE_TEST_SUITE_P(EvaluateBound, BoundOfTypes,
                         testing::Values(ScalarType::f32, ScalarType::f16, ScalarType::bf16),
                         [](const auto& type) { return std::string(name(type.param)); });

TEST(EvaluateBound, MissingTermIsOutsideOfTheBound) {
  const operation::Operation operation = over_rows(kSoftmax);
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  const TensorProblem problem =
      problem_of(operation, 1, kColumns, [&] { return round_to(ScalarType::f32, normal(random)); });
  const ExpectedTensor expected = evaluate(problem).at("y");
  TensorProblem shorter = problem;
  shorter.inputs["x"].values.back() = -kInfinity;  // the last term of the total is lost
  const ExpectedTensor wrong = evaluate(shorter).at("y");
  EXPECT_FALSE(expected.accepts(0, wrong.value.values[0]));
}

/// Adds the terms as tensor cores do, in steps of `length`: each step truncates its terms and the
/// running sum at 2^-24 of the largest of them, and the result at 24 bits.
double tensor_core_sum(const std::vector<double>& terms, std::size_t length) {
  double sum = 0.0;
  for (std::size_t begin = 0; begin < terms.size(); begin += length) {
    const std::size_t end = std::min(begin + length, terms.size());
    double largest = std::abs(sum);
    for (std::size_t i = begin; i < end; ++i) largest = std::max(largest, std::abs(terms[i]));
    const double step = std::ldexp(1.0, std::ilogb(largest) - 24);
    const auto truncated = [step](double value) { return std::trunc(value / step) * step; };
    double total = truncated(sum);
    for (std::size_t i = begin; i < end; ++i) total += truncated(terms[i]);
    const double unit = std::ldexp(1.0, std::ilogb(total) - 23);
    sum = std::trunc(total / unit) * unit;
  }
  return sum;
}

TEST(EvaluateBound, TensorCoresTruncateWithinTheirBoundOnly) {
  const operation::Operation operation = over_rows("y[i] = sum(j: x[i,j] * w[j])", {"y", {"rows"}});
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  double largest = 0.0;
  double largest_without = 0.0;
  for (int round = 0; round < 50; ++round) {
    TensorProblem problem = problem_of(operation, 1, kColumns, [&] {
      return std::abs(round_to(ScalarType::f16, normal(random)));
    });
    const TensorProblem without = problem;
    problem.tensor_cores = true;
    const ExpectedTensor expected = evaluate(problem).at("y");
    std::vector<double> terms;
    for (std::size_t j = 0; j < kColumns; ++j) {
      terms.push_back(problem.inputs.at("x").values[j] * problem.inputs.at("w").values[j]);
    }
    for (const std::size_t length : {1U, 4U, 8U, 16U, 32U}) {
      const double error = std::abs(tensor_core_sum(terms, length) - expected.value.values[0]);
      largest = std::max(largest, error / expected.tolerance[0]);
      largest_without = std::max(largest_without, error / evaluate(without).at("y").tolerance[0]);
    }
  }
  EXPECT_LE(largest, 1.0);
  EXPECT_GE(largest, 0.01);
  EXPECT_GT(largest / largest_without, 0.1);  // the bound is less than ten times larger
  EXPECT_LT(largest / largest_without, 0.5);
}

TEST(EvaluateBound, TensorCoresOf8BitOperandsKeep13Bits) {
  const operation::Operation operation = over_rows("y[i] = sum(j: x[i,j])", {"y", {"rows"}});
  TensorProblem problem = problem_of(operation, 1, 2, [] { return 1.0; });
  problem.inputs["x"].values = {448.0, 0.015625};
  EXPECT_EQ(evaluate(problem).at("y").tolerance[0], 0.0);
  problem.tensor_cores = true;
  EXPECT_EQ(evaluate(problem).at("y").tolerance[0], 0.0);
  problem.types["x"] = ScalarType::e4m3;
  EXPECT_GE(evaluate(problem).at("y").tolerance[0], 0.015625);
}

TEST(EvaluateBound, TensorCoresMayTruncateBesideSubnormalOperands) {
  const operation::Operation operation = over_rows("y[i] = sum(j: x[i,j])", {"y", {"rows"}});
  TensorProblem problem = problem_of(operation, 1, 2, [] { return 1.0; });
  problem.tensor_cores = true;
  problem.types["x"] = ScalarType::f16;
  problem.inputs["x"].values = {0x1p-14, 0x1p-14};
  EXPECT_EQ(evaluate(problem).at("y").tolerance[0], 0.0);
  problem.inputs["x"].values = {0x1p-15, 0x1p-14};
  EXPECT_GT(evaluate(problem).at("y").tolerance[0], 0.0);
}

TEST(EvaluateBound, TypeOfAnIntermediateTensorIsOneMoreRounding) {
  const operation::Operation operation = over_rows("p[i,j] = exp(x[i,j])\ny[i,j] = p[i,j] * w[j]");
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  TensorProblem problem =
      problem_of(operation, 1, kColumns, [&] { return round_to(ScalarType::f32, normal(random)); });
  const ExpectedTensor exact = evaluate(problem).at("y");
  problem.types["p"] = ScalarType::f16;
  const ExpectedTensor expected = evaluate(problem).at("y");
  int beyond = 0;
  for (std::size_t j = 0; j < kColumns; ++j) {
    const double kept = round_to(ScalarType::f16, std::exp(problem.inputs.at("x").values[j]));
    const double got = kept * problem.inputs.at("w").values[j];
    EXPECT_TRUE(expected.accepts(j, got)) << j;
    beyond += exact.accepts(j, got) ? 0 : 1;
  }
  EXPECT_GT(beyond, kColumns / 2);
}

// The weight of the largest score of a softmax is 1: f16 has it.
TEST(EvaluateBound, ANumberThatAnIntermediateTypeHasIsNotRounded) {
  const operation::Operation operation = over_rows("p[i,j] = exp(x[i,j])\ny[i,j] = p[i,j] * w[j]");
  TensorProblem problem = problem_of(operation, 1, kColumns, [] { return 0.0; });
  problem.inputs.at("w").values.assign(kColumns, 3.0);
  problem.types["p"] = ScalarType::f16;
  const ExpectedTensor at_zero = evaluate(problem).at("y");
  problem.inputs.at("x").values.assign(kColumns, -1.0);
  const ExpectedTensor elsewhere = evaluate(problem).at("y");
  for (std::size_t j = 0; j < kColumns; ++j) {
    EXPECT_LT(at_zero.tolerance[j], 3.0 * 0x1p-20);
    EXPECT_GT(elsewhere.tolerance[j], 3.0 * std::exp(-1.0) * 0x1p-12);
  }
}

template <class Generate>
Gemm random_gemm(std::mt19937_64& random, Generate generate) {
  const auto extent = [&] { return static_cast<std::int64_t>(random() % 40 + 1); };
  const std::int64_t m = extent();
  const std::int64_t n = extent();
  const std::int64_t k = extent();
  Gemm problem{.a = Matrix(m, k), .b = Matrix(k, n), .c = Matrix(m, n), .alpha = 2.0, .beta = -3.0};
  for (Matrix* matrix : {&problem.a, &problem.b, &problem.c}) {
    for (double& value : matrix->values) value = generate();
  }
  return problem;
}

TEST(EvaluateGemm, LatticeHasTheValuesOfEigenAndNoTolerance) {
  const operation::Operation operation = gemm_operation();
  InProcess function = product();
  std::mt19937_64 random(1);
  for (int round = 0; round < 10; ++round) {
    const Gemm problem =
        random_gemm(random, [&] { return static_cast<double>(random() % 17) - 8.0; });
    const Expected built_in = gemm(problem);
    TensorProblem tensors = tensor_problem(operation, problem);
    for (operation::HostFunction* const host : {static_cast<InProcess*>(nullptr), &function}) {
      tensors.host = host;
      const ExpectedTensor tree = evaluate(tensors).at("d");
      EXPECT_EQ(tree.value.values, built_in.value.values);
      EXPECT_EQ(tree.tolerance, built_in.tolerance.values);
    }
  }
}

TEST(EvaluateGemm, RealDataHasTheBoundOfAnyOrder) {
  const operation::Operation operation = gemm_operation();
  InProcess function = product();
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 10; ++round) {
    const Gemm problem = random_gemm(random, [&] { return static_cast<float>(normal(random)); });
    const Expected built_in = gemm(problem);
    TensorProblem tensors = tensor_problem(operation, problem);
    for (operation::HostFunction* const host : {static_cast<InProcess*>(nullptr), &function}) {
      tensors.host = host;
      const ExpectedTensor tree = evaluate(tensors).at("d");
      for (std::size_t i = 0; i < tree.value.values.size(); ++i) {
        const double bound = built_in.tolerance.values[i];
        // The step of a product's values is 2^-20 of a rounding of f32 for each term, see
        // CertainSums.
        EXPECT_NEAR(tree.value.values[i], built_in.value.values[i], 0x1p-20 * bound);
        EXPECT_GE(tree.tolerance[i], 0.5 * bound);
        EXPECT_LE(tree.tolerance[i], 2.0 * bound);
      }
    }
  }
}

}  // namespace
}  // namespace warpcheck::reference
