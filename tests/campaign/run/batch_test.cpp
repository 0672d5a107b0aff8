// Transposed operands and strided batches, from the case line to the finding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "campaign/case/domain.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/generate/cases.hpp"
#include "campaign/minimize_and_confirm.hpp"
#include "campaign/shrink/shrink.hpp"
#include "properties/law.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign::run {
namespace {

using contract::ArgumentWord;
using testing::Call;
using testing::GemmDevice;
using testing::Kernel;

contract::Variant batched_variant() {
  return testing::variant_of(R"t([[variant]]
name = "fake"
kernel = "gemm"
operation = "gemm"
arguments = ["ta", "tb", "m", "n", "k", "a", "lda", "stride_a", "b", "ldb", "stride_b", "c", "ldc",
             "stride_c", "batch"]
block = [16, 16]
grid = ["ceil_div(n, 16) * ceil_div(m, 16) * batch"]
)t");
}

/// Errors of a kernel.
struct Mistake {
  bool ignores_tb = false;
  bool tight_stride = false;  // true: stride_c is tight
  bool drops_last = false;    // matrix of the batch
  bool writes_between = false;
};

Kernel kernel(const Mistake& mistake) {
  return [mistake](Call& call) {
    using enum ArgumentWord;
    const std::int64_t step_c =
        mistake.tight_stride ? call.m * call.ldc : call.size(ArgumentWord::stride_c);
    const bool transpose_b = call.size(tb) != 0 && !mistake.ignores_tb;
    const std::int64_t count = call.size(batch) - (mistake.drops_last && call.size(batch) > 1);
    for (std::int64_t s = 0; s < count; ++s) {
      for (std::int64_t i = 0; i < call.m; ++i) {
        for (std::int64_t j = 0; j < call.n; ++j) {
          float sum = 0.0F;
          for (std::int64_t p = 0; p < call.k; ++p) {
            const auto at_a = call.size(ta) != 0 ? p * call.lda + i : i * call.lda + p;
            const auto at_b = transpose_b ? j * call.ldb + p : p * call.ldb + j;
            sum += call.load("A", s * call.size(stride_a) + at_a) *
                   call.load("B", s * call.size(stride_b) + at_b);
          }
          call.store("C", s * step_c + i * call.ldc + j, sum);
        }
      }
      if (mistake.writes_between && step_c > call.m * call.ldc && s + 1 < count) {
        call.store("C", s * step_c + call.m * call.ldc, 5.0F, 9);
      }
    }
  };
}

campaign::checks::CheckResult answered(const Mistake& mistake, const Case& line,
                                       const std::string& property_name = "") {
  const contract::Variant variant = batched_variant();
  GemmDevice device(variant, kernel(mistake));
  const auto program = device.load("", "");
  const campaign::run::Context context{variant, device, *program};
  const properties::Law& entry = properties::law(property_name);
  return check_law(entry, context, properties::adapted(entry, variant.contract, line), true);
}

campaign::checks::CheckResult answered(const Mistake& mistake, const std::string& line) {
  const Case problem = parse_case(line);
  return answered(mistake, problem, problem.property);
}

TEST(Batch, CorrectKernelPassesEachProperty) {
  const contract::Variant variant = batched_variant();
  const generate::CaseGenerator generator(variant.contract, {.seed = 1});
  std::set<std::int64_t> batches;
  std::set<std::pair<bool, bool>> transposes;
  bool gaps = false;
  for (int i = 0; i < 60; ++i) {
    Case line = generator.draw(i).problem;
    batches.insert(line.whole("batch"));
    transposes.insert({line.whole("ta"), line.whole("tb")});
    gaps = gaps || line.whole("stride_b") != 0;
    for (const char* extent : {"m", "n", "k"}) line.set_value(extent, line.whole(extent) % 20);
    line.set_value("lda", 0);
    line.set_value("ldb", 0);
    line.set_value("ldc", 0);
    line.set_value("stride_a", 0);
    line.set_value("stride_b", 0);
    line.set_value("stride_c", 0);
    for (const char* name : {"matches-reference", "writes-every-element", "writes-only-its-matrix",
                             "reads-only-its-operands", "leaves-inputs-alone",
                             "power-of-two-scaling-is-exact", "permuting-rows-permutes-rows"}) {
      const campaign::checks::CheckResult result = answered({}, line, name);
      ASSERT_TRUE(result.evidence.empty())
          << name << " " << to_line(line) << ": " << result.evidence[0].finding.message;
    }
  }
  EXPECT_EQ(batches, (std::set<std::int64_t>{1, 2, 3, 5}));
  EXPECT_EQ(transposes.size(), 4U);
  EXPECT_TRUE(gaps);
}

TEST(Batch, CorrectKernelPassesWithPaddedLayout) {
  const campaign::checks::CheckResult result =
      answered({},
               "fake m=3 n=4 k=5 ta=t tb=t batch=3 lda=7 ldb=6 ldc=5 stride_a=40 stride_b=31 "
               "stride_c=16 data=normal seed=9");
  EXPECT_TRUE(result.evidence.empty()) << result.evidence[0].finding.message;
  EXPECT_EQ(result.sensitivity, 1.0);
}

TEST(Batch, IgnoredTransposeIsAWrongResult) {
  const campaign::checks::CheckResult result =
      answered({.ignores_tb = true}, "fake m=3 n=4 k=4 tb=t");
  ASSERT_FALSE(result.evidence.empty());
  EXPECT_EQ(result.evidence[0].finding.kind, FindingClass::wrong_result);
  EXPECT_TRUE(answered({.ignores_tb = true}, "fake m=3 n=4 k=4").evidence.empty());
}

TEST(Batch, WrongStrideWritesBetweenTheMatrices) {
  const campaign::checks::CheckResult result =
      answered({.tight_stride = true}, "fake m=3 n=4 k=2 batch=3 stride_c=20");
  ASSERT_FALSE(result.evidence.empty());
  EXPECT_EQ(result.evidence[0].element, "C[0][3, 0]: row 3 of 3 rows");
  EXPECT_EQ(result.evidence[0].finding.kind, FindingClass::guard_overwritten);
}

TEST(Batch, MissingMatrixIsReported) {
  const campaign::checks::CheckResult result =
      answered({.drops_last = true}, "fake m=3 n=4 k=2 batch=3");
  ASSERT_FALSE(result.evidence.empty());
  EXPECT_EQ(result.evidence[0].element, "C[2][0, 0]");
  EXPECT_EQ(result.evidence[0].finding.memory->offset, 2 * 3 * 4 * 4);
}

TEST(Batch, WriteBetweenTheMatricesIsReported) {
  const campaign::checks::CheckResult result = answered(
      {.writes_between = true}, "fake m=3 n=4 k=2 batch=2 property=writes-only-its-matrix");
  ASSERT_FALSE(result.evidence.empty());
  EXPECT_EQ(result.evidence[0].finding.kind, FindingClass::guard_overwritten);
  EXPECT_EQ(result.evidence[0].finding.source.line, 9U);
}

Case shrunk(const Mistake& mistake, const std::string& line) {
  const contract::Variant variant = batched_variant();
  const auto fails = [&](const Case& candidate) {
    return !answered(mistake, candidate).evidence.empty();
  };
  return shrink::shrink(variant.contract, parse_case(line), fails, {500});
}

TEST(Batch, ShrinkReducesBatchAndTransposes) {
  const Case smallest =
      shrunk({.drops_last = true}, "fake m=9 n=8 k=7 ta=t tb=t batch=5 lda=12 stride_a=100");
  EXPECT_EQ(to_line(smallest), "fake m=1 n=1 k=0 batch=2 alpha=1 beta=0 data=lattice seed=0");
  const Case transposed = shrunk({.ignores_tb = true}, "fake m=9 n=8 k=7 ta=t tb=t batch=5");
  EXPECT_EQ(transposed.whole("batch"), 1);
  EXPECT_TRUE(transposed.whole("tb"));
  EXPECT_FALSE(transposed.whole("ta"));
}

TEST(Batch, PoisonFillsTheGapsBetweenMatrices) {
  const contract::Variant variant = batched_variant();
  const Case line = parse_case("fake m=2 n=3 k=2 ta=t batch=2 lda=3 stride_a=8 seed=4");
  const Problem problem =
      make_problem(variant, line, operands(variant.contract, line), usual_poison(line));
  const device::Buffer& a = problem.job.buffers[0];
  EXPECT_EQ(a.bytes.size(), (8U + 3 + 2) * 4);
  std::string padding;  // two lines of two elements with leading dimension 3, twice with stride 8
  for (std::size_t i = 0; i < a.bytes.size(); i += 4) {
    padding += a.extent.is_padding(i) ? 'p' : 'v';
    EXPECT_EQ(a.extent.is_padding(i), a.bytes[i + 3] == std::byte{0xFF}) << i;
  }
  EXPECT_EQ(padding, "vvpvvpppvvpvv");
  EXPECT_EQ(problem.layouts.at("A").byte_of(0, 1), 3U * 4);       // A[0][0, 1], the second line
  EXPECT_EQ(problem.layouts.at("A").byte_of(2 + 1, 1), 12U * 4);  // A[1][1, 1]
  EXPECT_EQ(problem.layouts.at("A").describe({"A", 12 * 4, 4, false}), "A[1][1, 1]");
  EXPECT_EQ(problem.layouts.at("A").describe({"A", 6 * 4, 4, false}),
            "A[0][0, 2]: column 2 of 2 columns");
  EXPECT_EQ(operands(variant.contract, line).a(0, 0),
            operands(variant.contract, parse_case("fake m=2 n=3 k=2 seed=4")).a(0, 0));
}

TEST(Batch, StrideBelowTheMatrixIsAnError) {
  const contract::Variant variant = batched_variant();
  const auto message = [&](const std::string& line) -> std::string {
    try {
      (void)lay_out(variant.contract, normalized(variant.contract, parse_case(line)), 1 << 20);
    } catch (const InputError& error) {
      return error.diagnostics().at(0).message;
    }
    return "";
  };
  EXPECT_EQ(message("fake m=3 n=4 k=5 batch=2 stride_c=11"),
            "stride_c=11 is less than the 3 lines of 4 elements of C");
  EXPECT_EQ(message("fake batch=0"), "batch=0: expected 1 or more");
  EXPECT_EQ(message("fake m=9 n=9 k=9 batch=9000000000000000000"),
            "batch=9000000000000000000: the limit is 1048576");
  EXPECT_THAT(message("fake m=9000000000 n=9 k=9000000000"),
              ::testing::HasSubstr("more than 2^63"));
  EXPECT_EQ(message("fake m=0 n=0 k=0 batch=1000000000000"),
            "batch=1000000000000: the limit is 1048576");
}

TEST(Batch, RequirementsMayUseTransposesAndStrides) {
  contract::Variant variant = testing::variant_of(R"t([[variant]]
name = "fake"
kernel = "gemm"
operation = "gemm"
arguments = ["ta", "a", "b", "c", "m", "n", "k", "lda", "batch", "stride_a"]
block = [1]
grid = [1]
requires = ["ta == 1", "stride_a % 4 == 0", "batch >= 2", "lda % 2 == 0"]
)t");
  const generate::CaseGenerator generator(variant.contract, {.seed = 3});
  for (int i = 0; i < 50; ++i) {
    const Case line = generator.draw(i).problem;
    EXPECT_TRUE(line.whole("ta"));
    EXPECT_GE(line.whole("batch"), 2);
    const contract::Bindings names = bindings(variant.contract, line);
    EXPECT_EQ(*names.value("stride_a") % 4, 0) << to_line(line);
    EXPECT_EQ(*names.value("lda") % 2, 0);
    EXPECT_FALSE(line.whole("tb"));
  }
}

TEST(IgnoredField, IsTheFirstWithoutAnArgument) {
  const contract::Variant plain = testing::plain_variant();
  const auto field = [&](const contract::Variant& variant, const std::string& line) {
    return ignored_field(variant.contract, parse_case(line));
  };
  EXPECT_EQ(field(plain, "fake m=5 n=4 k=6"), "");
  EXPECT_EQ(field(plain, "fake m=5 n=4 k=6 lda=6 ldb=4 ldc=4 alpha=1 beta=0 batch=1"), "");
  EXPECT_EQ(field(plain, "fake m=5 n=4 k=6 lda=9"), "lda");
  EXPECT_EQ(field(plain, "fake m=5 n=4 k=6 ldc=9"), "ldc");
  EXPECT_EQ(field(plain, "fake m=5 n=4 k=6 alpha=2"), "alpha");
  EXPECT_EQ(field(plain, "fake m=5 n=4 k=6 beta=1"), "beta");
  EXPECT_EQ(field(plain, "fake m=5 n=4 k=6 ta=t"), "ta");
  EXPECT_EQ(field(plain, "fake m=5 n=4 k=6 batch=2"), "batch");
  EXPECT_EQ(field(plain, "fake m=5 n=4 k=6 stride_b=90"), "stride_b");
  EXPECT_EQ(field(testing::blas_variant(), "fake m=5 n=4 k=6 lda=9 beta=1 alpha=2"), "");
  EXPECT_EQ(field(batched_variant(), "fake m=5 n=4 k=6 ta=t batch=2 stride_b=90"), "");
}

}  // namespace
}  // namespace warpcheck::campaign::run
