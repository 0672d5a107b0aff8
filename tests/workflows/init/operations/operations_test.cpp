// Contracts of kernels that are no matrix products, as strangers write them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>

#include "base/files.hpp"
#include "base/process/temporary_folder.hpp"
#include "device/virtual/virtual_device.hpp"
#include "tests/base/time_factor.hpp"
#include "workflows/init/init.hpp"

namespace warpcheck::workflows::init {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Known {
  const char* name;
  const char* source;
  const char* define;
  std::vector<std::string> grid;
  std::vector<std::string> conditions;
};

void PrintTo(const Known& known, std::ostream* out) { *out << known.name; }

GuessedContract guess(const std::string& source) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "mine.cu";
  write_file(file, source);
  const auto device = device::make_virtual_device();
  InitOptions options;
  options.search_seconds *= kTimeFactor;
  options.check_seconds *= kTimeFactor;
  return init(file, options, *device).contracts.front();
}

constexpr const char* kIndex = "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n";

class InitOperation : public testing::TestWithParam<Known> {};

TEST_P(InitOperation, IsRecognized) {
  const Known& known = GetParam();
  const GuessedContract guessed = guess(known.source);
  ASSERT_TRUE(guessed.draft.operation.has_value()) << to_toml(guessed.draft);
  EXPECT_EQ(guessed.draft.operation->define, known.define);
  EXPECT_EQ(guessed.draft.grid, known.grid);
  EXPECT_EQ(guessed.draft.requires_, known.conditions);
  ASSERT_TRUE(guessed.report.has_value()) << to_toml(guessed.draft);
  EXPECT_EQ(guessed.report->verdict, campaign::Verdict::pass);
}

const std::string kRelu = std::string("__global__ void f(const float* in, float* out, int n) {\n") +
                          kIndex + "  if (i < n) out[i] = in[i] > 0.0f ? in[i] : 0.0f;\n}\n";
const std::string kInPlace = std::string("__global__ void f(float* x, int n) {\n") + kIndex +
                             "  if (i < n) x[i] = fmaxf(x[i], 0.0f);\n}\n";
const std::string kSaxpy =
    std::string("__global__ void f(int n, float a, const float* x, float* y) {\n") + kIndex +
    "  if (i < n) y[i] = a * x[i] + y[i];\n}\n"
    "void run(int N, float* x, float* y) { f<<<(N + 127) / 128, 128>>>(N, 2.0f, x, y); }\n";
const std::string kAdd = std::string("__global__ void f(float* a, float* b, float* c, int n) {\n") +
                         kIndex + "  if (i < n) c[i] = a[i] + b[i];\n}\n";
const std::string kVectors =
    "__global__ void f(const float* x, float* y, int n) {\n"
    "  const int i = 4 * (blockIdx.x * 128 + threadIdx.x);\n"
    "  if (i < n) *(float4*)(y + i) = *(const float4*)(x + i);\n}\n";
const std::string kSum =
    "__global__ void f(const float* x, float* total, unsigned n) {\n"
    "  __shared__ float part[256];\n"
    "  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n"
    "  part[t] = i < n ? x[i] : 0.0f;\n"
    "  for (unsigned s = 128; s > 0; s /= 2) {\n"
    "    __syncthreads();\n"
    "    if (t < s) part[t] += part[t + s];\n"
    "  }\n"
    "  if (t == 0) atomicAdd(total, part[0]);\n}\n";
const std::string kOneBlockScan =
    "__global__ void f(const int* x, int* y, int n) {\n"
    "  __shared__ int part[512];\n"
    "  const int t = threadIdx.x;\n"
    "  part[t] = t < n ? x[t] : 0;\n"
    "  for (int d = 1; d < 512; d *= 2) {\n"
    "    __syncthreads();\n"
    "    const int before = t >= d ? part[t - d] : 0;\n"
    "    __syncthreads();\n"
    "    part[t] += before;\n"
    "  }\n"
    "  if (t < n) y[t] = part[t];\n}\n";
