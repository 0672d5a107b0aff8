#include "report/html/bars.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace warpcheck::report::html {
namespace {

using ::testing::HasSubstr;

TEST(HtmlBars, LabelListsLargestBarsOfMany) {
  std::vector<Bar> bars(40);
  for (std::size_t i = 0; i < bars.size(); ++i) bars[i] = {std::to_string(i), i == 7 ? 90 : 1};
  EXPECT_THAT(bar_chart("Cases", "case", bars),
              HasSubstr("Cases; 129 cases = 100 %: 7: 90 (69 %); 0: 1 (&lt; 1 %);"));
  EXPECT_THAT(bar_chart("Cases", "case", bars), HasSubstr("28 more\""));
}

TEST(HtmlBars, AxisAndBarsShowSharesAndTitlesNumbers) {
  const std::vector<Bar> bars = {{"0", 3}, {"1", 0}, {"2", 1}};
  const std::string chart = bar_chart("Elements", "element", bars);
  EXPECT_THAT(chart, HasSubstr("<figcaption>Elements; 4 elements = 100 %</figcaption>"));
  EXPECT_THAT(chart, HasSubstr("<title>0: 3 elements, 75 %</title>"));
  EXPECT_THAT(chart, HasSubstr(">75 %</text><text class=\"end\" x=\"-6\" y=\"84\">0 %</text>"));
}

}  // namespace
}  // namespace warpcheck::report::html
