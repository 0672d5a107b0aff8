// Runs `warpcheck init` on files as users have them.
#include <gmock/gmock.h>

#include <string>

#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kSource = R"cu(#include <torch/extension.h>
#define TILE 8
__global__ void product(const float* A, const float* B, float* C, int M, int N, int K) {
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < K; ++i) sum += A[row * K + i] * B[i * N + col];
  C[row * N + col] = sum;
}
torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
  int M = a.size(0), K = a.size(1), N = b.size(1);
  auto c = torch::empty({M, N}, a.options());
  dim3 block(TILE, TILE);
  dim3 grid(N / TILE, M / TILE);
  product<<<grid, block>>>(a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), M, N, K);
  return c;
}
)cu";

TEST(Init, WritesAContractThatCheckAccepts) {
  const Scratch scratch;
  scratch.write("mine.cu", kSource);
  const Result init = scratch.run({"init", "mine.cu", "--write"});
  EXPECT_EQ(init.status, 0) << init.out << init.error;
  EXPECT_THAT(init.out, AllOf(HasSubstr("wrote mine.toml"),
                              ContainsRegex("product: (passes|no failure in) [0-9]+ cases")));
  EXPECT_THAT(scratch.read("mine.toml"),
              AllOf(HasSubstr(R"(grid      = ["n / 8", "m / 8"]  # from the launch in line 15)"),
                    HasSubstr(R"("m % 8 == 0", "n % 8 == 0")")));
  const Result check = scratch.run({"check", "mine.cu", "--device", "virtual", "--cases", "30"});
  EXPECT_EQ(check.status, 0) << check.out << check.error;
}

TEST(Init, PrintsAndWritesNothingByDefault) {
  const Scratch scratch;
  scratch.write("mine.cu", kSource);
  const Result result = scratch.run({"init", "mine.cu", "--no-check"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.out, AllOf(HasSubstr("[[variant]]"), HasSubstr("product: not checked")));
  EXPECT_EQ(scratch.read("mine.toml"), "");
}

TEST(Init, KeepsAnExistingContractWithoutForce) {
  const Scratch scratch;
  scratch.write("mine.cu", correct_kernel("mine"));
  const Result kept = scratch.run({"init", "mine.cu", "--embed", "--no-check"});
  EXPECT_EQ(kept.status, 2);
  EXPECT_THAT(kept.error, HasSubstr("--force"));
  EXPECT_EQ(scratch.read("mine.cu"), correct_kernel("mine"));
  EXPECT_EQ(scratch.run({"init", "mine.cu", "--embed", "--no-check", "--force"}).status, 0);
  EXPECT_THAT(scratch.read("mine.cu"),
              AllOf(HasSubstr("name      = \"multiply\""), Not(HasSubstr("@name"))));
}

TEST(Init, ReportsAKernelThatIsWrong) {
  const Scratch scratch;
  const std::string text = kernel_that_drops_the_last_term("mine");
  scratch.write("mine.cu", text.substr(text.find("__global__")));
  const Result result = scratch.run({"init", "mine.cu"});
  EXPECT_EQ(result.status, 1) << result.out;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("fails, wrong-result"), HasSubstr("warpcheck explore mine.cu")));
}

TEST(Init, DefinesAnOperationThatItKnows) {
  const Scratch scratch;
  scratch.write("mine.cu",
                "__global__ void relu(const float* x, float* y, int count) {\n"
                "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                "  if (i < count) y[i] = fmaxf(x[i], 0.0f);\n"
                "}\n");
  const Result result = scratch.run({"init", "mine.cu", "--write"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(scratch.read("mine.toml"),
              HasSubstr("define    = \"y[i] = max(x[i], 0)\"  # guessed"));
  EXPECT_THAT(result.out, HasSubstr("guessed, to be confirmed: define, types"));
  const Result check = scratch.run({"check", "mine.cu", "--device", "virtual"});
  EXPECT_EQ(check.status, 0) << check.out << check.error;
}

TEST(Init, LeavesTheDefinitionOfAnUnknownOperation) {
  const Scratch scratch;
  scratch.write("mine.cu",
                "__global__ void odd(const float* x, float* y, int count) {\n"
                "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                "  if (i < count) y[i] = 3.0f * x[i] + 7.0f;\n"
                "}\n");
  const Result result = scratch.run({"init", "mine.cu", "--write"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("odd: write what it computes as `define`"));
  const std::string contract = scratch.read("mine.toml");
  const std::string todo = "# TODO: define = \"...\", what is each element of y?";
  ASSERT_THAT(contract, HasSubstr(todo));
  const Result without = scratch.run({"check", "mine.cu", "--device", "virtual"});
  EXPECT_EQ(without.status, 2) << without.out;
  scratch.write("mine.toml", replaced(contract, todo, "define = \"y[i] = 3 * x[i] + 7\""));
  const Result check = scratch.run({"check", "mine.cu", "--device", "virtual"});
  EXPECT_EQ(check.status, 0) << check.out << check.error;
}

TEST(Init, NamesAKernelWithoutAContract) {
  const Scratch scratch;
  scratch.write("mine.cu",
                "struct Sizes { int count; };\n"
                "__global__ void fill(float* data, Sizes sizes) {}\n");
  const Result result = scratch.run({"init", "mine.cu"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out,
              HasSubstr("fill: no contract: no contract describes the type of 'sizes', Sizes"));
}

TEST(Init, RejectsAFileWithoutAKernel) {
  const Scratch scratch;
  scratch.write("mine.cu", "int main() {}\n");
  const Result result = scratch.run({"init", "mine.cu"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.error, HasSubstr("no __global__ function in this file"));
}

}  // namespace
}  // namespace warpcheck::tool
