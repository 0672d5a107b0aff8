#include "base/text/visible_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace warpcheck {
namespace {

TEST(Visible, LeavesOrdinaryTextUnchanged) {
  for (const std::string text :
       {"", "kernels/Zoë.cu", "a b\tc", "数.cu", "\U0001f600", "a\\b\"c"}) {
    EXPECT_EQ(visible(text), text);
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Visible, EscapesControlCharacters) {
  EXPECT_EQ(visible("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(visible(std::string_view("a\0b\x7f\r\n", 6)), "a\\x00b\\x7f\\r\\n");
  EXPECT_EQ(visible("a\nb", true), "a\nb");
  EXPECT_EQ(visible("\xc2\x9b"
                    "31m"),
            "\\u009b31m");  // CSI of ISO 6429 in UTF-8
}

/// CVE-2021-42574: text that a terminal shows in another order.
TEST(Visible, EscapesBidirectionalControls) {
  EXPECT_EQ(visible("a\u202eb\u2066c\u2028"), "a\\u202eb\\u2066c\\u2028");
}

TEST(Visible, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(visible("lat\xe9.cu"), "lat\\xe9.cu");
  EXPECT_EQ(visible("\xc0\x9b"), "\\xc0\\x9b");           // overlong
  EXPECT_EQ(visible("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(visible("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(visible("\xe2\x82"), "\\xe2\\x82");
}

TEST(Printable, ReplacesOneCharacterByOne) {
  EXPECT_EQ(printable("a\x1b[31mb\n"), "a?[31mb?");
  EXPECT_EQ(printable("a\nb", true), "a\nb");
  EXPECT_EQ(printable("\xc2\x9b"), "?");
  EXPECT_EQ(printable("lat\xe9"), "lat\ufffd");
}

RC_GTEST_PROP(Visible, AnyBytesBecomeHarmlessUtf8, (const std::string& bytes)) {
  for (const std::string& text : {visible(bytes), printable(bytes)}) {
    RC_ASSERT(is_utf8(text));
    RC_ASSERT(std::none_of(text.begin(), text.end(), [](char c) {
      return c != '\t' && (static_cast<unsigned char>(c) < 0x20 || c == '\x7f');
    }));
    RC_ASSERT(visible(text) == text);
  }
}

}  // namespace
}  // namespace warpcheck
