#include "campaign/campaign.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "campaign/generate/cases.hpp"
#include "campaign/replay.hpp"
#include "campaign/run_case.hpp"
#include "report/finding/diagnosis_text.hpp"
#include "tests/base/time_factor.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign {
namespace {

using testing::blas_variant;
using testing::Call;
using testing::gemm;
using testing::GemmDevice;
using ::testing::HasSubstr;
using testing::Kernel;
using testing::right;

/// Records every event as text, without times.
class Recorder : public Listener {
 public:
  void started(const contract::Variant& variant) override {
    text += fmt::format("started {}\n", variant.contract.name);
  }
  void found(const FindingReport& found) override {
    text += fmt::format(
        "{} {} {}:{} {} | {} | {} -> {} | {}/{} | {}\n", found.property, name(found.finding.kind),
        found.finding.source.file, found.finding.source.line, found.finding.message,
        report::diagnosis_text(found.diagnosis), to_line(found.original), to_line(found.smallest),
        found.confirmed, found.confirmations, found.shrink_launches);
  }
  void noted(const FindingReport& note) override {
    if (!note.finding.other) return;  // a limit that the contract lacks
    text += fmt::format("note {} {} and {}\n", name(note.finding.kind), note.finding.source.line,
                        note.finding.other->source.line);
  }
  void finished(const VariantReport& report) override {
    text += fmt::format(
        "{} {} cases, {} mistrusted, {}/{} {}, sensitivity {}, error {}, {} pairs, {} triples\n",
        name(report.verdict), report.cases, report.mistrusted, report.acceptance.inside,
        report.acceptance.generated, report.acceptance.excluded_by,
        report.sensitivity.value_or(-1.0), report.error_over_bound.value_or(-1.0),
        report.pair_coverage.met, report.triple_coverage.met);
  }
  void launching(const Case& problem) override {
    properties_run.insert(problem.property.empty() ? "matches-reference" : problem.property);
  }

