// Kernels with a bias, from the contract to the finding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/generate/cases.hpp"
#include "campaign/minimize_and_confirm.hpp"
#include "properties/law.hpp"
#include "report/finding/diagnosis_text.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign::run {
namespace {

using testing::Call;
using testing::GemmDevice;

contract::Variant biased_variant(const std::string& more = "") {
  return testing::variant_of(R"t([[variant]]
name = "fake"
kernel = "gemm"
operation = "gemm"
arguments = ["bias", "m", "n", "k", "a", "b", "c", "alpha", "beta"]
block = [16, 16]
grid = ["ceil_div(n, 16) * ceil_div(m, 16)"]
)t" + more);
}

enum class Epilogue { right, without_bias, by_row, one_past_end };

campaign::checks::CheckResult answered(Epilogue epilogue, const Case& line,
                                       const std::string& property_name = "") {
  const contract::Variant variant = biased_variant();
  GemmDevice device(variant, [&](Call& call) {
    for (std::int64_t i = 0; i < call.m; ++i) {
      for (std::int64_t j = 0; j < call.n; ++j) {
        float sum = 0.0F;
        if (call.alpha != 0.0F) {
          for (std::int64_t p = 0; p < call.k; ++p) sum += call.a(i, p) * call.b(p, j);
          sum *= call.alpha;
        }
        if (call.beta != 0.0F) sum += call.beta * call.load("C", i * call.n + j);
        if (epilogue != Epilogue::without_bias) {
          const std::int64_t at = epilogue == Epilogue::by_row         ? i % call.n
                                  : epilogue == Epilogue::one_past_end ? j + 1
                                                                       : j;
          sum += call.load("bias", at);
        }
        call.store("C", i * call.n + j, sum);
      }
    }
  });
  const auto program = device.load("", "");
  const campaign::run::Context context{variant, device, *program};
  const properties::Law& entry = properties::law(property_name);
  return check_law(entry, context, properties::adapted(entry, variant.contract, line), true);
}

TEST(Bias, DoesNotDominateTheProduct) {
  for (int seed = 0; seed < 100; ++seed) {
    Case line = parse_case("fake m=1 n=1 k=33 data=wide");
    line.seed = static_cast<std::uint64_t>(seed);
    const campaign::checks::CheckResult result = answered(Epilogue::right, line);
    EXPECT_TRUE(result.evidence.empty()) << to_line(line);
    EXPECT_GT(result.sensitivity.value_or(0.0), 0.0) << to_line(line);
  }
}

TEST(Bias, CorrectKernelPassesEachProperty) {
  const contract::Variant variant = biased_variant();
  const generate::CaseGenerator generator(variant.contract, {.seed = 1});
  bool shifted = false;
  for (int i = 0; i < 60; ++i) {
    Case line = generator.draw(i).problem;
    shifted = shifted || line.whole("off_bias") != 0;
    for (const char* extent : {"m", "n", "k"}) line.set_value(extent, line.whole(extent) % 20);
    for (const properties::Law& entry : properties::laws()) {
      if (!properties::adapted_to_domain(entry, variant.contract, line)) continue;
      const campaign::checks::CheckResult result =
          answered(Epilogue::right, line, std::string(entry.name));
      ASSERT_TRUE(result.evidence.empty())
          << entry.name << " " << to_line(line) << ": " << result.evidence[0].finding.message;
    }
  }
  EXPECT_TRUE(shifted);
}

TEST(Bias, MissingBiasIsAWrongResult) {
  const campaign::checks::CheckResult result =
      answered(Epilogue::without_bias, parse_case("fake m=3 n=4 k=2 seed=1"));
  ASSERT_FALSE(result.evidence.empty());
  EXPECT_EQ(result.evidence[0].finding.kind, FindingClass::wrong_result);
  EXPECT_THAT(report::diagnosis_text(result.evidence[0].diagnosis),
              ::testing::HasSubstr("the bias was not added"));
}

TEST(Bias, BiasOfTheRowIsAWrongResult) {
  EXPECT_FALSE(answered(Epilogue::by_row, parse_case("fake m=3 n=4 k=2 seed=1")).evidence.empty());
}

TEST(Bias, BufferHasNElements) {
  const campaign::checks::CheckResult result =
      answered(Epilogue::one_past_end, parse_case("fake m=3 n=4 k=2"));
  ASSERT_FALSE(result.evidence.empty());
  EXPECT_EQ(result.evidence[0].finding.kind, FindingClass::out_of_bounds);
  EXPECT_THAT(result.evidence[0].element,
              ::testing::StartsWith("bias[4]: element 4 of 4 elements, "));
}

TEST(Bias, AlignmentMayBeRequired) {
  const contract::Variant variant = biased_variant("requires = [\"aligned(bias, 8)\"]\n");
  const generate::CaseGenerator generator(variant.contract, {.seed = 1});
  bool moved = false;
  for (int i = 0; i < 60; ++i) {
    const Case line = generator.draw(i).problem;
    EXPECT_EQ(line.whole("off_bias") % 2, 0);
    moved = moved || line.whole("off_bias") != 0;
  }
  EXPECT_TRUE(moved);
}

}  // namespace
}  // namespace warpcheck::campaign::run