const std::string kTranspose =
    "__global__ void f(const float* x, float* y, int rows, int cols) {\n"
    "  __shared__ float tile[32][33];\n"
    "  int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;\n"
    "  for (int k = 0; k < 32; k += 8)\n"
    "    if (c < cols && r + k < rows) tile[threadIdx.y + k][threadIdx.x] = x[(r + k) * cols + "
    "c];\n"
    "  __syncthreads();\n"
    "  c = blockIdx.y * 32 + threadIdx.x, r = blockIdx.x * 32 + threadIdx.y;\n"
    "  for (int k = 0; k < 32; k += 8)\n"
    "    if (c < rows && r + k < cols) y[(r + k) * rows + c] = tile[threadIdx.x][threadIdx.y + "
    "k];\n"
    "}\n";
const std::string kSoftmax =
    "#include <math.h>\n"
    "__global__ void f(float* out, const float* inp, int N, int C) {\n" +
    std::string(kIndex) +
    "  if (i >= N) return;\n"
    "  const float* x = inp + i * C;\n"
    "  float peak = -INFINITY, total = 0.0f;\n"
    "  for (int j = 0; j < C; ++j) peak = fmaxf(peak, x[j]);\n"
    "  for (int j = 0; j < C; ++j) total += expf(x[j] - peak);\n"
    "  for (int j = 0; j < C; ++j) out[i * C + j] = expf(x[j] - peak) / total;\n}\n";
const std::string kLayerNorm =
    "__global__ void f(float* out, const float* inp, const float* weight, const float* bias, int "
    "N, "
    "int C) {\n" +
    std::string(kIndex) +
    "  if (i >= N) return;\n"
    "  const float* x = inp + i * C;\n"
    "  float m = 0.0f, v = 0.0f;\n"
    "  for (int j = 0; j < C; ++j) m += x[j];\n"
    "  m /= C;\n"
    "  for (int j = 0; j < C; ++j) v += (x[j] - m) * (x[j] - m);\n"
    "  v /= C;\n"
    "  const float s = 1.0f / sqrtf(v + 1e-5f);\n"
    "  for (int j = 0; j < C; ++j) out[i * C + j] = s * (x[j] - m) * weight[j] + bias[j];\n}\n";
// The number of rows is that of the blocks alone.
const std::string kRowsOfGrid =
    "template <int BLOCK>\n"
    "__global__ void f(float* out, const float* x, const float* w, float eps, int hidden) {\n"
    "  __shared__ float part[BLOCK];\n"
    "  const float* row = x + (size_t)blockIdx.x * hidden;\n"
    "  float sum = 0.0f;\n"
    "  for (int j = threadIdx.x; j < hidden; j += BLOCK) sum += row[j] * row[j];\n"
    "  part[threadIdx.x] = sum;\n"
    "  for (int d = BLOCK / 2; d > 0; d /= 2) {\n"
    "    __syncthreads();\n"
    "    if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];\n"
    "  }\n"
    "  __syncthreads();\n"
    "  const float s = rsqrtf(part[0] / hidden + eps);\n"
    "  for (int j = threadIdx.x; j < hidden; j += BLOCK)\n"
    "    out[(size_t)blockIdx.x * hidden + j] = row[j] * s * w[j];\n"
    "}\n"
    "void run(float* o, float* x, float* w, float eps, int rows, int hidden) {\n"
    "  f<128><<<rows, 128>>>(o, x, w, eps, hidden);\n}\n";
const std::string kHalfBias =
    "#include <cuda_fp16.h>\n"
    "__global__ void f(const half* x, const half* bias, half* y, int rows, int cols) {\n"
    "  const int c = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (c < cols) y[(size_t)blockIdx.y * cols + c] = __hadd(x[(size_t)blockIdx.y * cols + c], "
    "bias[c]);\n}\n";

