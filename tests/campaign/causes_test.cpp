// Each cause of failures is reported once, with a smallest case of the same cause.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "campaign/campaign.hpp"
#include "report/finding/diagnosis_text.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign {
namespace {

using judge::CauseKind;
using testing::blas_variant;
using testing::Call;
using testing::gemm;
using testing::GemmDevice;
using testing::Kernel;
using testing::right;

class Quiet : public Listener {};

VariantReport report_on(const contract::Variant& variant, const Kernel& kernel,
                        const CampaignOptions& options = {}) {
  GemmDevice device(variant, kernel);
  Quiet quiet;
  return run_campaign({&variant, 1}, device, options, quiet).variants.at(0);
}

/// One line per finding.
std::string text_of(const VariantReport& report) {
  std::string text;
  for (const FindingReport& found : report.findings) {
    text += fmt::format("{} {} line {} | {} | {} -> {} and {} more cases\n", found.property,
                        name(found.finding.kind), found.finding.source.line,
                        report::diagnosis_text(found.diagnosis), to_line(found.original),
                        to_line(found.smallest), found.more_cases);
  }
  return text;
}

/// The findings by class and line, each with its number.
std::map<std::pair<FindingClass, unsigned>, int> places_of(const VariantReport& report) {
  std::map<std::pair<FindingClass, unsigned>, int> places;
  for (const FindingReport& found : report.findings) {
    ++places[{found.finding.kind, found.finding.source.line}];
  }
  return places;
}

using Places = std::map<std::pair<FindingClass, unsigned>, int>;

constexpr unsigned kDefinition = 3;  // line of the kernel's name, of elements that it never writes
constexpr unsigned kStore = 7;
constexpr unsigned kFloat4 = 5;
constexpr unsigned kReadOfC = 6;

std::int64_t without_tail(const Call& call) { return call.k / 8 * 8; }

/// The kernel's tiles have 16 rows. The last row of a partial tile is not written.
bool is_not_last_row(const Call& call, std::int64_t row) {
  return call.m % 16 == 0 || row != call.m - 1;
}

void drops_tail_of_k(Call& call) { gemm(call, without_tail(call)); }

void skips_last_row(Call& call) {
  gemm(call, call.k, [&](std::int64_t i, std::int64_t) { return is_not_last_row(call, i); });
}

void reads_c_at_beta_zero(Call& call) {
  right(call);
  if (call.beta == 0.0F && call.m > 0 && call.n > 0) {
    call.report(FindingClass::uninitialized_read, "C", 0, 4, kReadOfC);
  }
}

void loads_float4_of_a(Call& call) {
  right(call);
  if (call.k >= 4 && call.n > 0 && call.m > 1 && call.lda % 4 != 0) {
    call.report(FindingClass::misaligned, "A", call.lda, 16, kFloat4);
  }
}

struct SingleDefect {
  const char* name;
  Kernel kernel;
  FindingClass kind;
  unsigned line;
};

class SingleDefects : public ::testing::TestWithParam<SingleDefect> {};

TEST_P(SingleDefects, GiveExactlyOneFinding) {
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    CampaignOptions options;
    options.seed = seed;
    const VariantReport report = report_on(blas_variant(), GetParam().kernel, options);
    EXPECT_EQ(places_of(report), (Places{{{GetParam().kind, GetParam().line}, 1}}))
        << text_of(report);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, SingleDefects,
    ::testing::Values(
        SingleDefect{"TailOfK", drops_tail_of_k, FindingClass::wrong_result, kStore},
        SingleDefect{"LastTerm",
                     [](Call& call) { gemm(call, std::max<std::int64_t>(call.k - 1, 0)); },
                     FindingClass::wrong_result, kStore},
        SingleDefect{"LastRow", skips_last_row, FindingClass::wrong_result, kDefinition},
        SingleDefect{"ReadOfC", reads_c_at_beta_zero, FindingClass::uninitialized_read, kReadOfC},
        SingleDefect{"Float4", loads_float4_of_a, FindingClass::misaligned, kFloat4}),
    [](const auto& kernel) { return kernel.param.name; });

TEST(Causes, ConditionSeparatesTheFailingCasesOfTheCampaign) {
  const VariantReport report = report_on(blas_variant(), [](Call& call) {
    right(call);
    if (call.k % 2 != 0) call.report(FindingClass::misaligned, "A", 0, 16, kFloat4);
  });
  ASSERT_EQ(report.findings.size(), 1U);
  ASSERT_TRUE(report.findings[0].condition);
  EXPECT_EQ(report.findings[0].condition->text, "k % 2 == 0");
  EXPECT_LE(report.findings[0].condition->failing, report.findings[0].more_cases + 1);
  EXPECT_GT(report.findings[0].condition->passing, 0);
}

TEST(Causes, ATailAndALastRowAreTwoFindings) {
  const VariantReport report = report_on(blas_variant(), [](Call& call) {
    gemm(call, without_tail(call),
         [&](std::int64_t i, std::int64_t) { return is_not_last_row(call, i); });
  });
  EXPECT_EQ(places_of(report), (Places{{{FindingClass::wrong_result, kStore}, 1},
                                       {{FindingClass::wrong_result, kDefinition}, 1}}))
      << text_of(report);
  for (const FindingReport& found : report.findings) {
    const bool never_written = found.finding.source.line == kDefinition;
    EXPECT_EQ(found.diagnosis.cause.kind == CauseKind::unwritten, never_written) << text_of(report);
  }
}

TEST(Causes, ThreeDefectsOfThreeClassesAreThreeFindings) {
  const VariantReport report = report_on(blas_variant(), [](Call& call) {
    gemm(call, without_tail(call));
    if (call.beta == 0.0F && call.m > 0 && call.n > 0 && call.k % 3 == 0) {
      call.report(FindingClass::uninitialized_read, "C", 0, 4, kReadOfC);
    }
    if (call.k >= 4 && call.n > 0 && call.m > 1 && call.lda % 4 == 1) {
      call.report(FindingClass::misaligned, "A", call.lda, 16, kFloat4);
    }
  });
  EXPECT_EQ(places_of(report), (Places{{{FindingClass::wrong_result, kStore}, 1},
                                       {{FindingClass::uninitialized_read, kReadOfC}, 1},
                                       {{FindingClass::misaligned, kFloat4}, 1}}))
      << text_of(report);
}

/// A kernel that reads beyond A in its last tile of k, and also where k is 0.
void reads_beyond_a(Call& call) {
  right(call);
  if (call.m == 0 || call.n == 0) return;
  const bool tail = call.k % 8 != 0 && call.m > 1;
  if (tail || call.k == 0) {
    call.report(FindingClass::out_of_bounds, "A", call.m * call.lda, 4, tail ? kFloat4 : kReadOfC);
  }
}

TEST(Causes, ATailDoesNotShrinkToAnEmptyOperand) {
  const VariantReport report = report_on(blas_variant(), reads_beyond_a);
  EXPECT_EQ(places_of(report), (Places{{{FindingClass::out_of_bounds, kFloat4}, 1},
                                       {{FindingClass::out_of_bounds, kReadOfC}, 1}}))
      << text_of(report);
  for (const FindingReport& found : report.findings) {
    EXPECT_EQ(found.smallest.whole("k") == 0, found.finding.source.line == kReadOfC)
        << text_of(report);
    EXPECT_LE(found.smallest.whole("k"), 1) << text_of(report);
  }
}

/// The same at one line: only the buffer distinguishes the two.
TEST(Causes, OneLineWithAnEmptyOperandShrinksToATail) {
  const VariantReport report = report_on(blas_variant(), [](Call& call) {
    right(call);
    if (call.m > 0 && call.n > 0 && (call.k % 8 != 0 || call.k == 0)) {
      call.report(FindingClass::out_of_bounds, "A", call.m * call.lda, 4, kFloat4);
    }
  });
  ASSERT_EQ(report.findings.size(), 1U) << text_of(report);
  EXPECT_EQ(report.findings[0].smallest.whole("k"), 1);
}

/// Where k is 0, the kernel returns at once. A last row is never written either.
TEST(Causes, ALastRowDoesNotShrinkToAnEmptySum) {
  CampaignOptions options;
  options.cases = 200;
  const VariantReport report = report_on(
      blas_variant(),
      [](Call& call) {
        if (call.k != 0) skips_last_row(call);
      },
      options);
  std::set<std::int64_t> depths;
  for (const FindingReport& found : report.findings) depths.insert(found.smallest.whole("k"));
  EXPECT_EQ(depths, (std::set<std::int64_t>{0, 1})) << text_of(report);
}

TEST(Causes, TwoBuffersOfOneLineAreTwoFindings) {
  const VariantReport report = report_on(blas_variant(), [](Call& call) {
    right(call);
    if (call.m % 16 != 0 && call.n > 0) {
      call.report(FindingClass::out_of_bounds, "A", call.m * call.lda, 4, kFloat4);
    } else if (call.n % 16 != 0 && call.m > 0) {
      call.report(FindingClass::out_of_bounds, "B", call.k * call.ldb, 4, kFloat4);
    }
  });
  EXPECT_EQ(places_of(report), (Places{{{FindingClass::out_of_bounds, kFloat4}, 2}}))
      << text_of(report);
}

constexpr unsigned kInstruction = 40;  // a line of the PTX

/// Far beyond its buffer, a load reaches another one.
TEST(Causes, TwoBuffersOfOneInstructionAreOneFinding) {
  const VariantReport report = report_on(blas_variant(), [](Call& call) {
    right(call);
    if (call.m == 0 || call.n == 0 || call.k % 8 == 0) return;
    const bool far = call.lda > 2 * call.k;
    call.report(FindingClass::out_of_bounds, far ? "B" : "A", call.m * call.lda, 4, kFloat4,
                kInstruction);
  });
  EXPECT_EQ(places_of(report), (Places{{{FindingClass::out_of_bounds, kFloat4}, 1}}))
      << text_of(report);
}

TEST(Causes, AStoreBetweenRowsAndBeyondTheLastOneIsOneFinding) {
  const VariantReport report = report_on(blas_variant(), [](Call& call) {
    right(call);
    if (call.m == 0 || call.n == 0 || call.n % 4 == 0) return;
    const bool padded = call.ldc > call.n && call.m > 1;
    call.report(padded ? FindingClass::guard_overwritten : FindingClass::out_of_bounds, "C",
                padded ? call.n : call.m * call.ldc, 4, kStore, kInstruction);
  });
  ASSERT_EQ(report.findings.size(), 1U) << text_of(report);
  EXPECT_GT(report.findings[0].more_cases, 0);
}

/// With alpha = 2, the product is doubled if alpha is applied twice, and so is a single term.
TEST(Causes, ADiagnosisHoldsForOtherScalars) {
  CampaignOptions options;
  options.cases = 1000;
  options.max_size = 4;
  const Kernel twice = [](Call& call) {
    if (call.k == 1 && call.alpha >= 2.0F) call.alpha *= call.alpha;
    right(call);
  };
  const VariantReport report = report_on(blas_variant(), twice, options);
  ASSERT_EQ(report.findings.size(), 1U) << text_of(report);
  EXPECT_EQ(report.findings[0].diagnosis.cause.kind, CauseKind::alpha_doubled) << text_of(report);
}

/// A sum that is rounded too coarsely lacks by chance one of its terms.
// With one term and a factor of two, the product is also a term that is added twice.
TEST(Causes, AFactorThatIsAppliedTwiceShrinksToOneTerm) {
  const Kernel twice = [](Call& call) {
    if (call.alpha == 2.0F) call.alpha = 4.0F;
    right(call);
  };
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    CampaignOptions options;
    options.cases = 200;
    options.seed = seed;
    options.properties = {"matches-reference"};
    const VariantReport report = report_on(blas_variant(), twice, options);
    ASSERT_EQ(report.findings.size(), 1U) << text_of(report);
    EXPECT_EQ(report.findings[0].smallest.whole("k"), 1) << text_of(report);
  }
}

