// The arithmetic of a kernel that rounds each operation, and one of 200 bits.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/scalar_type.hpp"
#include "operation/node.hpp"
#include "reference/format.hpp"
#include "tests/reference/evaluate/exact_number.hpp"
#include "tests/reference/evaluate/problems.hpp"

namespace warpcheck::reference {

using operation::Op;

/// Rounds each operation to nearest, with sums in a random order. A kernel may fuse products with
/// sums, and may divide by a multiplication with the reciprocal.
class RoundingArithmetic {
 public:
  using Number = double;

  /// `sums`: the type of the running sums.
  RoundingArithmetic(ScalarType type, ScalarType sums, std::uint64_t seed)
      : round_(type, seed), sums_(sums, seed), random_(seed) {
    fuses_ = coin();
    has_reciprocals_ = coin();
  }

  [[nodiscard]] double constant(double value) const { return round_(value); }
  [[nodiscard]] static double exact(double value) { return value; }
  [[nodiscard]] static double value(double x) { return x; }
  [[nodiscard]] static double product(double x, double y) { return x * y; }
  [[nodiscard]] static double stored(ScalarType type, double x) { return round_to(type, x); }
  [[nodiscard]] bool fuses() const { return fuses_; }
  bool picks_first() { return coin(); }
  double sum(const std::vector<double>& terms) { return round_(sums_.sum(terms)); }

  [[nodiscard]] double unary(Op op, double x) const {
    switch (op) {
      case Op::negate:
        return -x;
      case Op::absolute:
        return std::abs(x);
      case Op::exp:
        return round_(std::exp(x));
      case Op::sqrt:
        return round_(std::sqrt(x));
      case Op::rsqrt:
        return round_(1.0 / std::sqrt(x));
      default:
        throw std::invalid_argument("a function that no built-in operation has");
    }
  }

  [[nodiscard]] double binary(Op op, double x, double y) const {
    switch (op) {
      case Op::add:
        return round_(x + y);
      case Op::subtract:
        return round_(x - y);
      case Op::multiply:
        return round_(x * y);
      case Op::divide:
        return has_reciprocals_ ? round_(x * round_(1.0 / y)) : round_(x / y);
      case Op::minimum:
        return std::fmin(x, y);
      case Op::maximum:
        return std::fmax(x, y);
      default:
        throw std::invalid_argument("an operation that no built-in operation has");
    }
  }

 private:
  bool coin() { return random_() % 2 == 0; }

  SimulatedFormat round_;
  SimulatedFormat sums_;
  std::mt19937_64 random_;
  bool fuses_ = false;
  bool has_reciprocals_ = false;
};

class ExactArithmetic {
 public:
  using Number = Exact;

  /// The literals of a definition are decimal: 0.1 is the nearest double, 2^-55 off at most.
  [[nodiscard]] static Exact constant(double value) { return Exact(value); }
  [[nodiscard]] static Exact exact(double value) { return Exact(value); }
  [[nodiscard]] static double value(const Exact& x) { return x.nearest(); }
  [[nodiscard]] static bool fuses() { return false; }
  [[nodiscard]] static bool picks_first() { return true; }
  /// Types round only what a kernel computes.
  [[nodiscard]] static Exact stored(ScalarType, const Exact& x) { return x; }

  [[nodiscard]] static Exact product(const Exact& x, const Exact& y) {
    return binary(Op::multiply, x, y);
  }

  [[nodiscard]] static Exact sum(const std::vector<Exact>& terms) {
    Exact total;
    for (const Exact& term : terms) total = binary(Op::add, total, term);
    return total;
  }

  [[nodiscard]] static Exact unary(Op op, Exact x) {
    const auto apply = [&](int (*function)(mpfr_t, const mpfr_t, mpfr_rnd_t)) {
      function(x.number(), x.number(), MPFR_RNDN);
      return x;
    };
    switch (op) {
      case Op::negate:
        return apply(mpfr_neg);
      case Op::absolute:
        return apply(
            [](mpfr_t to, const mpfr_t from, mpfr_rnd_t mode) { return mpfr_abs(to, from, mode); });
      case Op::exp:
        return apply(mpfr_exp);
      case Op::sqrt:
        return apply(mpfr_sqrt);
      case Op::rsqrt:
        return apply(mpfr_rec_sqrt);
      default:
        throw std::invalid_argument("a function that no built-in operation has");
    }
  }

  [[nodiscard]] static Exact binary(Op op, Exact x, const Exact& y) {
    const auto apply = [&](int (*function)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t)) {
      function(x.number(), x.number(), y.number(), MPFR_RNDN);
      return x;
    };
    switch (op) {
      case Op::add:
        return apply(mpfr_add);
      case Op::subtract:
        return apply(mpfr_sub);
      case Op::multiply:
        return apply(mpfr_mul);
      case Op::divide:
        return apply(mpfr_div);
      case Op::minimum:
        return apply(mpfr_min);
      case Op::maximum:
        return apply(mpfr_max);
      default:
        throw std::invalid_argument("an operation that no built-in operation has");
    }
  }
};

}  // namespace warpcheck::reference