INSTANTIATE_TEST_SUITE_P(
    Kernels, InitOperation,
    testing::Values(
        Known{"Relu", kRelu.c_str(), "out[i] = max(in_[i], 0)", {"ceil_div(n, 256)"}, {}},
        Known{"InPlace", kInPlace.c_str(), "x[i] = max(x_before[i], 0)", {"ceil_div(n, 256)"}, {}},
        Known{"Saxpy", kSaxpy.c_str(), "y[i] = a * x[i] + y_before[i]", {"ceil_div(n, 128)"}, {}},
        Known{"Add", kAdd.c_str(), "c[i] = a[i] + b[i]", {"ceil_div(n, 256)"}, {}},
        Known{"Vectors",
              kVectors.c_str(),
              "y[i] = x[i]",
              {"ceil_div(n, 512)"},
              {"n % 4 == 0", "aligned(x, 16)", "aligned(y, 16)"}},
        Known{"Sum",
              kSum.c_str(),
              "total_[o] = total__before[o] + sum(i: x[i])",
              {"ceil_div(n, 256)"},
              {}},
        Known{"OneBlockScan",
              kOneBlockScan.c_str(),
              "y[i] = sum(j: x[j] where j <= i)",
              {"1"},
              {"n <= 512"}},
        Known{"Transpose",
              kTranspose.c_str(),
              "y[j,i] = x[i,j]",
              {"ceil_div(cols, 32)", "ceil_div(rows, 32)"},
              {"rows <= 2097120"}},
        Known{"Softmax",
              kSoftmax.c_str(),
              "peak[i] = max(j: inp[i,j])\ntotal[i] = sum(j: exp(inp[i,j] - peak[i]))\n"
              "out[i,j] = exp(inp[i,j] - peak[i]) / total[i]",
              {"ceil_div(N, 256)"},
              {}},
        Known{"LayerNorm",
              kLayerNorm.c_str(),
              "mean[i] = sum(j: inp[i,j]) / C\n"
              "variance[i] = sum(j: (inp[i,j] - mean[i]) * (inp[i,j] - mean[i])) / C\n"
              "out[i,j] = (inp[i,j] - mean[i]) * rsqrt(variance[i] + 1e-5) * weight[j] + bias[j]",
              {"ceil_div(N, 256)"},
              {}},
        Known{"RowsOfGrid",
              kRowsOfGrid.c_str(),
              "variance[i] = sum(j: x[i,j] * x[i,j]) / hidden\n"
              "out[i,j] = x[i,j] * rsqrt(variance[i] + eps) * w[j]",
              {"rows"},
              {}},
        Known{"HalfBias",
              kHalfBias.c_str(),
              "y[i,j] = x[i,j] + bias[j]",
              {"ceil_div(cols, 256)", "rows"},
              {"rows <= 65535"}}),
    [](const auto& param_info) { return param_info.param.name; });

/// The shapes and the geometry fit, so that only the definition is left to write.
TEST(InitOperation, UnknownOneHasShapesThatFit) {
  const GuessedContract guessed =
      guess(std::string("__global__ void f(const float* x, float* y, int n) {\n") + kIndex +
            "  if (i < n) y[i] = 3.0f * x[i] + 7.0f;\n}\n");
  ASSERT_TRUE(guessed.draft.operation.has_value());
  EXPECT_TRUE(guessed.is_undefined);
  EXPECT_FALSE(guessed.report.has_value());
  EXPECT_FALSE(guessed.failure_of_any.has_value());
  EXPECT_EQ(guessed.draft.operation->define, "");
  EXPECT_THAT(guessed.draft.operation->inputs.front().shape, ElementsAre("n"));
  EXPECT_THAT(guessed.draft.grid, ElementsAre("ceil_div(n, 256)"));
}

/// Neither the cases nor the search depend on the name.
TEST(InitOperation, NameOfTheKernelChangesNothing) {
  const auto renamed = [](const std::string& name) {
    GuessedContract guessed = guess("__global__ void " + name + kRelu.substr(kRelu.find("f(") + 1));
    guessed.draft.name = guessed.draft.kernel = "f";
    return fmt::format("{}{}", to_toml(guessed.draft), guessed.tried);
  };
  const std::string first = renamed("f");
  for (const char* name : {"q17", "relu", "a_kernel_with_a_long_name", "gemm"}) {
    EXPECT_EQ(renamed(name), first) << name;
  }
}

/// A missing barrier is no reason to try more definitions: it is reported.
TEST(InitOperation, RaceIsReportedWithoutADefinition) {
  std::string source = kTranspose;
  source.erase(source.find("  __syncthreads();\n"), std::string("  __syncthreads();\n").size());
  const GuessedContract guessed = guess(source);
  EXPECT_TRUE(guessed.is_undefined);
  ASSERT_TRUE(guessed.failure_of_any.has_value());
  EXPECT_EQ(guessed.failure_of_any->finding.kind, FindingClass::race);
}

}  // namespace
}  // namespace warpcheck::workflows::init
