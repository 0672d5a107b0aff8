// Logic, shifts and permutation, bit by bit and byte by byte.
#include "device/virtual/semantics/bits.hpp"

#include <gtest/gtest.h>

#include <bitset>
#include <vector>

#include "tests/device/virtual/semantics/random_values.hpp"

namespace warpcheck::semantics {
namespace {

using testing::RandomValues;

TEST(Logic, IsBitwise) {
  EXPECT_EQ(bit_and<std::uint16_t>(0xff00, 0x0ff0), 0x0f00);
  EXPECT_EQ(bit_or<std::uint32_t>(0xff00, 0x0ff0), 0xfff0U);
  EXPECT_EQ(bit_xor<std::uint64_t>(0xff00, 0x0ff0), 0xf0f0U);
  EXPECT_EQ(bit_not<std::uint16_t>(0xff00), 0x00ff);
  EXPECT_EQ(cnot<std::uint32_t>(0), 1U);
  EXPECT_EQ(cnot<std::uint32_t>(2), 0U);
}

template <class T>
class Shifts : public ::testing::Test {};
using Types = ::testing::Types<std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                               std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(Shifts, Types);

TYPED_TEST(Shifts, ClampTheirAmount) {
  using T = TypeParam;
  constexpr int width = 8 * sizeof(T);
  RandomValues random;
  SCOPED_TRACE(random.trace());
  for (const std::uint32_t amount :
       {0U, 1U, 5U, width - 1U, width + 0U, width + 1U, 64U, 255U, 0x80000000U, ~0U}) {
    for (int i = 0; i < 100; ++i) {
      const T a = random.integer<T>();
      std::bitset<width> left;
      std::bitset<width> right;
      const std::bitset<width> bits(static_cast<unsigned long long>(a));
      for (std::int64_t k = 0; k < width; ++k) {
        left[k] = k >= amount && bits[k - amount];
        right[k] = k + amount < width ? bits[k + amount] : a < T{0};
      }
      ASSERT_EQ(shl(a, amount), static_cast<T>(left.to_ullong())) << amount;
      ASSERT_EQ(shr(a, amount), static_cast<T>(right.to_ullong())) << amount;
    }
  }
}

TEST(FunnelShift, TakesTheHighOrLowHalf) {
  constexpr std::uint32_t a = 0x89abcdef;
  constexpr std::uint32_t b = 0x01234567;
  EXPECT_EQ(shf_l<false>(a, b, 8), 0x23456789U);
  EXPECT_EQ(shf_r<false>(a, b, 8), 0x6789abcdU);
  EXPECT_EQ(shf_l<false>(a, b, 0), b);
  EXPECT_EQ(shf_r<false>(a, b, 0), a);
  EXPECT_EQ(shf_l<false>(a, b, 40), 0x23456789U) << "wraps";
  EXPECT_EQ(shf_l<false>(a, b, 32), b);
  EXPECT_EQ(shf_r<false>(a, b, 32), a);
  EXPECT_EQ(shf_l<true>(a, b, 32), a) << "clamps";
  EXPECT_EQ(shf_r<true>(a, b, 32), b);
  EXPECT_EQ(shf_l<true>(a, b, 1000), a);
  EXPECT_EQ(shf_r<true>(a, b, 0xffffffff), b);
}

TEST(Lop3, FollowsAllTables) {
  RandomValues random;
  SCOPED_TRACE(random.trace());
  for (std::uint32_t table = 0; table < 256; ++table) {
    const auto a = static_cast<std::uint32_t>(random.bits());
    const auto b = static_cast<std::uint32_t>(random.bits());
    const auto c = static_cast<std::uint32_t>(random.bits());
    std::uint32_t want = 0;
    for (int i = 0; i < 32; ++i)
      want |= (table >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
    ASSERT_EQ(lop3(a, b, c, table), want) << table;
  }
}

TEST(Lop3, FollowsTheManualsTables) {
  // In the manual a table is the function of the constants ta, tb and tc.
  constexpr std::uint32_t ta = 0xf0;
  constexpr std::uint32_t tb = 0xcc;
  constexpr std::uint32_t tc = 0xaa;
  constexpr std::uint32_t a = 0x12345678;
  constexpr std::uint32_t b = 0x9abcdef0;
  constexpr std::uint32_t c = 0x0f1e2d3c;
  EXPECT_EQ(ta & tb & tc, 0x80U);
  EXPECT_EQ(lop3(a, b, c, 0x80), a & b & c);
  EXPECT_EQ(lop3(a, b, c, 0xfe), a | b | c);
  EXPECT_EQ(lop3(a, b, c, ta & tb & (~tc & 0xff)), a & b & ~c);
  EXPECT_EQ(lop3(a, b, c, (ta & tb) | tc), (a & b) | c);
  EXPECT_EQ(lop3(a, b, c, (ta & tb) ^ tc), (a & b) ^ c);
}

TEST(Prmt, SelectsAnyByteOrItsSign) {
  constexpr std::uint32_t a = 0x83828100;
  constexpr std::uint32_t b = 0x07868504;
  EXPECT_EQ(prmt(a, b, 0x3210), a);
  EXPECT_EQ(prmt(a, b, 0x7654), b);
  EXPECT_EQ(prmt(a, b, 0x0123), 0x00818283U);
  EXPECT_EQ(prmt(a, b, 0xfedc), 0x00ffff00U) << "signs of b";
  EXPECT_EQ(prmt(a, b, 0xffff3210), a) << "only 16 bits count";
  RandomValues random;
  SCOPED_TRACE(random.trace());
  for (std::uint32_t selectors = 0; selectors < 0x10000; ++selectors) {
    const auto x = static_cast<std::uint32_t>(random.bits());
    const auto y = static_cast<std::uint32_t>(random.bits());
    std::vector<std::uint8_t> bytes;
    for (const std::uint32_t word : {x, y})
      for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(word >> 8 * i));
    std::uint32_t want = 0;
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t selector = selectors >> 4 * i & 15;
      std::uint8_t byte = bytes[selector % 8];
      if (selector >= 8) byte = byte >= 128 ? 255 : 0;
      want |= static_cast<std::uint32_t>(byte) << 8 * i;
    }
    ASSERT_EQ(prmt(x, y, selectors), want) << selectors;
  }
}

TEST(Prmt, HasTheManualsModes) {
  // Byte i of b:a is i, as in the tables of the manual.
  constexpr std::uint32_t a = 0x03020100;
  constexpr std::uint32_t b = 0x07060504;
  const auto rows = [](auto function) {
    return std::vector<std::uint32_t>{function(0), function(1), function(2), function(0xfffffff3)};
  };
  using Rows = std::vector<std::uint32_t>;
  EXPECT_EQ(rows([](std::uint32_t c) { return prmt<PermuteMode::f4e>(a, b, c); }),
            (Rows{0x03020100, 0x04030201, 0x05040302, 0x06050403}));
  EXPECT_EQ(rows([](std::uint32_t c) { return prmt<PermuteMode::b4e>(a, b, c); }),
            (Rows{0x05060700, 0x06070001, 0x07000102, 0x00010203}));
  EXPECT_EQ(rows([](std::uint32_t c) { return prmt<PermuteMode::rc8>(a, b, c); }),
            (Rows{0x00000000, 0x01010101, 0x02020202, 0x03030303}));
  EXPECT_EQ(rows([](std::uint32_t c) { return prmt<PermuteMode::ecl>(a, b, c); }),
            (Rows{0x03020100, 0x03020101, 0x03020202, 0x03030303}));
  EXPECT_EQ(rows([](std::uint32_t c) { return prmt<PermuteMode::ecr>(a, b, c); }),
            (Rows{0x00000000, 0x01010100, 0x02020100, 0x03020100}));
  EXPECT_EQ(rows([](std::uint32_t c) { return prmt<PermuteMode::rc16>(a, b, c); }),
            (Rows{0x01000100, 0x03020302, 0x01000100, 0x03020302}));
}

}  // namespace
}  // namespace warpcheck::semantics
