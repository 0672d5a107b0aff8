// Every command takes kernels of operations that contracts define.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/tool/harness/git.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using ::testing::HasSubstr;

const std::string kOperationKernels = WARPCHECK_SOURCE_DIR "/kernels/operations/";
const std::string kOperationSpecimens = WARPCHECK_SOURCE_DIR "/kernels/specimens/operations/";

/// Sums of rows, whose kernel takes the stride of its input.
constexpr const char* kRowSum = R"cu(/* warpcheck
[[operation]]
name    = "row_sum"
extents = ["rows", "columns"]
inputs  = { x = { shape = ["rows", "columns"] } }
outputs = { y = { shape = ["rows"] } }
define  = "y[i] = sum(j: x[i,j])"

[[variant]]
name      = "row_sum"
operation = "row_sum"
kernel    = "row_sum"
arguments = ["x", "stride_x", "y", "rows", "columns"]
block     = [32]
grid      = ["ceil_div(rows, 32)"]
*/
__global__ void row_sum(const float* x, int stride_x, float* y, int rows, int columns) {
  const int row = blockIdx.x * 32 + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int j = 0; j < columns; ++j) sum += x[static_cast<size_t>(row) * stride_x + j];
  y[row] = sum;
}
)cu";

/// Without its last term.
std::string wrong_row_sum() { return replaced(kRowSum, "j < columns", "j + 1 < columns"); }

TEST(OperationCommands, FuzzFindsTheDefectAndMinimizesIt) {
  const Scratch scratch;
  const Result result =
      scratch.run({"fuzz", kOperationSpecimens + "d45_softmax.cu:d45_sum_not_rescaled", "--cases",
                   "100", "--device", "virtual", "--stop-at-first", "--corpus", "corpus"});
  EXPECT_EQ(result.status, 1) << result.error;
  EXPECT_THAT(result.out, HasSubstr("operation=softmax rows=1 columns=2"));
  EXPECT_THAT(result.out, HasSubstr("// finding here"));
}