TEST(Causes, ADiagnosisHoldsForOtherValues) {
  const VariantReport report = report_on(blas_variant(), [](Call& call) {
    for (std::int64_t i = 0; i < call.m; ++i) {
      for (std::int64_t j = 0; j < call.n; ++j) {
        float sum = 0.0F;
        for (std::int64_t p = 0; p < call.k; ++p) sum += call.a(i, p) * call.b(p, j);
        constexpr float kStep = 8.0F;
        call.c(i, j, call.k < 40 ? sum : std::round(sum / kStep) * kStep);
      }
    }
  });
  ASSERT_EQ(report.findings.size(), 1U) << text_of(report);
  EXPECT_EQ(report.findings[0].diagnosis.cause.kind, CauseKind::none) << text_of(report);
}

TEST(Causes, ReportsTheNumberOfFurtherCases) {
  CampaignOptions options;
  options.cases = 40;
  options.properties = {"matches-reference"};
  std::int64_t failing = 0;
  const contract::Variant variant = blas_variant();
  const VariantReport report = report_on(variant, loads_float4_of_a, options);
  ASSERT_EQ(report.findings.size(), 1U) << text_of(report);
  const generate::CaseGenerator generator(variant.contract, {.seed = options.seed});
  for (std::int64_t i = 0; i < report.cases; ++i) {
    const Case problem = generator.draw(i).problem;
    const std::int64_t lda = problem.whole("lda") == 0
                                 ? std::max<std::int64_t>(problem.whole("k"), 1)
                                 : problem.whole("lda");
    const bool fails =
        problem.whole("k") >= 4 && problem.whole("n") > 0 && problem.whole("m") > 1 && lda % 4 != 0;
    failing += fails ? 1 : 0;
  }
  EXPECT_EQ(report.findings[0].more_cases, failing - 1);
}

TEST(Causes, DoNotDependOnTheNumberOfThreads) {
  std::set<std::string> texts;
  for (const unsigned jobs : {1U, 3U}) {
    CampaignOptions options;
    options.jobs = jobs;
    options.seed = 7;
    options.cases = 60;
    texts.insert(text_of(report_on(
        blas_variant(),
        [](Call& call) {
          gemm(call, without_tail(call),
               [&](std::int64_t i, std::int64_t) { return is_not_last_row(call, i); });
          if (call.k == 0 && call.m > 0 && call.n > 0) {
            call.report(FindingClass::out_of_bounds, "A", 0, 4, kReadOfC);
          }
        },
        options)));
  }
  EXPECT_EQ(texts.size(), 1U);
}

}  // namespace
}  // namespace warpcheck::campaign
