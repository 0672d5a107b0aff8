// One condition on a case, such as k % 8 == 0: the language of domains that are learned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "campaign/conditions/quantity.hpp"

namespace warpcheck::campaign::conditions {

/// A condition on one or two quantities, which are named by their index.
struct Condition {
  enum class Kind : std::uint8_t {
    congruent,      // x % modulus == residue; of an offset: aligned(buffer, bytes)
    at_least,       // x >= constant
    at_most,        // x <= constant
    equals,         // x == constant
    differs,        // x != constant
    same,           // x == y + constant
    at_most_other,  // x <= y
  };

  Kind kind = Kind::equals;
  std::size_t x = 0;
  std::size_t y = 0;
  std::int64_t modulus = 1;
  std::int64_t residue = 0;
  double constant = 0.0;

  [[nodiscard]] bool names_two() const { return kind == Kind::same || kind == Kind::at_most_other; }

  /// `values`: of all quantities, as values_of() returns them.
  [[nodiscard]] bool holds(const std::vector<double>& values) const;

  friend bool operator==(const Condition&, const Condition&) = default;
};

using Conjunction = std::vector<Condition>;

[[nodiscard]] bool holds(const Conjunction& conditions, const std::vector<double>& values);

/// Returns the condition as an expression of a contract.
[[nodiscard]] std::string to_text(const Condition& condition,
                                  const std::vector<Quantity>& quantities);

/// Joins the conditions with "and"; "true" for none.
[[nodiscard]] std::string to_text(const Conjunction& conditions,
                                  const std::vector<Quantity>& quantities);

/// Returns conditions that exclude this one. The first ones are those that nearly hold: for
/// k % 16 == 0, k % 16 == 8 comes first, because k % 8 == 0 would hold there.
[[nodiscard]] std::vector<Condition> negations(const Condition& condition,
                                               const std::vector<Quantity>& quantities);

/// Returns how unusual a condition is: of several that explain the same cases, the learner states
/// the one of the lowest cost.
[[nodiscard]] double cost(const Condition& condition, const std::vector<Quantity>& quantities);

}  // namespace warpcheck::campaign::conditions
