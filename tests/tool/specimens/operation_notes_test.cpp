// Notes about contracts of operations of the language, with kernels as strangers write them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>

#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A block for each row, along y.
constexpr const char* kSoftmaxOfRows = R"cu(/* warpcheck
[[operation]]
name    = "softmax"
extents = ["rows", "columns"]
inputs  = { x = { shape = ["rows", "columns"] } }
outputs = { y = { shape = ["rows", "columns"] } }
define  = "y[i,j] = exp(x[i,j] - max(k: x[i,k])) / sum(k: exp(x[i,k] - max(l: x[i,l])))"

[[variant]]
name      = "softmax"
operation = "softmax"
kernel    = "softmax"
arguments = ["x", "y", "rows", "columns"]
block     = [1]
grid      = [1, "rows"]
*/
#include <math.h>
__global__ void softmax(const float* x, float* y, int rows, int columns) {
  const size_t row = blockIdx.y;
  float peak = -INFINITY;
  float total = 0.0f;
  for (int j = 0; j < columns; ++j) peak = fmaxf(peak, x[row * columns + j]);
  for (int j = 0; j < columns; ++j) total += expf(x[row * columns + j] - peak);
  for (int j = 0; j < columns; ++j) y[row * columns + j] = expf(x[row * columns + j] - peak) / total;
}
)cu";

/// The axis is a product of extents.
constexpr const char* kReduction = R"cu(/* warpcheck
[[operation]]
name    = "row_sum"
extents = ["batch", "heads", "length"]
inputs  = { x = { shape = ["batch", "heads", "length"] } }
outputs = { y = { shape = ["batch", "heads"] } }
define  = "y[b,h] = sum(i: x[b,h,i])"

[[variant]]
name      = "row_sum"
operation = "row_sum"
kernel    = "row_sum"
arguments = ["x", "y", "length"]
block     = [32]
grid      = [1, "batch * heads"]
*/
__global__ void row_sum(const float* x, float* y, int length) {
  const size_t row = blockIdx.y;
  float sum = 0.0f;
  for (int i = threadIdx.x; i < length; i += 32) sum += x[row * length + i];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
  if (threadIdx.x == 0) y[row] = sum;
}
)cu";

constexpr const char* kTranspose = R"cu(/* warpcheck
[[operation]]
name    = "transpose"
extents = ["rows", "columns"]
inputs  = { x = { shape = ["rows", "columns"] } }
outputs = { y = { shape = ["columns", "rows"] } }
define  = "y[j,i] = x[i,j]"

[[variant]]
name      = "transpose"
operation = "transpose"
kernel    = "transpose"
arguments = ["x", "y", "rows", "columns"]
block     = [16, 16]
grid      = ["ceil_div(columns, 16)", "ceil_div(rows, 16)"]
*/
__global__ void transpose(const float* x, float* y, int rows, int columns) {
  const int column = blockIdx.x * 16 + threadIdx.x;
  const int row = blockIdx.y * 16 + threadIdx.y;
  if (row < rows && column < columns) {
    y[static_cast<size_t>(column) * rows + row] = x[static_cast<size_t>(row) * columns + column];
  }
}
)cu";

Result check(const std::string& source, const std::vector<std::string>& more = {}) {
  const Scratch scratch;
  scratch.write("kernel.cu", source);
  std::vector<std::string> arguments = {"check",   "kernel.cu", "--device",
                                        "virtual", "--cases",   "20"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return scratch.run(arguments);
}

TEST(OperationNotes, GridBeyondTheLimitNamesItsCondition) {
  const auto note_of = [](const char* source) {
    const Result result = check(source);
    EXPECT_EQ(result.status, 0) << result.out << result.error;
    return result.out;
  };
  EXPECT_THAT(note_of(kSoftmaxOfRows), HasSubstr("add \"rows <= 65535\" to `requires`"));
  EXPECT_THAT(note_of(kReduction), HasSubstr("add \"batch * heads <= 65535\" to `requires`"));
  EXPECT_THAT(note_of(kTranspose), HasSubstr("add \"rows <= 1048560\" to `requires`"));
  const std::string bounded =
      replaced(kSoftmaxOfRows, "block ", "requires  = [\"rows <= 65535\"]\nblock ");
  EXPECT_THAT(note_of(bounded.c_str()), Not(HasSubstr("note:")));
}

TEST(OperationNotes, StatedGridBeyondTheLimitIsAFinding) {
  const std::string stated =
      replaced(kSoftmaxOfRows, "block ", "requires  = [\"rows <= 100000\"]\nblock ");
  for (const Result& result : {check(stated), check(kSoftmaxOfRows, {"--strict-launch"})}) {
    EXPECT_EQ(result.status, 1) << result.out << result.error;
    EXPECT_THAT(result.out, HasSubstr("error[launch-failure]"));
    EXPECT_THAT(result.out, HasSubstr("rows=65536 columns=1"));
  }
}

/// A thread for each row, of which the output may be padded.
constexpr const char* kCopyOfRows = R"cu(/* warpcheck
[[operation]]
name    = "copy"
extents = ["rows", "columns"]
inputs  = { x = { shape = ["rows", "columns"] } }
outputs = { y = { shape = ["rows", "columns"] } }
define  = "y[i,j] = x[i,j]"

[[variant]]
name      = "copy"
operation = "copy"
kernel    = "copy"
arguments = ["x", "stride_x", "y", "stride_y", "rows", "columns"]
block     = [64]
grid      = ["ceil_div(rows, 64)"]
*/
__global__ void copy(const float* x, int stride_x, float* y, int stride_y, int rows, int columns) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  for (int j = 0; j < columns; ++j) y[size_t(row) * stride_y + j] = x[size_t(row) * stride_x + j];
}
)cu";

