// Parts, saturation and merges of the scalar video instructions, against their definitions.
#include "device/virtual/semantics/video.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "tests/device/virtual/semantics/random_values.hpp"

namespace warpcheck::semantics::video {
namespace {

using testing::RandomValues;

constexpr std::array kParts = {Part::whole, Part::b0, Part::b1, Part::b2,
                               Part::b3,    Part::h0, Part::h1};
constexpr int kRounds = 1000;

TEST(Video, MergedPartIsSelectedAgain) {
  RandomValues random;
  for (int i = 0; i < kRounds; ++i) {
    const auto c = random.integer<std::uint32_t>();
    for (const Part part : kParts) {
      for (const bool is_signed : {false, true}) {
        const std::int64_t value = saturate(random.integer<std::int32_t>(), part, is_signed);
        const std::uint32_t merged = merge(value, part, c);
        ASSERT_EQ(select(merged, part, is_signed), value);
        // The other bits are those of c.
        ASSERT_EQ(merge(select(c, part, is_signed), part, merged), c);
      }
    }
  }
}

TEST(Video, SaturationGivesTheNearestValue) {
  RandomValues random;
  for (int i = 0; i < kRounds; ++i) {
    const std::int64_t value = random.integer<std::int32_t>();
    ASSERT_EQ(saturate(value, Part::b1, true), value < -128 ? -128 : value > 127 ? 127 : value);
    ASSERT_EQ(saturate(value, Part::h0, false), value < 0 ? 0 : value > 65535 ? 65535 : value);
    ASSERT_EQ(saturate(2 * value, Part::whole, false), value < 0                   ? 0
                                                       : 2 * value > 0xffff'ffffLL ? 0xffff'ffffLL
                                                                                   : 2 * value);
  }
}

TEST(Video, NegatedProductIsTheComplementPlusOne) {
  RandomValues random;
  for (int i = 0; i < kRounds; ++i) {
    const std::int64_t a = random.integer<std::int32_t>();
    const std::int64_t b = random.integer<std::int32_t>();
    const auto c = random.integer<std::uint32_t>();
    MultiplyAdd m;
    m.is_signed = true;
    m.negates_product = true;
    ASSERT_EQ(multiply_add(a, b, c, m), c - static_cast<std::uint32_t>(a * b));
    m.negates_product = false;
    m.negates_c = true;
    ASSERT_EQ(multiply_add(a, b, c, m), static_cast<std::uint32_t>(a * b) - c);
    m.shift = 15;
    __extension__ using Wide = __int128;
    const Wide sum = Wide{a} * b - static_cast<std::int32_t>(c);
    ASSERT_EQ(multiply_add(a, b, c, m), static_cast<std::uint32_t>(sum >> 15));
  }
}

}  // namespace
}  // namespace warpcheck::semantics::video
