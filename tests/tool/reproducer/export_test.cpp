// Programs of `replay --export`: nvcc compiles them, and they show the defect without warpcheck.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>

#include "base/diagnostic.hpp"
#include "contract/compile/nvcc.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// An operation with a race between warps: the barrier after line 22 is missing.
constexpr const char* kNorm = R"cu(/* warpcheck
[[operation]]
name = "norm"
extents = ["rows", "width"]
inputs.x = { shape = ["rows", "width"] }
outputs.y = { shape = ["rows", "width"] }
define = """
  total[i] = sum(j: x[i,j] * x[i,j])
  y[i,j] = x[i,j] * rsqrt(total[i] + 1)
"""
[[variant]]
name = "norm"
kernel = "norm"
operation = "norm"
arguments = ["x", "y", "width"]
block = [64]
grid = ["rows"]
*/
#include "total.cuh"
__global__ void norm(const float* x, float* y, int width) {
  __shared__ float scale;
  if (threadIdx.x == 0) scale = rsqrtf(total(x + blockIdx.x * width, width) + 1.0f);
  for (int j = threadIdx.x; j < width; j += 64) y[blockIdx.x * width + j] = x[blockIdx.x * width + j] * scale;
}
int main() { return 5; }
)cu";
constexpr const char* kTotal =
    "__device__ float total(const float* x, int n) {\n"
    "  float sum = 0;\n"
    "  for (int i = 0; i < n; ++i) sum += x[i] * x[i];\n"
    "  return sum;\n}\n";

class Export : public testing::Test {
 protected:
  void SetUp() override {
    try {
      nvcc_ = contract::find_nvcc().string();
    } catch (const EnvironmentError& error) {
      GTEST_SKIP() << error.what();
    }
  }

  /// Exports a case, and compiles the program in the folder `program`.
  void export_case(const std::string& file, const std::string& line) {
    const Result replay =
        scratch_.run({"replay", "--in", file, line, "--device", "virtual", "--export", "program"});
    ASSERT_THAT(replay.out, HasSubstr("wrote program/reproduce.cu: cd program && nvcc"))
        << replay.error;
    const Result built = scratch_.shell(fmt::format(
        "cd program && '{}' -cudart shared -arch=sm_80 -lineinfo -g -o reproduce reproduce.cu",
        nvcc_));
    ASSERT_EQ(built.status, 0) << built.out << built.error;
  }

  Result execute() { return scratch_.run_in("program", {"exec", "./reproduce"}); }

  std::string nvcc_;
  Scratch scratch_;
};

TEST_F(Export, WrongProductPrintsItsWorstElements) {
  scratch_.write("mine.cu", kernel_that_drops_the_last_term("mine"));
  export_case("mine.cu", "mine m=3 n=5 k=7 data=normal seed=3");
  const Result result = execute();
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(result.out, AllOf(HasSubstr("15 of 15 elements are wrong"), HasSubstr("expected"),
                                HasSubstr("C[0, 0]"), HasSubstr("the result is wrong")));
}

TEST_F(Export, RightProductIsRight) {
  scratch_.write("mine.cu", correct_kernel("mine"));
  export_case("mine.cu", "mine m=3 n=5 k=7 off_a=1 data=normal seed=3");
  const Result result = execute();
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("all elements are right"));
}

TEST_F(Export, RaceOfAnOperationIsFoundInTheProgram) {
  scratch_.write("norm.cu", kNorm);
  scratch_.write("total.cuh", kTotal);
  export_case("norm.cu", "norm operation=norm rows=2 width=64 data=normal seed=1");
  const Result result = execute();
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(result.out + result.error, AllOf(HasSubstr("error[race]"), HasSubstr("norm.cu:22")));
}

TEST_F(Export, SeveralRunsAreNoProgram) {
  scratch_.write("mine.cu", correct_kernel("mine"));
  const Result result =
      scratch_.run({"replay", "--in", "mine.cu", "mine m=3 n=5 k=7 property=same-bits-twice",
                    "--device", "virtual", "--export", "program"});
  EXPECT_EQ(result.status, 2) << result.out;
  EXPECT_THAT(result.error, HasSubstr("no program: same-bits-twice compares several runs"));
  EXPECT_THAT(result.out, Not(HasSubstr("wrote")));
}

}  // namespace
}  // namespace warpcheck::tool