  std::string text;
  std::set<std::string> properties_run;
};

CampaignReport run_recorded(const contract::Variant& variant, const Kernel& kernel,
                            Recorder& recorder, const CampaignOptions& options = {}) {
  GemmDevice device(variant, kernel);
  return run_campaign({&variant, 1}, device, options, recorder);
}

VariantReport checked(const contract::Variant& variant, const Kernel& kernel,
                      const CampaignOptions& options = {}) {
  Recorder recorder;
  return run_recorded(variant, kernel, recorder, options).variants.at(0);
}

VariantReport replayed(const contract::Variant& variant, const Kernel& kernel,
                       const Case& problem) {
  GemmDevice device(variant, kernel);
  Recorder recorder;
  return replay(variant, problem, device, recorder).report;
}

std::ptrdiff_t races_among(const std::vector<FindingReport>& notes) {
  return std::count_if(notes.begin(), notes.end(), [](const FindingReport& note) {
    return note.finding.kind == FindingClass::race;
  });
}

void drops_last_term(Call& call) { gemm(call, call.k > 0 ? call.k - 1 : 0); }

void skips_edge_columns(Call& call) {
  gemm(call, call.k,
       [&](std::int64_t, std::int64_t j) { return call.n % 16 == 0 || j < call.n / 16 * 16; });
}

/// Reports a misaligned access, as 16-byte loads of the rows of A cause it.
void loads_float4(Call& call) {
  right(call);
  if (call.k < 4 || call.n == 0) return;
  for (std::int64_t i = 0; i < call.m; ++i) {
    if (i * call.lda % 4 != 0) {
      return call.report(FindingClass::misaligned, "A", i * call.lda, 16, 5);
    }
  }
}

TEST(Campaign, ACorrectKernelPassesEveryProperty) {
  const contract::Variant variant = blas_variant();
  Recorder recorder;
  const CampaignReport report = run_recorded(variant, right, recorder);
  ASSERT_EQ(report.variants.size(), 1U);
  const VariantReport& only = report.variants[0];
  EXPECT_EQ(only.verdict, Verdict::pass) << recorder.text;
  EXPECT_EQ(only.cases, 100);
  EXPECT_EQ(only.acceptance.share(), 1.0);
  EXPECT_GT(only.sensitivity.value(), 0.0);
  EXPECT_EQ(report.failed, 0);
  EXPECT_EQ(recorder.properties_run.size(), PropertyRotation({}, variant.contract).names().size());
}

TEST(Campaign, ReportsThePairAndTripleCoverageOfItsCases) {
  const contract::Variant variant = blas_variant();
  CampaignOptions options;
  options.cases = 10;
  const VariantReport few = checked(variant, right, options);
  EXPECT_LT(few.pair_coverage.share(), 0.5);
  EXPECT_LE(few.pair_coverage.met, 10 * 105) << "15 factors: 105 pairs a case";
  options.cases = 100;
  options.jobs = 3;
  const VariantReport many = checked(variant, right, options);
  EXPECT_EQ(many.pair_coverage.share(), 1.0);
  EXPECT_GT(many.pair_coverage.all, 1000);
  EXPECT_LT(many.triple_coverage.share(), 1.0);
  EXPECT_LE(many.triple_coverage.met, 100 * 455);
  EXPECT_GT(many.triple_coverage.share(), 0.5);
}

TEST(Campaign, SensitivityIsTheMeanOverCasesWithTerms) {
  const contract::Variant variant = blas_variant();
  CampaignOptions options;
  options.cases = 40;
  options.seed = 5;
  options.properties = {"matches-reference"};
  const generate::CaseGenerator generator(variant.contract, {.seed = options.seed});
  double sum = 0.0;
  int count = 0;
  for (int i = 0; i < options.cases; ++i) {
    const Case line = generator.draw(i).problem;
    if (line.whole("k") == 0 || line.number("alpha") == 0.0 || line.data == Recipe::onehot)
      continue;
    const double sensitivity = replayed(variant, right, line).sensitivity.value();
    EXPECT_LE(sensitivity, 1.0);
    sum += sensitivity;
    ++count;
  }
  EXPECT_NEAR(checked(variant, right, options).sensitivity.value(), sum / count, 1e-12);
}

TEST(Campaign, ErrorOverBoundIsTheLargestOfAllCases) {
  const contract::Variant variant = blas_variant();
  CampaignOptions options;
  options.cases = 40;
  options.properties = {"matches-reference"};
  const generate::CaseGenerator generator(variant.contract, {.seed = options.seed});
  double largest = 0.0;
  for (int i = 0; i < options.cases; ++i) {
    const VariantReport one = replayed(variant, right, generator.draw(i).problem);
    largest = std::max(largest, one.error_over_bound.value_or(0.0));
  }
  EXPECT_GT(largest, 0.0);
  EXPECT_LE(largest, 1.0) << "the kernel is right";
  EXPECT_EQ(checked(variant, right, options).error_over_bound, largest);
}

TEST(Campaign, ACorrectKernelPassesOneThousandCases) {
  CampaignOptions options;
  options.cases = 1000;
  options.seed = 77;
  Recorder recorder;
  const contract::Variant variant = testing::plain_variant("requires = [\"k % 4 == 0\"]\n");
  const CampaignReport report = run_recorded(variant, right, recorder, options);
  EXPECT_EQ(report.variants[0].verdict, Verdict::pass) << recorder.text;
  EXPECT_LT(report.variants[0].acceptance.share(), 0.9);
  EXPECT_EQ(report.variants[0].acceptance.excluded_by, "k % 4 == 0");
}

TEST(Campaign, ADroppedTermShrinksToTheSmallestProblem) {
  const VariantReport report = checked(blas_variant(), drops_last_term);
  EXPECT_EQ(report.verdict, Verdict::finding);
  ASSERT_EQ(report.findings.size(), 1U);
  const FindingReport& found = report.findings[0];
  EXPECT_EQ(found.finding.kind, FindingClass::wrong_result);
  EXPECT_EQ(found.finding.source.line, 7U) << "the line of the store, which the device reports";
  EXPECT_THAT(to_line(found.smallest), HasSubstr("m=1 n=1 k=1 alpha=1 beta=0 data=lattice seed=0"));
  EXPECT_EQ(found.confirmed, 3U);
  EXPECT_EQ(found.confirmations, 3U);
  EXPECT_EQ(found.excerpt.lines.size(), 4U);
  ASSERT_TRUE(found.mismatch);
  EXPECT_EQ(found.mismatch->wrong, 1);
}

TEST(Campaign, TheSmallestCaseFailsTheSameWayInAReplay) {
  const contract::Variant variant = blas_variant();
  const VariantReport report = checked(variant, skips_edge_columns);
  ASSERT_FALSE(report.findings.empty());
  const FindingReport& found = report.findings[0];
  const Case line = parse_case(to_line(found.smallest));
  const VariantReport again = replayed(variant, skips_edge_columns, line);
  ASSERT_EQ(again.verdict, Verdict::finding);
  EXPECT_EQ(again.findings[0].finding.message, found.finding.message);
  EXPECT_EQ(again.findings[0].finding.source.line, 3U) << "never written: the kernel's definition";
  Case good = line;
  good.set_value("n", 16);
  good.set_value("ldb", 0);
  good.set_value("ldc", 0);
  EXPECT_EQ(replayed(variant, skips_edge_columns, good).verdict, Verdict::pass);
}

TEST(Campaign, AMisalignedVectorLoadShrinksToTwoRows) {
  const VariantReport report = checked(blas_variant(), loads_float4);
  ASSERT_EQ(report.findings.size(), 1U);
  const FindingReport& found = report.findings[0];
  EXPECT_EQ(found.finding.kind, FindingClass::misaligned);
  EXPECT_EQ(found.smallest.whole("m"), 2);
  EXPECT_EQ(found.smallest.whole("n"), 1);
  EXPECT_LE(found.smallest.whole("k"), 5);
  EXPECT_EQ(found.element, found.smallest.whole("lda") == 0 ? "A[1, 0]" : found.element);
}

TEST(Campaign, TwoDefectsAreTwoFindings) {
  const VariantReport report = checked(blas_variant(), [](Call& call) {
    loads_float4(call);
    if (call.m == 1 && call.n > 0) {
      call.report(FindingClass::out_of_bounds, "B", call.k * call.ldb, 4, 6);
    }
  });
  std::set<FindingClass> kinds;
  for (const FindingReport& found : report.findings) kinds.insert(found.finding.kind);
  EXPECT_EQ(kinds, (std::set<FindingClass>{FindingClass::misaligned, FindingClass::out_of_bounds}));
}

TEST(Campaign, ShrinkingStaysInsideTheDomain) {
  const VariantReport report =
      checked(testing::plain_variant("requires = [\"k % 24 == 0 and k >= 48\", \"m == n\"]\n"),
              drops_last_term);
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].smallest.whole("k"), 48);
  EXPECT_EQ(report.findings[0].smallest.whole("m"), 1);
  EXPECT_EQ(report.findings[0].smallest.whole("n"), 1);
}

