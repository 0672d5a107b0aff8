#include "campaign/run/problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "campaign/run/element.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign::run {
namespace {

using testing::blas_variant;
using ::testing::HasSubstr;
using testing::plain_variant;

Problem made(const contract::Variant& variant, const std::string& line,
             std::size_t limit = kBufferLimitBytes) {
  const Case problem = parse_case(line);
  (void)lay_out(variant.contract, problem, limit);
  return make_problem(variant, problem, operands(variant.contract, problem), usual_poison(problem));
}

std::int32_t integer(const device::Argument& argument) {
  std::int32_t value = 0;
  std::memcpy(&value, std::get<device::Scalar>(argument).bytes.data(), 4);
  return value;
}

Diagnostic error_of(const contract::Variant& variant, const std::string& line,
                    std::size_t limit = kBufferLimitBytes) {
  try {
    (void)made(variant, line, limit);
  } catch (const InputError& error) {
    return error.diagnostics().at(0);
  }
  return {};
}

TEST(Problem, WorkspaceFollowsTheContract) {
  const std::string head =
      "[[variant]]\nname = \"fake\"\nkernel = \"f\"\noperation = \"gemm\"\n"
      "arguments = [\"a\", \"b\", \"c\", \"workspace\"]\nblock = [1]\ngrid = [1]\nsplit_k = 3\n";
  const auto workspace = [](const Problem& problem) { return problem.job.buffers.back(); };
  const device::Buffer usual = workspace(made(testing::variant_of(head), "fake m=5 n=4 k=6"));
  EXPECT_EQ(usual.name, "workspace");
  EXPECT_EQ(usual.bytes.size(), 3U * 5 * 4 * 4);
  EXPECT_FALSE(usual.initialized);
  EXPECT_EQ(usual.bytes[0], kNanPoison);
  const device::Buffer zeroed = workspace(
      made(testing::variant_of(head + "workspace = { bytes = \"8 * m\", zeroed = true }\n"),
           "fake m=5 n=4 k=6"));
  EXPECT_EQ(zeroed.bytes, std::vector<std::byte>(40));
  EXPECT_TRUE(zeroed.initialized);
}

TEST(Problem, BuffersHaveTheExactExtent) {
  const contract::Variant variant = blas_variant();
  const Problem problem = made(variant, "fake m=5 n=4 k=6 lda=9 ldc=7 off_b=3 seed=2");
  ASSERT_EQ(problem.job.buffers.size(), 3U);
  const device::Buffer& a = problem.job.buffers[0];
  EXPECT_EQ(a.name, "A");
  EXPECT_EQ(a.extent.levels[0].count, 5U);
  EXPECT_EQ(a.extent.row_bytes, 24U);
  EXPECT_EQ(a.extent.levels[0].bytes, 36U);
  EXPECT_EQ(a.bytes.size(), 4U * 36 + 24);
  EXPECT_EQ(a.access, device::Access::read_only);
  EXPECT_EQ(problem.job.buffers[1].shift_bytes, 12U);
  const device::Buffer& c = problem.job.buffers[2];
  EXPECT_EQ(c.extent.levels[0].bytes, 28U);
  EXPECT_EQ(c.access, device::Access::read_write);
  EXPECT_FALSE(c.initialized) << "beta is 0: nothing of C may reach D";
  EXPECT_EQ(problem.output, 2U);
}

TEST(Problem, PoisonFillsTheGapsBetweenLines) {
  const contract::Variant variant = blas_variant();
  const Problem problem = made(variant, "fake m=2 n=4 k=3 lda=5 beta=2 seed=2");
  const std::vector<std::byte>& a = problem.job.buffers[0].bytes;
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t p = 0; p < 3; ++p) {
      EXPECT_EQ(decode(ScalarType::f32, a.data() + (i * 5 + p) * 4), problem.operands.a(i, p));
    }
  }
  for (std::size_t byte = 12; byte < 20; ++byte) EXPECT_EQ(a[byte], kNanPoison);
  EXPECT_TRUE(problem.job.buffers[2].initialized);
}

