#include "base/shown_number.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

namespace warpcheck {
namespace {

TEST(ShownNumber, OnlyNanLosesItsSign) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(fmt::format("{} {}", shown(nan), shown(-nan)), "nan nan");
  EXPECT_EQ(fmt::format("{} {} {}", shown(-0.0), shown(-HUGE_VAL), shown(-1.5)), "-0 -inf -1.5");
}

}  // namespace
}  // namespace warpcheck
