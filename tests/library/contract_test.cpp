// The C++ layer over the C interface, with the shared library.
#include <gmock/gmock.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "warpcheck/gtest.hpp"
#include "warpcheck/warpcheck.hpp"

namespace warpcheck {
namespace {

using testing::HasSubstr;

const std::string kFolder = std::string(WARPCHECK_SOURCE_DIR) + "/examples/library/";

TEST(LibraryContract, CorrectKernelPasses) {
  Contract contract(kFolder + "scale.cu");
  EXPECT_EQ(contract.variants(), std::vector<std::string>{"scale"});
  const Result result = contract.check({20});
  EXPECT_EQ(result.status, WARPCHECK_OK);
  EXPECT_EQ(result.verdicts, std::vector<std::string>{"pass"});
  EXPECT_EQ(result.text, "1 passed, 0 failed, 0 mistrusted\n");
}

TEST(LibraryContract, FindingReachesTheListener) {
  Contract contract(kFolder + "scale_no_guard.cu");
  std::vector<KernelFinding> findings;
  const auto listener = [&](const KernelFinding& finding) { findings.push_back(finding); };
  EXPECT_EQ(contract.check({20}, listener).status, WARPCHECK_FINDINGS);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].kind, "out-of-bounds");
  EXPECT_THAT(findings[0].file, HasSubstr("scale_no_guard.cu"));
  EXPECT_EQ(findings[0].line, 20U);
  EXPECT_THAT(findings[0].text, HasSubstr("warpcheck replay --device virtual --in "));
  EXPECT_THAT(findings[0].json, HasSubstr("\"event\":\"finding\""));
  const Result again = contract.run_case(findings[0].case_line);
  EXPECT_EQ(again.verdicts, std::vector<std::string>{"out-of-bounds"});
}

TEST(LibraryContract, ExceptionOfTheListenerIsThrown) {
  Contract contract(kFolder + "scale_no_guard.cu");
  const auto listener = [](const KernelFinding&) { throw std::domain_error("stop"); };
  EXPECT_THROW(contract.check({20}, listener), std::domain_error);
}

TEST(LibraryContract, WrongRequestsAreErrors) {
  EXPECT_THROW(Contract("missing.cu"), ContractError);
  Contract contract(kFolder + "scale.cu");
  EXPECT_THROW(contract.check({0}), ContractError);
  EXPECT_THROW(contract.run_case("other operation=scale count=1"), ContractError);
  EXPECT_THROW(contract.run_case("scale operation=scale count=x"), ContractError);
  EXPECT_THROW(contract.check({1, 0, 0, "cuda"}), MachineError);
}

TEST(LibraryGtest, FailureHasTheReplayLine) {
  const testing::AssertionResult result = kernel_passes(kFolder + "scale_no_guard.cu", {20});
  EXPECT_FALSE(result);
  EXPECT_THAT(result.message(), HasSubstr("error[out-of-bounds]"));
  EXPECT_THAT(result.message(), HasSubstr("warpcheck replay --device virtual --in "));
  EXPECT_FALSE(kernel_passes("missing.cu"));
  EXPECT_KERNEL(kFolder + "scale.cu", Options{20});
}

}  // namespace
}  // namespace warpcheck