TEST(Problem, ColumnMajorLinesAreColumns) {
  const contract::Variant variant = testing::variant_of(R"t([[variant]]
name = "fake"
kernel = "gemm"
operation = "gemm"
layout = "col"
types = { a = "f32", b = "f32", c = "f32", accumulate = "f32" }
arguments = ["m", "n", "k", "a", "lda", "b", "ldb", "c", "ldc"]
block = [64]
grid = ["ceil_div(m, 64)"]
)t");
  const Problem problem = made(variant, "fake m=5 n=4 k=6 lda=8");
  EXPECT_EQ(problem.job.buffers[0].extent.levels[0].count, 6U);
  EXPECT_EQ(problem.job.buffers[0].extent.row_bytes, 20U);
  EXPECT_EQ(problem.job.buffers[0].extent.levels[0].bytes, 32U);
  EXPECT_EQ(problem.layouts.at("B").line_distance(), 6);
  EXPECT_EQ(problem.layouts.at("C").line_distance(), 5);
  EXPECT_EQ(problem.layouts.at("A").byte_of(3, 2), (2U * 8 + 3) * 4);
  MemoryPlace place{"A", (6 * 8 + 1) * 4, 4, false};
  EXPECT_EQ(problem.layouts.at("A").describe(place),
            "A[1, 6]: column 6 of 6 columns, 17 bytes past the end of A");
}

TEST(Problem, ArgumentsFollowTheContractsOrder) {
  const contract::Variant variant = blas_variant();
  const Problem problem = made(variant, "fake m=5 n=4 k=6 lda=9 alpha=0.1 beta=-2");
  const auto& arguments = problem.job.launches.at(0).arguments;
  ASSERT_EQ(arguments.size(), 11U);
  EXPECT_EQ(integer(arguments[0]), 5);
  EXPECT_EQ(integer(arguments[1]), 4);
  EXPECT_EQ(integer(arguments[2]), 6);
  EXPECT_EQ(decode(ScalarType::f32, std::get<device::Scalar>(arguments[3]).bytes.data()),
            static_cast<double>(0.1F));
  EXPECT_EQ(std::get<device::BufferAddress>(arguments[4]).buffer, 0U);
  EXPECT_EQ(integer(arguments[5]), 9);
  EXPECT_EQ(integer(arguments[7]), 4);
  EXPECT_EQ(problem.alpha, static_cast<double>(0.1F))
      << "the reference has the value of the kernel";
  EXPECT_EQ(std::get<device::BufferAddress>(arguments[9]).buffer, 2U);
}

TEST(Problem, FactorsAreRoundedToTheAccumulator) {
  const contract::Variant variant = testing::variant_of(R"t([[variant]]
name = "fake"
kernel = "gemm"
operation = "gemm"
types = { a = "f16", b = "f16", c = "f16", accumulate = "f16" }
arguments = ["alpha", "beta", "a", "b", "c", "m", "n", "k"]
block = [32]
grid = ["m"]
)t");
  const Problem problem = made(variant, "fake m=5 n=4 k=6 alpha=0.1 beta=-1.3");
  const auto& arguments = problem.job.launches.at(0).arguments;
  const auto factor = [&](std::size_t i) {
    return decode(ScalarType::f32, std::get<device::Scalar>(arguments[i]).bytes.data());
  };
  EXPECT_EQ(factor(0), 1638.0 / 16384) << "the value of f16 next to 0.1, in four bytes";
  EXPECT_EQ(factor(1), -1331.0 / 1024);
  EXPECT_EQ(problem.alpha, factor(0));
  EXPECT_EQ(problem.beta, factor(1));
}

TEST(Problem, GridFollowsTheContract) {
  const contract::Variant variant = blas_variant();
  const device::Launch launch = made(variant, "fake m=17 n=33 k=6").job.launches.at(0);
  EXPECT_EQ(launch.grid, (Dim3{6, 1, 1}));
  EXPECT_EQ(launch.block, (Dim3{16, 16, 1}));
  EXPECT_EQ(launch.entry, "gemm");
}

