#include "report/html/heat_map.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <string>

namespace warpcheck::report::html {
namespace {

using campaign::judge::ErrorMap;
using ::testing::HasSubstr;

TEST(HtmlHeatMap, WrongCellsNeverHaveTheColourOfCorrectOnes) {
  EXPECT_EQ(level_of({0.0, 0}), 0U);
  EXPECT_EQ(level_of({1.0, 0}), 1U);
  EXPECT_EQ(level_of({0.0, 1}), 2U);
  EXPECT_EQ(level_of({10.0, 1}), 2U);
  EXPECT_EQ(level_of({11.0, 1}), 3U);
  EXPECT_EQ(level_of({1e4, 2}), 4U);
  EXPECT_EQ(level_of({HUGE_VAL, 1}), 5U);
}

TEST(HtmlHeatMap, SeparatesTheMatricesOfATensor) {
  campaign::judge::ErrorMap map = campaign::judge::empty_map(6, 4, {});
  map.output = "y";
  EXPECT_EQ(heat_map(map).find("numbered consecutively"), std::string::npos);
  map.matrix_rows = 3;
  const std::string svg = heat_map(map);
  EXPECT_NE(svg.find("Map of the errors of y, 6 rows by 4 columns"), std::string::npos);
  EXPECT_NE(svg.find("matrices of 3 rows, numbered consecutively"), std::string::npos);
  EXPECT_NE(svg.find("class=\"grid\" d=\"M0 0h"), std::string::npos) << svg;
}

TEST(HtmlHeatMap, DrawsAdjacentCellsOfOneLevelAsOneStroke) {
  ErrorMap map = campaign::judge::empty_map(3, 4, {2, 2});
  add_element(map, 1, 1, HUGE_VAL, true);
  add_element(map, 1, 2, HUGE_VAL, true);
  add_element(map, 2, 3, 2.0, true);
  const std::string svg = heat_map(map);
  EXPECT_THAT(svg, HasSubstr(R"(<path class="l5" d="M1 1h2"/>)"));
  EXPECT_THAT(svg, HasSubstr(R"(<path class="l2" d="M3 2h1"/>)"));
  EXPECT_THAT(svg, HasSubstr(R"(<path class="l0" d="M0 0h4M0 1h1M3 1h1M0 2h3"/>)"));
  EXPECT_THAT(svg, HasSubstr("3 of 12 elements of D are wrong"));
  EXPECT_THAT(svg, HasSubstr("tiles of 2 x 2"));
  EXPECT_THAT(svg, HasSubstr("aria-label=\"Wrong elements by column modulo 2; 3 wrong elements = "
                             "100 %: 0: 1 (33 %); 1: 2 (66 %)\""));
  EXPECT_THAT(svg, HasSubstr("aria-label=\"Wrong elements by row modulo 2; 3 wrong elements = 100 "
                             "%: 0: 1 (33 %); 1: 2 (66 %)\""));
}

}  // namespace
}  // namespace warpcheck::report::html
