// Values and errors of functions against MPFR, with 200 bits.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>

#include "reference/evaluate/arithmetic.hpp"
#include "reference/host/real_arithmetic.hpp"
#include "tests/reference/evaluate/exact_number.hpp"
#include "tests/reference/evaluate/host_functions.hpp"
#include "tests/reference/evaluate/problems.hpp"

namespace warpcheck::reference {
namespace {

using operation::Op;

struct FunctionCase {
  Op op;
  warpcheck_operation real_operation;
  int (*exact)(mpfr_t, const mpfr_t, mpfr_rnd_t);
  double smallest;  // arguments
  double largest;
};

int absolute(mpfr_t result, const mpfr_t x, mpfr_rnd_t mode) { return mpfr_abs(result, x, mode); }

int ceiling(mpfr_t result, const mpfr_t x, mpfr_rnd_t) { return mpfr_ceil(result, x); }
int truncated(mpfr_t result, const mpfr_t x, mpfr_rnd_t) { return mpfr_trunc(result, x); }

const FunctionCase kCases[] = {{Op::exp, WARPCHECK_EXP, mpfr_exp, -80, 80},
                               {Op::exp2, WARPCHECK_EXP2, mpfr_exp2, -80, 80},
                               {Op::expm1, WARPCHECK_EXPM1, mpfr_expm1, -5, 5},
                               {Op::log, WARPCHECK_LOG, mpfr_log, 1e-6, 1e6},
                               {Op::log2, WARPCHECK_LOG2, mpfr_log2, 1e-6, 1e6},
                               {Op::log10, WARPCHECK_LOG10, mpfr_log10, 1e-6, 1e6},
                               {Op::log1p, WARPCHECK_LOG1P, mpfr_log1p, -0.5, 1e3},
                               {Op::sqrt, WARPCHECK_SQRT, mpfr_sqrt, 0, 1e6},
                               {Op::rsqrt, WARPCHECK_RSQRT, mpfr_rec_sqrt, 1e-6, 1e6},
                               {Op::cbrt, WARPCHECK_CBRT, mpfr_cbrt, -1e6, 1e6},
                               {Op::sin, WARPCHECK_SIN, mpfr_sin, -300, 300},
                               {Op::cos, WARPCHECK_COS, mpfr_cos, -300, 300},
                               {Op::tan, WARPCHECK_TAN, mpfr_tan, -1.2, 1.2},
                               {Op::asin, WARPCHECK_ASIN, mpfr_asin, -0.7, 0.7},
                               {Op::acos, WARPCHECK_ACOS, mpfr_acos, -0.7, 0.7},
                               {Op::atan, WARPCHECK_ATAN, mpfr_atan, -20, 20},
                               {Op::sinh, WARPCHECK_SINH, mpfr_sinh, -20, 20},
                               {Op::cosh, WARPCHECK_COSH, mpfr_cosh, -5, 5},
                               {Op::tanh, WARPCHECK_TANH, mpfr_tanh, -5, 5},
                               {Op::erf, WARPCHECK_ERF, mpfr_erf, -5, 5},
                               {Op::erfc, WARPCHECK_ERFC, mpfr_erfc, -3, 5},
                               {Op::ceil, WARPCHECK_CEIL, ceiling, -9, 9},
                               {Op::trunc, WARPCHECK_TRUNC, truncated, -9, 9},
                               {Op::absolute, WARPCHECK_ABSOLUTE, absolute, -5, 5}};

warpcheck_real real(const Bounded& x) {
  warpcheck_real number{};
  number.value = x.value;
  number.error = x.error;
  return number;
}

/// The results of the language and of the number type of a reference in C++.
std::array<Bounded, 2> results(ScalarType type, Op op, warpcheck_operation real_operation,
                               const Bounded& x, const Bounded& y) {
  operation::Node node;
  node.op = op;
  const RealArithmetic reals({.type = type});
  const warpcheck_real result = reals.apply(real_operation, real(x), real(y), {});
  return {Arithmetic(type).apply(node, x, y, {}), Bounded{result.value, result.error}};
}

TEST(EvaluateExact, FunctionsAreWithinTheirErrors) {
  std::mt19937_64 random(5);
  for (const ScalarType type : {ScalarType::f32, ScalarType::f16, ScalarType::f64}) {
    for (const FunctionCase& function : kCases) {
      std::uniform_real_distribution<double> arguments(function.smallest, function.largest);
      for (int round = 0; round < 200; ++round) {
        const double x = arguments(random);
        const double error = std::ldexp(std::abs(x), -static_cast<int>(random() % 30 + 2));
        const auto both = results(type, function.op, function.real_operation, {x, error}, {});
        const double distance = error * (1.0 - 0x1p-20);  // so that x + distance may be rounded
        for (const double argument : {x - distance, x, x + distance}) {
          if (argument < function.smallest) continue;
          Exact exact(argument);
          function.exact(exact.number(), exact.number(), MPFR_RNDN);
          for (const Bounded& result : both) {
            ASSERT_LE(exact.distance(result.value), result.error)
                << function.real_operation << " " << x;
          }
        }
      }
    }
  }
}

// Each corner of the intervals, and numbers between them.
TEST(EvaluateExact, PowersAreWithinTheirErrors) {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> part(-1.0, 1.0);
  operation::Node node;
  node.op = Op::pow;
  for (const ScalarType type : {ScalarType::f32, ScalarType::f16, ScalarType::f64}) {
    const Arithmetic arithmetic(type);
    for (int round = 0; round < 500; ++round) {
      const bool is_integer = round % 2 == 0;
      Bounded x{is_integer ? 3.0 * part(random) : 2.5 + 2.0 * part(random), 0.0};
      Bounded y{is_integer ? std::trunc(4.0 * part(random)) : 3.0 * part(random), 0.0};
      if (round % 3 != 0) x.error = std::ldexp(std::abs(x.value), -static_cast<int>(random() % 30));
      if (round % 3 == 1 && !is_integer) y.error = 1e-3;
      const Bounded result = arithmetic.apply(node, x, y, {});
      if (std::isinf(result.error)) continue;  // 0 may be in the interval
      for (int at = 0; at < 6; ++at) {
        const double along_x = at < 4 ? (at % 2 == 0 ? -1.0 : 1.0) : part(random);
        const double along_y = at < 4 ? (at < 2 ? -1.0 : 1.0) : part(random);
        Exact exact(x.value + along_x * x.error * (1.0 - 0x1p-20));
        Exact exponent(y.value + along_y * y.error * (1.0 - 0x1p-20));
        mpfr_pow(exact.number(), exact.number(), exponent.number(), MPFR_RNDN);
        ASSERT_LE(exact.distance(result.value), result.error) << x.value << " " << y.value;
      }
    }
  }
}

TEST(EvaluateExact, SoftmaxIsExactToTheLastBitsOfDouble) {
  const operation::Operation operation =
      over_rows("y[i,j] = exp(x[i,j] - max(k: x[i,k])) / sum(k: exp(x[i,k] - max(l: x[i,l])))");
  std::mt19937_64 random(6);
  std::normal_distribution<double> normal(0.0, 5.0);
  const auto generate = [&] { return static_cast<double>(static_cast<float>(normal(random))); };
  TensorProblem problem = problem_of(operation, 1, 1000, generate);
  const ExpectedTensor result = evaluate(problem).at("y");
  InProcess function = row_function<Real>(Softmax());
  problem.host = &function;
  const ExpectedTensor host_result = evaluate(problem).at("y");
  Exact total;
  std::vector<Exact> terms;
  for (const double x : problem.inputs.at("x").values) {
    terms.emplace_back(x);
    mpfr_exp(terms.back().number(), terms.back().number(), MPFR_RNDN);
    mpfr_add(total.number(), total.number(), terms.back().number(), MPFR_RNDN);
  }
  for (std::size_t i = 0; i < terms.size(); ++i) {
    mpfr_div(terms[i].number(), terms[i].number(), total.number(), MPFR_RNDN);
    ASSERT_LE(terms[i].distance(result.value.values[i]), 1e-13 * result.value.values[i]);
    ASSERT_LE(terms[i].distance(host_result.value.values[i]), 1e-13 * host_result.value.values[i]);
  }
}

TEST(EvaluateExact, ArithmeticOfUncertainNumbersIsWithinItsError) {
  struct Operation {
    Op op;
    warpcheck_operation real_operation;
    int (*exact)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
  };
  const Operation operations[] = {{Op::add, WARPCHECK_ADD, mpfr_add},
                                  {Op::add, WARPCHECK_ACCUMULATE, mpfr_add},
                                  {Op::subtract, WARPCHECK_SUBTRACT, mpfr_sub},
                                  {Op::multiply, WARPCHECK_MULTIPLY, mpfr_mul},
                                  {Op::divide, WARPCHECK_DIVIDE, mpfr_div}};
  std::mt19937_64 random(8);
  std::normal_distribution<double> normal;
  for (const Operation& operation : operations) {
    for (int round = 0; round < 500; ++round) {
      const Bounded x{normal(random), round % 2 == 0 ? 0.0 : 1e-5 * std::abs(normal(random))};
      const Bounded y{normal(random), 1e-6 * std::abs(normal(random))};
      const auto both = results(ScalarType::f32, operation.op, operation.real_operation, x, y);
      for (const double side : {-1.0, 1.0}) {
        for (const double other : {-1.0, 1.0}) {
          Exact exact(x.value + side * x.error);
          Exact right(y.value + other * y.error);
          operation.exact(exact.number(), exact.number(), right.number(), MPFR_RNDN);
          for (const Bounded& result : both) {
            ASSERT_LE(exact.distance(result.value), result.error) << operation.real_operation;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace warpcheck::reference
