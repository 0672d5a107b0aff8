// The bound for tensor cores, against a slow, explicit model of their sums.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "reference/bound.hpp"
#include "reference/format.hpp"
#include "reference/gemm.hpp"

namespace warpcheck::reference {
namespace {

/// The tensor cores of one architecture: `length` products in a step, truncated `fraction_bits`
/// below the largest exponent.
struct Core {
  std::string name;
  ScalarType operand;
  ScalarType accumulate;
  std::int64_t length;
  int fraction_bits;
  int result_bits;
};

const std::vector<Core>& cores() {
  using T = ScalarType;
  static const std::vector<Core> all = {
      {"f16 on sm_80", T::f16, T::f32, 8, 24, 23},
      {"f16 on sm_90", T::f16, T::f32, 16, 25, 23},
      {"bf16 on sm_80", T::bf16, T::f32, 8, 24, 23},
      {"tf32 on sm_80", T::tf32, T::f32, 4, 24, 23},
      {"e4m3 on sm_89", T::e4m3, T::f32, 16, 13, 13},
      {"e5m2 on sm_89", T::e5m2, T::f32, 16, 13, 13},
      {"e4m3 on sm_100", T::e4m3, T::f32, 32, 25, 23},
      {"f16 into f16", T::f16, T::f16, 8, 24, 10},
  };
  return all;
}

/// The exponent of a factor in the model: a subnormal number has that of the smallest normal one.
int exponent_of(double value, ScalarType type) {
  return std::max(std::ilogb(value), format(type).smallest_exponent);
}

double truncated(double value, int exponent) {
  const double step = std::ldexp(1.0, exponent);
  return std::trunc(value / step) * step;
}

/// The result of one step; every sum here is exact in double.
double step_sum(const Core& core, const std::vector<double>& products,
                const std::vector<int>& exponents, double sum) {
  int largest = -133;
  if (sum != 0.0) largest = std::max(largest, exponent_of(sum, ScalarType::f32));
  for (std::size_t i = 0; i < products.size(); ++i) {
    if (products[i] != 0.0) largest = std::max(largest, exponents[i]);
  }
  double result = truncated(sum, largest - core.fraction_bits);
  for (const double product : products) result += truncated(product, largest - core.fraction_bits);
  if (core.accumulate == ScalarType::f16) return round_to(ScalarType::f16, result);
  if (result == 0.0) return 0.0;
  return truncated(result, std::max(std::ilogb(result) - core.result_bits, -149));
}

double tensor_dot(const Core& core, const Gemm& p, std::int64_t row, std::int64_t column,
                  std::int64_t terms) {
  double sum = 0.0;
  for (std::int64_t begin = 0; begin < terms; begin += core.length) {
    std::vector<double> products;
    std::vector<int> exponents;
    for (std::int64_t k = begin; k < std::min(begin + core.length, terms); ++k) {
      const double a = p.a(row, k);
      const double b = p.b(k, column);
      products.push_back(a * b);
      exponents.push_back(
          a == 0.0 || b == 0.0 ? 0 : exponent_of(a, core.operand) + exponent_of(b, core.operand));
    }
    sum = step_sum(core, products, exponents, sum);
  }
  return sum;
}

enum class Samples { normal, positive, wide, huge_first, subnormal, lattice };

double value_of(Samples data, const Core& core, std::int64_t k, std::mt19937_64& random) {
  const double normal = std::normal_distribution<double>()(random);
  const Format& operand = format(core.operand);
  switch (data) {
    case Samples::normal:
      return normal;
    case Samples::positive:
      return std::abs(normal);
    case Samples::wide:
      return std::ldexp(normal, static_cast<int>(random() % 9) - 4);
    case Samples::huge_first:
      return k == 0 ? 16.0 : std::abs(normal) / 16.0;
    case Samples::subnormal:
      return std::ldexp(
          normal, std::max(operand.smallest_exponent, -70) - 1 + static_cast<int>(random() % 3));
    case Samples::lattice:
      break;
  }
  return static_cast<double>(random() % 2 + 1) * (random() % 2 == 0 ? 1.0 : -1.0);
}

Gemm problem_of(const Core& core, Samples data, std::int64_t k, std::mt19937_64& random) {
  Gemm problem;
  problem.a = Matrix(3, k);
  problem.b = Matrix(k, 4);
  for (std::int64_t p = 0; p < k; ++p) {
    for (std::int64_t i = 0; i < 3; ++i) {
      problem.a(i, p) = round_to(core.operand, value_of(data, core, p, random));
    }
    for (std::int64_t j = 0; j < 4; ++j) {
      problem.b(p, j) = round_to(core.operand, value_of(data, core, p, random));
    }
  }
  problem.type_a = problem.type_b = core.operand;
  problem.type_c = problem.accumulate = core.accumulate;
  problem.tensor_cores = true;
  problem.mean_zero = data == Samples::normal || data == Samples::wide;
  return problem;
}

TEST(TensorBound, EveryTensorCoreStaysInside) {
  std::mt19937_64 random(21);
  for (const Core& core : cores()) {
    for (const Samples data : {Samples::normal, Samples::positive, Samples::wide,
                               Samples::huge_first, Samples::subnormal, Samples::lattice}) {
      for (const std::int64_t k : {1, 2, 3, 5, 16, 17, 64, 333}) {
        const Gemm problem = problem_of(core, data, k, random);
        const Expected expected = gemm(problem);
        for (std::int64_t i = 0; i < 3; ++i) {
          for (std::int64_t j = 0; j < 4; ++j) {
            const double got = tensor_dot(core, problem, i, j, k);
            ASSERT_TRUE(expected.accepts(i, j, got))
                << core.name << ", data " << static_cast<int>(data) << ", k = " << k << ": got "
                << got << ", expected " << expected.value(i, j) << " +- "
                << expected.tolerance(i, j);
          }
        }
      }
    }
  }
}

TEST(TensorBound, TermsOfOneSignReachATwentiethOfTheBound) {
  // Tensor cores truncate, so the errors of terms with one sign add up.
  std::mt19937_64 random(22);
  const Core& core = cores()[0];
  double worst = 0.0;
  for (int round = 0; round < 20; ++round) {
    const Gemm problem = problem_of(core, Samples::positive, 400, random);
    const Expected expected = gemm(problem);
    worst = std::max(worst, std::abs(tensor_dot(core, problem, 0, 0, 400) - expected.value(0, 0)) /
                                expected.tolerance(0, 0));
  }
  EXPECT_GT(worst, 0.05);
}

TEST(TensorBound, BoundOfRoundingToNearestDoesNotCoverTruncation) {
  // The statistical bound, which holds for kernels without tensor cores, does not hold here.
  std::mt19937_64 random(23);
  const Core& core = cores()[3];
  Gemm problem = problem_of(core, Samples::positive, 3000, random);
  problem.tensor_cores = false;
  problem.mean_zero = true;
  const Expected plain = gemm(problem);
  bool exceeded = false;
  for (std::int64_t i = 0; i < 3; ++i) {
    for (std::int64_t j = 0; j < 4; ++j) {
      exceeded = exceeded || !plain.accepts(i, j, tensor_dot(core, problem, i, j, 3000));
    }
  }
  EXPECT_TRUE(exceeded);
}

TEST(TensorBound, LatticeRequiresEqualityAndADroppedTermFails) {
  std::mt19937_64 random(24);
  for (const Core& core : cores()) {
    const Gemm problem = problem_of(core, Samples::lattice, 100, random);
    const Expected expected = gemm(problem);
    EXPECT_EQ(expected.bound, Bound::exact) << core.name;
    EXPECT_TRUE(expected.accepts(1, 2, tensor_dot(core, problem, 1, 2, 100))) << core.name;
    EXPECT_FALSE(expected.accepts(1, 2, tensor_dot(core, problem, 1, 2, 99))) << core.name;
  }
}

TEST(TensorBound, EightBitOperandsAreExactUpToFourteenBits) {
  Gemm problem;
  problem.a = Matrix(1, 100, 13.0);
  problem.b = Matrix(100, 1, 15.0);  // 19500, more than 2^14
  problem.type_a = problem.type_b = ScalarType::e4m3;
  problem.tensor_cores = true;
  EXPECT_GT(gemm(problem).tolerance(0, 0), 0.0);
  problem.type_a = problem.type_b = ScalarType::f16;
  EXPECT_EQ(gemm(problem).tolerance(0, 0), 0.0);
}

TEST(TensorBound, SumsInF16FailWhereF32IsDeclared) {
  std::mt19937_64 random(25);
  Gemm problem = problem_of(cores()[0], Samples::lattice, 3000, random);
  for (double& value : problem.a.values) value = std::abs(value);
  for (double& value : problem.b.values) value = std::abs(value);
  EXPECT_FALSE(gemm(problem).accepts(0, 0, tensor_dot(cores().back(), problem, 0, 0, 3000)));
  EXPECT_TRUE(gemm(problem).accepts(0, 0, tensor_dot(cores()[0], problem, 0, 0, 3000)));
}

TEST(TensorBound, F64RoundsEachSumWithoutTruncation) {
  Gemm problem;
  problem.a = Matrix(1, 7, 1.0 / 3.0);
  problem.b = Matrix(7, 1, 1.0 / 7.0);
  problem.type_a = problem.type_b = problem.type_c = problem.accumulate = ScalarType::f64;
  problem.tensor_cores = true;
  const Expected expected = gemm(problem);
  double sum = 0.0;
  for (int k = 0; k < 7; ++k) sum = std::fma(1.0 / 3.0, 1.0 / 7.0, sum);
  EXPECT_TRUE(expected.accepts(0, 0, sum));
  EXPECT_FALSE(expected.accepts(0, 0, sum + 0x1p-47)) << "a sum in f32 has an error of 2^-26";
}

TEST(Bias, IsAddedToEveryRowAndWidensTheBound) {
  Gemm problem;
  problem.a = Matrix(2, 3, 2.0);
  problem.b = Matrix(3, 2, 1.0);
  problem.bias = Matrix(1, 2);
  problem.bias(0, 1) = 5.0;
  Expected expected = gemm(problem);
  EXPECT_EQ(expected.value(1, 0), 6.0);
  EXPECT_EQ(expected.value(1, 1), 11.0);
  EXPECT_EQ(expected.tolerance(1, 1), 0.0);
  problem.bias(0, 1) = 0x1.000002p30;
  expected = gemm(problem);
  EXPECT_GE(expected.tolerance(1, 1), 64.0);  // half a step of f32 at 2^30
  EXPECT_EQ(expected.tolerance(1, 0), 0.0);
}

TEST(ReferenceF64, IsMoreExactThanAKernel) {
  // A kernel in f64 loses each 2^-53; the reference does not.
  Gemm problem;
  problem.a = Matrix(1, 4, 1.0);
  problem.b = Matrix(4, 1, 0x1p-53);
  problem.b(0, 0) = 1.0;
  problem.type_a = problem.type_b = problem.type_c = problem.accumulate = ScalarType::f64;
  const Expected expected = gemm(problem);
  EXPECT_EQ(expected.value(0, 0), 1.0 + 0x1p-51);  // 1 + 3 * 2^-53 rounded once, the tie to even
  EXPECT_GT(expected.tolerance(0, 0), 0x1p-52);
  EXPECT_LT(expected.tolerance(0, 0), 8 * 0x1p-53);
}

}  // namespace
}  // namespace warpcheck::reference
