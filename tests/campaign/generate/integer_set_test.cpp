// Arithmetic on sets of integers, compared with all pairs of elements.
#include "campaign/generate/constraints/integer_set.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <ostream>
#include <vector>

#include "campaign/generate/sampling/rng.hpp"

namespace warpcheck::campaign::generate {

inline void PrintTo(const IntegerSet& set, std::ostream* to) {
  *to << '[' << set.low << ", " << set.high << "] = " << set.residue << " mod " << set.modulus;
}

namespace {

using Value = std::optional<std::int64_t>;
using Exact = std::function<Value(std::int64_t, std::int64_t)>;
using SetFunction = std::function<IntegerSet(const IntegerSet&, const IntegerSet&)>;

IntegerSet any_set(Rng& rng, std::int64_t least) {
  const std::int64_t low = rng.between(least, 20);
  return IntegerSet::make(low, low + rng.between(0, 25), rng.between(1, 6), rng.between(0, 5));
}

std::vector<std::int64_t> elements(const IntegerSet& set) {
  std::vector<std::int64_t> found;
  for (std::int64_t value = set.low; value <= set.high; ++value) {
    if (set.contains(value)) found.push_back(value);
  }
  return found;
}

/// Requires the set of results to contain each result.
void contains_every_result(const SetFunction& function, const Exact& exact, std::int64_t least) {
  Rng rng(1);
  for (int i = 0; i < 3000; ++i) {
    const IntegerSet x = any_set(rng, least);
    const IntegerSet y = any_set(rng, least);
    const IntegerSet result = function(x, y);
    for (const std::int64_t one : elements(x)) {
      for (const std::int64_t other : elements(y)) {
        const Value value = exact(one, other);
        if (value && !result.contains(*value)) {
          ADD_FAILURE() << ::testing::PrintToString(result) << " lacks " << *value << " of " << one
                        << " and " << other;
          return;
        }
      }
    }
  }
}

/// Requires the narrowed set to contain each x for which a y gives an element of the result.
void keeps_every_operand(const std::function<IntegerSet(const IntegerSet&, const IntegerSet&,
                                                        const IntegerSet&)>& narrow,
                         const Exact& exact, std::int64_t least) {
  Rng rng(2);
  for (int i = 0; i < 3000; ++i) {
    const IntegerSet x = any_set(rng, least);
    const IntegerSet y = any_set(rng, least);
    const IntegerSet result = any_set(rng, least);
    const IntegerSet narrowed = narrow(result, x, y);
    for (const std::int64_t one : elements(x)) {
      for (const std::int64_t other : elements(y)) {
        const Value value = exact(one, other);
        if (!value || !result.contains(*value) || narrowed.contains(one)) continue;
        ADD_FAILURE() << ::testing::PrintToString(narrowed) << " lacks " << one << ": with "
                      << other << " it gives " << *value << " of "
                      << ::testing::PrintToString(result);
        return;
      }
    }
  }
}

Value divided(std::int64_t x, std::int64_t y) { return y == 0 ? Value() : x / y; }
Value rest(std::int64_t x, std::int64_t y) { return y == 0 ? Value() : x % y; }

/// Independent of the sign: counts up from the quotient that rounds to zero.
Value divided_up(std::int64_t x, std::int64_t y) {
  if (y == 0) return {};
  std::int64_t quotient = x / y - 1;
  while (y > 0 ? quotient * y < x : quotient * y > x) ++quotient;
  return quotient;
}

TEST(IntegerSet, ArithmeticContainsEveryResult) {
  contains_every_result(
      sum, [](auto x, auto y) { return x + y; }, -20);
  contains_every_result(
      difference, [](auto x, auto y) { return x - y; }, -20);
  contains_every_result(
      product, [](auto x, auto y) { return x * y; }, -20);
  contains_every_result(
      minimum, [](auto x, auto y) { return std::min(x, y); }, -20);
  contains_every_result(
      maximum, [](auto x, auto y) { return std::max(x, y); }, -20);
  contains_every_result(
      hull, [](auto x, auto) { return x; }, -20);
}

TEST(IntegerSet, DivisionContainsEveryResult) {
  for (const std::int64_t least : {-20, 0}) {
    contains_every_result(quotient, divided, least);
    contains_every_result(quotient_up, divided_up, least);
    contains_every_result(remainder, rest, least);
  }
}

TEST(IntegerSet, NarrowingKeepsEveryOperand) {
  for (const std::int64_t least : {-20, 0}) {
    keeps_every_operand(
        [](const auto& result, const auto&, const auto& y) { return factors_of(result, y); },
        [](auto x, auto y) { return x * y; }, least);
    keeps_every_operand(dividends_of, divided, least);
    keeps_every_operand(
        [](const auto& result, const auto&, const auto& y) { return dividends_up_of(result, y); },
        divided_up, least);
    keeps_every_operand(dividends_leaving, rest, least);
    const auto square = [](auto x, auto y) { return x == y ? Value(x * x) : Value(); };
    keeps_every_operand(
        [](const auto& result, const auto& x, const auto&) { return roots_of(result, x); }, square,
        least);
  }
}

TEST(IntegerSet, IntersectionHoldsTheCommonElements) {
  Rng rng(3);
  for (int i = 0; i < 3000; ++i) {
    const IntegerSet x = any_set(rng, -20);
    const IntegerSet y = any_set(rng, -20);
    const IntegerSet both = intersection(x, y);
    for (std::int64_t value = -60; value <= 60; ++value) {
      ASSERT_EQ(both.contains(value), x.contains(value) && y.contains(value)) << value;
    }
  }
}

TEST(IntegerSet, NearestIsTheLowerOfTwoEquallyNear) {
  const IntegerSet odd = IntegerSet::make(1, 9, 2, 1);
  EXPECT_EQ(odd.nearest(4), 3);
  EXPECT_EQ(odd.nearest(7), 7);
  EXPECT_EQ(odd.nearest(-5), 1);
  EXPECT_EQ(odd.nearest(100), 9);
}

TEST(IntegerSet, BoundsBeyond64BitsAreInfinite) {
  const IntegerSet large = IntegerSet::between(0, std::int64_t{1} << 40);
  const IntegerSet squares = product(large, large);
  EXPECT_EQ(squares.low, 0);
  EXPECT_EQ(squares.high, kUnbounded);
  EXPECT_EQ(difference(squares, large).high, kUnbounded);
  EXPECT_EQ(quotient(squares, IntegerSet::only(16)).high, kUnbounded);
}

}  // namespace
}  // namespace warpcheck::campaign::generate