TEST(Campaign, AFlakyFindingHasItsFailureRate) {
  std::atomic<int> runs = 0;
  CampaignOptions options;
  options.shrink = false;
  options.properties = {"matches-reference"};  // others launch several times, which always fails
  const VariantReport report = checked(
      blas_variant(), [&](Call& call) { ++runs % 7 == 0 ? drops_last_term(call) : right(call); },
      options);
  ASSERT_FALSE(report.findings.empty());
  EXPECT_TRUE(report.findings[0].flaky());
  EXPECT_EQ(report.findings[0].confirmations, 10U);
  EXPECT_LT(report.findings[0].confirmed, 10U);
}

TEST(Campaign, TheReportDoesNotDependOnTheNumberOfThreads) {
  std::set<std::string> texts;
  for (const unsigned jobs : {1U, 2U, 5U}) {
    Recorder recorder;
    CampaignOptions options;
    options.jobs = jobs;
    options.seed = 3;
    for (const Kernel& kernel : {Kernel(right), Kernel(loads_float4), Kernel(skips_edge_columns)}) {
      (void)run_recorded(blas_variant("requires = [\"n != 40\"]\n"), kernel, recorder, options);
    }
    texts.insert(recorder.text);
  }
  EXPECT_EQ(texts.size(), 1U);
  EXPECT_THAT(*texts.begin(), HasSubstr("misaligned"));
}