TEST(OperationCommands, FuzzSearchesInsideTheDomain) {
  const Scratch scratch;
  const Result result =
      scratch.run({"fuzz", kOperationKernels + "attention.cu:attention_online",
                   kOperationKernels + "rms_norm.cu", kOperationKernels + "scan.cu", "--cases",
                   "120", "--device", "virtual"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("attention_online: 120 cases"));
}

TEST(OperationCommands, ExploreInfersTheStrideThatAKernelAssumes) {
  const Scratch scratch;
  const Result assumes =
      scratch.run({"explore", kOperationSpecimens + "d46_norms.cu:d46_row_length_as_stride"});
  EXPECT_EQ(assumes.status, 1) << assumes.error;
  EXPECT_THAT(assumes.out, HasSubstr("correct if and only if stride_y == columns"));
  const Result limited =
      scratch.run({"explore", kOperationKernels + "attention.cu:attention_online"});
  EXPECT_EQ(limited.status, 0) << limited.error;
  EXPECT_THAT(limited.out, HasSubstr("correct if and only if depth <= 128"));
}

TEST(OperationCommands, ExploreWritesRequires) {
  const Scratch scratch;
  const std::string file = scratch.write(
      "mine.cu", replaced(kRowSum, "  y[row] = sum;\n", "  if (columns <= 40) y[row] = sum;\n"));
  const Result result = scratch.run({"explore", file, "--write"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(scratch.read("mine.cu"), HasSubstr("requires  = [\"columns <= 40\"]"));
  EXPECT_EQ(scratch.run({"check", file, "--device", "virtual"}).status, 0);
}

TEST(OperationCommands, DiffComparesEveryOutput) {
  const Scratch scratch;
  const Result same =
      scratch.run({"diff", kOperationKernels + "quantize.cu:quantize_thread_per_row",
                   kOperationKernels + "quantize.cu:quantize_warp_per_row", "--cases", "40",
                   "--device", "virtual", "--bits"});
  EXPECT_EQ(same.status, 0) << same.out << same.error;
  EXPECT_THAT(same.out, HasSubstr("the result (scale, y) is the same, bit for bit, on all 40"));
  const std::string right = scratch.write("old.cu", kRowSum);
  const std::string wrong = scratch.write("new.cu", wrong_row_sum());
  const Result worse = scratch.run({"diff", right, wrong, "--cases", "40", "--device", "virtual"});
  EXPECT_EQ(worse.status, 1) << worse.error;
  EXPECT_THAT(worse.out, HasSubstr("smallest   row_sum operation=row_sum rows=1 columns=1 "));
}

TEST(OperationCommands, DiffRefusesAnotherDefinitionOfTheSameName) {
  const Scratch scratch;
  const std::string one = scratch.write("one.cu", kRowSum);
  const std::string other =
      scratch.write("other.cu", replaced(kRowSum, "sum(j: x[i,j])", "sum(j: 2 * x[i,j])"));
  const Result result = scratch.run({"diff", one, other, "--device", "virtual"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.error, HasSubstr("its operation row_sum has another definition"));
}

TEST(OperationCommands, ProfileCountsACaseOfEvenExtents) {
  const Scratch scratch;
  const Result result = scratch.run({"profile", kOperationKernels + "softmax.cu:softmax_online"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("softmax_online operation=softmax rows=128 columns=128"));
}

class OperationHistory : public ::testing::Test {
 protected:
  OperationHistory() {
    repository_.write("mine.cu", kRowSum);
    repository_.write("warpcheck.toml",
                      "targets = [\"mine.cu\"]\ndevices = [\"virtual\"]\ncases = 30\n");
    repository_.commit("Sum rows");
  }

  Scratch scratch_;
  GitRepository repository_{scratch_};
};

TEST_F(OperationHistory, BisectFindsTheCommitAndDiffTheRevision) {
  repository_.write("mine.cu", wrong_row_sum());
  repository_.commit("Skip a term");
  const std::string line = "row_sum operation=row_sum rows=1 columns=1 data=lattice seed=0";
  const Result bisected = scratch_.run({"bisect", "--good", "HEAD~1", "--bad", "HEAD", "--in",
                                        "repo/mine.cu", "--device", "virtual", line});
  EXPECT_EQ(bisected.status, 0) << bisected.error;
  EXPECT_THAT(bisected.out, HasSubstr("subject    Skip a term"));
  const Result compared = scratch_.run_in(
      "repo", {"diff", "--rev", "HEAD~1", "mine.cu", "--device", "virtual", "--cases", "20"});
  EXPECT_EQ(compared.status, 1) << compared.error;
  EXPECT_THAT(compared.out, HasSubstr("y differs on"));
}

TEST_F(OperationHistory, GatePassesAndFails) {
  const Result passes = scratch_.run({"gate", "repo"});
  EXPECT_EQ(passes.status, 0) << passes.out << passes.error;
  repository_.write("mine.cu", wrong_row_sum());
  const Result fails = scratch_.run({"gate", "repo"});
  EXPECT_EQ(fails.status, 1) << fails.out << fails.error;
  EXPECT_THAT(fails.out, HasSubstr("wrong-result"));
}

/// Doubles each element of a tensor of three dimensions, except those beyond the 40th column.
constexpr const char* kWrongDoubling = R"cu(/* warpcheck
[[operation]]
name    = "doubled"
extents = ["heads", "rows", "columns"]
inputs  = { x = { shape = ["heads", "rows", "columns"] } }
outputs = { y = { shape = ["heads", "rows", "columns"] } }
define  = "y[h,i,j] = 2 * x[h,i,j]"

[[variant]]
name      = "doubled"
operation = "doubled"
kernel    = "doubled"
arguments = ["x", "y", "columns"]
block     = [64]
grid      = ["rows", "heads"]
requires  = ["heads <= 65535"]
*/
__global__ void doubled(const float* x, float* y, int columns) {
  const size_t row = static_cast<size_t>(blockIdx.y) * gridDim.x + blockIdx.x;
  for (int j = threadIdx.x; j < columns; j += 64) {
    y[row * columns + j] = (j < 40 ? 2.0f : 3.0f) * x[row * columns + j];
  }
}
)cu";

TEST(OperationCommands, HtmlMapsTheErrorsOfThreeDimensions) {
  const Scratch scratch;
  const std::string file = scratch.write("mine.cu", kWrongDoubling);
  const Result result = scratch.run(
      {"check", file, "--cases", "60", "--device", "virtual", "--html", "page.html", "--quiet"});
  EXPECT_EQ(result.status, 1) << result.error;
  const std::string page = scratch.read("page.html");
  EXPECT_THAT(page, HasSubstr("Map of the errors of y, "));
  EXPECT_THAT(page, HasSubstr("numbered consecutively"));
}

TEST(OperationCommands, MutateKillsMutants) {
  const Scratch scratch;
  const std::string file = scratch.write("mine.cu", kRowSum);
  const Result result = scratch.run({"mutate", file, "--mutants", "12", "--cases", "60"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("mutants"));
  EXPECT_THAT(result.out, HasSubstr(" killed"));
}

}  // namespace
}  // namespace warpcheck::tool
