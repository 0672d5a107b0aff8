#include "report/html/headline.hpp"

#include <gmock/gmock.h>

#include <string>

namespace warpcheck::report::html {
namespace {

using campaign::FindingReport;
using campaign::judge::Axis;
using campaign::judge::CauseKind;
using campaign::judge::PatternKind;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kHostile = "</script><img src=x onerror=alert(1)>\"'&";

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
  std::string text = headline(report);
  for (const char* tag : {"<code class=\"place\">", "</code>"}) {
    for (std::size_t at = text.find(tag); at != std::string::npos; at = text.find(tag)) {
      text.erase(at, std::string(tag).size());
    }
  }
  return text;
}

TEST(HtmlHeadline, WrongResultNamesElementsAndCause) {
  FindingReport report = finding_of(FindingClass::wrong_result);
  EXPECT_EQ(text_of(report), "Line 15 of mine.cu stores wrong values.");
  report.diagnosis.cause = {CauseKind::last_terms_missing, 4, 5};
  EXPECT_EQ(text_of(report),
            "Line 15 of mine.cu stores wrong values: the last term, k = 4, is missing.");
  report.map = campaign::judge::empty_map(65, 65, {16, 16});
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

TEST(HtmlHeadline, AccessNamesBufferAndDirection) {
  FindingReport report = finding_of(FindingClass::out_of_bounds);
  report.finding.memory = MemoryPlace{"C", 4, 4, true};
  report.element = "C[0, 1]: column 1 of 1 column";
  EXPECT_EQ(text_of(report), "Line 15 of mine.cu writes outside C, C[0, 1]: column 1 of 1 column.");
  report.finding.kind = FindingClass::misaligned;
  report.finding.memory = MemoryPlace{"A", 4, 16, false};
  EXPECT_EQ(text_of(report),
            "Line 15 of mine.cu reads 16 bytes of A at an address that is not a multiple of 16.");
}

TEST(HtmlHeadline, RaceNamesBothLinesInOrder) {
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

TEST(HtmlHeadline, EveryClassHasASentenceWithEscapedPlace) {
  for (int kind = 0; kind <= static_cast<int>(kLastFindingClass); ++kind) {
    FindingReport report = finding_of(static_cast<FindingClass>(kind));
    report.variant = kHostile;
    report.finding.source.file = kHostile;
    report.finding.memory = MemoryPlace{kHostile, 0, 4, true};
    report.element = kHostile;
    report.diagnosis.text = kHostile;
    const std::string text = headline(report);
    EXPECT_GT(text.size(), 20U) << kind;
    EXPECT_EQ(text.back(), '.');
    EXPECT_THAT(text, HasSubstr("<code class=\"place\">"));
    EXPECT_THAT(text, Not(HasSubstr("<img")));
  }
}

}  // namespace
}  // namespace warpcheck::report::html
