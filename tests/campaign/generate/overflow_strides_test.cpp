#include "campaign/generate/overflow_strides.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/generate/cases.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign::generate {
namespace {

/// The elements from the first to the last one, with the gaps.
std::int64_t elements_of(const Placement& place) {
  return static_cast<std::int64_t>(place.extent().bytes() / size_of(place.type));
}

using testing::blas_variant;

constexpr std::int64_t kOverflow = std::int64_t{1} << 31;

std::string operands_text(const contract::Contract& contract) {
  const CaseSchema schema = case_schema(contract);
  std::string text;
  for (const OverflowStride& one : overflow_strides(schema)) {
    text += fmt::format("{}{} ", schema.operands[one.operand].name,
                        one.beyond == kBeyondInt32 ? "" : " twice");
  }
  return text;
}

std::optional<Case> overflow_case(const Solver& solver, const contract::Contract& contract,
                                  const std::string& operand, std::uint64_t seed,
                                  std::int64_t beyond = kBeyondInt32) {
  for (const OverflowStride& one : overflow_strides(solver.schema())) {
    const bool is_wanted = solver.schema().operands[one.operand].name == operand;
    if (is_wanted && one.beyond == beyond) return with_overflow_stride(contract, solver, one, seed);
  }
  return std::nullopt;
}

/// Returns the number of 50 seeds that have a case and checks each case.
int found(const contract::Variant& variant, const std::string& operand) {
  int count = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto problem = overflow_case(Solver(variant.contract), variant.contract, operand,
                                       seed * 0x9E3779B97F4A7C15U);
    if (!problem) continue;
    ++count;
    EXPECT_EQ(violated(variant.contract, *problem), std::nullopt) << to_line(*problem);
    const Layouts layouts = lay_out(variant.contract, *problem, 1 << 30);
    const Placement& matrix = layouts.at(operand);
    EXPECT_TRUE(matrix.packed) << to_line(*problem);
    EXPECT_LT(matrix.batch > 1 ? matrix.axes[0].stride : matrix.line_distance(), kOverflow)
        << to_line(*problem);
    EXPECT_GE(elements_of(matrix), kOverflow) << to_line(*problem);
    EXPECT_LE(matrix.extent().packed_bytes(), 1000U) << to_line(*problem);
    EXPECT_LE(matrix.extent().bytes(), device::kMostBufferBytes) << to_line(*problem);
  }
  return count;
}

TEST(OverflowStrides, OffsetsExceedTwoToThe31) {
  const contract::Variant by_row = blas_variant();
  const contract::Variant by_column = testing::variant_of(R"t([[variant]]
name = "fake"
kernel = "gemm"
operation = "gemm"
layout = "col"
arguments = ["m", "n", "k", "a", "lda", "b", "ldb", "c", "ldc", "ta", "tb"]
block = [16]
grid = [1]
)t");
  for (const char* const operand : {"A", "B", "C"}) {
    EXPECT_EQ(found(by_row, operand), 50);
    EXPECT_EQ(found(by_column, operand), 50);
  }
}

TEST(OverflowStrides, FollowTiedLeadingDimensions) {
  const contract::Variant variant =
      blas_variant("requires = [\"lda == ldb\", \"lda % 32 == 0\"]\n");
  const Solver solver(variant.contract, static_cast<std::int64_t>(device::kMostBufferBytes));
  for (const char* const operand : {"A", "B"}) {
    int found = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto problem = overflow_case(solver, variant.contract, operand, seed);
      if (!problem) continue;
      ++found;
      EXPECT_EQ(problem->whole("lda"), problem->whole("ldb")) << to_line(*problem);
      EXPECT_EQ(violated(variant.contract, *problem), std::nullopt) << to_line(*problem);
      EXPECT_TRUE(lay_out(variant.contract, *problem, 1 << 30).find(operand)->packed);
    }
    EXPECT_GE(found, 5);
  }
}

TEST(OverflowStrides, WideElementsFitABuffer) {
  const contract::Variant wide = testing::variant_of(R"t([[variant]]
name = "fake"
kernel = "gemm"
operation = "gemm"
types = { a = "f64", b = "f64", c = "f64", accumulate = "f64" }
arguments = ["m", "n", "k", "a", "lda", "b", "ldb", "c", "ldc"]
block = [16]
grid = [1]
)t");
  for (const char* const operand : {"A", "B", "C"}) {
    EXPECT_GT(found(wide, operand), 25);
  }
}

