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
  EXPECT_THAT(bar_chart("Cases", bars), HasSubstr("aria-label=\"Cases: 7: 90; 0: 1; 1: 1;"));
  EXPECT_THAT(bar_chart("Cases", bars), HasSubstr("28 more\""));
}

}  // namespace
}  // namespace warpcheck::report::html
