// Limits of a campaign: of a launch that its contract lacks, of timeouts, of time, and of repeated
// runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "base/diagnostic.hpp"
#include "campaign/campaign.hpp"
#include "tests/base/time_factor.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign {
namespace {

using testing::blas_variant;
using testing::Call;
using testing::GemmDevice;
using ::testing::HasSubstr;
using testing::Kernel;
using testing::right;

VariantReport campaign_of(const contract::Variant& variant, const Kernel& kernel,
                          const CampaignOptions& options = {}) {
  GemmDevice device(variant, kernel);
  Listener listener;
  return run_campaign({&variant, 1}, device, options, listener).variants.at(0);
}

TEST(Campaign, ALimitThatTheContractLacksIsANote) {
  const auto messages = [](const std::string& more, CampaignOptions options = {}) {
    options.cases = 2;
    const contract::Variant variant = testing::variant_of(R"t([[variant]]
name = "fake"
kernel = "gemm"
operation = "gemm"
arguments = ["m", "n", "k", "a", "b", "c"]
block = [16, 16]
grid = ["ceil_div(n, 16)", "ceil_div(m, 16)"]
)t" + more);
    std::string text;
    for (const FindingReport& note : campaign_of(variant, right, options).notes) {
      text += note.finding.message + "\n";
    }
    return text;
  };
  CampaignOptions strict;
  strict.sizes.strict_launch = true;
  EXPECT_THAT(messages(""), HasSubstr("add \"m <= 1048560\" to `requires`"));
  EXPECT_EQ(messages("requires = [\"m <= 1048560\"]\n"), "");
  EXPECT_EQ(messages("requires = [\"m <= 4000000\"]\n"), "");
  EXPECT_EQ(messages("", strict), "");
}

TEST(Campaign, TwoTimeoutsEndTheCampaignOfAVariant) {
  const VariantReport report = campaign_of(
      blas_variant(), [](Call& call) { call.report(FindingClass::timeout, "C", 0, 4, 5); });
  EXPECT_EQ(report.cases, 2);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].more_cases, 1);
}

TEST(Campaign, AnEndlessLaunchIsShrunkWithinPartOfItsBudget) {
  constexpr std::uint64_t kLeast = 4'000'000;  // least instructions of a whole budget
  int whole = 0;
  CampaignOptions options;
  options.jobs = 1;
  options.max_size = 32;
  const VariantReport report = campaign_of(
      blas_variant(),
      [&](Call& call) {
        whole += call.instruction_budget >= kLeast ? 1 : 0;
        call.report(FindingClass::timeout, "C", 0, 4, 5);
      },
      options);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].smallest.whole("m"), 1);
  EXPECT_EQ(report.findings[0].smallest.whole("n"), 1);
  EXPECT_GT(report.findings[0].shrink_launches, 10);
  EXPECT_EQ(whole, 2 + 3);  // cases until the second timeout, and confirmations
}

TEST(Campaign, ASlowLaunchIsShrunkToOneBeyondItsWholeBudget) {
  // 20,000 instructions for each row.
  const VariantReport report =
      campaign_of(blas_variant("requires = [\"m >= 500\"]\n"), [&](Call& call) {
        const auto needed = static_cast<std::uint64_t>(20'000 * call.m);
        if (needed <= call.instruction_budget) return right(call);
        call.report(FindingClass::timeout, "C", 0, 4, 5);
      });
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].confirmed, 3U);
  EXPECT_EQ(report.findings[0].confirmations, 3U);
}

/// A kernel without its last term takes the same path for each size.
VariantReport campaign_with(CampaignOptions options, std::chrono::milliseconds pause = {}) {
  options.properties = {"matches-reference"};
  options.jobs = 1;
  return campaign_of(
      blas_variant(),
      [pause](Call& call) {
        std::this_thread::sleep_for(pause);
        testing::gemm(call, call.k > 0 ? call.k - 1 : 0);
      },
      options);
}

