#include "report/markdown/markdown.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "tests/report/events.hpp"

namespace warpcheck::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Markdown, ListsFailuresFirstAndCollapsesPasses) {
  const std::string text = markdown(small_campaign());
  EXPECT_THAT(text,
              testing::StartsWith(
                  "## warpcheck: not passed\n\n"
                  "3 variants, 108 cases in 12.4 s: 1 passed, 1 failed, 1 mistrusted\n\n"
                  "| variant | device | verdict | cases | sensitivity | level coverage | findings "
                  "| time |\n"
                  "|---|---|---|---:|---:|---:|---:|---:|\n"
                  "| sgemm&#95;float4 | virtual | misaligned | 7 | 99 % | 90 % | 1 | 12.0 s |\n"
                  "| sgemm&#95;blind | virtual | mistrusted | 1 | 0 % | < 1 % | 0 | 0.0 s |\n"));
  EXPECT_LT(text.find("mistrusted |"), text.find("<summary>1 variant passed</summary>"));
  EXPECT_LT(text.find("1 variant passed"), text.find("| sgemm&#95;naive | virtual | pass |"));
}

TEST(Markdown, ListsUnexecutedLines) {
  ReportContext context = small_campaign();
  context.totals = {};
  context.totals.add(variant_with_unexecuted_lines());
  EXPECT_THAT(
      markdown(context),
      HasSubstr("\n- sgemm&#95;tail: mistrusted: lines 41-44, 52 of "
                "kernels/sgemm&#95;tail.cu, line 7 of kernels/tile.cuh were never executed\n"));
}

TEST(Markdown, CollapsesEachFindingWithReplayCommand) {
  const std::string text = markdown(small_campaign());
  EXPECT_THAT(text, HasSubstr("<summary><b>sgemm&#95;float4</b>: misaligned at "
                              "kernels/sgemm&#95;float4.cu:12</summary>\n\n```text\n"));
  EXPECT_THAT(text, HasSubstr("  >   12 |     float4 v = *reinterpret_cast<const float4*>(a"));
  EXPECT_THAT(text, HasSubstr("\n```text\nreplay sgemm_float4\n```\n"));
}

TEST(Markdown, HasNoTableOfFailuresIfAllPassed) {
  ReportContext context = small_campaign();
  context.totals = {};
  context.totals.add(passing_variant());
  const std::string text = markdown(context);
  EXPECT_THAT(text, testing::StartsWith("## warpcheck: passed\n"));
  EXPECT_LT(text.find("<details>"), text.find("| variant |"));
}

TEST(Markdown, UnsupportedVariantHasNotPassed) {
  ReportContext context = small_campaign();
  context.totals = {};
  context.totals.add(unsupported_variant());
  const std::string text = markdown(context);
  EXPECT_THAT(text, testing::StartsWith("## warpcheck: not passed\n"));
  EXPECT_THAT(text, HasSubstr("0 passed, 0 failed, 0 mistrusted, 1 unsupported"));
  EXPECT_THAT(text, HasSubstr("| hgemm&#95;wgmma | virtual | unsupported | 100 |"));
  EXPECT_THAT(text, HasSubstr("- unsupported: wgmma.fence.sync.aligned (PTX ISA 9.7.15) blocks 1 "
                              "variant: hgemm&#95;wgmma\n"));
}

TEST(Markdown, ShowsKnownFailureWithReason) {
  ReportContext context = small_campaign();
  context.totals = {};
  context.totals.add(known_variant());
  const std::string text = markdown(context);
  EXPECT_THAT(text, testing::StartsWith("## warpcheck: passed, except for known failures\n"));
  EXPECT_THAT(text, HasSubstr(": 0 passed, 0 failed, 0 mistrusted, 1 known\n"));
  EXPECT_THAT(text, HasSubstr("| sgemm&#95;float4 | virtual | known: misaligned |"));
  EXPECT_THAT(text, HasSubstr("<b>sgemm&#95;float4</b>: known: misaligned at "));
  EXPECT_THAT(
      text,
      HasSubstr("\nKnown failure, accepted by the gate: misaligned until 2027-01-31: issue 12 "
                "&#124; &lt;soon&gt;\n"));
  EXPECT_THAT(markdown(small_campaign()), Not(HasSubstr("nown")));
}

TEST(Markdown, NewFindingRepresentsVariantWithKnownOne) {
  ReportContext context = small_campaign();
  context.totals = {};
  context.totals.add(known_variant());
  context.totals.variants.front().findings.push_back(wrong_result());
  const std::string text = markdown(context);
  EXPECT_THAT(text, testing::StartsWith("## warpcheck: not passed\n"));
  EXPECT_THAT(text, HasSubstr(": 0 passed, 1 failed, 0 mistrusted\n"));
  EXPECT_THAT(text, HasSubstr("| sgemm&#95;float4 | virtual | wrong-result |"));
  EXPECT_THAT(text, HasSubstr("<b>sgemm&#95;tail</b>: wrong-result<"));
}

TEST(Markdown, OmitsSharesOfASearch) {
  ReportContext context = small_campaign();
  context.totals = {};
  context.totals.add(searched_variant());
  EXPECT_THAT(markdown(context), HasSubstr("| virtual | pass | 600 | - | - | 0 |"));
}

TEST(Markdown, OutputOfKernelStaysInItsBlock) {
  ReportContext context = small_campaign();
  campaign::FindingReport& finding = context.totals.variants[1].findings.front();
  finding.printed = "````\n</details><script>";
  finding.variant = "a|b<i>";
  const std::string text = markdown(context);
  EXPECT_THAT(text, HasSubstr("\n`````text\n"));
  EXPECT_THAT(text, HasSubstr("a&#124;b&lt;i&gt;"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\x1b'), 0);
}

TEST(Markdown, StaysBelowGitHubsLimitForAStep) {
  ReportContext context = small_campaign();
  for (int i = 0; i < 2000; ++i) context.totals.variants[1].findings.push_back(misaligned_load());
  const std::string text = markdown(context);
  EXPECT_LT(text.size(), 1U << 20);
  EXPECT_THAT(text, HasSubstr(" findings more in the other reports.\n"));
}

TEST(Markdown, NamesTheStoppedCases) {
  ReportContext context = small_campaign();
  context.totals.stopped = 3;
  EXPECT_THAT(
      markdown(context),
      testing::HasSubstr("\n- 3 cases stopped by the time limit: neither passed nor failed\n"));
}

}  // namespace
}  // namespace warpcheck::report
