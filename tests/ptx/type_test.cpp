#include "ptx/type.hpp"

#include <gtest/gtest.h>

#include <cctype>

namespace warpcheck::ptx {
namespace {

TEST(Type, NameAndTypeAreInverse) {
  for (int i = 1; i <= static_cast<int>(Type::s4); ++i) {
    const auto wanted = static_cast<Type>(i);
    EXPECT_EQ(type(name(wanted)), wanted) << name(wanted);
  }
  EXPECT_EQ(type("f128"), std::nullopt);
  EXPECT_EQ(type(""), std::nullopt);
}

TEST(Type, SizeIsTheNumberInTheName) {
  for (int i = static_cast<int>(Type::b8); i <= static_cast<int>(Type::bf16); ++i) {
    const auto scalar = static_cast<Type>(i);
    std::string digits;
    for (char c : name(scalar)) {
      if (std::isdigit(static_cast<unsigned char>(c)) != 0) digits += c;
    }
    EXPECT_EQ(bytes(scalar) * 8, std::stoul(digits)) << name(scalar);
  }
  EXPECT_EQ(bytes(Type::tf32), 4u);
  EXPECT_EQ(bytes(Type::e4m3), 1u);
  EXPECT_EQ(bytes(Type::e5m2x2), 2u);
  EXPECT_EQ(bytes(Type::f16x2), 4u);
}

TEST(Type, KindsFollowTheFirstLetterOfScalarNames) {
  for (int i = static_cast<int>(Type::b8); i <= static_cast<int>(Type::f64); ++i) {
    const auto scalar = static_cast<Type>(i);
    const char first = name(scalar)[0];
    EXPECT_EQ(is_bits(scalar), first == 'b') << name(scalar);
    EXPECT_EQ(is_float(scalar), first == 'f') << name(scalar);
    EXPECT_EQ(is_signed(scalar), first == 's') << name(scalar);
    EXPECT_EQ(is_integer(scalar), first == 's' || first == 'u') << name(scalar);
  }
  EXPECT_TRUE(is_float(Type::bf16x2));
  EXPECT_TRUE(is_signed(Type::s16x2));
}

TEST(StateSpace, NameAndSpaceAreInverse) {
  for (int i = 0; i <= static_cast<int>(StateSpace::generic); ++i) {
    const auto space = static_cast<StateSpace>(i);
    EXPECT_EQ(state_space(name(space)), space) << name(space);
  }
  EXPECT_EQ(state_space("heap"), std::nullopt);
}

}  // namespace
}  // namespace warpcheck::ptx
