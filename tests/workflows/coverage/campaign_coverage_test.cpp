#include "workflows/coverage/campaign_coverage.hpp"

#include <gtest/gtest.h>

namespace warpcheck::workflows::coverage {
namespace {

using campaign::CampaignReport;
using campaign::VariantReport;

/// A variant with two lines, one of which `warps` warps executed, and a branch that all took.
VariantReport variant(const char* name, const char* file, std::uint64_t warps) {
  VariantReport report;
  report.variant = name;
  report.coverage = {{{file, {{1, 4, {{3, 0, 4, 0}}}, {2, warps, {}}}, {}}}};
  return report;
}

CampaignReport campaign(std::vector<VariantReport> variants) {
  CampaignReport report;
  report.variants = std::move(variants);
  return report;
}

TEST(MinimumCoverage, IsNotRequiredByDefault) {
  EXPECT_FALSE(MinimumCoverage{}.is_required());
  EXPECT_TRUE((MinimumCoverage{90.0, 0.0}).is_required());
  EXPECT_TRUE((MinimumCoverage{0.0, 80.0}).is_required());
}

TEST(CampaignCoverage, TotalAddsVariantsOfOneFile) {
  const auto total = total_coverage(
      campaign({variant("a", "x.cu", 0), variant("b", "x.cu", 2), variant("c", "y.cu", 0)}));
  ASSERT_EQ(total.files.size(), 2U);
  EXPECT_EQ(total.files[0].lines[1].warps, 2U);
  EXPECT_EQ(total.lines().met, 3);
  EXPECT_EQ(total.lines().all, 4);
}

TEST(CampaignCoverage, TotalIsEmptyWithoutCountedVariants) {
  EXPECT_TRUE(total_coverage(campaign({VariantReport{}})).files.empty());
}

TEST(CampaignCoverage, EachVariantMustReachTheMinimum) {
  const CampaignReport report = campaign({variant("a", "x.cu", 0), variant("b", "x.cu", 2)});
  EXPECT_TRUE(below_minimum(report, {50.0, 50.0}).empty());
  const auto lines = below_minimum(report, {51.0, 0.0});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines.front()->variant, "a");
  EXPECT_EQ(below_minimum(report, {0.0, 51.0}).size(), 2U);
}

TEST(CampaignCoverage, UnknownCoverageIsBelowEveryMinimum) {
  EXPECT_EQ(below_minimum(campaign({VariantReport{}}), {1.0, 0.0}).size(), 1U);
}

}  // namespace
}  // namespace warpcheck::workflows::coverage
