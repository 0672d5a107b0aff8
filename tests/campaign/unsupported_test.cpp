// Campaigns on kernels that the device cannot execute, and on those whose PTX a GPU refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "campaign/campaign.hpp"
#include "campaign/replay.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign {
namespace {

using testing::blas_variant;
using testing::Call;
using testing::gemm;
using testing::GemmDevice;
using testing::Kernel;
using testing::right;

CampaignReport run_on(const contract::Variant& variant, const Kernel& kernel) {
  GemmDevice device(variant, kernel);
  Listener listener;
  CampaignOptions options;
  options.jobs = 3;
  return run_campaign({&variant, 1}, device, options, listener);
}

VariantReport outcome_on(const contract::Variant& variant, const Kernel& kernel) {
  return run_on(variant, kernel).variants.at(0);
}

/// The device cannot execute the tail of k, whose code is on line 5.
void has_unsupported_tail(Call& call) {
  if (call.k % 4 != 0) return call.report_unsupported("tail.f32", 5);
  right(call);
}

TEST(Unsupported, InstructionIsNoFinding) {
  const contract::Variant variant = blas_variant();
  const CampaignReport report = run_on(variant, has_unsupported_tail);
  const VariantReport& only = report.variants.at(0);
  EXPECT_EQ(only.verdict, Verdict::unsupported);
  EXPECT_THAT(only.findings, ::testing::IsEmpty());
  EXPECT_EQ(only.cases, 100) << "the others are still checked";
  ASSERT_EQ(only.unsupported.size(), 1U);
  const UnsupportedForm& form = only.unsupported.front();
  EXPECT_EQ(form.what.form, "tail.f32");
  EXPECT_EQ(form.what.source.line, 5U);
  EXPECT_NE(form.problem.whole("k") % 4, 0);
  EXPECT_GT(form.cases, 10);
  EXPECT_LT(form.cases, 100);
  EXPECT_EQ(report.failed, 0);
  EXPECT_EQ(report.mistrusted, 0);
  EXPECT_EQ(report.unsupported, 1);
  GemmDevice device(variant, has_unsupported_tail);
  Listener listener;
  EXPECT_EQ(replay(variant, form.problem, device, listener).report.verdict, Verdict::unsupported);
}

TEST(Unsupported, CaseMeasuresNoSensitivity) {
  const contract::Variant variant = blas_variant();
  const VariantReport report =
      outcome_on(variant, [](Call& call) { call.report_unsupported("mma", 5); });
  EXPECT_EQ(report.verdict, Verdict::unsupported);
  EXPECT_FALSE(report.sensitivity.has_value());
  // Empty problems need no launch.
  EXPECT_LT(report.pair_coverage.met, report.pair_coverage.all / 10);
  EXPECT_EQ(report.mistrusted, 0);
}

TEST(Unsupported, FindingOutweighsIt) {
  const contract::Variant variant = blas_variant();
  const auto kernel = [](Call& call) {
    if (call.m % 2 == 0) return call.report_unsupported("mma", 5);
    gemm(call, call.k > 0 ? call.k - 1 : 0);
  };
  const VariantReport report = outcome_on(variant, kernel);
  EXPECT_EQ(report.verdict, Verdict::finding);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings.front().finding.kind, FindingClass::wrong_result);
  EXPECT_EQ(report.findings.front().smallest.whole("m") % 2, 1)
      << "an unsupported case is no failure";
  EXPECT_EQ(report.findings.front().confirmed, 3U);
  EXPECT_EQ(report.unsupported.size(), 1U);
}

TEST(Unsupported, FindingsBeforeItCount) {
  const contract::Variant variant = blas_variant();
  const VariantReport report = outcome_on(variant, [](Call& call) {
    call.report_race(false, 4, 6);
    call.report_unsupported("mma", 5);
  });
  EXPECT_EQ(report.verdict, Verdict::finding);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings.front().finding.kind, FindingClass::race);
  EXPECT_EQ(report.unsupported.size(), 1U);
}

TEST(Refused, PtxIsALaunchFailure) {
  contract::Variant variant = blas_variant();
  auto refused = std::make_shared<contract::Compiled>(*variant.compiled);
  refused->errors = {{"ptxas refuses the PTX: bad", "other", {}, 3},
                     {"ptxas refuses the PTX: worse", "gemm", {"kernel.cu", 6, 1}, 9}};
  variant.compiled = refused;
  const VariantReport report = outcome_on(variant, right);
  EXPECT_EQ(report.verdict, Verdict::finding);
  ASSERT_EQ(report.findings.size(), 1U);
  const Finding& finding = report.findings.front().finding;
  EXPECT_EQ(finding.kind, FindingClass::launch_failure);
  EXPECT_EQ(finding.message, "ptxas refuses the PTX: worse");
  EXPECT_EQ(finding.source.line, 6U);
}

TEST(Refused, ErrorsOfOtherKernelsDoNotRefuseALaunch) {
  contract::Variant variant = blas_variant();
  auto refused = std::make_shared<contract::Compiled>(*variant.compiled);
  refused->errors = {{"ptxas refuses the PTX: bad", "other", {}, 3}};
  variant.compiled = refused;
  EXPECT_EQ(outcome_on(variant, right).verdict, Verdict::pass);
}

}  // namespace
}  // namespace warpcheck::campaign
