#include "report/html/source.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace warpcheck::report::html {
namespace {

using ::testing::HasSubstr;

TEST(HtmlSource, ShowsNotesAndExecutionCounts) {
  const Lines lines{"mine.cu", 10, {"a < b;", "c;", "d;"}};
  const std::string box =
      source_box("Source", lines, {{11, "writes <here>"}}, {{10, {"3", false}}, {11, {"0", true}}});
  EXPECT_THAT(box, HasSubstr("<td class=n>10<td class=w>3<td class=c>a &lt; b;\n"));
  EXPECT_THAT(box, HasSubstr("<tr class=hit><td class=n>11<td class=x>0<td class=c>c;\n"));
  EXPECT_THAT(box, HasSubstr("writes &lt;here&gt;"));
  EXPECT_THAT(box, HasSubstr("<td class=n>12<td class=w><td class=c>d;\n"));
}

TEST(HtmlSource, AroundIsCutAtTheEndsOfTheFile) {
  const Lines lines{"mine.cu", 1, {"1", "2", "3"}};
  EXPECT_EQ(around(lines, 1, 5, 1).text, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(around(lines, 3, 1, 5).text, (std::vector<std::string>{"2", "3"}));
  EXPECT_TRUE(around(lines, 9, 2, 2).text.empty());
}

}  // namespace
}  // namespace warpcheck::report::html
