// Bit fields against the manual's definitions, one bit at a time.
#include "device/virtual/semantics/bitfield.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/device/virtual/semantics/random_values.hpp"

namespace warpcheck::semantics {
namespace {

using testing::RandomValues;

constexpr int kBitfieldRounds = 20000;

/// Bit positions and lengths around the limits that matter.
std::uint32_t position(RandomValues& random) {
  constexpr std::uint32_t landmarks[] = {0,  1,   15,  31,  32,  33,  63,        64,
                                         65, 127, 255, 256, 257, 300, 0xffffffff};
  return random.below(2) != 0 ? static_cast<std::uint32_t>(random.below(70))
                              : landmarks[random.below(15)];
}

template <class T>
bool bit(T a, int i) {
  return (static_cast<std::uint64_t>(a) >> i & 1) != 0;
}

/// A position or length in `bits` bits: modulo 256 in the manual and, for 32 bits, on an H200. For
/// 64 bits an H200 uses all of the operand; values above 255 have the effect of 255.
int field(std::uint32_t operand, int bits) {
  return static_cast<int>(bits == 64 ? std::min(operand, 255U) : operand & 0xff);
}

template <class T>
class Field : public ::testing::Test {};
using BitfieldTypes = ::testing::Types<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(Field, BitfieldTypes);

TYPED_TEST(Field, IsExtractedAsTheManualDefines) {
  using T = TypeParam;
  RandomValues random;
  SCOPED_TRACE(random.trace());
  constexpr int msb = 8 * sizeof(T) - 1;
  for (int i = 0; i < kBitfieldRounds; ++i) {
    const T a = random.integer<T>();
    const std::uint32_t start = position(random);
    const std::uint32_t length = position(random);
    const int pos = field(start, msb + 1);
    const int len = field(length, msb + 1);
    const bool sign = std::is_signed_v<T> && len != 0 && bit(a, std::min(pos + len - 1, msb));
    std::uint64_t want = 0;
    for (int k = 0; k <= msb; ++k)
      want |= std::uint64_t{k < len && pos + k <= msb ? bit(a, pos + k) : sign} << k;
    ASSERT_EQ(bfe(a, start, length), static_cast<T>(want))
        << a << " from " << start << " length " << length;
  }
}

TYPED_TEST(Field, IsInsertedAsTheManualDefines) {
  using T = std::make_unsigned_t<TypeParam>;
  RandomValues random;
  SCOPED_TRACE(random.trace());
  constexpr int msb = 8 * sizeof(T) - 1;
  for (int i = 0; i < kBitfieldRounds; ++i) {
    const T a = random.integer<T>();
    const T b = random.integer<T>();
    const std::uint32_t start = position(random);
    const std::uint32_t length = position(random);
    const int pos = field(start, msb + 1);
    const int len = field(length, msb + 1);
    std::uint64_t want = b;
    for (int k = 0; k < len && pos + k <= msb; ++k)
      want = (want & ~(std::uint64_t{1} << (pos + k))) | std::uint64_t{bit(a, k)} << (pos + k);
    ASSERT_EQ(bfi(a, b, start, length), static_cast<T>(want))
        << "at " << start << " length " << length;
  }
}

/// Recorded on an H200.
TEST(WideField, HasPositionAndLengthAbove255) {
  EXPECT_EQ(bfe(std::uint64_t{0xaaaaaaaaaaaaaaaa}, 0x111, 0x140ff), 0U);
  EXPECT_EQ(bfe(static_cast<std::int64_t>(0xad2c4933ab437949), 0, 0x2620bf09),
            static_cast<std::int64_t>(0xad2c4933ab437949));
  EXPECT_EQ(bfe(std::int64_t{0x122612156f53a87e}, 0x80000000, 2), 0);
  EXPECT_EQ(
      bfi(std::uint64_t{0x0431309779298ebb}, std::uint64_t{0xfbcecf6886d67145}, 0x801, 0xfb30b8df),
      0xfbcecf6886d67145U);
  EXPECT_EQ(bfi(std::uint64_t{0xb9a5b6d78b442478}, std::uint64_t{2}, 0xb, 0x19fff831),
            0x2db6bc5a2123c002U);
}

TYPED_TEST(Field, IsCountedAndFound) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  RandomValues random;
  SCOPED_TRACE(random.trace());
  constexpr int msb = 8 * sizeof(T) - 1;
  for (int i = 0; i < kBitfieldRounds; ++i) {
    const T a = random.integer<T>();
    const U u = static_cast<U>(a);
    std::uint32_t ones = 0;
    std::uint32_t leading = 0;
    std::uint32_t found = not_found;
    std::uint64_t reversed = 0;
    const bool sign = std::is_signed_v<T> && bit(a, msb);
    for (int k = 0; k <= msb; ++k) {
      ones += bit(a, k) ? 1 : 0;
      if (bit(a, k) != sign) found = static_cast<std::uint32_t>(k);
      reversed |= std::uint64_t{bit(a, k)} << (msb - k);
    }
    while (leading <= msb && !bit(a, msb - static_cast<int>(leading))) ++leading;
    ASSERT_EQ(popc(u), ones);
    ASSERT_EQ(clz(u), leading);
    ASSERT_EQ(brev(u), static_cast<U>(reversed));
    ASSERT_EQ(bfind<false>(a), found);
    ASSERT_EQ(bfind<true>(a), found == not_found ? not_found : msb - found);
  }
}

TEST(Fns, FollowsTheManualsExamples) {
  EXPECT_EQ(fns(0xaaaaaaaa, 3, 1), 3U);
  EXPECT_EQ(fns(0xaaaaaaaa, 3, -1), 3U);
  EXPECT_EQ(fns(0xaaaaaaaa, 2, 1), 3U);
  EXPECT_EQ(fns(0xaaaaaaaa, 2, -1), 1U);
  EXPECT_EQ(fns(0xaaaaaaaa, 3, 0), 3U);
  EXPECT_EQ(fns(0xaaaaaaaa, 2, 0), not_found);
  EXPECT_EQ(fns(0xaaaaaaaa, 0, 16), 31U);
  EXPECT_EQ(fns(0xaaaaaaaa, 0, 17), not_found);
  EXPECT_EQ(fns(0xaaaaaaaa, 31, -16), 1U);
  EXPECT_EQ(fns(0xffffffff, 0, std::numeric_limits<std::int32_t>::min()), not_found);
}

TEST(Bmsk, FollowsTheManual) {
  EXPECT_EQ(bmsk<false>(1, 2), 0x00000006U);
  EXPECT_EQ(bmsk<false>(0, 0), 0U);
  EXPECT_EQ(bmsk<false>(33, 34), 0x00000006U) << "wraps";
  EXPECT_EQ(bmsk<true>(33, 2), 0U) << "clamps";
  EXPECT_EQ(bmsk<true>(4, 32), 0xfffffff0U);
  EXPECT_EQ(bmsk<false>(4, 32), 0U);
  EXPECT_EQ(bmsk<false>(30, 7), 0xc0000000U) << "does not wrap around the top";
  EXPECT_EQ(bmsk<true>(31, 1), 0x80000000U);
}

TEST(Szext, FollowsTheManual) {
  EXPECT_EQ((szext<false, std::uint32_t>(0xffffffff, 0)), 0U);
  EXPECT_EQ((szext<false, std::uint32_t>(0xffffffff, 9)), 0x1ffU);
  EXPECT_EQ((szext<false, std::int32_t>(0x100, 9)), -256);
  EXPECT_EQ((szext<false, std::int32_t>(0xff, 9)), 255);
  EXPECT_EQ((szext<true, std::int32_t>(0x1234, 32)), 0x1234);
  EXPECT_EQ((szext<false, std::int32_t>(0x1234, 32)), 0);
  EXPECT_EQ((szext<false, std::int32_t>(0x8, 36)), -8);
}

}  // namespace
}  // namespace warpcheck::semantics
