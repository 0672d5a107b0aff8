#include <gtest/gtest.h>

#include "workflows/bisect/bisector.hpp"

namespace warpcheck::workflows::bisect {
namespace {

// git-bisect(1), "Bisect run": 0 is good, 125 skips, 1 to 127 except 125 is bad, above 127 aborts.
TEST(GitBisectStatus, IsThatOfTheManualOfGit) {
  EXPECT_EQ(git_bisect_status(StepVerdict::good), 0);
  EXPECT_EQ(git_bisect_status(StepVerdict::bad), 1);
  EXPECT_EQ(git_bisect_status(StepVerdict::skip), 125);
  EXPECT_GT(kAbortBisection, 127);
}

}  // namespace
}  // namespace warpcheck::workflows::bisect
