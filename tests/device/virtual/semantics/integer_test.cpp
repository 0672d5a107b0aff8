// Integer arithmetic against exact 128-bit arithmetic.
#include "device/virtual/semantics/integer.hpp"

#include <gtest/gtest.h>

#include "device/virtual/semantics/carry.hpp"
#include "device/virtual/semantics/half.hpp"
#include "tests/device/virtual/semantics/random_values.hpp"

namespace warpcheck::semantics {
namespace {

using testing::RandomValues;

constexpr int kRounds = 20000;

/// The low bits of an exact number, as T.
template <class T>
T wrapped(int128 exact) {
  return static_cast<T>(static_cast<std::uint64_t>(exact));
}
template <class T>
T limited(int128 exact) {
  const int128 low = std::numeric_limits<T>::min();
  const int128 high = std::numeric_limits<T>::max();
  return static_cast<T>(exact < low ? low : exact > high ? high : exact);
}

template <class T>
class Integers : public ::testing::Test {};
using Types = ::testing::Types<std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                               std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(Integers, Types);

TYPED_TEST(Integers, AgreeWithExactArithmetic) {
  using T = TypeParam;
  RandomValues random;
  SCOPED_TRACE(random.trace());
  constexpr int width = 8 * sizeof(T);
  for (int i = 0; i < kRounds; ++i) {
    const T a = random.integer<T>();
    const T b = i % 8 == 0 ? a : random.integer<T>();
    const T c = random.integer<T>();
    const int128 x = a;
    const int128 y = b;
    const int128 z = c;
    // The product of two 64-bit unsigned numbers overflows int128 and wraps as well in uint128.
    const auto product = static_cast<uint128>(x) * static_cast<uint128>(y);
    const T high = static_cast<T>(static_cast<std::uint64_t>(product >> width));
    ASSERT_EQ(add(a, b), wrapped<T>(x + y));
    ASSERT_EQ(sub(a, b), wrapped<T>(x - y));
    ASSERT_EQ(mul_lo(a, b), static_cast<T>(static_cast<std::uint64_t>(product)));
    ASSERT_EQ(mul_hi(a, b), high);
    ASSERT_EQ(mad_lo(a, b, c),
              static_cast<T>(static_cast<std::uint64_t>(product + static_cast<uint128>(z))));
    ASSERT_EQ(mad_hi(a, b, c), wrapped<T>(int128{high} + z));
    if constexpr (width < 64) {
      using Wide = decltype(mul_wide(a, b));
      static_assert(sizeof(Wide) == 2 * sizeof(T));
      const Wide d = random.integer<Wide>();
      ASSERT_EQ(mul_wide(a, b), wrapped<Wide>(x * y));
      ASSERT_EQ(mad_wide(a, b, d), wrapped<Wide>(x * y + int128{d}));
    }
    ASSERT_EQ(min(a, b), x < y ? a : b);
    ASSERT_EQ(max(a, b), x > y ? a : b);
    ASSERT_EQ(sad(a, b, c), wrapped<T>(z + (x < y ? y - x : x - y)));
    if (b != 0) {
      ASSERT_EQ(div(a, b), wrapped<T>(x / y));
      ASSERT_EQ(rem(a, b), wrapped<T>(x % y));
    }
    if constexpr (std::is_signed_v<T>) {
      ASSERT_EQ(neg(a), wrapped<T>(-x));
      ASSERT_EQ(abs(a), wrapped<T>(x < 0 ? -x : x));
      ASSERT_EQ(min<true>(a, b), limited<T>(std::max<int128>(std::min(x, y), 0)));
      ASSERT_EQ(max<true>(a, b), limited<T>(std::max<int128>(std::max(x, y), 0)));
    }
  }
}

TYPED_TEST(Integers, DivisionByZeroIsAllOnes) {
  using T = TypeParam;
  EXPECT_EQ(div(T{7}, T{0}), static_cast<T>(-1));
  EXPECT_EQ(rem(T{7}, T{0}), static_cast<T>(-1));
}

TYPED_TEST(Integers, ChainsOfCarriesAddAndSubtractLongNumbers) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  RandomValues random;
  SCOPED_TRACE(random.trace());
  constexpr int width = 8 * sizeof(T);
  const uint128 mask = (uint128{1} << (2 * width - 1) << 1) - 1;
  const auto joined = [](T low, T high) {
    return uint128{static_cast<U>(low)} | uint128{static_cast<U>(high)} << width;
  };
  for (int i = 0; i < kRounds; ++i) {
    const T a0 = random.integer<T>();
    const T a1 = random.integer<T>();
    const T b0 = random.integer<T>();
    const T b1 = i % 2 != 0 ? a1 : random.integer<T>();
    const auto low = add_carry(a0, b0);
    const auto high = add_carry(a1, b1, low.carry);
    ASSERT_EQ(joined(low.value, high.value), (joined(a0, a1) + joined(b0, b1)) & mask);
    ASSERT_EQ(high.carry,
              uint128{static_cast<U>(a1)} + static_cast<U>(b1) + low.carry >= uint128{1} << width);
    const auto low_rest = sub_carry(a0, b0);
    const auto high_rest = sub_carry(a1, b1, low_rest.carry);
    ASSERT_EQ(joined(low_rest.value, high_rest.value), (joined(a0, a1) - joined(b0, b1)) & mask);
    ASSERT_EQ(high_rest.carry, joined(a0, a1) >= joined(b0, b1));
    if constexpr (!std::is_signed_v<T>) {  // 128 bits of a product and an addend, the mad.lo.cc,
                                           // madc.hi idiom
      const auto product_low = mad_lo_carry(a0, b0, a1);
      const auto product_high = mad_hi_carry(a0, b0, b1, product_low.carry);
      ASSERT_EQ(joined(product_low.value, product_high.value),
                (uint128{a0} * uint128{b0} + joined(a1, b1)) & mask);
    }
  }
}

TEST(Integer, SmallestValueWraps) {
  constexpr auto lowest = std::numeric_limits<std::int32_t>::min();
  EXPECT_EQ(div(lowest, -1), lowest);
  EXPECT_EQ(rem(lowest, -1), 0);
  EXPECT_EQ(abs(lowest), lowest);
  EXPECT_EQ(neg(lowest), lowest);
  EXPECT_EQ(mul_lo<std::uint16_t>(0xffff, 0xffff), 1) << "C++ would overflow a promoted int";
}

TEST(Integer, SaturatesSigned32Bits) {
  RandomValues random;
  SCOPED_TRACE(random.trace());
  for (int i = 0; i < kRounds; ++i) {
    const auto a = random.integer<std::int32_t>();
    const auto b = random.integer<std::int32_t>();
    const auto c = random.integer<std::int32_t>();
    const int128 x = a;
    ASSERT_EQ(add_sat(a, b), limited<std::int32_t>(x + b));
    ASSERT_EQ(sub_sat(a, b), limited<std::int32_t>(x - b));
    ASSERT_EQ(mad_hi_sat(a, b, c), limited<std::int32_t>((x * b >> 32) + c));
  }
}

TEST(Integer, Multiplies24Bits) {
  RandomValues random;
  SCOPED_TRACE(random.trace());
  for (int i = 0; i < kRounds; ++i) {
    const auto a = random.integer<std::uint32_t>();
    const auto b = random.integer<std::uint32_t>();
    const auto c = random.integer<std::uint32_t>();
    const std::uint64_t product = std::uint64_t{a & 0xffffff} * (b & 0xffffff);
    ASSERT_EQ(mul24_lo(a, b), static_cast<std::uint32_t>(product));
    ASSERT_EQ(mul24_hi(a, b), static_cast<std::uint32_t>(product >> 16));
    ASSERT_EQ(mad24_lo(a, b, c), static_cast<std::uint32_t>(product) + c);
    ASSERT_EQ(mad24_hi(a, b, c), static_cast<std::uint32_t>(product >> 16) + c);
    const auto extended = [](std::uint32_t n) {
      return (n & 0x800000) != 0 ? int128{n & 0xffffff} - 0x1000000 : n & 0xffffff;
    };
    const int128 signed_product = extended(a) * extended(b);
    const auto sa = static_cast<std::int32_t>(a);
    const auto sb = static_cast<std::int32_t>(b);
    const auto sc = static_cast<std::int32_t>(c);
    ASSERT_EQ(mul24_lo(sa, sb), wrapped<std::int32_t>(signed_product));
    ASSERT_EQ(mul24_hi(sa, sb), wrapped<std::int32_t>(signed_product >> 16));
    ASSERT_EQ(mad24_hi_sat(sa, sb, sc),
              limited<std::int32_t>(int128{wrapped<std::int32_t>(signed_product >> 16)} + sc));
  }
}

TEST(Integer, DotProductsExtendEachPart) {
  using s8 = std::int8_t;
  using u8 = std::uint8_t;
  using s16 = std::int16_t;
  using u16 = std::uint16_t;
  EXPECT_EQ((dp4a<u8, u8>(0x01020304, 0x05060708, 10)), 10U + 4 * 8 + 3 * 7 + 2 * 6 + 1 * 5);
  EXPECT_EQ((dp4a<s8, s8>(0xff000000, 0x02000000, 0)), static_cast<std::uint32_t>(-2));
  EXPECT_EQ((dp4a<u8, s8>(0xff000000, 0xff000000, 0)), static_cast<std::uint32_t>(-255));
  EXPECT_EQ((dp4a<s8, u8>(0x80808080, 0xffffffff, 5)),
            static_cast<std::uint32_t>(5 - 4 * 128 * 255));
  EXPECT_EQ((dp2a<false, u16, u8>(0xffff0002, 0x05060708, 1)), 1U + 2 * 8 + 0xffff * 7);
  EXPECT_EQ((dp2a<true, s16, u8>(0xffff0002, 0x05060708, 1)),
            static_cast<std::uint32_t>(1 + 2 * 6 - 5));
  EXPECT_EQ((dp2a<true, s16, s8>(0x8000ffff, 0x80800000, 0)),
            static_cast<std::uint32_t>(128 + 32768 * 128));
}

TEST(Integer, PackedHalvesDoNotCarryIntoEachOther) {
  const auto sum = packed<std::uint16_t>([](std::uint16_t a, std::uint16_t b) { return add(a, b); },
                                         0x0001ffffU, 0x00010001U);
  EXPECT_EQ(sum, 0x00020000U);
  const auto least = packed<std::int16_t>(
      [](std::int16_t a, std::int16_t b) { return min<true>(a, b); }, 0xffff0005U, 0x00030007U);
  EXPECT_EQ(least, 0x00000005U);
}

}  // namespace
}  // namespace warpcheck::semantics
