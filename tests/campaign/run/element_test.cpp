#include "campaign/run/element.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace warpcheck::campaign::run {
namespace {

std::uint64_t bits(double value, ScalarType type) {
  std::array<std::byte, 8> bytes{};
  encode(value, type, bytes.data());
  std::uint64_t result = 0;
  std::memcpy(&result, bytes.data(), size_of(type));
  return result;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// IEEE 754-2019, table 3.5, and OCP 8-bit Floating Point Specification, table 1.
TEST(Element, HasTheBitsOfItsFormat) {
  EXPECT_EQ(bits(1.0, ScalarType::f16), 0x3C00U);
  EXPECT_EQ(bits(65504.0, ScalarType::f16), 0x7BFFU);
  EXPECT_EQ(bits(0x1p-24, ScalarType::f16), 0x0001U);
  EXPECT_EQ(bits(-2.0, ScalarType::f16), 0xC000U);
  EXPECT_EQ(bits(kInfinity, ScalarType::f16), 0x7C00U);
  EXPECT_EQ(bits(1.0, ScalarType::bf16), 0x3F80U);
  EXPECT_EQ(bits(1.0, ScalarType::tf32), 0x3F800000U);
  EXPECT_EQ(bits(1.0 + 0x1p-10, ScalarType::tf32), 0x3F802000U);
  EXPECT_EQ(bits(1.0, ScalarType::f32), 0x3F800000U);
  EXPECT_EQ(bits(1.0, ScalarType::f64), 0x3FF0000000000000U);
  EXPECT_EQ(bits(448.0, ScalarType::e4m3), 0x7EU);
  EXPECT_EQ(bits(0x1p-9, ScalarType::e4m3), 0x01U);
  EXPECT_EQ(bits(57344.0, ScalarType::e5m2), 0x7BU);
  EXPECT_EQ(bits(0x1p-16, ScalarType::e5m2), 0x01U);
  EXPECT_EQ(bits(-0.0, ScalarType::e5m2), 0x80U);
  EXPECT_EQ(bits(-3.0, ScalarType::s8), 0xFDU);
  EXPECT_EQ(bits(200.0, ScalarType::u8), 0xC8U);
  EXPECT_EQ(bits(-1.0, ScalarType::s32), 0xFFFFFFFFU);
}

TEST(Element, RowsAreAsTheirElements) {
  constexpr std::size_t kCount = 700;
  constexpr std::size_t kDistance = 24;
  for (int i = 0; i <= static_cast<int>(ScalarType::e5m2); ++i) {
    const auto type = static_cast<ScalarType>(i);
    std::vector<double> values(kCount);
    for (std::size_t j = 0; j < kCount; ++j) {
      values[j] =
          std::ldexp(0.7 * static_cast<double>(j % 13) - 3.0, static_cast<int>(j % 24) - 18);
    }
    std::vector<std::byte> row(kCount * kDistance);
    std::vector<std::byte> elements(row.size());
    encode(values, type, row.data(), kDistance);
    for (std::size_t j = 0; j < kCount; ++j) encode(values[j], type, &elements[j * kDistance]);
    EXPECT_EQ(row, elements) << name(type);
    std::vector<double> decoded(kCount);
    decode(type, row.data(), kDistance, decoded);
    for (std::size_t j = 0; j < kCount; ++j) {
      ASSERT_EQ(decoded[j], decode(type, &row[j * kDistance])) << name(type) << " element " << j;
    }
  }
}

TEST(Element, EachByteOfNarrowFormatsRoundTrips) {
  for (const ScalarType type : {ScalarType::e4m3, ScalarType::e5m2, ScalarType::u8}) {
    for (unsigned pattern = 0; pattern < 256; ++pattern) {
      const auto byte = static_cast<std::byte>(pattern);
      const double value = decode(type, &byte);
      if (std::isnan(value)) continue;
      EXPECT_EQ(bits(value, type), pattern) << name(type);
    }
  }
}

TEST(Element, EachHalfRoundTrips) {
  for (const ScalarType type : {ScalarType::f16, ScalarType::bf16}) {
    for (unsigned pattern = 0; pattern < 65536; ++pattern) {
      const auto half = static_cast<std::uint16_t>(pattern);
      std::array<std::byte, 2> bytes;
      std::memcpy(bytes.data(), &half, 2);
      const double value = decode(type, bytes.data());
      if (std::isnan(value)) continue;
      ASSERT_EQ(bits(value, type), pattern) << name(type);
    }
  }
}

TEST(Element, PoisonIsNanInFloatingPointFormats) {
  std::array<std::byte, 8> ones;
  ones.fill(std::byte{0xFF});
  for (const ScalarType type :
       {ScalarType::f16, ScalarType::bf16, ScalarType::tf32, ScalarType::f32, ScalarType::f64,
        ScalarType::e4m3, ScalarType::e5m2}) {
    EXPECT_TRUE(std::isnan(decode(type, ones.data()))) << name(type);
    EXPECT_TRUE(std::isnan(kNan));
  }
}

}  // namespace
}  // namespace warpcheck::campaign::run
