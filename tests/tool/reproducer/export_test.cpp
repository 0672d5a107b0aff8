// Programs of `replay --export`: nvcc compiles them, and they show the defect without warpcheck.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

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

// Rows of a table of bf16, at positions, added to the output; with strides and a workspace.
constexpr const char* kCollect = R"cu(/* warpcheck
[[operation]]
name       = "collect"
extents    = ["rows", "width", "table"]
inputs.at  = { shape = ["rows"], integer = true, range = [0, "table - 1"] }
inputs.x   = { shape = ["table", "width"] }
inputs.old = { shape = ["rows", "width"] }
outputs.y  = { shape = ["rows", "width"], updates = "old" }
define     = "y[r,j] = old[r,j] + x[at[r],j]"
[[variant]]
name      = "collect"
kernel    = "collect"
operation = "collect"
types     = { x = "bf16" }
arguments = ["at", "x", "stride_x", "y", "stride_y", "workspace", "width"]
workspace = { bytes = "4 * rows", zeroed = true }
block     = [64]
grid      = ["rows"]
*/
#include <cuda_bf16.h>
__global__ void collect(const int* at, const __nv_bfloat16* x, long stride_x, float* y, long stride_y,
                        int* tickets, int width) {
  __shared__ int ticket;
  const int row = blockIdx.x;
  if (threadIdx.x == 0) ticket = atomicAdd(&tickets[row], 1);
  __syncthreads();
  for (int j = threadIdx.x; ticket == 0 && j < width; j += 64) {
    y[row * stride_y + j] += __bfloat162float(x[at[row] * stride_x + j]);
  }
}
)cu";

// Both blocks of a cluster write the number of blocks that they see.
constexpr const char* kCluster = R"cu(/* warpcheck
[[operation]]
name      = "scale"
extents   = ["n"]
inputs.x  = { shape = ["n"] }
outputs.y = { shape = ["n"] }
define    = "y[i] = 2 * x[i]"
[[variant]]
name      = "scale"
kernel    = "scale"
operation = "scale"
arguments = ["x", "y", "n"]
arch      = "sm_90"
cluster   = [2]
block     = [32]
grid      = ["2 * ceil_div(n, 64)"]
*/
#include <cooperative_groups.h>
__global__ void scale(const float* x, float* y, int n) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (i < n) y[i] = cooperative_groups::this_cluster().num_blocks() * x[i];
}
)cu";

class Export : public testing::Test {
 protected:
  void SetUp() override {
    try {
      nvcc_ = contract::find_nvcc().string();
    } catch (const EnvironmentError& error) {
      GTEST_SKIP() << error.what();
    }
  }

  /// Exports a case, and compiles the program in the folder `program`. Without a `file`, the case
  /// is that of a built-in variant.
  void export_case(const std::string& file, const std::string& line,
                   const std::string& architecture = "sm_80") {
    std::vector<std::string> words = {"replay", line, "--device", "virtual", "--export", "program"};
    if (!file.empty()) words.insert(words.end(), {"--in", file});
    const Result replay = scratch_.run(words);
    ASSERT_THAT(replay.out, HasSubstr("wrote program/reproduce.cu: cd program && nvcc"))
        << replay.error;
    const Result built = scratch_.shell(fmt::format(
        "cd program && '{}' -cudart shared -arch={} -lineinfo -g -o reproduce reproduce.cu", nvcc_,
        architecture));
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

constexpr const char* kLargeProduct = "mine m=130 n=120 k=190 off_a=1 data=normal seed=3";

TEST_F(Export, LargeOperandsAreFilesBesideTheProgram) {
  scratch_.write("mine.cu", correct_kernel("mine"));
  export_case("mine.cu", kLargeProduct);
  const Result result = scratch_.run({"exec", "program/reproduce"});  // this is another folder
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("all elements are right"));
  ASSERT_EQ(scratch_.shell("mkdir data && mv program/*.bin data").status, 0);
  const Result moved = execute();
  EXPECT_EQ(moved.status, 2) << moved.out << moved.error;
  EXPECT_THAT(moved.out, HasSubstr("bytes_0.bin has no 98800 bytes that can be read"));
  const Result named = scratch_.run({"exec", "program/reproduce", "data"});
  EXPECT_EQ(named.status, 0) << named.out << named.error;
}

TEST_F(Export, LargeWrongProductIsWrong) {
  scratch_.write("mine.cu", kernel_that_drops_the_last_term("mine"));
  export_case("mine.cu", kLargeProduct);
  const Result result = execute();
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(result.out, AllOf(HasSubstr(" of 15600 elements are wrong"), HasSubstr("C["),
                                HasSubstr("the result is wrong")));
}

TEST_F(Export, OperandsOfManyKindsArriveInTheProgram) {
  scratch_.write("collect.cu", kCollect);
  for (const char* line :
       {"collect operation=collect rows=3 width=5 table=4 stride_x=7 stride_y=9 data=normal seed=1",
        "collect operation=collect rows=70 width=300 table=120 stride_x=301 data=normal seed=2"}) {
    export_case("collect.cu", line);
    const Result result = execute();
    EXPECT_EQ(result.status, 0) << result.out << result.error;
    EXPECT_THAT(result.out, HasSubstr("all elements are right"));
  }
}

TEST_F(Export, OutputsOfEightBitsAreCompared) {
  export_case(
      "",
      "quantize_e4m3_block_per_row operation=quantize_e4m3 rows=3 columns=70 data=normal seed=1",
      "sm_89");
  const Result result = execute();
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("all elements are right"));
}

TEST_F(Export, ClustersAreLaunched) {
  scratch_.write("scale.cu", kCluster);
  export_case("scale.cu", "scale operation=scale n=100 data=normal seed=1", "sm_90");
  const Result result = execute();
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("all elements are right"));
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