TEST(OverflowStrides, ExceedTwoToThe32) {
  const contract::Variant variant = blas_variant();
  const Solver solver(variant.contract, static_cast<std::int64_t>(device::kMostBufferBytes));
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto problem = overflow_case(solver, variant.contract, "A", seed, kBeyondUint32);
    ASSERT_TRUE(problem);
    const Placement a = lay_out(variant.contract, *problem, 1 << 30).at("A");
    EXPECT_GE(elements_of(a), kBeyondUint32) << to_line(*problem);
    EXPECT_LT(a.line_distance(), kOverflow) << to_line(*problem);
  }
}

TEST(OverflowStrides, StayInTheDomain) {
  EXPECT_GT(found(blas_variant("requires = [\"lda % 4 == 0\", \"k % 8 == 0 and k > 0\"]\n"), "A"),
            25);
  EXPECT_EQ(found(blas_variant("requires = [\"lda <= 100000\"]\n"), "A"), 0);
  EXPECT_EQ(found(blas_variant("requires = [\"lda <= 100000\"]\n"), "B"), 50);
}

TEST(OverflowStrides, NoneIfGridOrWorkspaceGrows) {
  const auto variant = [](const std::string& more) {
    return testing::variant_of(R"t([[variant]]
name = "fake"
kernel = "gemm"
operation = "gemm"
arguments = ["m", "n", "k", "a", "b", "c", "ldc", "workspace"]
block = [256]
)t" + more);
  };
  const std::string small = "grid = [\"m * n\"]\nworkspace = { bytes = \"m * n\" }\n";
  const std::string grid = "grid = [\"m * ldc\"]\nworkspace = { bytes = \"m * n\" }\n";
  const std::string workspace = "grid = [1]\nworkspace = { bytes = \"m * ldc\" }\n";
  EXPECT_EQ(found(variant(small), "C"), 50);
  EXPECT_EQ(found(variant(grid), "C"), 0);
  EXPECT_EQ(found(variant(workspace), "C"), 0);
}

TEST(OverflowStrides, OfTheBatchIfItsStrideIsTaken) {
  const auto variant = [](const std::string& more) {
    return testing::variant_of(R"t([[variant]]
name = "fake"
kernel = "gemm"
operation = "gemm"
arguments = ["m", "n", "k", "a", "lda", "stride_a", "b", "ldb", "c", "d", "ldd", "stride_d", "batch"]
block = [16]
grid = [1]
)t" + more);
  };
  EXPECT_EQ(operands_text(variant("").contract), "A B D A twice B twice D twice ");
  EXPECT_EQ(found(variant(""), "A"), 50);
  EXPECT_EQ(found(variant(""), "D"), 50);
  EXPECT_EQ(found(variant("requires = [\"stride_a == m * lda\"]\n"), "A"), 0);
  EXPECT_EQ(found(variant("requires = [\"batch == 1\"]\n"), "A"), 0);
}

TEST(OverflowStrides, TwicePerMatrixInHundredCasesIfEnabled) {
  const contract::Variant variant = blas_variant();
  const CaseGenerator generator(variant.contract, {.seed = 1, .int32_overflow_strides = true});
  const CaseGenerator ordinary(variant.contract, {.seed = 1});
  std::array<int, 3> packed{};
  for (std::int64_t i = 100; i < 300; ++i) {
    const Layouts layouts = lay_out(variant.contract, generator.draw(i).problem, 1 << 30);
    packed[0] += layouts.at("A").packed ? 1 : 0;
    packed[1] += layouts.at("B").packed ? 1 : 0;
    packed[2] += layouts.at("C").packed ? 1 : 0;
    EXPECT_FALSE(lay_out(variant.contract, ordinary.draw(i).problem, 1 << 30).any_packed());
  }
  EXPECT_EQ(packed, (std::array{4, 4, 4}));  // two limits, 2^31 and 2^32
}

}  // namespace
}  // namespace warpcheck::campaign::generate