TEST(Campaign, ChecksOnlyTheSelectedProperties) {
  Recorder recorder;
  CampaignOptions options;
  options.properties = {"same-bits-twice", "k-zero-scales-c"};
  options.cases = 20;
  const CampaignReport report = run_recorded(blas_variant(), drops_last_term, recorder, options);
  EXPECT_EQ(recorder.properties_run, (std::set<std::string>{"same-bits-twice", "k-zero-scales-c"}));
  EXPECT_EQ(report.variants[0].verdict, Verdict::pass);
}

TEST(Campaign, StopsAtTheEndOfItsTimeBudget) {
  CampaignOptions options;
  options.cases = 1'000'000;
  options.budget_seconds = 0.05 * kTimeFactor;
  const VariantReport report = checked(blas_variant(), right, options);
  EXPECT_GT(report.cases, 0);
  EXPECT_LT(report.cases, 100'000);
}

TEST(Campaign, IsMistrustedIfNoDataCanShowADefect) {
  // The rounding error of beta C is larger than the products, unless they are infinite or C is
  // tiny.
  const contract::Variant variant =
      blas_variant("requires = [\"alpha == 1\", \"beta == 9007199254740992\"]\n");
  CampaignOptions options;
  options.cases = 6;
  const auto may_show = [&] {
    const generate::CaseGenerator generator(variant, {.seed = options.seed});
    for (std::int64_t i = 0; i < options.cases; ++i) {
      const Recipe data = generator.draw(i).problem.data;
      if (data == Recipe::special || data == Recipe::wide) return true;
    }
    return false;
  };
  while (may_show()) ++options.seed;
  options.properties = {"matches-reference"};
  Recorder recorder;
  EXPECT_EQ(run_recorded(variant, right, recorder, options).mistrusted, 1) << recorder.text;
  const VariantReport one = replayed(variant, right, parse_case("fake m=3 n=3 k=3 beta=1e30"));
  EXPECT_EQ(one.verdict, Verdict::mistrusted);
  EXPECT_EQ(one.mistrusted, 1);
}

TEST(Campaign, NoCasesOrNoPropertiesIsAnError) {
  CampaignOptions options;
  options.cases = 0;
  EXPECT_THROW((void)checked(blas_variant(), right, options), InputError);
  options.cases = 5;
  options.properties = {"alpha-zero-ignores-a-and-b"};
  EXPECT_THROW((void)checked(testing::plain_variant(), right, options), InputError);
  options.properties = {"no-such-thing"};
  EXPECT_THROW((void)checked(blas_variant(), right, options), InputError);
}

TEST(Campaign, AnEmptyDomainIsAnErrorOfTheContract) {
  try {
    (void)checked(testing::plain_variant("requires = [\"m > n and n > m\"]\n"), right);
    FAIL() << "passed";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics().at(0).where.file, "kernel.toml");
  }
}

/// Reports two benign races on the same two lines, in both orders.
void writes_the_same_flag_twice(Call& call) {
  right(call);
  call.report_race(true, 9, 12);
  call.report_race(true, 12, 9);
}

TEST(Campaign, ABenignRaceIsANoteOncePerPairOfLines) {
  Recorder recorder;
  const CampaignReport report = run_recorded(blas_variant(), writes_the_same_flag_twice, recorder);
  EXPECT_EQ(report.failed, 0);
  EXPECT_EQ(races_among(report.variants.at(0).notes), 1);
  EXPECT_THAT(recorder.text, HasSubstr("note race 9 and 12\npass "));
}

