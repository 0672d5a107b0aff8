#include "base/text/characters.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <clocale>

namespace warpcheck {
namespace {

TEST(Characters, AreThoseOfTheCLocale) {
  ASSERT_STREQ(std::setlocale(LC_ALL, nullptr), "C");
  for (int code = 0; code < 256; ++code) {
    const char c = static_cast<char>(code);
    EXPECT_EQ(is_digit(c), std::isdigit(code) != 0) << code;
    EXPECT_EQ(is_letter(c), std::isalpha(code) != 0) << code;
    EXPECT_EQ(is_identifier_character(c), std::isalnum(code) != 0 || c == '_') << code;
    EXPECT_EQ(continues_character(c), code >= 0x80 && code < 0xc0) << code;
  }
}

TEST(Characters, IdentifierDoesNotBeginWithDigit) {
  for (const char* text : {"a", "_", "_1", "Ab_9"}) EXPECT_TRUE(is_identifier(text)) << text;
  for (const char* text : {"", "1", "1a", "a-b", "a b", "\xc3\xa4"}) {
    EXPECT_FALSE(is_identifier(text)) << text;
  }
}

}  // namespace
}  // namespace warpcheck
