#include "report/html/page.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/report/events.hpp"

namespace warpcheck::report {
namespace {

using properties::campaign::FindingReport;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kHostile = "</script><img src=x onerror=alert(1)>\"'&";

ReportContext context_of_variants(std::vector<properties::campaign::VariantReport> variants) {
  ReportContext context;
  for (auto& variant : variants) context.totals.add(std::move(variant));
  return context;
}

TEST(HtmlPage, EscapesEveryText) {
  FindingReport finding = misaligned_load();
  for (std::string* text :
       {&finding.variant, &finding.device, &finding.finding.message, &finding.element,
        &finding.diagnosis.text, &finding.printed, &finding.regression, &finding.property,
        &finding.finding.source.instruction, &finding.finding.source.file, &finding.excerpt.file,
        &finding.original.variant, &finding.smallest.variant}) {
    *text = kHostile;
  }
  finding.excerpt.lines.assign(5, kHostile);
  finding.finding.other = OtherAccess{finding.finding.source, {}, true};
  finding.map = properties::judge::empty_map(2, 2, {});
  finding.map->diagnosis.text = finding.map->line = kHostile;
  properties::campaign::VariantReport variant = failing_variant();
  variant.variant = variant.device = variant.acceptance.excluded_by = kHostile;
  variant.findings = {finding};
  finding.finding.other.reset();
  variant.findings.push_back(finding);
  variant.notes = {finding};
  ReportContext context = context_of_variants({variant});
  context.replay_command = [](const properties::Case&) { return std::string(kHostile); };
  context.trend[kHostile] = {{kHostile, kHostile, 3, 0.5, "a"}, {kHostile, kHostile, 3, 0.5, "b"}};
  workflows::history::Drift drift;
  drift.variant = drift.since = kHostile;
  context.drifts = {drift};
  const std::string page = html_page(context);
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, HasSubstr("&lt;img src=x onerror=alert(1)&gt;"));
  std::size_t scripts = 0;
  for (std::size_t at = page.find("</script"); at != std::string::npos;
       at = page.find("</script", at + 1)) {
    ++scripts;
  }
  EXPECT_EQ(scripts, 1U);
}

TEST(HtmlPage, ShowsUnsupportedForms) {
  const std::string page = html_page(context_of_variants({unsupported_variant()}));
  EXPECT_THAT(page,
              HasSubstr("<section class=\"verdict unsupported\"><h1>The device cannot execute "
                        "the kernel</h1>"));
  EXPECT_THAT(page, HasSubstr("wgmma.fence.sync.aligned (PTX ISA 9.7.15) blocks 1 variant"));
  EXPECT_THAT(page, HasSubstr("kernels/hgemm_wgmma.cu:31"));
  EXPECT_THAT(page, HasSubstr("reached in 98 cases"));
}

TEST(HtmlPage, NanHasNoSign) {
  properties::campaign::VariantReport variant = failing_variant();
  variant.findings = {wrong_result()};
  variant.findings.front().mismatch->got = -std::nan("");
  const std::string page = html_page(context_of_variants({variant}));
  EXPECT_THAT(page, HasSubstr("<dt>Found</dt><dd>nan</dd>"));
  EXPECT_THAT(page, Not(HasSubstr("-nan")));
}

TEST(HtmlPage, RefersToNoOtherFile) {
  const std::string page = html_page(context_of_variants({failing_variant(), passing_variant()}));
  for (const char* address : {"http:", "https:", "src=", "@import", "url("}) {
    EXPECT_THAT(page, Not(HasSubstr(address)));
  }
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

TEST(HtmlPage, StartsWithTheOutcome) {
  EXPECT_THAT(html_page(context_of_variants({failing_variant(), passing_variant()})),
              HasSubstr("<h1>1 of 2 kernels is wrong</h1>"));
  EXPECT_THAT(html_page(context_of_variants({passing_variant(), passing_variant()})),
              HasSubstr("<h1>All 2 kernels passed</h1>"));
  EXPECT_THAT(html_page(context_of_variants({mistrusted_variant()})),
              HasSubstr("<h1>The kernel passed, but the data could not have exposed a "
                        "defect</h1>"));
  const std::string page = html_page(context_of_variants({variant_with_unexecuted_lines()}));
  EXPECT_THAT(page,
              HasSubstr("<h1>The kernel passed, but some of its lines were never executed</h1>"));
  EXPECT_THAT(page, HasSubstr("Mistrusted: lines 41-44, 52 of kernels/sgemm_tail.cu, line 7 of "
                              "kernels/tile.cuh were never executed."));
}

TEST(HtmlPage, ShowsKnownFailureWithReason) {
  const std::string page = html_page(context_of_variants({known_variant(), passing_variant()}));
  EXPECT_THAT(page, HasSubstr("<title>warpcheck: 0 of 2 kernels failed</title>"));
  EXPECT_THAT(page, HasSubstr("<section class=\"verdict known\"><h1>1 of 2 kernels is wrong, which "
                              "is known</h1>"));
  EXPECT_THAT(page, HasSubstr(": 1 passed, 0 failed, 0 mistrusted, 1 known."));
  EXPECT_THAT(page, HasSubstr("<td class=known>known: misaligned</td>"));
  EXPECT_THAT(page, HasSubstr("<article class=\"finding known\""));
  EXPECT_THAT(page, HasSubstr("<span class=\"class known\">known: misaligned</span>"));
  EXPECT_THAT(page, HasSubstr("</strong> misaligned until 2027-01-31: issue 12 | &lt;soon&gt;<"));
  EXPECT_THAT(html_page(context_of_variants({failing_variant()})), Not(HasSubstr("known:")));
}

TEST(HtmlPage, NewFindingNextToAKnownOneIsAFailure) {
  properties::campaign::VariantReport both = known_variant();
  both.findings.push_back(wrong_result());
  const std::string page = html_page(context_of_variants({both, known_variant()}));
  EXPECT_THAT(page, HasSubstr("<h1>1 of 2 kernels is wrong, and 1 more is known</h1>"));
  EXPECT_THAT(page, HasSubstr("<td class=finding>wrong-result</td>"));
  EXPECT_THAT(page, HasSubstr("<span class=\"class\">wrong-result</span>"));
}

TEST(HtmlPage, ShowsNoSharesOfASearch) {
  const std::string page = html_page(context_of_variants({searched_variant()}));
  EXPECT_THAT(page, HasSubstr("<td class=number>600<td>-<td>-<td>-<td>none"));
  EXPECT_THAT(page, HasSubstr("<p>600 cases.</p>"));
}

TEST(HtmlPage, TenThousandCasesFitIntoFiveMegabytes) {
  // Forty variants of 250 cases; every second finding has a map in which all adjacent cells differ.
  // No campaign of the built-in kernels or of the specimens is as large.
  std::vector<properties::campaign::VariantReport> variants;
  for (int i = 0; i < 40; ++i) {
    properties::campaign::VariantReport variant = failing_variant();
    variant.cases = 250;
    for (int j = 0; j < 250; ++j) variant.histogram.add_error(0.01 * j);
    FindingReport finding = wrong_result();
    finding.map = properties::judge::empty_map(96, 96, {16, 16});
    for (std::int64_t cell = 0; cell < 96 * 96; ++cell) {
      add_element(*finding.map, cell / 96, cell % 96, std::pow(30.0, cell % 5), cell % 2 == 0);
    }
    variant.findings.push_back(finding);
    variants.push_back(variant);
  }
  EXPECT_LT(html_page(context_of_variants(variants)).size(), 5'000'000U);
}

TEST(HtmlPage, NamesTheStoppedCases) {
  ReportContext context = small_campaign();
  context.totals.stopped = 3;
  EXPECT_THAT(html_page(context), testing::HasSubstr("3 cases stopped by the time limit"));
}

TEST(HtmlPage, NamesTheCommandAndItsTools) {
  ReportContext context = small_campaign();
  context.run = {.version = "1.2.3",
                 .command = "warpcheck check '<k>'",
                 .seed = 7,
                 .device = "virtual",
                 .nvcc = "13.0.88"};
  EXPECT_THAT(
      html_page(context),
      testing::HasSubstr("<p class=run>warpcheck 1.2.3: <code>warpcheck check "
                         "&#39;&lt;k&gt;&#39;</code>, seed 7, on virtual, nvcc 13.0.88</p>"));
}

}  // namespace
}  // namespace warpcheck::report