TEST(Problem, EachLaunchHasItsOwnArguments) {
  const contract::Variant variant = testing::variant_of(R"t([[variant]]
name = "fake"
operation = "gemm"
split_k = 2
workspace = { partials = {}, tickets = { bytes = "4 * n", zeroed = true } }
[[variant.launch]]
kernel = "part"
arguments = ["k", "workspace.tickets", "a", "b", "workspace.partials"]
block = [32]
grid = ["m", "n", 2]
shared = "4 * k"
[[variant.launch]]
kernel = "sum"
arguments = ["c", "workspace.partials"]
block = [64]
grid = ["ceil_div(m * n, 64)"]
)t");
  const Problem problem = made(variant, "fake m=17 n=33 k=6");
  const auto& buffers = problem.job.buffers;
  ASSERT_EQ(buffers.size(), 5U);
  EXPECT_EQ(buffers[3].name, "workspace.partials");
  EXPECT_EQ(buffers[3].bytes.size(), 2U * 17 * 33 * 4);
  EXPECT_FALSE(buffers[3].initialized);
  EXPECT_EQ(buffers[4].name, "workspace.tickets");
  EXPECT_EQ(buffers[4].bytes, std::vector<std::byte>(4 * 33));
  EXPECT_TRUE(buffers[4].initialized);

  ASSERT_EQ(problem.job.launches.size(), 2U);
  const device::Launch& part = problem.job.launches[0];
  EXPECT_EQ(part.entry, "part");
  EXPECT_EQ(part.grid, (Dim3{17, 33, 2}));
  EXPECT_EQ(part.shared_bytes, 24U);
  EXPECT_EQ(integer(part.arguments.at(0)), 6);
  EXPECT_EQ(std::get<device::BufferAddress>(part.arguments.at(1)).buffer, 4U);
  EXPECT_EQ(std::get<device::BufferAddress>(part.arguments.at(4)).buffer, 3U);
  const device::Launch& sum = problem.job.launches[1];
  EXPECT_EQ(sum.entry, "sum");
  EXPECT_EQ(sum.block, (Dim3{64, 1, 1}));
  EXPECT_EQ(sum.grid, (Dim3{9, 1, 1}));
  EXPECT_EQ(std::get<device::BufferAddress>(sum.arguments.at(0)).buffer, 2U);
  EXPECT_EQ(std::get<device::BufferAddress>(sum.arguments.at(1)).buffer, 3U);
}

TEST(Problem, ArgumentsCanBeExpressions) {
  const contract::Variant variant = testing::variant_of(R"t([[variant]]
name = "fake"
kernel = "gemm"
operation = "gemm"
arguments = ["a", "b", "c", "m * k", "ceil_div(n, 4)", "lda - k", "2 * 8", "m > n"]
block = [1]
grid = [1]
)t");
  const Problem problem = made(variant, "fake m=5 n=9 k=6 lda=8");
  const auto& arguments = problem.job.launches.at(0).arguments;
  EXPECT_EQ(integer(arguments.at(3)), 30);
  EXPECT_EQ(integer(arguments.at(4)), 3);
  EXPECT_EQ(integer(arguments.at(5)), 2);
  EXPECT_EQ(integer(arguments.at(6)), 16);
  EXPECT_EQ(integer(arguments.at(7)), 0);
  EXPECT_EQ(problem.layouts.at("A").line_distance(), 8);
}

TEST(Problem, ExpressionBeyondItsParameterIsAnError) {
  const contract::Variant variant = testing::variant_of(R"t([[variant]]
name = "fake"
kernel = "gemm"
operation = "gemm"
arguments = ["a", "b", "c", "m * 1000000000", "m / k"]
block = [1]
grid = [1]
)t");
  EXPECT_THAT(error_of(variant, "fake m=5 n=1 k=1").message,
              HasSubstr("m * 1000000000=5000000000 does not fit the kernel's 4-byte parameter"));
  const Diagnostic no_value = error_of(variant, "fake m=1 n=1 k=0");
  EXPECT_THAT(no_value.message, HasSubstr("the argument 'm / k' divides by zero for the case"));
  EXPECT_EQ(no_value.where, (Location{"kernel.toml", 5, 52}));
}

TEST(Problem, LaunchesAreSkippedByTheirCondition) {
  const contract::Variant variant = testing::variant_of(R"t([[variant]]
name = "fake"
operation = "gemm"
[[variant.launch]]
kernel = "pack"
arguments = ["a", "workspace"]
block = [1]
grid = [1]
when = "k % 2 != 0"
[[variant.launch]]
kernel = "small"
arguments = ["workspace", "b", "c"]
block = [1]
grid = [1]
when = "m < 8 and n < 8"
[[variant.launch]]
kernel = "large"
arguments = ["workspace", "b", "c"]
block = [1]
grid = [1]
when = "m >= 8 or n >= 8"
)t");
  const auto kernels = [&](const std::string& line) {
    std::string names;
    for (const device::Launch& launch : made(variant, line).job.launches) {
      names += launch.entry + " ";
    }
    return names;
  };
  EXPECT_EQ(kernels("fake m=3 n=2 k=1"), "pack small ");
  EXPECT_EQ(kernels("fake m=3 n=2 k=2"), "small ");
  EXPECT_EQ(kernels("fake m=3 n=9 k=3"), "pack large ");
}

TEST(Problem, EmptyResultHasNoLaunches) {
  EXPECT_TRUE(made(blas_variant(), "fake m=0 n=3 k=2").job.launches.empty());
  EXPECT_TRUE(made(blas_variant(), "fake m=3 n=0 k=2").job.launches.empty());
  EXPECT_FALSE(made(blas_variant(), "fake m=3 n=2 k=0").job.launches.empty());
}

