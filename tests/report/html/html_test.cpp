#include <gmock/gmock.h>

#include <cmath>
#include <string>

#include "report/html/bars.hpp"
#include "report/html/coverage.hpp"
#include "report/html/headline.hpp"
#include "report/html/heat_map.hpp"
#include "report/html/markup.hpp"
#include "report/html/page.hpp"
#include "report/html/source.hpp"
#include "tests/report/events.hpp"

namespace warpcheck::report {
namespace {

using properties::campaign::FindingReport;
using properties::judge::Axis;
using properties::judge::CauseKind;
using properties::judge::ErrorMap;
using properties::judge::PatternKind;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kHostile = "</script><img src=x onerror=alert(1)>\"'&";

TEST(HtmlMarkup, TextOfOthersIsNeverMarkup) {
  EXPECT_EQ(html::escaped("</script><img onerror=\"x\" y='&'>"),
            "&lt;/script&gt;&lt;img onerror=&quot;x&quot; y=&#39;&amp;&#39;&gt;");
  EXPECT_EQ(html::escaped(std::string("a\0b\x1b[2J\tc\n", 10)),
            "a\xef\xbf\xbd"
            "b\xef\xbf\xbd[2J\tc\n");
  EXPECT_EQ(html::escaped("\xff"), "\xef\xbf\xbd");
  // CVE-2021-42574: a source that reads otherwise than it compiles.
  EXPECT_EQ(html::escaped("if (x\xe2\x80\xae) // \xe2\x81\xa6"), "if (x[U+202E]) // [U+2066]");
  EXPECT_EQ(html::escaped("caf\xc3\xa9 \xe2\x82\xac"), "caf\xc3\xa9 \xe2\x82\xac");
}

TEST(HtmlMarkup, NumbersAreGroupedByThousands) {
  EXPECT_EQ(html::grouped(0), "0");
  EXPECT_EQ(html::grouped(999), "999");
  EXPECT_EQ(html::grouped(1000), "1,000");
  EXPECT_EQ(html::grouped(-1234567), "-1,234,567");
}

/// A finding of this class at line 15 of mine.cu.
FindingReport finding_of(FindingClass kind) {
  FindingReport report;
  report.variant = "mine";
  report.finding.kind = kind;
  report.finding.source.file = "/somewhere/mine.cu";
  report.finding.source.line = 15;
  return report;
}

std::string text_of(const FindingReport& report) {
  std::string text = html::headline(report);
  for (const char* tag : {"<code class=\"place\">", "</code>"}) {
    for (std::size_t at = text.find(tag); at != std::string::npos; at = text.find(tag)) {
      text.erase(at, std::string(tag).size());
    }
  }
  return text;
}

TEST(HtmlHeadline, OfAWrongResultSaysWhereInTheMatrixAndWhy) {
  FindingReport report = finding_of(FindingClass::wrong_result);
  EXPECT_EQ(text_of(report), "Line 15 of mine.cu stores wrong values.");
  report.diagnosis.cause = {CauseKind::last_terms_missing, 4, 5};
  EXPECT_EQ(text_of(report),
            "Line 15 of mine.cu stores wrong values: the last term, k = 4, is missing.");
  report.map = properties::judge::empty_map(65, 65, {16, 16});
  report.map->diagnosis.pattern = {PatternKind::one_line, Axis::column, 64, 64, true};
  EXPECT_EQ(
      text_of(report),
      "Line 15 of mine.cu stores wrong values in column 64, the last: the last term, k = 4, is "
      "missing.");
  report.map->diagnosis.pattern = {PatternKind::whole_tile, Axis::row, 56, 63, false, 8};
  EXPECT_EQ(text_of(report),
            "Line 15 of mine.cu stores wrong values in rows 56 to 63, the last whole tile of 8: "
            "the last term, k = 4, is missing.");
  report.map->diagnosis = {{PatternKind::every_element}, {CauseKind::alpha_missing}};
  EXPECT_EQ(text_of(report),
            "Line 15 of mine.cu stores wrong values in every element: alpha was not applied.");
  report.map->diagnosis = {{PatternKind::one_element, Axis::row, 0, 0, false, 0, 3, 5}};
  report.diagnosis.cause = {CauseKind::unwritten};
  EXPECT_EQ(text_of(report), "mine leaves elements unwritten in C[3, 5] alone.");
}

TEST(HtmlHeadline, OfAnAccessSaysWhichBufferAndHow) {
  FindingReport report = finding_of(FindingClass::out_of_bounds);
  report.finding.memory = MemoryPlace{"C", 4, 4, true};
  report.element = "C[0, 1]: column 1 of 1 column";
  EXPECT_EQ(text_of(report), "Line 15 of mine.cu writes outside C, C[0, 1]: column 1 of 1 column.");
  report.finding.kind = FindingClass::misaligned;
  report.finding.memory = MemoryPlace{"A", 4, 16, false};
  EXPECT_EQ(text_of(report),
            "Line 15 of mine.cu reads 16 bytes of A at an address that is no multiple of 16.");
}

TEST(HtmlHeadline, OfARaceNamesBothLinesTheSmallerFirst) {
  FindingReport report = finding_of(FindingClass::race);
  report.finding.memory = MemoryPlace{"tile", 0, 4, true};
  report.finding.other = OtherAccess{report.finding.source, {}, false};
  report.finding.other->source.line = 9;
  EXPECT_EQ(text_of(report),
            "Lines 9 and 15 of mine.cu race on tile: one thread writes what another reads, and "
            "nothing orders the two.");
  report.finding.other->write = true;
  report.finding.other->source.line = 15;
  EXPECT_EQ(text_of(report),
            "Two threads at line 15 of mine.cu race on tile: two threads write the same place, and "
            "nothing orders the two.");
}

TEST(HtmlHeadline, OfEveryClassIsASentenceWithItsPlaceAndNoMarkupOfOthers) {
  for (int kind = 0; kind <= static_cast<int>(FindingClass::timeout); ++kind) {
    FindingReport report = finding_of(static_cast<FindingClass>(kind));
    report.variant = kHostile;
    report.finding.source.file = kHostile;
    report.finding.memory = MemoryPlace{kHostile, 0, 4, true};
    report.element = kHostile;
    report.diagnosis.text = kHostile;
    const std::string text = html::headline(report);
    EXPECT_GT(text.size(), 20U) << kind;
    EXPECT_EQ(text.back(), '.');
    EXPECT_THAT(text, HasSubstr("<code class=\"place\">"));
    EXPECT_THAT(text, Not(HasSubstr("<img")));
  }
}

TEST(HtmlHeatMap, WhatIsWrongHasAnotherColourThanWhatIsRightWhateverItsError) {
  EXPECT_EQ(html::level_of({0.0, 0}), 0U);
  EXPECT_EQ(html::level_of({1.0, 0}), 1U);
  EXPECT_EQ(html::level_of({0.0, 1}), 2U);
  EXPECT_EQ(html::level_of({10.0, 1}), 2U);
  EXPECT_EQ(html::level_of({11.0, 1}), 3U);
  EXPECT_EQ(html::level_of({1e4, 2}), 4U);
  EXPECT_EQ(html::level_of({HUGE_VAL, 1}), 5U);
}

TEST(HtmlHeatMap, DrawsEachRunOfCellsOfALevelAsOneStroke) {
  ErrorMap map = properties::judge::empty_map(3, 4, {2, 2});
  add_element(map, 1, 1, HUGE_VAL, true);
  add_element(map, 1, 2, HUGE_VAL, true);
  add_element(map, 2, 3, 2.0, true);
  const std::string svg = html::heat_map(map);
  EXPECT_THAT(svg, HasSubstr(R"(<path class="l5" d="M1 1h2"/>)"));
  EXPECT_THAT(svg, HasSubstr(R"(<path class="l2" d="M3 2h1"/>)"));
  EXPECT_THAT(svg, HasSubstr(R"(<path class="l0" d="M0 0h4M0 1h1M3 1h1M0 2h3"/>)"));
  EXPECT_THAT(svg, HasSubstr("3 of 12 elements of D are wrong"));
  EXPECT_THAT(svg, HasSubstr("tiles of 2 x 2"));
  EXPECT_THAT(svg, HasSubstr("aria-label=\"Wrong elements by column modulo 2: 0: 1; 1: 2\""));
  EXPECT_THAT(svg, HasSubstr("aria-label=\"Wrong elements by row modulo 2: 0: 1; 1: 2\""));
}

TEST(HtmlBars, ReadAloudTheyAreTheirCountsTheGreatestFirstWhereTheyAreMany) {
  std::vector<html::Bar> bars(40);
  for (std::size_t i = 0; i < bars.size(); ++i) bars[i] = {std::to_string(i), i == 7 ? 90 : 1};
  EXPECT_THAT(html::bar_chart("Cases", bars), HasSubstr("aria-label=\"Cases: 7: 90; 0: 1; 1: 1;"));
  EXPECT_THAT(html::bar_chart("Cases", bars), HasSubstr("28 more\""));
}

TEST(HtmlSource, MarksItsLinesAndSaysHowOftenTheyWereExecuted) {
  const html::Lines lines{"mine.cu", 10, {"a < b;", "c;", "d;"}};
  const std::string box = html::source_box("Source", lines, {{11, "writes <here>"}},
                                           {{10, {"3", false}}, {11, {"0", true}}});
  EXPECT_THAT(box, HasSubstr("<td class=n>10<td class=w>3<td class=c>a &lt; b;\n"));
  EXPECT_THAT(box, HasSubstr("<tr class=hit><td class=n>11<td class=x>0<td class=c>c;\n"));
  EXPECT_THAT(box, HasSubstr("writes &lt;here&gt;"));
  EXPECT_THAT(box, HasSubstr("<td class=n>12<td><td class=c>d;\n"));
}

TEST(HtmlCoverage, StandsBesideItsLineAndSaysWhichWaysOfBranchesWereGone) {
  properties::campaign::VariantReport variant = passing_variant();
  variant.coverage.emplace();
  properties::coverage::FileCoverage file;
  file.file = "mine.cu";
  file.lines.resize(3);
  file.lines[0].line = 5;
  file.lines[0].warps = 1024;
  file.lines[1].line = 7;
  file.lines[1].warps = 30;
  file.lines[1].branches.resize(2);
  file.lines[1].branches[0].taken = 10;
  file.lines[1].branches[0].not_taken = 20;
  file.lines[1].branches[1].taken = 30;
  file.lines[2].line = 8;
  variant.coverage->files = {file};
  const html::Coverage lines = html::line_coverage(variant, "mine.cu");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines.at(5).text, "1,024");
  EXPECT_FALSE(lines.at(5).missed);
  EXPECT_EQ(lines.at(7).text, "30 3/4");
  EXPECT_TRUE(lines.at(7).missed);
  EXPECT_EQ(lines.at(8).text, "0");
  EXPECT_TRUE(lines.at(8).missed);
  EXPECT_TRUE(html::line_coverage(variant, "other.cu").empty());
  EXPECT_THAT(html::coverage_sentence(variant), HasSubstr("2 of 3 lines"));
  EXPECT_EQ(html::coverage_sentence(passing_variant()), "");
}

TEST(HtmlSource, AroundALineIsNothingOutsideTheFile) {
  const html::Lines lines{"mine.cu", 1, {"1", "2", "3"}};
  EXPECT_EQ(html::around(lines, 1, 5, 1).text, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(html::around(lines, 3, 1, 5).text, (std::vector<std::string>{"2", "3"}));
  EXPECT_TRUE(html::around(lines, 9, 2, 2).text.empty());
}

ReportContext told_of(std::vector<properties::campaign::VariantReport> variants) {
  ReportContext told;
  for (auto& variant : variants) told.totals.add(std::move(variant));
  return told;
}

TEST(HtmlPage, HoldsEveryTextOfOthersEscaped) {
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
  ReportContext told = told_of({variant});
  told.replay_command = [](const properties::Case&) { return std::string(kHostile); };
  told.pasts[kHostile] = {{kHostile, kHostile, 3, 0.5, "a"}, {kHostile, kHostile, 3, 0.5, "b"}};
  workflows::history::Drift drift;
  drift.variant = drift.since = kHostile;
  told.drifts = {drift};
  const std::string page = html_page(told);
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, HasSubstr("&lt;img src=x onerror=alert(1)&gt;"));
  std::size_t scripts = 0;
  for (std::size_t at = page.find("</script"); at != std::string::npos;
       at = page.find("</script", at + 1)) {
    ++scripts;
  }
  EXPECT_EQ(scripts, 1U);
}

TEST(HtmlPage, NanHasNoSign) {
  properties::campaign::VariantReport variant = failing_variant();
  variant.findings = {wrong_result()};
  variant.findings.front().mismatch->got = -std::nan("");
  const std::string page = html_page(told_of({variant}));
  EXPECT_THAT(page, HasSubstr("<dt>Found</dt><dd>nan</dd>"));
  EXPECT_THAT(page, Not(HasSubstr("-nan")));
}

TEST(HtmlPage, NeedsNothingFromElsewhere) {
  const std::string page = html_page(told_of({failing_variant(), passing_variant()}));
  for (const char* address : {"http:", "https:", "src=", "@import", "url("}) {
    EXPECT_THAT(page, Not(HasSubstr(address)));
  }
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

TEST(HtmlPage, SaysTheOutcomeFirst) {
  EXPECT_THAT(html_page(told_of({failing_variant(), passing_variant()})),
              HasSubstr("<h1>1 of 2 kernels is wrong</h1>"));
  EXPECT_THAT(html_page(told_of({passing_variant(), passing_variant()})),
              HasSubstr("<h1>All 2 kernels passed</h1>"));
  EXPECT_THAT(html_page(told_of({mistrusted_variant()})),
              HasSubstr("<h1>The kernel passed, but would have passed if it were wrong</h1>"));
}

TEST(HtmlPage, KnownFailureIsToldAsOneAndWhy) {
  const std::string page = html_page(told_of({known_variant(), passing_variant()}));
  EXPECT_THAT(page, HasSubstr("<title>warpcheck: 0 of 2 kernels failed</title>"));
  EXPECT_THAT(page, HasSubstr("<section class=\"verdict known\"><h1>1 of 2 kernels is wrong, as is "
                              "known</h1>"));
  EXPECT_THAT(page, HasSubstr(": 1 passed, 0 failed, 0 mistrusted, 1 known."));
  EXPECT_THAT(page, HasSubstr("<td class=known>known: misaligned</td>"));
  EXPECT_THAT(page, HasSubstr("<article class=\"finding known\""));
  EXPECT_THAT(page, HasSubstr("<span class=\"class known\">known: misaligned</span>"));
  EXPECT_THAT(page, HasSubstr("</strong> misaligned until 2027-01-31: issue 12 | &lt;soon&gt;<"));
  EXPECT_THAT(html_page(told_of({failing_variant()})), Not(HasSubstr("known:")));
}

TEST(HtmlPage, NewFindingBesideAKnownOneFails) {
  properties::campaign::VariantReport both = known_variant();
  both.findings.push_back(wrong_result());
  const std::string page = html_page(told_of({both, known_variant()}));
  EXPECT_THAT(page, HasSubstr("<h1>1 of 2 kernels is wrong, and 1 more, as is known</h1>"));
  EXPECT_THAT(page, HasSubstr("<td class=finding>wrong-result</td>"));
  EXPECT_THAT(page, HasSubstr("<span class=\"class\">wrong-result</span>"));
}

TEST(HtmlPage, TellsNoSharesOfASearchWhichMeasuresNone) {
  const std::string page = html_page(told_of({searched_variant()}));
  EXPECT_THAT(page, HasSubstr("<td class=number>600<td>-<td>-<td>-<td>none"));
  EXPECT_THAT(page, HasSubstr("<p>600 cases.</p>"));
}

TEST(HtmlPage, OfTenThousandCasesWithTheFullestMapsStaysUnderFiveMegabytes) {
  // Forty variants of 250 cases, of each of which one finding in two has a map whose neighbouring
  // cells all differ; no campaign of the built-in kernels or of the specimens comes near.
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
  EXPECT_LT(html_page(told_of(variants)).size(), 5'000'000U);
}

}  // namespace
}  // namespace warpcheck::report
