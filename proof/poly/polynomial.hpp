// Polynomials with integer coefficients over symbols.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace warpcheck::proof {

using SymbolId = std::uint32_t;

/// A product of symbols in ascending order; empty: 1.
using Monomial = std::vector<SymbolId>;

/// The kernel or its contract has something that the method does not cover. The message is a reason
/// that a user can act on, without the place.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A coefficient exceeds 64 bits.
class TooLarge : public Unsupported {
 public:
  TooLarge() : Unsupported("the kernel computes with a coefficient that exceeds 64 bits") {}
};

class Polynomial {
 public:
  struct Term {
    Monomial monomial;
    std::int64_t factor = 0;

    friend auto operator<=>(const Term&, const Term&) = default;
  };

  Polynomial() = default;
  Polynomial(
      std::int64_t constant);  // NOLINT(google-explicit-constructor): numbers are polynomials
  [[nodiscard]] static Polynomial of(SymbolId symbol);
  [[nodiscard]] static Polynomial of(const Monomial& monomial, std::int64_t factor);

  /// The terms in ascending order of their monomials. No factor is 0.
  [[nodiscard]] const std::vector<Term>& terms() const { return terms_; }
  [[nodiscard]] bool is_zero() const { return terms_.empty(); }

  /// The value of a polynomial without symbols.
  [[nodiscard]] std::optional<std::int64_t> constant() const;
  [[nodiscard]] std::int64_t constant_term() const;
  [[nodiscard]] Polynomial without_constant() const { return *this - constant_term(); }
  /// The terms whose factors are no multiples of a number.
  [[nodiscard]] Polynomial without_multiples_of(std::int64_t number) const;

  /// The symbols in ascending order.
  [[nodiscard]] std::vector<SymbolId> symbols() const;

  /// Every factor is a multiple of `divisor`.
  [[nodiscard]] bool is_multiple_of(std::int64_t divisor) const;
  /// The quotient by such a divisor.
  [[nodiscard]] Polynomial divided_by(std::int64_t divisor) const;
  /// The greatest common divisor of the factors of all monomials but 1.
  [[nodiscard]] std::int64_t common_divisor() const;
  /// The greatest common divisor of all factors; 0 for 0.
  [[nodiscard]] std::int64_t divisor() const;

  /// The quotient by a polynomial of one term that divides every term; empty if it does not.
  [[nodiscard]] std::optional<Polynomial> divided_by(const Term& divisor) const;

  /// Each term of the other polynomial is a term of this one.
  [[nodiscard]] bool contains(const Polynomial& other) const;

  /// {c, r} with c * symbol + r equal to the polynomial; empty if its degree is above 1.
  [[nodiscard]] std::optional<std::pair<Polynomial, Polynomial>> linear_in(SymbolId symbol) const;

  // These throw Unsupported if a coefficient exceeds 64 bits.
  friend Polynomial operator+(const Polynomial& left, const Polynomial& right);
  friend Polynomial operator-(const Polynomial& left, const Polynomial& right);
  friend Polynomial operator*(const Polynomial& left, const Polynomial& right);
  Polynomial operator-() const { return Polynomial() - *this; }

  friend auto operator<=>(const Polynomial&, const Polynomial&) = default;
  friend bool operator==(const Polynomial&, const Polynomial&) = default;

 private:
  void add(const Monomial& monomial, std::int64_t factor);

  std::vector<Term> terms_;
};

}  // namespace warpcheck::proof
