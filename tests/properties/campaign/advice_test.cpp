// Advice of findings: changes of the contract, and the keys `alpha_zero` and `beta_zero`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "properties/campaign/campaign.hpp"
#include "tests/properties/gemm_device.hpp"

namespace warpcheck::properties::campaign {
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
  EXPECT_EQ(report.mistrusted, 0);
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
  EXPECT_LE(report.findings[0].smallest.m, 2);
}

}  // namespace
}  // namespace warpcheck::properties::campaign
