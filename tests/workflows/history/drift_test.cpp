#include "workflows/history/drift.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace warpcheck::workflows::history {
namespace {

/// Returns `count` cases, numbered from `first`, with errors `error` and 3 `error`.
Errors errors(int first, int count, double error) {
  Errors all;
  for (int i = 0; i < count; ++i)
    all[fmt::format("x m={}", first + i)] = error * (i % 2 == 0 ? 1 : 3);
  return all;
}

TEST(Drift, ReportsMoreThanOneAndAHalfTimesTheErrorOnTheSameCases) {
  EXPECT_FALSE(drift_between(errors(0, 20, 0.1), errors(0, 20, 0.1)));
  EXPECT_FALSE(drift_between(errors(0, 20, 0.1), errors(0, 20, 0.149)));
  const auto drift = drift_between(errors(0, 20, 0.1), errors(0, 20, 0.151));
  ASSERT_TRUE(drift);
  EXPECT_TRUE(drift->same_cases);
  EXPECT_EQ(drift->cases, 20);
  EXPECT_NEAR(drift->before.typical, 0.1 * std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(drift->now.typical, 0.151 * std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(drift->now.largest, 0.453, 1e-12);
}

TEST(Drift, ReportsMoreThanSixTimesTheErrorOnOtherCases) {
  EXPECT_FALSE(drift_between(errors(0, 20, 0.01), errors(100, 20, 0.059)));
  const auto drift = drift_between(errors(0, 20, 0.01), errors(100, 20, 0.061));
  ASSERT_TRUE(drift);
  EXPECT_FALSE(drift->same_cases);
}

TEST(Drift, IgnoresUnsharedCasesIfEnoughAreShared) {
  Errors now = errors(0, 20, 0.1);
  now.merge(errors(100, 20, 0.9));
  EXPECT_FALSE(drift_between(errors(0, 20, 0.1), now));
}

TEST(Drift, IsNotReportedForTooFewCases) {
  EXPECT_FALSE(drift_between(errors(0, 15, 0.001), errors(0, 15, 0.3)));
  EXPECT_FALSE(drift_between(Errors{}, errors(0, 20, 0.3)));
  EXPECT_FALSE(drift_between(errors(0, 20, 0.3), Errors{}));
}

TEST(Drift, ReportsAKernelThatIsNoLongerExact) {
  EXPECT_TRUE(drift_between(errors(0, 20, 0.0), errors(0, 20, 1e-2)));
  EXPECT_FALSE(drift_between(errors(0, 20, 0.0), errors(0, 20, 0.0)));
  EXPECT_FALSE(drift_between(errors(0, 20, 0.0), errors(0, 20, 1e-5)));  // nothing to speak of
}

}  // namespace
}  // namespace warpcheck::workflows::history
