#include "workflows/gate/judgement.hpp"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

namespace warpcheck::workflows::gate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Date kToday = {2026, 7, 1};

campaign::coverage::SourceCoverage coverage(std::uint64_t second_line, std::uint64_t not_taken) {
  return {{{"a.cu", {{1, 4, {{3, 0, 4, not_taken}}}, {2, second_line, {}}}, {}}}};
}

GateOutcome passing(const std::string& variant = "right") {
  GateOutcome outcome;
  outcome.report.variant = variant;
  outcome.report.device = "virtual";
  outcome.report.cases = 100;
  outcome.report.sensitivity = 0.9;
  return outcome;
}

GateOutcome failing(FindingClass kind = FindingClass::race, unsigned line = 41,
                    const std::string& property = "matches-reference") {
  GateOutcome outcome = passing("edge");
  campaign::FindingReport found;
  found.finding.kind = kind;
  found.finding.source.line = line;
  found.property = property;
  outcome.report.findings.push_back(found);
  outcome.report.verdict = campaign::Verdict::finding;
  return outcome;
}

GatePolicy knowing(KnownFailure known) {
  if (known.variant.empty()) known.variant = "edge";
  if (known.until == Date{}) known.until = {2026, 12, 31};
  GatePolicy policy;
  policy.known_failures.push_back(std::move(known));
  return policy;
}

std::vector<BreachKind> breaches(const GatePolicy& policy, std::vector<GateOutcome> outcomes,
                                 const Date& today = kToday) {
  std::vector<BreachKind> kinds;
  for (const Breach& breach : judge(policy, {outcomes}, today).breaches)
    kinds.push_back(breach.kind);
  return kinds;
}

TEST(Judgement, APassingVariantPasses) { EXPECT_THAT(breaches({}, {passing()}), IsEmpty()); }

TEST(Judgement, APropertyThatIsNotProvedFails) {
  GateOutcome outcome = passing();
  prove::PropertyResult property;
  property.proof.is_proved = true;
  outcome.proof = prove::VariantResult{"right", "", {property}};
  EXPECT_THAT(breaches({}, {outcome}), IsEmpty());
  outcome.proof->properties.front().proof.is_proved = false;
  EXPECT_THAT(breaches({}, {outcome}), ElementsAre(BreachKind::not_proved));
}

GateOutcome unsupported(const std::string& variant = "right") {
  GateOutcome outcome = passing(variant);
  outcome.report.sensitivity.reset();
  outcome.report.verdict = campaign::Verdict::unsupported;
  outcome.report.unsupported.emplace_back().what.form = "wgmma.fence.sync.aligned";
  return outcome;
}

TEST(Judgement, UnsupportedVariantLeavesTheGateUndecided) {
  GateOutcome outcome = unsupported();
  outcome.rules.minimum.sensitivity = 50.0;
  outcome.rules.minimum.lines = 50.0;
  outcome.rules.minimum.mutation_score = 50.0;
  const std::vector<GateOutcome> only = {outcome};
  EXPECT_THAT(breaches({}, only), ElementsAre(BreachKind::unsupported));
  EXPECT_TRUE(judge({}, {only}, kToday).is_undecided());
  const std::vector<GateOutcome> both = {outcome, failing()};
  EXPECT_FALSE(judge({}, {both}, kToday).is_undecided());
  const std::vector<GateOutcome> passed = {passing()};
  EXPECT_FALSE(judge({}, {passed}, kToday).is_undecided());
}

TEST(Judgement, KnownFailureDoesNotHideAnUnsupportedForm) {
  KnownFailure known;
  known.kind = FindingClass::race;
  GateOutcome outcome = failing(FindingClass::race);
  outcome.report.unsupported = unsupported().report.unsupported;
  EXPECT_THAT(breaches(knowing(known), {outcome}), ElementsAre(BreachKind::unsupported));
  EXPECT_THAT(breaches({}, {outcome}), ElementsAre(BreachKind::finding));
}

