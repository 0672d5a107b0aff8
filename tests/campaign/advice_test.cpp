// Advice of findings: changes of the contract, and the keys `alpha_zero` and `beta_zero`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "campaign/campaign.hpp"
#include "campaign/minimize_and_confirm.hpp"
#include "tests/campaign/gemm_device.hpp"
#include "tests/campaign/operation_contract.hpp"

namespace warpcheck::campaign {
namespace {

using testing::blas_variant;
using testing::Call;
using testing::GemmDevice;
using testing::Kernel;
using testing::plain_variant;

class Silent : public Listener {};

VariantReport advised(const contract::Variant& variant, const Kernel& kernel,
                      std::int64_t cases = 30) {
  GemmDevice device(variant, kernel);
  Silent silent;
  CampaignOptions options;
  options.cases = cases;
  return run_campaign({&variant, 1}, device, options, silent).variants.at(0);
}

/// The advice of the first finding.
Advice first_advice(const VariantReport& report) {
  return report.findings.empty() ? Advice() : report.findings.front().advice;
}

void reads_a_by_columns(Call& call) {
  for (std::int64_t i = 0; i < call.m; ++i) {
    for (std::int64_t j = 0; j < call.n; ++j) {
      float sum = 0.0F;
      for (std::int64_t p = 0; p < call.k; ++p) {
        sum = std::fma(call.load("A", p * call.m + i), call.b(p, j), sum);
      }
      call.c(i, j, sum);
    }
  }
}

/// Its first size is n, and its second one is m.
void takes_n_before_m(Call& call) {
  const std::int64_t m = call.n;
  const std::int64_t n = call.m;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      float sum = 0.0F;
      for (std::int64_t p = 0; p < call.k; ++p) {
        sum = std::fma(call.load("A", i * call.k + p), call.load("B", p * n + j), sum);
      }
      call.store("C", i * n + j, sum);
    }
  }
}

void multiplies_by_both_factors(Call& call) {
  for (std::int64_t i = 0; i < call.m; ++i) {
    for (std::int64_t j = 0; j < call.n; ++j) {
      float sum = 0.0F;
      for (std::int64_t p = 0; p < call.k; ++p) sum = std::fma(call.a(i, p), call.b(p, j), sum);
      const std::int64_t index = i * call.ldc + j;
      call.store("C", index, std::fma(call.beta, call.load("C", index), call.alpha * sum));
    }
  }
}

TEST(Advice, NamesTheLayoutUnderWhichTheKernelIsCorrect) {
  const Advice advice = first_advice(advised(plain_variant(), reads_a_by_columns));
  EXPECT_EQ(advice.kind, Advice::Kind::correct_with);
  EXPECT_EQ(advice.change, R"(layout = { a = "col", b = "row", c = "row" })");
  EXPECT_EQ(advice.cases, 4);
}

TEST(Advice, NamesTheArgumentsThatAreExchanged) {
  const Advice advice = first_advice(advised(plain_variant(), takes_n_before_m));
  EXPECT_EQ(advice.kind, Advice::Kind::correct_with);
  EXPECT_EQ(advice.change, "the arguments m and n exchanged");
}

TEST(Advice, IsAbsentIfNoOtherContractHelps) {
  const VariantReport report =
      advised(plain_variant(), [](Call& call) { testing::gemm(call, call.k / 8 * 8); });
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(first_advice(report), Advice());
}

/// A report of a 16-byte load from A that is not aligned.
Finding misaligned_load_of_a(std::ptrdiff_t offset) {
  Finding finding;
  finding.kind = FindingClass::misaligned;
  finding.memory = MemoryPlace{"A", offset, 16, false};
  return finding;
}

Advice advice_on(const contract::Variant& variant, const std::string& line, std::ptrdiff_t offset) {
  GemmDevice device(variant, multiplies_by_both_factors);
  const device::Program program;
  const run::Context context{variant, device, program};
  return report_of(context, properties::laws().front(), parse_case(line),
                   {misaligned_load_of_a(offset), "", {}, {}, ""})
      .advice;
}

