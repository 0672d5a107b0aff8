// Campaigns on a device with coverage: unexecuted lines, empty cases, and the levels of factors.
#include <gmock/gmock.h>

#include <atomic>
#include <functional>
#include <map>
#include <memory>

#include "campaign/campaign.hpp"
#include "campaign/case/product.hpp"
#include "campaign/generate/cases.hpp"
#include "campaign/journal.hpp"
#include "device/forwarding_device.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign {
namespace {

using coverage::SourceLine;
using testing::blas_variant;
using ::testing::ElementsAre;
using testing::GemmDevice;
using ::testing::IsEmpty;
using testing::plain_variant;
using testing::right;

/// Two blocks of one instruction each, at lines 3 and 7.
class TwoLines final : public device::Program {
 public:
  [[nodiscard]] SourcePlace place(std::uint32_t number) const override {
    return {"kernel.cu", number == 0 ? 3U : 7U, "st.global.f32 [%rd1], %f1;", number};
  }
  [[nodiscard]] std::vector<device::ProgramFunction> functions_by_number() const override {
    return {{"kernel", 0, 2, true}};
  }
};

/// Executes line 7 only if `reaches` returns true for the first grid of the job.
class CoveringDevice final : public device::ForwardingDevice {
 public:
  CoveringDevice(device::Device& inner, std::function<bool(const Dim3&)> reaches)
      : ForwardingDevice(inner), reaches_(std::move(reaches)) {}

  [[nodiscard]] std::shared_ptr<const device::Program> load(const std::string&,
                                                            const std::string&) override {
    return std::make_shared<TwoLines>();
  }
  [[nodiscard]] device::Outcome run(const device::Program& program,
                                    const device::Job& job) override {
    device::Outcome outcome = inner().run(program, job);
    if (!job.cover || job.launches.empty()) return outcome;
    ++covered;
    const std::uint64_t warps = reaches_(job.launches.front().grid) ? 1 : 0;
    outcome.coverage.blocks = {{0, 1, 1}, {1, 1, warps}};
    outcome.coverage.edges = {{device::kEntry, 0, 1, 0}, {0, 1, warps, 0}};
    return outcome;
  }

  std::atomic<int> covered = 0;  // jobs

 private:
  std::function<bool(const Dim3&)> reaches_;
};

/// Keeps the results of the cases, as a history does.
class MapJournal final : public Journal {
  class OfVariant final : public VariantJournal {
   public:
    explicit OfVariant(MapJournal& journal) : journal_(journal) {}

    [[nodiscard]] std::map<std::int64_t, CaseResult> recorded_cases() override {
      return journal_.cases;
    }
    [[nodiscard]] device::Coverage recorded_coverage(std::int64_t) override { return {}; }
    void record(std::span<const IndexedResult> results) override {
      for (const IndexedResult& item : results) journal_.cases[item.index] = item.result;
    }
    [[nodiscard]] std::optional<FindingReport> recorded_report(const FailureRecord&) override {
      return std::nullopt;
    }
    void record(const FailureRecord&, const FindingReport&) override {}
    void finished(const VariantReport&, const generate::Combinations&) override {}

   private:
    MapJournal& journal_;
  };

 public:
  [[nodiscard]] std::unique_ptr<VariantJournal> open(const std::string&) override {
    return std::make_unique<OfVariant>(*this);
  }
  void finished(const CampaignReport&) override {}

