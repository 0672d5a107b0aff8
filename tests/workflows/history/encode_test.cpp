#include "workflows/history/encode.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "workflows/history/encode_lines.hpp"

namespace warpcheck::workflows::history {
namespace {

campaign::FindingReport report() {
  campaign::FindingReport report;
  report.variant = "edge";
  report.device = "virtual";
  report.property = "matches-reference";
  report.finding.kind = FindingClass::race;
  report.finding.message =
      "found \xe2\x80\x9c"
      "2\xe2\x80\x9d, expected 1";
  report.finding.source = {"/a/b.cu", 7, "st.global [%rd1], %f1;", 40, {{"/a/c.cuh", 3}}};
  report.finding.thread = ThreadPlace{{1, 2, 3}, {4, 5, 6}};
  report.finding.memory = MemoryPlace{"C", -8, 4, true};
  report.finding.other = OtherAccess{{"/a/b.cu", 9, "", 41}, {{0, 0, 0}, {1, 0, 0}}, true};
  report.finding.count = std::numeric_limits<std::uint64_t>::max();
  report.finding.memory->extent = 64;
  report.finding.missing = MissingOrder{MissingOrder::Kind::barrier, true, true};
  report.finding.origin = Origin{{"/a/b.cu", 8, "", 39}, report.finding.memory, true};
  report.finding.groups = {{ThreadGroup::State::exited, 24, *report.finding.thread, {}, {}}};
  report.finding.groups[0].waits_for = {WaitEvent::Kind::change, 0, {"a \xff", 4, 4}};
  report.finding.source.facts = {device::InstructionKind::store, device::Completion::none, 4};
  report.finding.option = UserOption::weak_volatile;
  report.finding.race = Race{.kind = Race::Kind::copy,
                             .two_blocks = true,
                             .grids = {{"parent", {}}, {"child", {"/a/b.cu", 12, ""}}},
                             .is_descendant = true,
                             .reduces = true,
                             .multiplies = true,
                             .waited_for = true,
                             .wait = SourcePlace{"/a/b.cu", 14, ""},
                             .writes = true,
                             .register_name = "%f\xff"};
  report.finding.hang = Hang{96, 32, 3, 4};
  report.finding.budget = UsedBudget{1000, 5, 6};
  report.finding.schedule = 2;
  report.finding.schedules = 8;
  report.finding.unfinished_launch = 9;
  ThreadGroup& group = report.finding.groups[0];
  group.waits_for.value = std::numeric_limits<std::uint64_t>::max();
  group.waits_for.arrived = 32;
  group.waits_for.expected = 64;
  group.waits_for.bytes = -16;
  group.blocks = 3;
  group.also = {group.waits_for};
  group.polls_more = group.others_alike = true;
  group.lanes = MissingLanes{0xff00, MissingLanes::State::waits, {"/a/b.cu", 15, ""}};
  report.finding.same_cause = {report.finding};
  report.element = "C[0, 1]";
  report.index_outside = 7;
  report.mismatch = campaign::judge::Mismatch{
      1, 2, std::nan(""), -std::numeric_limits<double>::infinity(), 0.1, 3, 4};
  report.mismatch->worst = {{1, 2, std::nan(""), 0.5, 0.1, "C[1, 2]"}};
  report.printed = std::string("\xff\x00printed\x80\n", 11);
  report.excerpt = {"/a/b.cu", 7, 5, {"one", "t\xc3wo"}};
  report.other_excerpt = {"/a/b.cu", 9, 9, {"three"}};
  report.original = campaign::parse_case(
      "edge m=3 n=4 k=5 lda=9 alpha=0.1 beta=-0 data=wide seed=18446744073709551615");
  report.smallest = campaign::parse_case("edge m=1 n=1 k=1 seed=2");
  report.shrink_launches = 17;
  report.shrink_work = 1717;
  report.fully_shrunk = false;
  report.confirmed = 2;
  report.confirmations = 10;
  return report;
}

TEST(Encode, AFindingSurvivesTheRoundTripWithAnyBytes) {
  const campaign::FindingReport before = report();
  const campaign::FindingReport after = decoded_report(encoded(before));
  EXPECT_EQ(encoded(after), encoded(before));
  EXPECT_EQ(after.finding.message, before.finding.message);
  EXPECT_EQ(after.finding.source.calls.at(0).line, 3U);
  EXPECT_EQ(after.finding.thread->thread, before.finding.thread->thread);
  EXPECT_EQ(after.finding.memory->offset, -8);
  EXPECT_EQ(after.finding.other->source.ptx_line, 41U);
  EXPECT_EQ(after.finding.count, before.finding.count);
  EXPECT_TRUE(std::isnan(after.mismatch->got));
  EXPECT_EQ(after.mismatch->expected, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(after.mismatch->tolerance, 0.1);
  EXPECT_EQ(after.mismatch->worst.at(0).name, "C[1, 2]");
  EXPECT_TRUE(std::isnan(after.mismatch->worst.at(0).got));
  EXPECT_EQ(after.finding.memory->extent, 64U);
  EXPECT_TRUE(after.finding.missing->exchanged && after.finding.missing->next_iteration);
  EXPECT_EQ(after.finding.origin->source.ptx_line, 39U);
  EXPECT_EQ(after.finding.groups.at(0).threads, 24U);
  EXPECT_EQ(after.finding.groups.at(0).waits_for.memory.name, "a \xff");
  EXPECT_EQ(after.finding.source.facts, before.finding.source.facts);
  EXPECT_EQ(after.finding.option, UserOption::weak_volatile);
  EXPECT_EQ(after.finding.same_cause.at(0).message, before.finding.message);
  EXPECT_EQ(after.index_outside, 7);
  EXPECT_EQ(after.printed, before.printed);
  EXPECT_EQ(after.excerpt.lines, before.excerpt.lines);
  EXPECT_EQ(after.other_excerpt.line, 9U);
  EXPECT_EQ(after.other_excerpt.lines, before.other_excerpt.lines);
  EXPECT_EQ(after.original, before.original);
  EXPECT_EQ(after.smallest, before.smallest);
  EXPECT_EQ(after.shrink_work, 1717U);
  EXPECT_FALSE(after.fully_shrunk);
}

TEST(Encode, TheFactsOfAMessageSurviveTheRoundTrip) {
  const Finding after = decoded_report(encoded(report())).finding;
  EXPECT_EQ(after.race->kind, Race::Kind::copy);
  EXPECT_EQ(after.race->grids.at(1).kernel, "child");
  EXPECT_EQ(after.race->grids.at(1).launch.line, 12U);
  EXPECT_EQ(after.race->wait->line, 14U);
  EXPECT_EQ(after.race->register_name, "%f\xff");
  EXPECT_TRUE(after.race->two_blocks && after.race->is_descendant && after.race->reduces);
  EXPECT_TRUE(after.race->multiplies && after.race->waited_for && after.race->writes);
  EXPECT_EQ(after.hang->threads, 96U);
  EXPECT_EQ(after.hang->ended, 32U);
  EXPECT_EQ(after.hang->blocks, 3U);
  EXPECT_EQ(after.hang->not_resident, 4U);
  EXPECT_EQ(after.budget->instructions, 1000U);
  EXPECT_EQ(after.budget->ended_blocks, 5U);
  EXPECT_EQ(after.budget->blocks, 6U);
  EXPECT_EQ(after.schedule, 2U);
  EXPECT_EQ(after.schedules, 8U);
  EXPECT_EQ(after.unfinished_launch, 9U);
  const ThreadGroup& group = after.groups.at(0);
  EXPECT_EQ(group.also.at(0).value, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(group.waits_for.arrived, 32U);
  EXPECT_EQ(group.waits_for.expected, 64U);
  EXPECT_EQ(group.waits_for.bytes, -16);
  EXPECT_EQ(group.blocks, 3U);
  EXPECT_TRUE(group.polls_more && group.others_alike);
  EXPECT_EQ(group.lanes->lanes, 0xff00U);
  EXPECT_EQ(group.lanes->state, MissingLanes::State::waits);
  EXPECT_EQ(group.lanes->at.line, 15U);
}

TEST(Encode, AnUnsupportedFormSurvivesTheRoundTrip) {
  campaign::UnsupportedForm before{
      {"mov.u32 %pm0",
       "not \xff implemented",
       "9.7.9.5",
       {"/a/b.cu", 7, "mov.u32 %r1, %pm0;", 40},
       UserOption::memory},
      campaign::parse_case("edge m=3 n=4 k=5 seed=2 property=same-bits-twice"),
      9};
  const campaign::UnsupportedForm after = decoded_unsupported(encoded(before));
  EXPECT_EQ(encoded(after), encoded(before));
  EXPECT_EQ(after.what.form, "mov.u32 %pm0");
  EXPECT_EQ(after.what.reason, before.what.reason);
  EXPECT_EQ(after.what.section, "9.7.9.5");
  EXPECT_EQ(after.what.source.line, 7U);
  EXPECT_EQ(after.what.option, UserOption::memory);
  EXPECT_EQ(after.problem, before.problem);
  EXPECT_EQ(after.cases, 9);
}

TEST(Encode, AnErrorMapSurvivesTheRoundTrip) {
  campaign::FindingReport before = report();
  before.map = campaign::judge::empty_map(200, 5, {16, 0});
  campaign::judge::add_element(*before.map, 199, 4, std::numeric_limits<double>::infinity(), true);
  campaign::judge::add_element(*before.map, 3, 1, 0.1, false);
  before.map->product = 2;
  before.map->worst = {{199, 4, 0.5, HUGE_VAL, 0.25, "C[2][199, 4]"}};
  before.map->diagnosis.pattern = {campaign::judge::PatternKind::one_element,
                                   campaign::judge::Axis::row,
                                   0,
                                   0,
                                   false,
                                   0,
                                   199,
                                   4};
  EXPECT_EQ(decoded_report(encoded(before)).map, before.map);
  EXPECT_FALSE(decoded_report(encoded(report())).map);
}

TEST(Encode, DiagnosisSurvivesTheRoundTrip) {
  using campaign::judge::CauseKind;
  using campaign::judge::PatternKind;
  for (int kind = 0; kind <= static_cast<int>(CauseKind::all_zero); ++kind) {
    campaign::FindingReport before = report();
    before.diagnosis.cause = {static_cast<CauseKind>(kind), 3, 7, -1, 2};
    const int patterns = static_cast<int>(PatternKind::whole_tile) + 1;
    before.diagnosis.pattern = {static_cast<PatternKind>(kind % patterns),
                                campaign::judge::Axis::column,
                                64,
                                66,
                                true,
                                64,
                                5,
                                6};
    before.diagnosis.element = "C[1, 2]";
    EXPECT_EQ(decoded_report(encoded(before)).diagnosis, before.diagnosis) << kind;
  }
}

TEST(Encode, DiagnosisOfAnEarlierReleaseIsReadAsText) {
  const std::string now = encoded(report());
  const std::size_t begin = now.find("\"diagnosis\":");
  const std::size_t end = now.find("\"printed\":");
  ASSERT_LT(begin, end);
  const std::string before = now.substr(0, begin) +
                             R"("diagnosis":"every element is wrong; they are all zero",)" +
                             now.substr(end);
  const campaign::judge::Diagnosis diagnosis = decoded_report(before).diagnosis;
  EXPECT_EQ(diagnosis.text, "every element is wrong; they are all zero");
  EXPECT_EQ(diagnosis.cause.kind, campaign::judge::CauseKind::none);
}

TEST(Encode, DiagnosisOfAnUnknownKindIsAnError) {
  std::string text = encoded(report());
  const std::string kind = R"("kind":"none")";
  text.replace(text.find(kind), kind.size(), R"("kind":"nine")");
  EXPECT_THROW((void)decoded_report(text), std::runtime_error);
}

TEST(Encode, AnInconsistentErrorMapIsAnError) {
  campaign::FindingReport wrong = report();
  for (const auto spoil :
       {+[](campaign::judge::ErrorMap& map) { map.cells.pop_back(); },
        +[](campaign::judge::ErrorMap& map) { map.cell_rows = 0; },
        +[](campaign::judge::ErrorMap& map) { map.columns = std::int64_t{1} << 62; },
        +[](campaign::judge::ErrorMap& map) { map.wrong_by_row.push_back(0); }}) {
    wrong.map = campaign::judge::empty_map(7, 5, {2, 2});
    spoil(*wrong.map);
    EXPECT_THROW((void)decoded_report(encoded(wrong)), std::runtime_error);
  }
}

TEST(Encode, FailuresAndCombinationsSurviveTheRoundTrip) {
  campaign::Failure failure;
  failure.problem = campaign::parse_case("edge m=3 n=4 k=5 seed=1");
  failure.property = &properties::laws().back();
  failure.evidence.finding = report().finding;
  failure.number = 5;
  const std::vector<campaign::Failure> after = decoded_failures(encoded(std::vector{failure}));
  ASSERT_EQ(after.size(), 1U);
  EXPECT_EQ(after[0].problem, failure.problem);
  EXPECT_EQ(after[0].property, failure.property);
  EXPECT_EQ(after[0].number, 5U);
  EXPECT_TRUE(same_places(after[0].evidence.finding, failure.evidence.finding));

  const campaign::generate::Combinations combinations{{2, 3, 4}, {{0, 1}, {7, 25}}, {{9, 23}}};
  const campaign::generate::Combinations back = decoded_combinations(encoded(combinations));
  EXPECT_EQ(back.levels, combinations.levels);
  EXPECT_EQ(back.pairs.at(1).number, 25U);
  EXPECT_EQ(back.triples.at(0).after, 9);
}

TEST(Encode, TextOfAnUnknownFormatIsAnError) {
  for (const char* text : {"", "{", "[]", "{}", "null", "[{\"case\": 3}]", "7"}) {
    EXPECT_THROW((void)decoded_report(text), std::runtime_error) << text;
    EXPECT_THROW((void)decoded_combinations(text), std::runtime_error) << text;
  }
  EXPECT_THROW((void)decoded_failures("{"), std::runtime_error);
  EXPECT_THROW((void)decoded_failures("[{}]"), std::runtime_error);
}

TEST(Encode, CoverageIsEqualAfterDecoding) {
  device::Coverage coverage;
  coverage.blocks = {{0, 3, 12}, {3, 1, std::uint64_t{1} << 60}};
  coverage.edges = {{device::kEntry, 0, 12, 0}, {2, 3, 5, 4}};
  coverage.conditions = {{2, 7, 0}};
  const device::Coverage decoded = decoded_coverage(encoded(coverage));
  EXPECT_EQ(decoded.blocks, coverage.blocks);
  EXPECT_EQ(decoded.edges, coverage.edges);
  EXPECT_EQ(decoded.conditions, coverage.conditions);
  EXPECT_THROW((void)decoded_coverage(R"({"blocks":[[1]]})"), std::runtime_error);
}

}  // namespace
}  // namespace warpcheck::workflows::history
