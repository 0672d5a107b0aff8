#include "report/html/page.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/report/events.hpp"

namespace warpcheck::report {
namespace {

using campaign::FindingReport;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kHostile = "</script><img src=x onerror=alert(1)>\"'&";

ReportContext context_of_variants(std::vector<campaign::VariantReport> variants) {
  ReportContext context;
  context.path_of = [](std::string_view name) { return std::string(name) + ".cu"; };
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
  finding.map = campaign::judge::empty_map(2, 2, {});
  finding.map->diagnosis.text = finding.map->line = kHostile;
  campaign::VariantReport variant = failing_variant();
  variant.variant = variant.device = variant.acceptance.excluded_by = kHostile;
  variant.findings = {finding};
  finding.finding.other.reset();
  variant.findings.push_back(finding);
  variant.notes = {finding};
  ReportContext context = context_of_variants({variant});
  context.replay_command = [](const campaign::Case&) { return std::string(kHostile); };
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
  campaign::VariantReport variant = failing_variant();
  variant.findings = {wrong_result()};
  variant.findings.front().mismatch->worst.front().got = -std::nan("");
  const std::string page = html_page(context_of_variants({variant}));
  EXPECT_THAT(page,
              HasSubstr("<tr><th scope=row>D[1, 1]</th><td class=number data-label=\"got\">nan"));
  EXPECT_THAT(page, Not(HasSubstr("-nan")));
}

TEST(HtmlPage, ShowsTheWorstElementsOfAWrongResult) {
  campaign::VariantReport variant = failing_variant();
  variant.findings = {wrong_result()};
  const std::string page = html_page(context_of_variants({variant}));
  EXPECT_THAT(page, HasSubstr("<caption>The worst elements</caption>"));
  EXPECT_THAT(page, HasSubstr("<th scope=row>D[1, 0]</th><td class=number data-label=\"got\">1.5"
                              "<td class=number data-label=\"expected\">-2.25"
                              "<td class=number data-label=\"|difference|\">3.75"
                              "<td class=number data-label=\"bound\">exact"
                              "<td class=number data-label=\"ratio\">-"));
  variant.findings.front().mismatch->worst.resize(1);
  EXPECT_THAT(html_page(context_of_variants({variant})), Not(HasSubstr("<caption>The worst")));
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
  EXPECT_THAT(page, HasSubstr("<td class=known data-label=Verdict>known: misaligned</td>"));
  EXPECT_THAT(page, HasSubstr("<article class=\"finding known\""));
  EXPECT_THAT(page, HasSubstr("<span class=\"class known\">known: misaligned</span>"));
  EXPECT_THAT(page, HasSubstr("</strong> misaligned until 2027-01-31: issue 12 | &lt;soon&gt;<"));
  EXPECT_THAT(html_page(context_of_variants({failing_variant()})), Not(HasSubstr("known:")));
}

TEST(HtmlPage, NewFindingNextToAKnownOneIsAFailure) {
  campaign::VariantReport both = known_variant();
  both.findings.push_back(wrong_result());
  const std::string page = html_page(context_of_variants({both, known_variant()}));
  EXPECT_THAT(page, HasSubstr("<h1>1 of 2 kernels is wrong, and 1 more is known</h1>"));
  EXPECT_THAT(page, HasSubstr("<td class=finding data-label=Verdict>wrong-result</td>"));
  EXPECT_THAT(page, HasSubstr("<span class=\"class\">wrong-result</span>"));
}

TEST(HtmlPage, ShowsNoSharesOfASearch) {
  const std::string page = html_page(context_of_variants({searched_variant()}));
  EXPECT_THAT(page, HasSubstr("data-label=\"Sensitivity\">-<td class=share data-label=\"Level "
                              "coverage\">-<td class=share data-label=\"Pair coverage\">-<td"));
  EXPECT_THAT(page, HasSubstr("<p>600 cases.</p>"));
}

TEST(HtmlPage, TenThousandCasesFitIntoFiveMegabytes) {
  // Forty variants of 250 cases; every second finding has a map in which all adjacent cells differ.
  // No campaign of the built-in kernels or of the specimens is as large.
  std::vector<campaign::VariantReport> variants;
  for (int i = 0; i < 40; ++i) {
    campaign::VariantReport variant = failing_variant();
    variant.cases = 250;
    for (int j = 0; j < 250; ++j) variant.histogram.add_error(0.01 * j);
    FindingReport finding = wrong_result();
    finding.map = campaign::judge::empty_map(96, 96, {16, 16});
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
                 .nvcc = "13.0.88",
                 .revision = "0af64c8f3a12 with changes"};
  const std::string page = html_page(context);
  for (const char* item :
       {"<dt>Command</dt><dd><code class=\"\">warpcheck check &#39;&lt;k&gt;&#39;</code></dd>",
        "<dt>Seed</dt><dd>7</dd>", "<dt>Device</dt><dd>virtual</dd>",
        "<dt>Commit</dt><dd><code class=\"\">0af64c8f3a12 with changes</code></dd>",
        "<dt>nvcc</dt><dd>13.0.88</dd>", "<dt>warpcheck</dt><dd>1.2.3</dd>"}) {
    EXPECT_THAT(page, HasSubstr(item));
  }
}

TEST(HtmlPage, GroupsManyFindingsByFileAndClass) {
  campaign::VariantReport variant = failing_variant();
  variant.findings.assign(20, misaligned_load());
  EXPECT_THAT(html_page(context_of_variants({variant})), Not(HasSubstr("class=group")));
  FindingReport other = benign_race();
  other.finding.source.file = "kernels/other.cu";
  variant.findings.insert(variant.findings.begin() + 1, {other, wrong_result()});
  const std::string page = html_page(context_of_variants({variant}));
  EXPECT_THAT(page, HasSubstr("kernels/sgemm_float4.cu</code> <span>20 findings</span></h2>"));
  EXPECT_THAT(page, HasSubstr("kernels/other.cu</code> <span>1 finding</span></h2>\n"
                              "<ol class=contents>\n<li value=2 data-finding=2 data-class=race"));
  EXPECT_THAT(page, HasSubstr("sgemm_tail.cu</code> <span>1 finding</span></h2>\n"
                              "<ol class=contents>\n<li value=3 "));
  EXPECT_THAT(page, HasSubstr("<option>misaligned</option><option>race</option>"));
}

TEST(HtmlPage, EachFindingHasHelp) {
  campaign::VariantReport variant = failing_variant();
  variant.findings = {wrong_result()};
  variant.findings.front().diagnosis.cause.kind = campaign::judge::CauseKind::unwritten;
  EXPECT_THAT(html_page(context_of_variants({variant})),
              HasSubstr("<p class=help><strong>Help:</strong> No thread stores these elements."));
  EXPECT_THAT(html_page(context_of_variants({failing_variant()})),
              HasSubstr("<strong>Help:</strong> A load or a store of several bytes"));
}

}  // namespace
}  // namespace warpcheck::report