TEST(Advice, NamesTheAlignmentThatAWideAccessNeeds) {
  const contract::Variant plain = plain_variant();
  const std::string name = plain.contract.name;
  EXPECT_EQ(advice_on(plain, name + " m=1 n=1 k=4 off_a=1", 0).change,
            "requires = [\"aligned(a, 16)\"]");
  EXPECT_EQ(advice_on(plain, name + " m=2 n=1 k=5", 20).change, "requires = [\"k % 4 == 0\"]");
  const contract::Variant blas = blas_variant();
  EXPECT_EQ(advice_on(blas, blas.contract.name + " m=2 n=1 k=4 lda=5", 20).change,
            "requires = [\"lda % 4 == 0\"]");
}

TEST(Advice, NamesNoAlignmentIfSeveralReasonsArePossible) {
  const contract::Variant plain = plain_variant();
  const std::string name = plain.contract.name;
  EXPECT_EQ(advice_on(plain, name + " m=1 n=1 k=8", 4), Advice());  // the place is in the row
  EXPECT_EQ(advice_on(plain, name + " m=2 n=1 k=5 off_a=1", 20), Advice());  // row and base
}

/// The advice on a 16-byte load from x of row sums that is not aligned.
Advice advice_on_sums(const std::string& toml, const std::string& fields, std::ptrdiff_t offset) {
  contract::Variant variant = plain_variant();
  variant.contract = testing::operation_contract(toml);
  GemmDevice device(variant, multiplies_by_both_factors);
  const device::Program program;
  const run::Context context{variant, device, program};
  Finding finding = misaligned_load_of_a(offset);
  finding.memory->name = "x";
  return report_of(context, properties::laws().front(),
                   parse_case("sums operation=row_sums " + fields), {finding, "", {}, {}, ""})
      .advice;
}

TEST(Advice, NamesTheAlignmentOfATensor) {
  const std::string rows = "depth=1 rows=2 columns=";
  EXPECT_EQ(advice_on_sums(testing::kRowSums, rows + "4 off_x=1", 0).change,
            "requires = [\"aligned(x, 16)\"]");
  EXPECT_EQ(advice_on_sums(testing::kRowSums, rows + "4 stride_x=5", 20).change,
            "requires = [\"stride_x % 4 == 0\"]");
  std::string tight = testing::kRowSums;
  const std::string stride = "\"stride_x\", ";
  tight.erase(tight.find(stride), stride.size());
  EXPECT_EQ(advice_on_sums(tight, rows + "5", 20).change, "requires = [\"columns % 4 == 0\"]");
  EXPECT_EQ(advice_on_sums(tight, rows + "8", 4), Advice());  // the place is in the row
}

TEST(Advice, NamesBetaZeroIfCIsRead) {
  const VariantReport report =
      advised(blas_variant("alpha_zero = \"reads\"\n"), multiplies_by_both_factors);
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(first_advice(report), (Advice{Advice::Kind::if_intended, "beta_zero = \"reads\"", 0}));
}

TEST(Advice, NamesAlphaZeroIfAAndBAreRead) {
  const VariantReport report =
      advised(blas_variant("beta_zero = \"reads\"\n"), multiplies_by_both_factors);
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(first_advice(report), (Advice{Advice::Kind::if_intended, "alpha_zero = \"reads\"", 0}));
}

TEST(ZeroFactors, AKernelThatReadsPassesIfTheContractStatesIt) {
  const VariantReport report =
      advised(blas_variant("alpha_zero = \"reads\"\nbeta_zero = \"reads\"\n"),
              multiplies_by_both_factors, 200);
  EXPECT_EQ(report.verdict, Verdict::pass);
  EXPECT_LE(report.mistrusted, 4);
}

/// With beta = 0, the kernel adds C to the product.
TEST(ZeroFactors, AKernelThatAddsCAtBetaZeroStillFails) {
  const VariantReport report = advised(blas_variant("beta_zero = \"reads\"\n"), [](Call& call) {
    const float beta = call.beta;
    if (beta == 0.0F) call.beta = 1.0F;
    testing::right(call);
  });
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].finding.kind, FindingClass::wrong_result);
}

TEST(ZeroFactors, AnElementThatIsNeverWrittenStillFails) {
  const VariantReport report = advised(blas_variant("beta_zero = \"reads\"\n"), [](Call& call) {
    testing::gemm(call, call.k,
                  [&](std::int64_t i, std::int64_t) { return i != 0 || call.beta != 0.0F; });
  });
  ASSERT_FALSE(report.findings.empty());
  EXPECT_LE(report.findings[0].smallest.whole("m"), 2);
}

}  // namespace
}  // namespace warpcheck::campaign
