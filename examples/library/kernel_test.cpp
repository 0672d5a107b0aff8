// A kernel that is correct, and one with a defect that the test expects.
#include <gtest/gtest-spi.h>

#include <string>
#include <vector>
#include <warpcheck/gtest.hpp>

TEST(Scale, IsCorrect) { EXPECT_KERNEL(KERNELS "/scale.cu", warpcheck::Options{30}); }

TEST(Scale, WithoutGuardAccessesOutside) {
  EXPECT_NONFATAL_FAILURE(EXPECT_KERNEL(KERNELS "/scale_no_guard.cu", warpcheck::Options{30}),
                          "error[out-of-bounds]");
}

TEST(Scale, SmallestCaseFailsAgain) {
  warpcheck::Contract contract(KERNELS "/scale_no_guard.cu");
  std::vector<warpcheck::KernelFinding> findings;
  const auto listener = [&](const warpcheck::KernelFinding& finding) {
    findings.push_back(finding);
  };
  const warpcheck::Result result = contract.check({30}, listener);
  ASSERT_EQ(result.status, WARPCHECK_FINDINGS);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].kind, "out-of-bounds");
  const warpcheck::Result again = contract.run_case(findings[0].case_line);
  EXPECT_EQ(again.verdicts, std::vector<std::string>{"out-of-bounds"});
}
