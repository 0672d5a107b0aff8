// Kernels of operations that contracts define: every right kernel passes, and the commands and
// reports take them.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "tests/base/time_factor.hpp"
#include "tests/tool/harness/consumers.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const std::string kKernels = WARPCHECK_SOURCE_DIR "/kernels/operations";
const std::string kSoftmax = WARPCHECK_SOURCE_DIR "/kernels/specimens/operations/d45_softmax.cu";

std::vector<json> events_of(const std::string& lines) {
  std::vector<json> events;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) events.push_back(json::parse(line));
  return events;
}

TEST(Operations, RightKernelsPass) {
  const Scratch scratch;
  const Result result = scratch.run({"check", kKernels, "--cases", "60", "--seed", "11", "--device",
                                     "virtual", "--json", "report.json"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  std::map<std::string, std::string> verdicts;
  for (const json& event : events_of(scratch.read("report.json"))) {
    if (event["event"] != "variant") continue;
    verdicts[event["variant"]] = event["verdict"];
    for (const char* property : {"matches-reference", "writes-every-element", "leaves-inputs-alone",
                                 "same-bits-twice", "second-call-other-pointers"}) {
      EXPECT_GT(event["properties"].value(property, 0), 0) << event["variant"] << property;
    }
  }
  EXPECT_EQ(verdicts.size(), 35U);
  for (const auto& [variant, verdict] : verdicts) EXPECT_EQ(verdict, "pass") << variant;
}

/// The contract of a specimen without what it expects, and with the kernel whose defects are all
/// switched off: "gemv<true, false>" is "gemv<false, false>".
std::string right_contract(const std::string& text) {
  std::string right;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("expect")) continue;
    if (line.starts_with("kernel")) {
      for (std::size_t at = line.find("true"); at != std::string::npos; at = line.find("true")) {
        line.replace(at, 4, "false");
      }
    }
    right += line + '\n';
  }
  return right;
}

TEST(Operations, SpecimensWithoutTheirDefectPass) {
  const Scratch scratch;
  std::vector<std::string> arguments = {"check", "--device", "virtual", "--cases", "30"};
  for (const char* name :
       {"d47_attention", "d53_reductions", "d54_broadcast", "d55_scan", "d56_images",
        "d57_grouped_gemm", "d58_quantize", "d59_grouped_attention"}) {
    const std::string file = kKernels + "/../specimens/operations/" + name;
    scratch.write(std::string(name) + ".toml", right_contract(read_input(file + ".toml")));
    arguments.push_back(scratch.write(std::string(name) + ".cu", read_input(file + ".cu")));
  }
  const Result result = scratch.run(arguments);
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("all passed"));
}

/// An example, and a change of one place that makes it wrong.
struct ExampleDefect {
  std::string file;
  std::string right;
  std::string wrong;
};