TEST(Judgement, KnownFailureOfAnUnsupportedVariantIsNotGone) {
  KnownFailure known;
  known.kind = FindingClass::race;
  EXPECT_THAT(breaches(knowing(known), {unsupported("edge")}),
              ElementsAre(BreachKind::unsupported));
  EXPECT_THAT(breaches(knowing(known), {unsupported("other"), passing("edge")}),
              ElementsAre(BreachKind::unsupported, BreachKind::known_failure_gone));
}

TEST(Judgement, FindingsAndMistrustedPassesFail) {
  GateOutcome mistrusted = passing();
  mistrusted.report.verdict = campaign::Verdict::mistrusted;
  EXPECT_THAT(breaches({}, {failing(), passing(), mistrusted}),
              ElementsAre(BreachKind::finding, BreachKind::mistrusted));
}

TEST(Judgement, MinimumsAreMetExactlyOrMissed) {
  const auto with = [](GateOutcome outcome, const Minimums& minimum) {
    outcome.rules.minimum = minimum;
    return breaches({}, {std::move(outcome)});
  };
  EXPECT_THAT(with(passing(), {90, 0, 0, 0}), IsEmpty());
  EXPECT_THAT(with(passing(), {90.1, 0, 0, 0}), ElementsAre(BreachKind::sensitivity));

  GateOutcome half = passing();
  half.report.coverage = coverage(0, 0);  // one line of two, one way of two
  EXPECT_THAT(with(half, {0, 50, 50, 0}), IsEmpty());
  EXPECT_THAT(with(half, {0, 50.5, 0, 0}), ElementsAre(BreachKind::coverage));
  EXPECT_THAT(with(half, {0, 0, 50.5, 0}), ElementsAre(BreachKind::coverage));
  EXPECT_THAT(with(passing(), {0, 1, 0, 0}), ElementsAre(BreachKind::coverage_not_counted));

  GateOutcome mutated = passing();
  mutated.mutation_score = 0.8;
  EXPECT_THAT(with(mutated, {0, 0, 0, 80}), IsEmpty());
  EXPECT_THAT(with(mutated, {0, 0, 0, 81}), ElementsAre(BreachKind::mutation_score));
  EXPECT_THAT(with(passing(), {0, 0, 0, 1}), ElementsAre(BreachKind::mutation_score_unknown));
}

TEST(Judgement, AVariantThatFailsOnAnyDeviceNeedsNoMutationScore) {
  GateOutcome failed = failing();
  failed.rules.minimum.mutation_score = 50;
  EXPECT_THAT(breaches({}, {failed}), ElementsAre(BreachKind::finding));
  GateOutcome elsewhere = passing("edge");
  elsewhere.rules = failed.rules;
  failed.report.device = "cuda";
  const GatePolicy known = knowing({.kind = FindingClass::race});
  EXPECT_THAT(breaches(known, {elsewhere, failed}), IsEmpty());
  elsewhere.report.variant = "another";
  EXPECT_THAT(breaches(known, {elsewhere, failed}),
              ElementsAre(BreachKind::mutation_score_unknown));
}

TEST(Judgement, CoverageComesFromTheVirtualDevice) {
  GateOutcome on_cuda = passing();
  on_cuda.report.device = "cuda";
  on_cuda.rules.minimum.lines = 90;
  on_cuda.rules.devices = {"virtual", "cuda"};
  EXPECT_THAT(breaches({}, {on_cuda}), IsEmpty());
  on_cuda.rules.devices = {"cuda"};
  EXPECT_THAT(breaches({}, {on_cuda}), ElementsAre(BreachKind::coverage_not_counted));
}

TEST(Judgement, AKnownFailureCoversItsFindingsUntilItsLastDay) {
  const GatePolicy policy = knowing({.kind = FindingClass::race});
  const std::vector<GateOutcome> outcomes = {failing()};
  const Judgement judged = judge(policy, {outcomes}, {2026, 12, 31});
  EXPECT_TRUE(judged.passed());
  ASSERT_EQ(judged.known.size(), 1u);
  EXPECT_EQ(judged.known[0].known, 0u);
  EXPECT_THAT(breaches(policy, outcomes, {2027, 1, 1}),
              ElementsAre(BreachKind::known_failure_expired));
}

