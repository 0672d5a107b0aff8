// Sets of integers: an interval with a congruence, and arithmetic on them.
#pragma once

#include <cstdint>

namespace warpcheck::campaign::generate {

/// Bounds of this size are infinite.
inline constexpr std::int64_t kUnbounded = std::int64_t{1} << 62;

/// The integers from `low` to `high` that are congruent to `residue` modulo `modulus`. A set of one
/// integer has the modulus 0 and that integer as its residue. Arithmetic returns a set that
/// contains every result; it may contain more.
struct IntegerSet {
  std::int64_t low = -kUnbounded;
  std::int64_t high = kUnbounded;
  std::int64_t modulus = 1;
  std::int64_t residue = 0;

  static IntegerSet make(std::int64_t low, std::int64_t high, std::int64_t modulus,
                         std::int64_t residue);
  static constexpr IntegerSet only(std::int64_t value) { return {value, value, 0, value}; }
  static IntegerSet between(std::int64_t low, std::int64_t high) { return make(low, high, 1, 0); }
  static constexpr IntegerSet none() { return {1, 0, 0, 0}; }

  [[nodiscard]] bool is_empty() const { return low > high; }
  [[nodiscard]] bool is_single() const { return low == high; }
  [[nodiscard]] bool contains(std::int64_t value) const;
  /// Returns the distance of adjacent elements; 1 for a single element.
  [[nodiscard]] std::int64_t step() const { return modulus == 0 ? 1 : modulus; }
  /// Returns the element nearest to `target`, the lower one of two. The set is not empty.
  [[nodiscard]] std::int64_t nearest(std::int64_t target) const;

  friend bool operator==(const IntegerSet&, const IntegerSet&) = default;
};

[[nodiscard]] IntegerSet intersection(const IntegerSet& x, const IntegerSet& y);
/// Returns a set that contains both.
[[nodiscard]] IntegerSet hull(const IntegerSet& x, const IntegerSet& y);
[[nodiscard]] IntegerSet without_zero(const IntegerSet& x);

[[nodiscard]] IntegerSet negated(const IntegerSet& x);
[[nodiscard]] IntegerSet sum(const IntegerSet& x, const IntegerSet& y);
[[nodiscard]] IntegerSet difference(const IntegerSet& x, const IntegerSet& y);
[[nodiscard]] IntegerSet product(const IntegerSet& x, const IntegerSet& y);
/// Quotient and remainder round towards zero. The divisors exclude 0.
[[nodiscard]] IntegerSet quotient(const IntegerSet& x, const IntegerSet& y);
[[nodiscard]] IntegerSet quotient_up(const IntegerSet& x, const IntegerSet& y);
[[nodiscard]] IntegerSet remainder(const IntegerSet& x, const IntegerSet& y);
[[nodiscard]] IntegerSet minimum(const IntegerSet& x, const IntegerSet& y);
[[nodiscard]] IntegerSet maximum(const IntegerSet& x, const IntegerSet& y);

/// Returns the elements x for which x * y can be in `product`.
[[nodiscard]] IntegerSet factors_of(const IntegerSet& product, const IntegerSet& y);
/// Returns the elements of x whose square can be in `square`.
[[nodiscard]] IntegerSet roots_of(const IntegerSet& square, const IntegerSet& x);
/// Returns the elements of x for which x / y can be in `quotient`.
[[nodiscard]] IntegerSet dividends_of(const IntegerSet& quotient, const IntegerSet& x,
                                      const IntegerSet& y);
[[nodiscard]] IntegerSet dividends_up_of(const IntegerSet& quotient, const IntegerSet& y);
/// Returns the elements of x for which x % y can be in `remainder`.
[[nodiscard]] IntegerSet dividends_leaving(const IntegerSet& remainder, const IntegerSet& x,
                                           const IntegerSet& y);

}  // namespace warpcheck::campaign::generate