TEST(Operations, ExamplesPassAndFailWithADefect) {
  const std::string examples = WARPCHECK_SOURCE_DIR "/examples/operations";
  const Scratch scratch;
  const Result result = scratch.run({"check", examples, "--device", "virtual", "--cases", "30"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("10 variants, 300 cases"));
  const std::vector<ExampleDefect> defects = {
      {"adamw.cu", "0.001f * g * g", "0.001f * g"},
      {"upsampling.cu", "neighbour(h, height)", "h / 2 + 1"},
      {"correlation.cu", "length) + taps - 1", "length) + taps - 2"},
      {"cross_entropy.cu", "chosen < 0", "chosen <= 0"},
      {"embedding_bag.cu", "t < end", "t <= end"},
      {"gelu_backward.cu", "+ value * density", "+ density"},
      {"histogram.cu", "atomicAdd(of_block + x[at], 1)", "++of_block[x[at]]"},
      {"max_pooling.cu", "value > most", "value >= most"},
      {"rotary.cu", "first * c - second * s", "first * c + second * s"},
      {"rotary_pairs.cu", "x * cosine - pair.y", "x * cosine + pair.y"}};
  for (const ExampleDefect& defect : defects) {
    std::string source = read_input(examples + "/" + defect.file);
    const std::size_t at = source.find(defect.right);
    ASSERT_NE(at, std::string::npos) << defect.file;
    source.replace(at, defect.right.size(), defect.wrong);
    const Result failed = scratch.run(
        {"check", scratch.write(defect.file, source), "--device", "virtual", "--cases", "100"});
    EXPECT_EQ(failed.status, 1) << defect.file << failed.out << failed.error;
  }
}

TEST(Operations, FindingsAreReplayedAndAcceptedByReadersOfReports) {
  const Scratch scratch;
  const Result result = scratch.run({"check", kSoftmax + ":d45_sum_*", "--device", "virtual",
                                     "--json", "report.json", "--junit", "report.xml", "--sarif",
                                     "report.sarif", "--html", "page.html", "--quiet"});
  EXPECT_EQ(result.status, 1) << result.error;
  std::vector<json> findings;
  for (json& event : events_of(scratch.read("report.json"))) {
    if (event["event"] == "finding") findings.push_back(std::move(event));
  }
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0]["variant"], "d45_sum_not_rescaled");
  EXPECT_THAT(result.out, HasSubstr("each output is what the operation defines"));
  Consumers consumers(scratch);
  EXPECT_TRUE(consumers.accepts_events("report.json")) << consumers.errors();
  EXPECT_TRUE(consumers.accepts_junit("report.xml")) << consumers.errors();
  EXPECT_TRUE(consumers.accepts_sarif("report.sarif")) << consumers.errors();
  const Result replayed = scratch.run({"replay", "--in", kSoftmax, "--device", "virtual",
                                       findings[0]["smallest"].get<std::string>()});
  EXPECT_EQ(replayed.status, 1);
  EXPECT_THAT(replayed.out, HasSubstr(findings[0]["message"].get<std::string>().substr(0, 40)));
  if (!consumers.missing().empty()) GTEST_SKIP() << consumers.missing();
}

TEST(Operations, FailuresHaveTheirSmallestCaseAndPattern) {
  const Scratch scratch;
  const Result result =
      scratch.run({"check", kKernels + "/../specimens/operations/d46_norms.cu:*power_of_two",
                   "--cases", "200", "--device", "virtual"});
  EXPECT_EQ(result.status, 1) << result.error;
  EXPECT_THAT(result.out, HasSubstr("rows=1 columns=3"));
  EXPECT_THAT(result.out, HasSubstr("every element is wrong"));
}

TEST(Operations, CasesOfAnotherOperationAreErrors) {
  const Scratch scratch;
  const auto error = [&](const std::string& line) {
    const Result result = scratch.run({"replay", "--in", kSoftmax, line});
    EXPECT_EQ(result.status, 2) << line;
    return result.error;
  };
  EXPECT_THAT(error("d45_sum_not_rescaled m=1 n=1 k=1 alpha=1 beta=0 data=lattice seed=0"),
              HasSubstr("expected operation=softmax behind its name"));
  EXPECT_THAT(error("d45_sum_not_rescaled operation=row_sums rows=1"),
              HasSubstr("expected operation=softmax"));
  EXPECT_THAT(error("d45_sum_not_rescaled operation=softmax rows=2 colums=3"),
              HasSubstr("case:1:47: error: colums is given"));
  EXPECT_THAT(error("d45_sum_not_rescaled operation=softmax rows=-1"), HasSubstr("at least 0"));
}

/// The hyperbolic tangent of the hardware, whose relative error is 2^-11.
constexpr const char* kFastTanh = R"cu(/* warpcheck
[[operation]]
name    = "tanh"
extents = ["n"]
inputs  = { x = { shape = ["n"] } }
outputs = { y = { shape = ["n"] } }
define  = "y[i] = tanh(x[i])"

[defaults]
operation = "tanh"
kernel    = "hardware_tanh"
arguments = ["x", "y", "n"]
block     = [64]
grid      = ["ceil_div(n, 64)"]

[[variant]]
name      = "declared"
fast_math = true

[[variant]]
name      = "undeclared"
*/
__global__ void hardware_tanh(const float* x, float* y, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  float result;
  asm("tanh.approx.f32 %0, %1;" : "=f"(result) : "f"(x[i]));
  y[i] = result;
}
)cu";

