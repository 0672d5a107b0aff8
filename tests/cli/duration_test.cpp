#include "cli/options/duration.hpp"

#include <gtest/gtest.h>

namespace warpcheck::cli {
namespace {

TEST(Duration, ParsesANumberWithAnOptionalUnit) {
  EXPECT_EQ(parse_duration("30s"), 30.0);
  EXPECT_EQ(parse_duration("500ms"), 0.5);
  EXPECT_EQ(parse_duration("1.5m"), 90.0);
  EXPECT_EQ(parse_duration("2h"), 7200.0);
  EXPECT_EQ(parse_duration("7"), 7.0);
}

TEST(Duration, RejectsOtherText) {
  for (const char* text : {"", "s", "30 s", "30x", "-1s", "0s", "inf", "nan", "1e999", "30s30s"}) {
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace warpcheck::cli