TEST(Campaign, ABenignRaceIsAFindingInStrictMode) {
  CampaignOptions options;
  options.strict.races = true;
  const VariantReport report = checked(blas_variant(), writes_the_same_flag_twice, options);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].finding.grade, Grade::same_value);
  EXPECT_EQ(races_among(report.notes), 0);
}

/// Reports a barrier that completes without threads that have exited.
void returns_before_a_barrier(Call& call) {
  right(call);
  call.report(FindingClass::barrier_divergence, "C", 0, 4, 9);
  call.set_grade(Grade::exited_threads);
}

TEST(Campaign, ABarrierWithoutExitedThreadsIsANote) {
  const VariantReport report = checked(blas_variant(), returns_before_a_barrier);
  EXPECT_THAT(report.findings, ::testing::IsEmpty());
  ASSERT_EQ(report.notes.size(), 1u);
}

TEST(Campaign, ABarrierWithoutExitedThreadsIsAFindingIfStrict) {
  CampaignOptions options;
  options.strict.barriers = true;
  EXPECT_EQ(checked(blas_variant(), returns_before_a_barrier, options).findings.size(), 1u);
  const auto contract = testing::plain_variant("strict_barriers = true\n");
  EXPECT_EQ(checked(contract, returns_before_a_barrier).findings.size(), 1u);
  options.strict = {.races = true};
  EXPECT_THAT(checked(blas_variant(), returns_before_a_barrier, options).findings,
              ::testing::IsEmpty());
}

TEST(Campaign, AHarmfulRaceIsAFindingWithoutStrictMode) {
  const VariantReport report = checked(blas_variant(), [](Call& call) {
    right(call);
    call.report_race(false, 9, 12);
  });
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(name(report.findings[0].finding.kind), "race");
}

TEST(Replay, ReportsABenignRaceAsANote) {
  const VariantReport report =
      replayed(blas_variant(), writes_the_same_flag_twice, parse_case("fake m=2 n=2 k=3"));
  EXPECT_EQ(report.verdict, Verdict::pass);
  EXPECT_EQ(report.notes.size(), 1u);
}

TEST(Replay, ReportsACaseOutsideTheDomain) {
  const contract::Variant variant = blas_variant("requires = [\"k % 4 == 0\"]\n");
  GemmDevice device(variant, right);
  Recorder recorder;
  const ReplayReport report = replay(variant, parse_case("fake m=2 n=2 k=3"), device, recorder);
  EXPECT_EQ(report.outside, "k % 4 == 0");
  EXPECT_EQ(report.report.verdict, Verdict::pass);
}

TEST(Replay, ReportsThatNothingWasLaunched) {
  const contract::Variant variant = blas_variant();
  GemmDevice device(variant, right);
  Recorder recorder;
  const auto reason = [&](const char* line) {
    return replay(variant, parse_case(line), device, recorder).not_launched;
  };
  EXPECT_EQ(reason("fake m=0 n=2 k=3"), "m is 0");
  EXPECT_EQ(reason("fake m=2 n=0 k=3"), "n is 0");
  EXPECT_EQ(reason("fake m=0 n=0 k=3"), "m and n are 0");
  EXPECT_EQ(reason("fake m=1 n=1 k=0"), "");
}

TEST(Replay, RejectsAPropertyThatDoesNotApply) {
  const contract::Variant variant = testing::plain_variant();
  GemmDevice device(variant, right);
  Recorder recorder;
  EXPECT_THROW((void)replay(variant, parse_case("fake property=alpha-zero-ignores-a-and-b"), device,
                            recorder),
               InputError);
}

TEST(Campaign, ARejectedLaunchDoesNotStopTheOtherCases) {
  const VariantReport report = checked(blas_variant(), [](Call& call) {
    if (call.m % 2 != 0) return call.report(FindingClass::launch_failure, "C", 0, 4, 0);
    right(call);
  });
  EXPECT_EQ(report.cases, 100);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].smallest.whole("m"), 1);
  EXPECT_EQ(report.findings[0].finding.source.line, 3U) << "the kernel's definition";
}

}  // namespace
}  // namespace warpcheck::campaign
