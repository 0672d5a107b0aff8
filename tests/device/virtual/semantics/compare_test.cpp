// Comparisons against the manual's truth table.
#include "device/virtual/semantics/compare.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace warpcheck::semantics {
namespace {

/// The truth of each operator, as in the manual's tables: below, equal, above, unordered.
struct Row {
  bool below, equal, above, unordered;
  friend bool operator==(const Row&, const Row&) = default;
};
void PrintTo(const Row& row, std::ostream* out) {
  *out << row.below << row.equal << row.above << row.unordered;
}

template <Compare C, class T>
Row row(T low, T high, T nan) {
  EXPECT_EQ(compare<C>(nan, high), compare<C>(low, nan));
  EXPECT_EQ(compare<C>(nan, nan), compare<C>(low, nan));
  return {compare<C>(low, high), compare<C>(high, high), compare<C>(high, low),
          compare<C>(low, nan)};
}

template <class T>
class FloatComparison : public ::testing::Test {};
using Formats = ::testing::Types<float, double, f16, bf16>;
TYPED_TEST_SUITE(FloatComparison, Formats);

TYPED_TEST(FloatComparison, FollowsTheManualsTable) {
  using T = TypeParam;
  const T one = from_bits<T>(Format<T>::one);
  const T lows[] = {negated(one), from_bits<T>(0),
                    from_bits<T>(static_cast<BitsOf<T>>(Format<T>::one - 1))};
  const T nan = negated(canonical_nan<T>());
  for (const T low : lows) {
    EXPECT_EQ((row<Compare::eq>(low, one, nan)), (Row{false, true, false, false}));
    EXPECT_EQ((row<Compare::ne>(low, one, nan)), (Row{true, false, true, false}));
    EXPECT_EQ((row<Compare::lt>(low, one, nan)), (Row{true, false, false, false}));
    EXPECT_EQ((row<Compare::le>(low, one, nan)), (Row{true, true, false, false}));
    EXPECT_EQ((row<Compare::gt>(low, one, nan)), (Row{false, false, true, false}));
    EXPECT_EQ((row<Compare::ge>(low, one, nan)), (Row{false, true, true, false}));
    EXPECT_EQ((row<Compare::equ>(low, one, nan)), (Row{false, true, false, true}));
    EXPECT_EQ((row<Compare::neu>(low, one, nan)), (Row{true, false, true, true}));
    EXPECT_EQ((row<Compare::ltu>(low, one, nan)), (Row{true, false, false, true}));
    EXPECT_EQ((row<Compare::leu>(low, one, nan)), (Row{true, true, false, true}));
    EXPECT_EQ((row<Compare::gtu>(low, one, nan)), (Row{false, false, true, true}));
    EXPECT_EQ((row<Compare::geu>(low, one, nan)), (Row{false, true, true, true}));
    EXPECT_EQ((row<Compare::num>(low, one, nan)), (Row{true, true, true, false}));
    EXPECT_EQ((row<Compare::nan>(low, one, nan)), (Row{false, false, false, true}));
  }
  const T zero = from_bits<T>(0);
  EXPECT_TRUE(compare<Compare::eq>(zero, negated(zero)));
  const T subnormal = from_bits<T>(1);
  EXPECT_TRUE(compare<Compare::gt>(subnormal, zero));
  EXPECT_TRUE((compare<Compare::eq, true>(subnormal, zero))) << ".ftz";
}

TEST(IntegerComparison, DistinguishesSignedFromUnsigned) {
  const std::int32_t minus_one = -1;
  const std::uint32_t all_ones = 0xffffffff;
  EXPECT_TRUE(compare<Compare::lt>(minus_one, 0));
  EXPECT_FALSE(compare<Compare::lt>(all_ones, 0U));
  EXPECT_FALSE(compare<Compare::lo>(all_ones, 0U));
  EXPECT_TRUE(compare<Compare::hi>(all_ones, 0U));
  EXPECT_TRUE(compare<Compare::hs>(all_ones, all_ones));
  EXPECT_TRUE(compare<Compare::ls>(0U, all_ones));
  EXPECT_TRUE(compare<Compare::ge>(std::int64_t{5}, std::int64_t{5}));
  EXPECT_TRUE(compare<Compare::le>(std::int16_t{-5}, std::int16_t{5}));
  EXPECT_TRUE(compare<Compare::ne>(std::uint16_t{1}, std::uint16_t{2}));
}

TEST(BooleanOperation, CombinesWithAPredicate) {
  EXPECT_TRUE(combine<BoolOp::and_>(true, true));
  EXPECT_FALSE(combine<BoolOp::and_>(true, false));
  EXPECT_TRUE(combine<BoolOp::or_>(false, true));
  EXPECT_FALSE(combine<BoolOp::xor_>(true, true));
}

TEST(SetValue, IsAllOnesOrOne) {
  EXPECT_EQ(set_value<std::uint32_t>(true), 0xffffffffU);
  EXPECT_EQ(set_value<std::int32_t>(true), -1);
  EXPECT_EQ(set_value<float>(true), 1.0F);
  EXPECT_EQ(set_value<f16>(true).bits, 0x3c00);
  EXPECT_EQ(set_value<bf16>(true).bits, 0x3f80);
  EXPECT_EQ(set_value<float>(false), 0.0F);
}

TEST(Selection, TakesTheFirstOnTrueOrNonNegative) {
  EXPECT_EQ(selp(1, 2, true), 1);
  EXPECT_EQ(selp(1, 2, false), 2);
  EXPECT_EQ(slct(1U, 2U, 0), 1U);
  EXPECT_EQ(slct(1U, 2U, -1), 2U);
  EXPECT_EQ(slct(1U, 2U, -0.0F), 1U);
  EXPECT_EQ(slct(1U, 2U, std::numeric_limits<float>::quiet_NaN()), 2U);
  EXPECT_EQ(slct(1U, 2U, -0x1p-149F), 2U);
  EXPECT_EQ(slct<true>(1U, 2U, -0x1p-149F), 1U);
}

}  // namespace
}  // namespace warpcheck::semantics
