#include "report/html/coverage.hpp"

#include <gmock/gmock.h>

#include "tests/report/events.hpp"

namespace warpcheck::report::html {
namespace {

using ::testing::HasSubstr;

TEST(HtmlCoverage, CountsExecutionsAndDirectionsOfEachLine) {
  campaign::VariantReport variant = passing_variant();
  variant.coverage.emplace();
  campaign::coverage::FileCoverage file;
  file.file = "mine.cu";
  file.lines.resize(3);
  file.lines[0].line = 5;
  file.lines[0].warps = 1024;
  file.lines[1].line = 7;
  file.lines[1].warps = 30;
  file.lines[1].branches.resize(2);
  file.lines[1].branches[0].taken = 10;
  file.lines[1].branches[0].not_taken = 20;
  file.lines[1].branches[1].taken = 30;
  file.lines[2].line = 8;
  variant.coverage->files = {file};
  const Coverage lines = line_coverage(variant, "mine.cu");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines.at(5).text, "1,024");
  EXPECT_FALSE(lines.at(5).missed);
  EXPECT_EQ(lines.at(7).text, "30 3/4");
  EXPECT_TRUE(lines.at(7).missed);
  EXPECT_EQ(lines.at(8).text, "0");
  EXPECT_TRUE(lines.at(8).missed);
  EXPECT_TRUE(line_coverage(variant, "other.cu").empty());
  EXPECT_THAT(coverage_sentence(variant), HasSubstr("2 of 3 lines"));
  EXPECT_EQ(coverage_sentence(passing_variant()), "");
}

}  // namespace
}  // namespace warpcheck::report::html