  std::map<std::int64_t, CaseResult> cases;
};

struct Checked {
  VariantReport report;
  int covered = 0;
};

CampaignOptions small_campaign() {
  CampaignOptions options;
  options.cases = 40;
  options.max_size = 48;
  return options;
}

Checked check_with_lines(const contract::Variant& variant,
                         const std::function<bool(const Dim3&)>& reaches,
                         const CampaignOptions& options = small_campaign(),
                         Journal* journal = nullptr) {
  GemmDevice kernel(variant, right);
  CoveringDevice device(kernel, reaches);
  Listener nobody;
  CampaignReport report = run_campaign({&variant, 1}, device, options, nobody, journal);
  return {std::move(report.variants.at(0)), device.covered};
}

bool never(const Dim3&) { return false; }
bool with_many_columns(const Dim3& grid) { return grid.x >= 3; }

TEST(RequiredLines, APassThatLeavesALineUnexecutedIsMistrusted) {
  const Checked result = check_with_lines(blas_variant(), never);
  EXPECT_EQ(result.report.verdict, Verdict::mistrusted);
  EXPECT_EQ(result.report.mistrusted, 0) << "the data of all cases expose defects";
  ASSERT_TRUE(result.report.lines);
  EXPECT_EQ(result.report.lines->required, 2);
  EXPECT_THAT(result.report.lines->unexecuted, ElementsAre(SourceLine{"kernel.cu", 7}));
}

TEST(RequiredLines, OneCaseThatExecutesTheLineIsEnough) {
  for (const unsigned jobs : {1U, 2U, 5U}) {
    CampaignOptions options = small_campaign();
    options.jobs = jobs;
    const Checked result = check_with_lines(blas_variant(), with_many_columns, options);
    EXPECT_EQ(result.report.verdict, Verdict::pass);
    ASSERT_TRUE(result.report.lines);
    EXPECT_THAT(result.report.lines->unexecuted, IsEmpty());
  }
}

TEST(RequiredLines, CoverageEndsWhenAllLinesAreExecuted) {
  CampaignOptions options = small_campaign();
  options.jobs = 1;
  options.cases = 100;
  const auto always = [](const Dim3&) { return true; };
  const int covered = check_with_lines(blas_variant(), always, options).covered;
  EXPECT_GT(covered, 0);
  EXPECT_LE(covered, 16 * 4) << "the first chunk of 16 cases, of at most 4 jobs each";
}

TEST(RequiredLines, ApplyOnlyIfTheReferenceIsCompared) {
  CampaignOptions options = small_campaign();
  options.properties = {"k-zero-scales-c"};
  EXPECT_EQ(check_with_lines(blas_variant(), never, options).report.verdict, Verdict::pass);
  options.properties = {};
  options.require_lines = false;
  const Checked result = check_with_lines(blas_variant(), never, options);
  EXPECT_EQ(result.report.verdict, Verdict::pass);
  EXPECT_EQ(result.covered, 0);
}

TEST(RequiredLines, AFindingHidesUnexecutedLines) {
  const contract::Variant variant = blas_variant();
  GemmDevice kernel(variant, [](testing::Call& call) { testing::gemm(call, 0); });
  CoveringDevice device(kernel, never);
  Listener nobody;
  const CampaignReport report = run_campaign({&variant, 1}, device, small_campaign(), nobody);
  EXPECT_EQ(report.variants.at(0).verdict, Verdict::finding);
  EXPECT_FALSE(report.variants.at(0).lines);
}

TEST(RequiredLines, AResumedCampaignCountsItsRecordedCases) {
  const contract::Variant variant = blas_variant();
  MapJournal journal;
  const Checked whole = check_with_lines(variant, with_many_columns, small_campaign(), &journal);
  ASSERT_EQ(journal.cases.size(), static_cast<std::size_t>(40 + whole.report.empty));
  // All cases are recorded.
  EXPECT_EQ(check_with_lines(variant, never, small_campaign(), &journal).report.verdict,
            Verdict::pass);
  // The remaining cases execute no line that the recorded ones did not.
  std::erase_if(journal.cases, [](const auto& recorded) { return recorded.first >= 30; });
  EXPECT_EQ(check_with_lines(variant, never, small_campaign(), &journal).report.verdict,
            Verdict::pass);
}

/// Returns the number of empty cases among those that a campaign needs.
std::int64_t empty_cases(const contract::Variant& variant, const CampaignOptions& options) {
  const generate::CaseGenerator generator(variant.contract,
                                          {.seed = options.seed, .max_size = options.max_size});
  std::int64_t empty = 0;
  for (std::int64_t i = 0; i - empty < options.cases; ++i) {
    empty += launches_nothing(generator.draw(i).problem) ? 1 : 0;
  }
  return empty;
}

TEST(EmptyCases, AreNotAmongTheCases) {
  const contract::Variant variant = blas_variant("requires = [\"m % 3 == 0\"]\n");
  CampaignOptions options = small_campaign();
  options.cases = 60;  // one of each hundred is empty: the 51st
  const std::int64_t empty = empty_cases(variant, options);
  ASSERT_EQ(empty, 1);
  for (const unsigned jobs : {1U, 3U}) {
    options.jobs = jobs;
    const VariantReport report = check_with_lines(variant, with_many_columns, options).report;
    EXPECT_EQ(report.cases, 60);
    EXPECT_EQ(report.empty, empty);
  }
}

TEST(EmptyCases, ADomainOfEmptyCasesIsAnError) {
  CampaignOptions options;
  options.cases = 4;
  EXPECT_THROW((void)check_with_lines(plain_variant("requires = [\"m == 0\"]\n"), never, options),
               InputError);
}

TEST(EmptyCases, ShardsDivideTheCasesThatAreNotEmpty) {
  const contract::Variant variant = blas_variant();
  std::int64_t cases = 0;
  std::int64_t empty = 0;
  for (unsigned number = 1; number <= 3; ++number) {
    CampaignOptions options = small_campaign();
    options.shard = {number, 3};
    const VariantReport report = check_with_lines(variant, with_many_columns, options).report;
    cases += report.cases;
    empty += report.empty;
  }
  EXPECT_EQ(cases, 40);
  EXPECT_EQ(empty, check_with_lines(variant, with_many_columns).report.empty);
}

TEST(LevelCoverage, IsRelativeToTheLevelsInTheDomain) {
  const contract::Variant whole_tiles =
      blas_variant("requires = [\"m % 32 == 0\", \"n % 32 == 0\", \"k % 32 == 0\"]\n");
  CampaignOptions options;
  options.properties = {"matches-reference"};
  const VariantReport report = check_with_lines(whole_tiles, with_many_columns, options).report;
  EXPECT_LT(report.acceptance.share(), 0.1);
  EXPECT_EQ(report.level_coverage.share(), 1.0);
  const VariantReport other = check_with_lines(blas_variant(), with_many_columns, options).report;
  EXPECT_EQ(other.level_coverage.share(), 1.0);
  EXPECT_LT(report.level_coverage.all, other.level_coverage.all);
  options.cases = 2;
  EXPECT_LT(
      check_with_lines(blas_variant(), with_many_columns, options).report.level_coverage.share(),
      0.9);
}

}  // namespace
}  // namespace warpcheck::campaign