TEST(Problem, InputCAndOutputDAreSeparate) {
  const contract::Variant variant = testing::variant_of(R"t([[variant]]
name = "fake"
kernel = "gemm"
operation = "gemm"
layout = "row"
types = { a = "f32", b = "f32", c = "f32", accumulate = "f32" }
arguments = ["m", "n", "k", "a", "b", "beta", "c", "d", "ldd"]
block = [64]
grid = ["ceil_div(m, 64)"]
)t");
  const Problem problem = made(variant, "fake m=5 n=4 k=6 beta=2 ldc=6");
  ASSERT_EQ(problem.job.buffers.size(), 4U);
  EXPECT_EQ(problem.job.buffers[2].access, device::Access::read_only);
  EXPECT_EQ(problem.job.buffers[3].name, "D");
  EXPECT_FALSE(problem.job.buffers[3].initialized);
  EXPECT_EQ(problem.layouts.at("C").line_distance(), 4);
  EXPECT_EQ(problem.layouts.at("D").line_distance(), 6);
}

TEST(Problem, LeadingDimensionWithoutArgumentIsTight) {
  EXPECT_EQ(made(plain_variant(), "fake m=5 n=4 k=6 lda=9").layouts.at("A").line_distance(), 6);
}

TEST(Problem, LeadingDimensionBelowTheRowIsAnError) {
  const Diagnostic error = error_of(blas_variant(), "fake m=5 n=4 k=6 lda=3");
  EXPECT_EQ(error.message, "lda=3 is less than the 6 elements of a row of A");
  EXPECT_EQ(error.excerpt.substr(error.where.column - 1, 5), "lda=3");
}

TEST(Problem, SizeTooLargeForMemoryIsAnError) {
  EXPECT_THAT(error_of(blas_variant(), "fake m=200000 n=4 k=200000").message,
              HasSubstr("takes 160000000000 bytes"));
  EXPECT_THAT(error_of(blas_variant(), "fake m=9223372036854775807 n=4 k=6").message,
              HasSubstr("more than 2^63"));
}

TEST(Problem, SizeTooLargeForItsParameterIsAnError) {
  EXPECT_THAT(error_of(blas_variant(), "fake m=1 n=1 k=0 lda=5000000000").message,
              HasSubstr("lda=5000000000 does not fit the kernel's 4-byte parameter"));
}

TEST(Problem, NonFiniteFactorIsAnError) {
  EXPECT_EQ(error_of(blas_variant(), "fake alpha=nan").message,
            "alpha is nan: expected a finite number");
}

TEST(Problem, PoisonOfDDependsOnTheSeed) {
  EXPECT_EQ(usual_poison(parse_case("v seed=2")).output, kNanPoison);
  EXPECT_EQ(usual_poison(parse_case("v seed=3")).output, kLargePoison);
}

class Describe : public ::testing::Test {
 protected:
  [[nodiscard]] std::string of(std::ptrdiff_t offset, std::size_t bytes) const {
    return a_.describe({"A", offset, bytes, false});
  }

  Placement a_{.name = "A",
               .rows = 65,
               .columns = 17,
               .axes = {{1, 0}, {65, 20}, {17, 1}},
               .nest = {0, 1, 2}};
};

TEST_F(Describe, ElementInside) { EXPECT_EQ(of((3 * 20 + 4) * 4, 4), "A[3, 4]"); }

TEST_F(Describe, RowBeyondTheLast) {
  EXPECT_EQ(of((65 * 20 + 3) * 4, 4), "A[65, 3]: row 65 of 65 rows, 25 bytes past the end of A");
}

TEST_F(Describe, ColumnBeyondTheLast) {
  EXPECT_EQ(of((2 * 20 + 17) * 4, 4), "A[2, 17]: column 17 of 17 columns");
}

TEST_F(Describe, FirstElementOutsideOfAVectorAccess) {
  EXPECT_EQ(of((2 * 20 + 16) * 4, 16), "A[2, 17]: column 17 of 17 columns");
}

TEST_F(Describe, BytesBeforeTheFirst) {
  EXPECT_EQ(of(-4, 4), "4 bytes before A");
  EXPECT_EQ(of(-1, 1), "1 byte before A");
}

TEST_F(Describe, IndexThatNoExtentReaches) {
  EXPECT_FALSE(a_.is_below(64));
  EXPECT_TRUE(a_.is_below(65));
  a_.shape = {5, 13, 70};
  EXPECT_FALSE(a_.is_below(65));
}

TEST_F(Describe, EmptyMatrix) {
  a_.columns = a_.axes[2].extent = 0;
  EXPECT_EQ(of(0, 4), "A, which is empty (65 x 0)");
}

}  // namespace
}  // namespace warpcheck::campaign::run
