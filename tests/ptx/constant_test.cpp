// Constant expressions (PTX ISA, section 4.5), each as the operand of a mov. The results are
// computed by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>

#include "tests/ptx/texts.hpp"

namespace warpcheck::ptx {
namespace {

Operand value_of(std::string_view expression) {
  const Module module = parse_body(fmt::format("mov.b64 %rd1, {};", expression));
  return module.functions.at(0).body.at(0).operands.at(1);
}

struct Case {
  const char* expression;
  std::uint64_t bits;
  bool is_unsigned = false;
};

TEST(Constant, IntegerExpressionsFoldTo64Bits) {
  const Case cases[] = {
      {"0", 0},
      {"42", 42},
      {"0x1F", 31},
      {"0XfF", 255},
      {"017", 15},
      {"0b1011", 11},
      {"7U", 7, true},
      {"0xFFFFFFFFFFFFFFFF", ~0ull, true},
      {"-1", ~0ull},
      {"-9223372036854775807", 0x8000000000000001ull},
      {"~0", ~0ull},
      {"!5", 0},
      {"!0", 1},
      {"1 + 2 * 3", 7},
      {"(1 + 2) * 3", 9},
      {"10 - 4 - 3", 3},
      {"1 << 3", 8},
      {"1 << 64", 0},
      {"-8 >> 1", static_cast<std::uint64_t>(-4)},
      {"-8 >> 99", ~0ull},
      {"0x8000000000000000 >> 63", 1, true},
      {"7 / 2", 3},
      {"-7 / 2", static_cast<std::uint64_t>(-3)},
      {"-7 % 3", static_cast<std::uint64_t>(-1)},
      {"0xFFFFFFFFFFFFFFFF / 2", 0x7FFFFFFFFFFFFFFFull, true},
      {"-1 < 0", 1},
      {"0xFFFFFFFFFFFFFFFF < 0", 0},
      {"3 >= 3", 1},
      {"1 == 2 || 3 != 4 && 1", 1},
      {"6 & 3 | 8 ^ 1", 11},
      {"1 ? 2 : 3", 2},
      {"0 ? 2 : 0 ? 4 : 5", 5},
      {"(.u64) 5", 5, true},
      {"(.s64) 5U", 5},
      {"WARP_SZ", 32},
      {"WARP_SZ - 1", 31},
      {"+5", 5},
      {"- - 5", 5},
      {"(-9223372036854775807 - 1) / -1", 0x8000000000000000ull},
      {"(-9223372036854775807 - 1) % -1", 0},
  };
  for (const Case& expected : cases) {
    EXPECT_EQ(value_of(expected.expression), Operand(Integer{expected.bits, expected.is_unsigned}))
        << expected.expression;
  }
}

TEST(Constant, FloatingPointKeepsItsBits) {
  EXPECT_EQ(value_of("0f3F800000"), Operand(Float{0x3F800000, true}));
  EXPECT_EQ(value_of("0F7FC00123"), Operand(Float{0x7FC00123, true}));
  EXPECT_EQ(value_of("0d3FF0000000000000"), Operand(Float{0x3FF0000000000000, false}));
  EXPECT_EQ(value_of("1.5"), Operand(Float{std::bit_cast<std::uint64_t>(1.5), false}));
  EXPECT_EQ(value_of("-1.5e3"), Operand(Float{std::bit_cast<std::uint64_t>(-1500.0), false}));
  EXPECT_EQ(value_of("1e-2"), Operand(Float{std::bit_cast<std::uint64_t>(0.01), false}));
  EXPECT_EQ(value_of("1.5 * 4.0 - 1.0"), Operand(Float{std::bit_cast<std::uint64_t>(5.0), false}));
}

TEST(Constant, WrongExpressionsAreErrors) {
  for (const char* wrong : {"1 / 0",
                            "1 % 0",
                            "1 + 1.5",
                            "0f3F800000 + 1.5",
                            "~1.5",
                            "-0f3F800000",
                            "0x",
                            "08",
                            "0b2",
                            "1.5.5",
                            "5x",
                            "0f3F8",
                            "0d3FF",
                            "1e999",
                            "(1",
                            "1 +",
                            "18446744073709551616",
                            "1.5 ? 1 : 2",
                            "a + n",
                            "a * 2",
                            "5 - a",
                            "(.s64) 1.5",
                            "1 % 2.0",
                            "1.0 / 0.0",
                            "1.0 % 2.0",
                            "%r1 + 1"}) {
    EXPECT_ANY_THROW(static_cast<void>(value_of(wrong))) << wrong;
  }
}

}  // namespace
}  // namespace warpcheck::ptx