TEST(Judgement, AKnownFailureThatNoLongerOccursFails) {
  const GatePolicy policy = knowing({.kind = FindingClass::race});
  EXPECT_THAT(breaches(policy, {passing("edge")}), ElementsAre(BreachKind::known_failure_gone));
  EXPECT_THAT(breaches(policy, {passing("edge")}, {2027, 1, 1}),
              ElementsAre(BreachKind::known_failure_gone));
}

TEST(Judgement, AVariantWithoutACaseFails) {
  GateOutcome idle = passing();
  idle.report.cases = 0;
  EXPECT_THAT(breaches({}, {idle}), ElementsAre(BreachKind::no_case));
}

TEST(Judgement, FilesWithoutAContractFailIfContractsAreRequired) {
  const std::vector<std::string> files = {"a.cu", "b.cu"};
  GatePolicy policy;
  EXPECT_TRUE(judge(policy, {{}, files}, kToday).passed());
  policy.require_contracts = true;
  const Judgement judged = judge(policy, {{}, files}, kToday);
  ASSERT_EQ(judged.breaches.size(), 2U);
  EXPECT_EQ(judged.breaches[1].kind, BreachKind::no_contract);
  EXPECT_EQ(judged.breaches[1].subject, 1U);
}

TEST(Judgement, AKnownFailureOfAnUncheckedTargetIsNotGone) {
  const GatePolicy edge_policy = knowing({.variant = "edge", .kind = FindingClass::race});
  const GatePolicy whole_policy = knowing({.variant = "*", .kind = FindingClass::race});
  const std::vector<GateOutcome> edge = {passing("edge")};
  const std::vector<GateOutcome> other = {passing("other")};
  EXPECT_TRUE(judge(edge_policy, {other, {}, false}, kToday).passed());
  EXPECT_TRUE(judge(whole_policy, {other, {}, false}, kToday).passed());
  EXPECT_FALSE(judge(edge_policy, {edge, {}, false}, kToday).passed()) << "it was checked";
  EXPECT_FALSE(judge(edge_policy, {other, {}, true}, kToday).passed());
}

TEST(Judgement, DemandsAreTheSameWhetherTheyAreMetOrNot) {
  GateOutcome outcome = passing();
  outcome.rules.minimum.sensitivity = 80;
  outcome.rules.minimum.lines = 50;
  outcome.report.coverage = coverage(1, 0);
  const auto kinds = [](const GateOutcome& judged) {
    const std::vector<GateOutcome> outcomes = {judged};
    std::vector<DemandKind> all;
    for (const Demand& demand : judge({}, {outcomes}, kToday).demands) all.push_back(demand.kind);
    return all;
  };
  EXPECT_THAT(kinds(outcome), ElementsAre(DemandKind::verdict, DemandKind::cases,
                                          DemandKind::sensitivity, DemandKind::coverage));
  GateOutcome worse = outcome;
  worse.report.sensitivity = 0.1;
  worse.report.coverage.reset();
  worse.report.cases = 0;
  EXPECT_EQ(kinds(worse), kinds(outcome));
}

TEST(Judgement, AKnownFailureCoversNoOtherFinding) {
  const auto both = ElementsAre(BreachKind::finding, BreachKind::known_failure_gone);
  EXPECT_THAT(breaches(knowing({.kind = FindingClass::misaligned}), {failing()}), both);
  EXPECT_THAT(breaches(knowing({.variant = "other", .kind = FindingClass::race}), {failing()}),
              both);
  EXPECT_THAT(breaches(knowing({.kind = FindingClass::race, .line = 42}), {failing()}), both);
  EXPECT_THAT(
      breaches(knowing({.kind = FindingClass::race, .property = "idempotent"}), {failing()}), both);
  EXPECT_THAT(
      breaches(knowing({.variant = "ed*", .kind = FindingClass::race, .line = 41}), {failing()}),
      IsEmpty());
}

TEST(Judgement, AnotherFindingBesideAKnownOneFails) {
  GateOutcome outcome = failing();
  outcome.report.findings.push_back(failing(FindingClass::wrong_result).report.findings[0]);
  EXPECT_THAT(breaches(knowing({.kind = FindingClass::race}), {outcome}),
              ElementsAre(BreachKind::finding));
}

}  // namespace
}  // namespace warpcheck::workflows::gate