TEST(Operations, ApproximateFunctionsAreDeclared) {
  const Scratch scratch;
  const std::string file = scratch.write("tanh.cu", kFastTanh);
  const Result declared = scratch.run({"check", file + ":declared", "--device", "virtual"});
  EXPECT_EQ(declared.status, 0) << declared.out << declared.error;
  const Result undeclared = scratch.run({"check", file + ":undeclared", "--device", "virtual"});
  EXPECT_EQ(undeclared.status, 1);
  EXPECT_THAT(undeclared.out, HasSubstr("error[wrong-result]: y["));
}

/// The kernels of d49_offsets.cu with offsets of 64 bits and every stride: sums of rows of a batch.
constexpr const char* kRightOffsets = R"cu(/* warpcheck
[[operation]]
name    = "batch_row_sum"
extents = ["batch", "rows", "columns"]
inputs.x  = { shape = ["batch", "rows", "columns"] }
outputs.y = { shape = ["batch", "rows"] }
define  = "y[b,i] = sum(j: x[b,i,j])"

[[variant]]
name      = "right_offsets"
operation = "batch_row_sum"
kernel    = "right_offsets"
arguments = ["x", "stride_x", "batch_stride_x", "y", "stride_y", "rows", "columns"]
block     = [64]
grid      = ["ceil_div(rows, 64)", "batch"]
requires  = ["batch <= 65535"]

[[variant]]
name      = "grid_over_columns"
operation = "batch_row_sum"
kernel    = "right_offsets"
arguments = ["x", "stride_x", "batch_stride_x", "y", "stride_y", "rows", "columns"]
block     = [64]
grid      = ["ceil_div(rows, 64)", "min(batch * columns, batch)"]
requires  = ["batch <= 65535"]
*/
__global__ void right_offsets(const float* x, int stride_x, long long batch_stride_x, float* y,
                              int stride_y, int rows, int columns) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  const float* from = x + blockIdx.y * batch_stride_x + static_cast<size_t>(row) * stride_x;
  float sum = 0.0f;
  for (int j = 0; j < columns; ++j) sum += from[j];
  y[static_cast<size_t>(blockIdx.y) * stride_y + row] = sum;
}
)cu";

TEST(Operations, RightOffsetsBeyond32BitsAndEmptySumsPass) {
  const Scratch scratch;
  const std::string file = scratch.write("mine.cu", kRightOffsets);
  const Result result = scratch.run(
      {"check", file + ":right_offsets", "--cases", "100", "--device", "virtual", "--verbose"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, ::testing::ContainsRegex(" batch_stride_x=[0-9]{10}"));
  EXPECT_THAT(result.out, ::testing::ContainsRegex(" stride_y=[0-9]{10}"));
  EXPECT_THAT(result.out, HasSubstr(" columns=0 "));
  EXPECT_LT(result.seconds, 10.0 * std::max(1, kTimeFactor));
  EXPECT_LT(result.megabytes, 1024U);
}

TEST(Operations, LaunchThatIsEmptyForAnExtentOfZeroIsANote) {
  const Scratch scratch;
  const std::string file = scratch.write("mine.cu", kRightOffsets);
  const Result result =
      scratch.run({"check", file + ":grid_over_columns", "--cases", "60", "--device", "virtual"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("is 0 for columns = 0"));
  EXPECT_THAT(result.out, HasSubstr("\"columns >= 1\""));
}

TEST(Operations, ShardsMergeToTheWholeCampaign) {
  const Scratch scratch;
  const std::string target = kKernels + "/softmax.cu:softmax_online";
  const std::vector<std::string> options = {"--cases", "40", "--device", "virtual"};
  std::vector<std::string> merge = {"merge", "-o", "all.db"};
  for (const std::string shard : {"1/2", "2/2"}) {
    std::vector<std::string> arguments = {"check", target,      "--shard",
                                          shard,   "--history", shard.substr(0, 1) + ".db"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Result result = scratch.run(arguments);
    EXPECT_EQ(result.status, 0) << result.out << result.error;
    merge.push_back(shard.substr(0, 1) + ".db");
  }
  const Result merged = scratch.run(merge);
  EXPECT_EQ(merged.status, 0) << merged.out << merged.error;
  EXPECT_THAT(merged.out, HasSubstr("40 cases"));
}

}  // namespace
}  // namespace warpcheck::tool
