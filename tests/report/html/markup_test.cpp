#include "report/html/markup.hpp"

#include <gtest/gtest.h>

#include <string>

namespace warpcheck::report::html {
namespace {

TEST(HtmlMarkup, EscapesMarkupAndControlCharacters) {
  EXPECT_EQ(escaped("</script><img onerror=\"x\" y='&'>"),
            "&lt;/script&gt;&lt;img onerror=&quot;x&quot; y=&#39;&amp;&#39;&gt;");
  EXPECT_EQ(escaped(std::string("a\0b\x1b[2J\tc\n", 10)),
            "a\xef\xbf\xbd"
            "b\xef\xbf\xbd[2J\tc\n");
  EXPECT_EQ(escaped("\xff"), "\xef\xbf\xbd");
  // CVE-2021-42574: a source that reads otherwise than it compiles.
  EXPECT_EQ(escaped("if (x\xe2\x80\xae) // \xe2\x81\xa6"), "if (x[U+202E]) // [U+2066]");
  EXPECT_EQ(escaped("caf\xc3\xa9 \xe2\x82\xac"), "caf\xc3\xa9 \xe2\x82\xac");
}

TEST(HtmlMarkup, NumbersAreGroupedByThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(-1234567), "-1,234,567");
}

}  // namespace
}  // namespace warpcheck::report::html
