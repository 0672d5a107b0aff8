// Laws of the tally of a campaign.
#include <fmt/format.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "campaign/tally.hpp"

namespace warpcheck::campaign {
namespace {

/// Failures at one source line may come from different PTX lines.
Failure arbitrary_failure(std::int64_t index, FindingClass kind) {
  Failure failure;
  failure.problem.set_value("m", index);
  failure.evidence.finding.kind = kind;
  failure.evidence.finding.source.file = "k.cu";
  failure.evidence.finding.source.line = *rc::gen::inRange(1U, 5U);
  failure.evidence.finding.source.ptx_line = *rc::gen::inRange(1U, 4U);
  return failure;
}

/// A case that may be outside the domain, fail at some of four lines, or have benign races.
CaseResult arbitrary_result(std::int64_t index) {
  CaseResult result;
  if (*rc::gen::inRange(0, 4) == 0) result.generated.excluded_by = *rc::gen::element("m > 3", "k");
  result.was_run = *rc::gen::inRange(0, 8) != 0;
  result.levels = *rc::gen::element("aaa", "abb", "bab", "a-b");
  result.shows_terms = *rc::gen::arbitrary<bool>();
  if (result.was_run) result.sensitivity = *rc::gen::inRange(0, 3) / 2.0;
  if (*rc::gen::arbitrary<bool>()) result.error_over_bound = *rc::gen::inRange(0, 9) / 4.0;
  const int failures = *rc::gen::element(0, 0, 0, 0, 1, 2);
  for (int i = 0; i < failures; ++i) {
    const auto kind = *rc::gen::element(FindingClass::race, FindingClass::wrong_result);
    result.failures.push_back(arbitrary_failure(index, kind));
  }
  if (*rc::gen::inRange(0, 5) == 0) {
    result.notes.push_back(arbitrary_failure(index, FindingClass::race));
  }
  return result;
}

std::vector<CaseResult> arbitrary_results() {
  std::vector<CaseResult> results;
  const std::int64_t count = *rc::gen::inRange(1, 80);
  for (std::int64_t i = 0; i < count; ++i) results.push_back(arbitrary_result(i));
  return results;
}

/// Adds the results until the tally has ended; it removes copies from them. Returns how many it
/// added.
std::size_t add_all(Tally& tally, std::vector<CaseResult>& results) {
  std::size_t added = 0;
  for (; added < results.size() && !tally.ended(); ++added) {
    tally.add(static_cast<std::int64_t>(added), results[added]);
  }
  return added;
}

/// The report as text, with the numbers that depend on the order of the additions.
std::string text_of(const Tally& tally) {
  const generate::Combinations combinations{{2, 2, 2}, {}, {}};
  const VariantReport report = tally.report(combinations, [](const FailureRecord& record) {
    FindingReport found;
    found.finding = record.failure.evidence.finding;
    found.original = record.failure.problem;
    return found;
  });
  std::string text = fmt::format(
      "{} {} cases, {} mistrusted, {} of {} in the domain ({}), sensitivity {}, error {}, "
      "pairs {}/{}, triples {}/{}",
      name(report.verdict), report.cases, report.mistrusted, report.acceptance.inside,
      report.acceptance.generated, report.acceptance.excluded_by, report.sensitivity.value_or(-1.0),
      report.error_over_bound.value_or(-1.0), report.pair_coverage.met, report.pair_coverage.all,
      report.triple_coverage.met, report.triple_coverage.all);
  for (const auto* list : {&report.findings, &report.notes}) {
    for (const FindingReport& found : *list) {
      text += fmt::format("; {} at line {}, case {}", name(found.finding.kind),
                          found.finding.source.line, found.original.whole("m"));
    }
  }
  return text;
}

RC_GTEST_PROP(TallyLaws, ShardsGiveTheReportOfTheWhole, ()) {
  const std::vector<CaseResult> results = arbitrary_results();
  std::vector<CaseResult> whole_results = results;
  Tally whole;
  const std::size_t needed = add_all(whole, whole_results);

  const std::size_t shards = *rc::gen::inRange<std::size_t>(1, 6);
  std::vector<Tally> tallies(shards, Tally({.is_shard = true}));
  std::vector<CaseResult> remaining = results;
  std::size_t ran = 0;  // cases, up to the first that its shard left out
  bool complete = true;
  for (std::size_t i = 0; i < results.size(); ++i) {
    Tally& shard = tallies[*rc::gen::inRange<std::size_t>(0, shards)];
    complete = complete && !shard.ended();
    if (complete) ran = i + 1;
    if (!shard.ended()) shard.add(static_cast<std::int64_t>(i), remaining[i]);
  }
  RC_ASSERT(ran >= needed);

  Tally merged;
  RC_ASSERT(add_all(merged, remaining) == needed);
  RC_ASSERT(text_of(merged) == text_of(whole));
}

RC_GTEST_PROP(TallyLaws, RemovedCopiesDoNotChangeTheReport, ()) {
  std::vector<CaseResult> results = arbitrary_results();
  Tally first;
  const std::size_t added = add_all(first, results);
  Tally second;
  RC_ASSERT(add_all(second, results) == added);
  RC_ASSERT(text_of(second) == text_of(first));
}

// The first of two failures of one cause has an extent of 0.
TEST(Tally, ACaseOfTensorsWithTermsShowsTheCause) {
  Tally tally;
  std::vector<std::string> reported;
  for (const char* columns : {"0", "7"}) {
    CaseResult result;
    result.was_run = true;
    Failure failure;
    failure.problem =
        parse_case(fmt::format("sums operation=row_sums rows=3 columns={} seed=0", columns));
    failure.evidence.finding.kind = FindingClass::wrong_result;
    failure.evidence.finding.source = {.file = "k.cu", .line = 3};
    result.failures.push_back(failure);
    tally.add(tally.generated(), result);
  }
  const VariantReport report = tally.report({{2}, {}, {}}, [&](const FailureRecord& record) {
    FindingReport found;
    found.finding = record.failure.evidence.finding;
    found.original = record.failure.problem;
    return found;
  });
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings.front().original.value("columns"), 7.0);
}

}  // namespace
}  // namespace warpcheck::campaign
