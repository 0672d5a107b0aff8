// Element offsets that overflow an int32, from the case to the finding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/generate/overflow_strides.hpp"
#include "campaign/minimize_and_confirm.hpp"
#include "properties/law.hpp"
#include "report/finding/diagnosis_text.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign::run {
namespace {

using testing::blas_variant;
using testing::Call;
using testing::GemmDevice;
using testing::Kernel;
using ::testing::StartsWith;

campaign::checks::CheckResult answered(const contract::Variant& variant, const Kernel& kernel,
                                       const Case& line, const std::string& property_name = "",
                                       bool sparse = true) {
  GemmDevice device(variant, kernel);
  device.sparse = sparse;
  const auto program = device.load("", "");
  const campaign::run::Context context{variant, device, *program};
  const properties::Law& entry = properties::law(property_name);
  return check_law(entry, context, properties::adapted(entry, variant.contract, line), true);
}

constexpr const char* kOverflowA = "fake m=3 n=2 k=2 lda=1073741824 seed=1";
constexpr const char* kOverflowC = "fake m=3 n=2 k=2 ldc=1073741824 seed=1";

TEST(Int32Overflow, CorrectKernelPassesEachProperty) {
  const contract::Variant variant = blas_variant();
  const generate::Solver solver(variant.contract);
  for (const auto& overflow : generate::overflow_strides(solver.schema())) {
    if (overflow.beyond != generate::kBeyondInt32) continue;
    const auto line = generate::with_overflow_stride(variant.contract, solver, overflow, 7);
    ASSERT_TRUE(line);
    for (const properties::Law& entry : properties::laws()) {
      if (!properties::adapted_to_domain(entry, variant.contract, *line)) continue;
      const campaign::checks::CheckResult result =
          answered(variant, testing::right, *line, std::string(entry.name));
      EXPECT_TRUE(result.evidence.empty())
          << entry.name << " " << to_line(*line) << ": " << result.evidence[0].finding.message;
    }
  }
}

TEST(Int32Overflow, OverflowingIndexIsOutOfBounds) {
  const campaign::checks::CheckResult result = answered(
      blas_variant(),
      [](Call& call) {
        for (std::int64_t i = 0; i < call.m; ++i) {
          const auto row = static_cast<std::int32_t>(static_cast<std::uint32_t>(i * call.lda));
          call.c(i, 0, call.load("A", row));
        }
      },
      parse_case(kOverflowA));
  ASSERT_FALSE(result.evidence.empty());
  EXPECT_EQ(result.evidence[0].finding.kind, FindingClass::out_of_bounds);
  EXPECT_EQ(result.evidence[0].element, "8589934592 bytes before A");
}

TEST(Int32Overflow, WrongElementIsLocated) {
  const campaign::checks::CheckResult result = answered(
      blas_variant(),
      [](Call& call) {
        testing::right(call);
        call.store("C", 2 * call.ldc + 1, 1e6F, 6);
      },
      parse_case(kOverflowC));
  ASSERT_FALSE(result.evidence.empty());
  EXPECT_EQ(result.evidence[0].finding.kind, FindingClass::wrong_result);
  EXPECT_EQ(result.evidence[0].element, "C[2, 1]");
  EXPECT_EQ(result.evidence[0].finding.source.line, 6U);
  EXPECT_EQ(result.evidence[0].mismatch->wrong, 1);
}

TEST(Int32Overflow, UnwrittenElementIsReported) {
  const campaign::checks::CheckResult result = answered(
      blas_variant(),
      [](Call& call) {
        testing::gemm(call, call.k, [](std::int64_t i, std::int64_t) { return i < 2; });
      },
      parse_case(kOverflowC));
  ASSERT_FALSE(result.evidence.empty());
  EXPECT_EQ(result.evidence[0].element, "C[2, 0]");
  EXPECT_THAT(report::diagnosis_text(result.evidence[0].diagnosis),
              ::testing::HasSubstr("D was not written there"));
}

TEST(Int32Overflow, ChangedInputIsLocated) {
  const campaign::checks::CheckResult result = answered(
      blas_variant(),
      [](Call& call) {
        testing::right(call);
        call.store("A", 2 * call.lda + 1, 1e6F, 5);
      },
      parse_case(kOverflowA), "leaves-inputs-alone");
  ASSERT_FALSE(result.evidence.empty());
  EXPECT_EQ(result.evidence[0].finding.kind, FindingClass::input_modified);
  EXPECT_EQ(result.evidence[0].element, "A[2, 1]");
  EXPECT_EQ(result.evidence[0].finding.source.line, 5U);
}

TEST(Int32Overflow, DenseDeviceIsAnError) {
  try {
    (void)answered(blas_variant(), testing::right, parse_case(kOverflowA), "", false);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.diagnostics().at(0).message, StartsWith("lines lie so far apart"));
  }
}

TEST(Int32Overflow, MatrixWithoutLinesIsNotPacked) {
  contract::Contract contract = blas_variant().contract;
  contract.layout_b = contract::Layout::column;
  EXPECT_THROW((void)lay_out(contract, parse_case("fake m=0 n=0 k=4294967297"), kBufferLimitBytes),
               InputError);
}

TEST(Int32Overflow, EachLineTakesPagesOfMemory) {
  const contract::Variant variant = blas_variant();
  const auto packed = [&](const char* line) {
    return lay_out(variant.contract, parse_case(line), std::size_t{1} << 30).any_packed();
  };
  EXPECT_TRUE(packed("fake m=10000 n=2 k=2 lda=500000"));
  EXPECT_THROW((void)packed("fake m=1000000 n=2 k=2 lda=5000"), InputError);
  EXPECT_THROW((void)packed("fake m=10 n=2 k=2 lda=2147483647"), InputError) << "80 GiB";
}

}  // namespace
}  // namespace warpcheck::campaign::run