TEST(Campaign, ShrinkingEndsAfterItsWork) {
  const FindingReport whole = campaign_with({}).findings.at(0);
  ASSERT_GT(whole.shrink_work, 100U);
  CampaignOptions options;
  options.shrink_work = whole.shrink_work / 2;
  const FindingReport half = campaign_with(options).findings.at(0);
  EXPECT_EQ(half.shrink_work, options.shrink_work);
  EXPECT_LT(half.shrink_launches, whole.shrink_launches);
  EXPECT_TRUE(half.fully_shrunk);  // a slower machine ends at the same case
  const FindingReport slower = campaign_with(options, std::chrono::milliseconds(1)).findings.at(0);
  EXPECT_EQ(slower.smallest, half.smallest);
  EXPECT_EQ(slower.shrink_launches, half.shrink_launches);
}

TEST(Campaign, TheBrakeOfShrinkingMarksTheFinding) {
  EXPECT_TRUE(campaign_with({}).findings.at(0).fully_shrunk);
  CampaignOptions options;
  options.shrink_brake_seconds = 0.0;
  const FindingReport braked = campaign_with(options).findings.at(0);
  EXPECT_FALSE(braked.fully_shrunk);
  EXPECT_EQ(braked.smallest, braked.original);
  EXPECT_EQ(braked.confirmed, 3U);
}

TEST(Campaign, AStoppedCaseIsNeitherAPassNorAFinding) {
  CampaignOptions options;
  options.budget_seconds = 1.0 * kTimeFactor;
  options.jobs = 1;
  std::atomic<int> launches = 0;
  const VariantReport report = campaign_of(
      blas_variant(),
      [&](Call& call) {
        right(call);
        // The second case is still running when its time is up.
        if (++launches > 1)
          std::this_thread::sleep_for(kTimeFactor * std::chrono::milliseconds(1500));
      },
      options);
  EXPECT_EQ(name(report.verdict), "pass");
  EXPECT_EQ(report.cases, 1);
  EXPECT_EQ(report.stopped, 1);
  EXPECT_TRUE(report.findings.empty());
}

TEST(Campaign, OnlyStoppedCasesAreAnErrorWithTheCaseLine) {
  CampaignOptions options;
  options.budget_seconds = 0.2 * kTimeFactor;
  options.jobs = 1;
  try {
    (void)campaign_of(
        blas_variant(),
        [](Call&) { std::this_thread::sleep_for(kTimeFactor * std::chrono::milliseconds(700)); },
        options);
    FAIL() << "passed";
  } catch (const InputError& error) {
    EXPECT_THAT(error.diagnostics().at(0).message,
                HasSubstr("the time limit stopped 1 cases that were still running, first fake m="));
  }
}

TEST(Campaign, WithoutConfirmationAFailingCaseIsNotRunAgain) {
  std::atomic<int> runs = 0;
  const auto counted = [&](Call& call) {
    ++runs;
    testing::gemm(call, call.k > 0 ? call.k - 1 : 0);
  };
  CampaignOptions options;
  options.properties = {"matches-reference"};
  const VariantReport confirmed = campaign_of(blas_variant(), counted, options);
  const int runs_of_confirmed = runs.exchange(0);
  options.confirm = false;
  const VariantReport found = campaign_of(blas_variant(), counted, options);
  ASSERT_EQ(confirmed.findings.size(), 1U);
  ASSERT_EQ(found.findings.size(), 1U);
  EXPECT_EQ(found.findings[0].original, confirmed.findings[0].original);
  EXPECT_EQ(found.findings[0].smallest, found.findings[0].original);
  EXPECT_GT(confirmed.findings[0].shrink_launches, 0);
  EXPECT_GE(runs_of_confirmed, runs + confirmed.findings[0].shrink_launches);
}

}  // namespace
}  // namespace warpcheck::campaign
