// min and max: order, signed zeros, NaN and the modifiers.
#include "device/virtual/semantics/minmax.hpp"

#include <gtest/gtest.h>

#include "tests/device/virtual/semantics/random_values.hpp"

namespace warpcheck::semantics {
namespace {

using testing::RandomValues;

template <class T>
class MinMax : public ::testing::Test {};
using Formats = ::testing::Types<float, double, f16, bf16>;
TYPED_TEST_SUITE(MinMax, Formats);

TYPED_TEST(MinMax, OrdersNumbersAndZeros) {
  using T = TypeParam;
  RandomValues random;
  SCOPED_TRACE(random.trace());
  for (int i = 0; i < 20000; ++i) {
    const T a = random.floating<T>();
    const T b = i % 4 == 0 ? negated(a) : random.floating<T>();
    if (is_nan(a) || is_nan(b)) continue;
    const double x = widen(a);
    const double y = widen(b);
    const bool a_below = x < y || (x == y && is_negative(a));
    ASSERT_EQ(to_bits(min(a, b)), to_bits(a_below ? a : b));
    ASSERT_EQ(to_bits(max(a, b)), to_bits(a_below ? b : a));
  }
}

TYPED_TEST(MinMax, PrefersNumbersToNaN) {
  using T = TypeParam;
  const T one = from_bits<T>(Format<T>::one);
  const T nan = from_bits<T>(static_cast<BitsOf<T>>(Format<T>::canonical_nan - 1));
  EXPECT_EQ(to_bits(min(one, nan)), to_bits(one));
  EXPECT_EQ(to_bits(max(nan, one)), to_bits(one));
  EXPECT_TRUE(is_nan(max(nan, nan)));
  EXPECT_TRUE(is_nan(min<false, true>(one, nan))) << ".NaN";
  EXPECT_TRUE(is_nan(max<false, true>(nan, one)));
  if (sizeof(T) < 8) {
    EXPECT_EQ(to_bits(min(nan, nan)), Format<T>::canonical_nan);
    EXPECT_EQ(to_bits(max<false, true>(nan, one)), Format<T>::canonical_nan);
  }
}

TYPED_TEST(MinMax, XorsignAbsComparesMagnitudes) {
  using T = TypeParam;
  const T one = from_bits<T>(Format<T>::one);
  const T two = from_bits<T>(
      static_cast<BitsOf<T>>(Format<T>::one + (BitsOf<T>{1} << Format<T>::fraction_bits)));
  const T nan = canonical_nan<T>();
  EXPECT_EQ(to_bits(min<false, false, true>(negated(two), one)), to_bits(negated(one)));
  EXPECT_EQ(to_bits(max<false, false, true>(negated(two), negated(one))), to_bits(two));
  EXPECT_EQ(to_bits(max<false, false, true>(negated(nan), one)), to_bits(negated(one)))
      << "a number's sign is set";
  EXPECT_TRUE(is_nan(max<false, true, true>(nan, one)));
}

TYPED_TEST(MinMax, FlushesFirst) {
  using T = TypeParam;
  const T zero = from_bits<T>(0);
  const T subnormal = from_bits<T>(3);
  EXPECT_EQ(to_bits(max<true>(subnormal, zero)), 0U);
  EXPECT_EQ(to_bits(max<false>(subnormal, zero)), 3U);
  EXPECT_EQ(to_bits(min<true>(negated(subnormal), zero)), Format<T>::sign);
}

TEST(MinMaxOfThree, TakesTheExtremeOfAll) {
  const float nan = canonical_nan<float>();
  EXPECT_EQ(min(3.0F, 1.0F, 2.0F), 1.0F);
  EXPECT_EQ(max(1.0F, nan, 2.0F), 2.0F);
  EXPECT_EQ(to_bits(max<false, true>(1.0F, nan, 2.0F)), 0x7fffffffU);
  EXPECT_EQ((max<false, false, true>(1.0F, -3.0F, 2.0F)), 3.0F);
}

}  // namespace
}  // namespace warpcheck::semantics