TEST(OperationNotes, ExchangedPartsOfALaunchAreNamed) {
  const auto help_of = [](const char* source, const char* what, const char* instead) {
    const Result result = check(replaced(source, what, instead));
    EXPECT_EQ(result.status, 1) << result.out << result.error;
    return result.out;
  };
  EXPECT_THAT(help_of(kSoftmaxOfRows, R"(["x", "y",)", R"(["y", "x",)"),
              HasSubstr("is correct with the arguments x and y exchanged"));
  EXPECT_THAT(help_of(kTranspose, "\"rows\", \"columns\"]\nblock", "\"columns\", \"rows\"]\nblock"),
              HasSubstr("is correct with the arguments rows and columns exchanged"));
  const std::string padded =
      help_of(kCopyOfRows, "\"rows\", \"columns\"]\nblock", "\"columns\", \"rows\"]\nblock");
  const std::size_t finding = padded.find("error[guard-overwritten]");
  ASSERT_NE(finding, std::string::npos) << padded;
  EXPECT_THAT(padded.substr(finding, padded.find("\n\n", finding) - finding),
              HasSubstr("is correct with the arguments rows and columns exchanged"));
  EXPECT_THAT(help_of(kReduction, R"([1, "batch * heads"])", R"(["batch * heads"])"),
              HasSubstr("is correct with the axes x and y of `grid` exchanged"));
  EXPECT_THAT(help_of(kSoftmaxOfRows, "total += ", "total = "), Not(HasSubstr("is correct with")));
}

/// Each thread computes one element of an image of twice the size, and forgets the last row.
constexpr const char* kUpsampling = R"cu(/* warpcheck
[[operation]]
name    = "upsampling"
extents = ["height"]
inputs  = { x = { shape = ["height"] } }
outputs = { y = { shape = ["2 * height"] } }
define  = "y[h] = 0.5 * x[h // 2] + 0.5 * x[min((h + 1) // 2, height - 1)]"

[[variant]]
name      = "upsampling"
operation = "upsampling"
kernel    = "upsampling"
arguments = ["x", "y", "height"]
block     = [64]
grid      = ["ceil_div(2 * height, 64)"]
*/
__global__ void upsampling(const float* x, float* y, int height) {
  const int h = blockIdx.x * 64 + threadIdx.x;
  if (h < 2 * height) y[h] = 0.5f * x[h / 2] + 0.5f * x[(h + 1) / 2];
}
)cu";

TEST(OperationNotes, GuardIsAdvisedForThreadsWithoutAnElement) {
  const Result unguarded = check(replaced(kTranspose, "row < rows && ", ""));
  EXPECT_EQ(unguarded.status, 1) << unguarded.out << unguarded.error;
  EXPECT_THAT(unguarded.out, HasSubstr("which is not below any extent"));
  const Result has_element = check(kUpsampling);
  EXPECT_EQ(has_element.status, 1) << has_element.out << has_element.error;
  EXPECT_THAT(has_element.out, HasSubstr("error[out-of-bounds]"));
  EXPECT_THAT(has_element.out, Not(HasSubstr("guard the load")));
}

}  // namespace
}  // namespace warpcheck::tool
