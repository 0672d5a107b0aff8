#include "tests/device/virtual/semantics/exact.hpp"

#include <mpfr.h>

#include <cmath>

namespace warpcheck::semantics::testing {

namespace {

class Number {
 public:
  explicit Number(mpfr_prec_t precision) { mpfr_init2(value_, precision); }
  Number(mpfr_prec_t precision, double value) : Number(precision) {
    mpfr_set_d(value_, value, MPFR_RNDN);
  }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  ~Number() { mpfr_clear(value_); }
  operator mpfr_ptr() { return value_; }  // NOLINT: it is one

 private:
  mpfr_t value_;
};

mpfr_rnd_t mode(Rounding rounding) {
  switch (rounding) {
    case Rounding::rz:
      return MPFR_RNDZ;
    case Rounding::rm:
      return MPFR_RNDD;
    case Rounding::rp:
      return MPFR_RNDU;
    default:
      return MPFR_RNDN;
  }
}

int apply(mpfr_ptr result, Operation operation, mpfr_rnd_t rounding, mpfr_ptr a, mpfr_ptr b,
          mpfr_ptr c) {
  switch (operation) {
    case Operation::add:
      return mpfr_add(result, a, b, rounding);
    case Operation::sub:
      return mpfr_sub(result, a, b, rounding);
    case Operation::mul:
      return mpfr_mul(result, a, b, rounding);
    case Operation::fma:
      return mpfr_fma(result, a, b, c, rounding);
    case Operation::div:
      return mpfr_div(result, a, b, rounding);
    case Operation::sqrt:
      return mpfr_sqrt(result, a, rounding);
    case Operation::assign:
      return mpfr_set(result, a, rounding);
    case Operation::exp2:
      return mpfr_exp2(result, a, rounding);
    case Operation::log2:
      return mpfr_log2(result, a, rounding);
    case Operation::sin:
      return mpfr_sin(result, a, rounding);
    case Operation::cos:
      return mpfr_cos(result, a, rounding);
    case Operation::tanh:
      return mpfr_tanh(result, a, rounding);
  }
  return 0;
}

/// Sets the exponent range of MPFR to that of a format, and restores it.
class ExponentRange {
 public:
  ExponentRange(int exponent_bits, int fraction_bits)
      : lowest_(mpfr_get_emin()), highest_(mpfr_get_emax()) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    mpfr_set_emin(2 - bias - fraction_bits);  // MPFR's significands lie in [1/2, 1)
    mpfr_set_emax(bias + 1);
  }
  ExponentRange(const ExponentRange&) = delete;
  ExponentRange& operator=(const ExponentRange&) = delete;
  ~ExponentRange() {
    mpfr_set_emin(lowest_);
    mpfr_set_emax(highest_);
  }

 private:
  mpfr_exp_t lowest_;
  mpfr_exp_t highest_;
};

}  // namespace

double exactly(Operation operation, Rounding rounding, int exponent_bits, int fraction_bits,
               double a, double b, double c) {
  Number x(53, a);
  Number y(53, b);
  Number z(53, c);
  Number result(fraction_bits + 1);
  int inexact = apply(result, operation, mode(rounding), x, y, z);
  const ExponentRange range(exponent_bits, fraction_bits);
  inexact = mpfr_check_range(result, inexact, mode(rounding));
  mpfr_subnormalize(result, inexact, mode(rounding));
  return mpfr_get_d(result, MPFR_RNDN);
}

double exactly(std::uint64_t magnitude, bool negative, Rounding rounding, int exponent_bits,
               int fraction_bits) {
  Number x(64);
  mpfr_set_ui(x, magnitude, MPFR_RNDN);
  if (negative) mpfr_neg(x, x, MPFR_RNDN);
  Number result(fraction_bits + 1);
  int inexact = mpfr_set(result, x, mode(rounding));
  const ExponentRange range(exponent_bits, fraction_bits);
  inexact = mpfr_check_range(result, inexact, mode(rounding));
  mpfr_subnormalize(result, inexact, mode(rounding));
  return mpfr_get_d(result, MPFR_RNDN);
}

Error error_of(double value, Operation operation, double a, double b) {
  Number x(53, a);
  Number y(53, b);
  Number exact(120);
  apply(exact, operation, MPFR_RNDN, x, y, y);
  Number difference(120, value);
  mpfr_sub(difference, difference, exact, MPFR_RNDN);
  Number relative(120);
  mpfr_div(relative, difference, exact, MPFR_RNDN);
  return {std::fabs(mpfr_get_d(difference, MPFR_RNDN)), std::fabs(mpfr_get_d(relative, MPFR_RNDN))};
}

}  // namespace warpcheck::semantics::testing
