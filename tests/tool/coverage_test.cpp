// Runs `warpcheck check --lcov` and `--min-coverage` on kernels with known line and branch counts.
#include <gmock/gmock.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/tool/harness/consumers.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kContract = R"cu(/* warpcheck
[[variant]]
name = "@name"
kernel = "multiply"
operation = "gemm"
types = { a = "f32", b = "f32", c = "f32", accumulate = "f32" }
arguments = ["a", "b", "c", "m", "n", "k"]
block = [8, 8]
grid = ["ceil_div(n, 8)", "ceil_div(m, 8)"]
requires = [@requires]
*/
)cu";

std::string contract(const std::string& name, const std::string& domain) {
  return replaced(replaced(kContract, "@name", name), "@requires", domain);
}

/// One block of 64 threads in two warps; each thread computes one element of C, a sum of four
/// terms.
const std::string kOneBlock =
    contract("one", R"("m == 8", "n == 8", "k == 4")") + R"cu(#include <cstdio>
__device__ float term(const float* a, const float* b, int i, int j) { return a[i] * b[j]; }
__device__ void warn(int m) {
  if (m > 100) printf("many rows: %d", m);
}
__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.y * 8 + threadIdx.y;
  const int column = blockIdx.x * 8 + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 1
  for (int p = 0; p < k; ++p) {
    sum += term(a, b, row * k + p, p * n + column);
  }
  warn(m);
  if (threadIdx.y < 4) {
    c[row * n + column] = sum;
  } else {
    c[row * n + column] = sum + 0.0f * __int_as_float(m);
  }
}
)cu";

/// The lines of a tracefile that begin with a word, without that word: "BRDA:" -> "20,0,0,8" ...
std::vector<std::string> records(const std::string& tracefile, const std::string& word) {
  std::vector<std::string> found;
  std::istringstream lines(tracefile);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(word)) found.push_back(line.substr(word.size()));
  }
  return found;
}

/// The execution count of each line.
std::map<int, int> executions(const std::string& tracefile) {
  std::map<int, int> lines;
  for (const std::string& record : records(tracefile, "DA:")) {
    lines[std::stoi(record)] = std::stoi(record.substr(record.find(',') + 1));
  }
  return lines;
}

/// The number, from 1, of the first line that contains a text.
int number_of_line(const std::string& source, const std::string& text) {
  return 1 + static_cast<int>(
                 std::count(source.begin(),
                            source.begin() + static_cast<std::ptrdiff_t>(source.find(text)), '\n'));
}

Result check_five(const Scratch& scratch, const std::string& file,
                  std::vector<std::string> further = {}) {
  std::vector<std::string> words = {"check",    file,      "--cases",    "5",
                                    "--device", "virtual", "--property", "matches-reference",
                                    "--lcov",   "cov.info"};
  words.insert(words.end(), further.begin(), further.end());
  return scratch.run(words);
}

TEST(CheckCoverage, CountsLinesAndBranches) {
  const Scratch scratch;
  const Result result = check_five(scratch, scratch.write("one.cu", kOneBlock));
  ASSERT_EQ(result.status, 0) << result.out << result.error;
  const std::string tracefile = scratch.read("cov.info");
  EXPECT_THAT(records(tracefile, "SF:"), ElementsAre((scratch.folder() / "one.cu").string()));
  EXPECT_THAT(records(tracefile, "FNDA:"), ElementsAre("10,multiply")) << "5 cases of 2 warps";
  const auto line = [](const char* text) { return number_of_line(kOneBlock, text); };
  EXPECT_THAT(records(tracefile, "FN:"),
              ElementsAre(std::to_string(line("__global__")) + ",multiply"));

  const std::map<int, int> lines = executions(tracefile);
  EXPECT_EQ(lines.at(line("const int row")), 10);
  EXPECT_EQ(lines.at(line("sum += term")), 40);
  EXPECT_EQ(lines.at(line("return a[i]")), 40);
  EXPECT_EQ(lines.at(line("if (m > 100)")), 10) << "the condition is on this line";
  EXPECT_EQ(lines.at(line("if (threadIdx.y < 4)")), 10);
  EXPECT_FALSE(lines.contains(line("#pragma"))) << "no instruction";
  // The warps have rows 0 to 3 and 4 to 7; each takes one direction.
  const auto branch = [&](const char* text, int taken, int not_taken) {
    const std::string at = std::to_string(line(text));
    return std::vector<std::string>{at + ",0,0," + std::to_string(taken),
                                    at + ",0,1," + std::to_string(not_taken)};
  };
  std::vector<std::string> expected = branch("if (m > 100)", 0, 10);
  // Each warp enters the loop, repeats it three times, then leaves it.
  for (const std::string& record : branch("for (int p", 40, 10)) expected.push_back(record);
  EXPECT_THAT(records(tracefile, "BRDA:"), testing::IsSupersetOf(expected));
}

TEST(CheckCoverage, CopiesOfAnUnrolledLoopCountAsOneLoop) {
  const Scratch scratch;
  const std::string source = contract("unrolled", R"("k % 4 == 0", "k > 0", "k < 100", "m < 99")") +
                             R"cu(
__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.y * 8 + threadIdx.y;
  const int column = blockIdx.x * 8 + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
#pragma unroll 4
  for (int p = 0; p < k; ++p) {
    sum += a[row * k + p] * b[p * n + column];
  }
  c[row * n + column] = sum;
}
)cu";
  const Result result =
      scratch.run({"check", scratch.write("unrolled.cu", source), "--cases", "40", "--device",
                   "virtual", "--lcov", "cov.info", "--min-coverage", "lines=100,branches=100"});
  ASSERT_EQ(result.status, 0) << result.out << result.error;
  std::vector<std::string> lines;
  for (const std::string& record : records(scratch.read("cov.info"), "BRDA:")) {
    lines.push_back(record.substr(0, record.rfind(',')));
  }
  const std::string edge = std::to_string(number_of_line(source, "if (row"));
  const std::string loop = std::to_string(number_of_line(source, "for (int p"));
  EXPECT_THAT(lines, ElementsAre(edge + ",0,0", edge + ",0,1", loop + ",0,0", loop + ",0,1"))
      << "the remainder loop is not a branch of its own";
}

TEST(CheckCoverage, HeadersAndVariantsOfOneFileHaveOneRecordEach) {
  const Scratch scratch;
  scratch.write("tile.cuh", R"cu(template <int kTile>
__device__ int place(int block, int thread) {
  if (kTile == 4) return block * 4 + thread;
  return block * 8 + thread;
}
)cu");
  std::string source = contract("tile8", R"("m == 8", "n == 8", "k == 1")") + R"cu(
#include "tile.cuh"
template <int kTile>
__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = place<kTile>(blockIdx.y, threadIdx.y);
  const int column = place<kTile>(blockIdx.x, threadIdx.x);
  c[row * n + column] = a[row] * b[column];
}
)cu";
  source = replaced(source, R"("multiply")", R"("multiply<8>")");
  const std::string table =
      source.substr(source.find("[[variant]]"), source.find("*/") - source.find("[[variant]]"));
  std::string second = replaced(replaced(table, "tile8", "tile4"), "multiply<8>", "multiply<4>");
  second = replaced(replaced(second, "[8, 8]", "[4, 4]"), "(n, 8)", "(n, 4)");
  second = replaced(second, "(m, 8)", "(m, 4)");
  source = replaced(source, "*/", second + "*/");
  const Result result = check_five(scratch, scratch.write("tiles.cu", source));
  ASSERT_EQ(result.status, 0) << result.out << result.error;
  const std::string tracefile = scratch.read("cov.info");
  EXPECT_THAT(records(tracefile, "SF:"), ElementsAre((scratch.folder() / "tile.cuh").string(),
                                                     (scratch.folder() / "tiles.cu").string()));
  // Tiles of 8 have 2 warps per case; tiles of 4 have four blocks of one warp.
  EXPECT_THAT(records(tracefile, "FNDA:"), ElementsAre("20,multiply<4>", "10,multiply<8>"));
  const std::string header = tracefile.substr(0, tracefile.find("end_of_record"));
  EXPECT_EQ(executions(header).at(3), 40) << "of tiles of 4, inlined twice";
  EXPECT_EQ(executions(header).at(4), 20) << "of tiles of 8, inlined twice";
}

TEST(CheckCoverage, DoesNotDependOnTheNumberOfThreads) {
  const Scratch scratch;
  const std::string file = scratch.write("right.cu", correct_kernel("right"));
  const auto covered = [&](const char* jobs) {
    const Result result = scratch.run({"check", file, "--cases", "40", "--device", "virtual",
                                       "--lcov", "cov.info", "--jobs", jobs});
    EXPECT_EQ(result.status, 0) << result.out << result.error;
    return scratch.read("cov.info");
  };
  const std::string alone = covered("1");
  EXPECT_THAT(alone, HasSubstr("DA:"));
  EXPECT_EQ(alone, covered("4"));
}

TEST(CheckCoverage, GenhtmlAcceptsTheTracefile) {
  const Scratch scratch;
  const Result result = check_five(scratch, scratch.write("one.cu", kOneBlock));
  ASSERT_EQ(result.status, 0) << result.out << result.error;
  Consumers consumers(scratch);
  EXPECT_TRUE(consumers.accepts_lcov("cov.info")) << consumers.errors();
  if (!consumers.missing().empty()) GTEST_SKIP() << consumers.missing();
  const Result pages = scratch.shell("cat $(find html -name 'one.cu.gcov.html')");
  EXPECT_THAT(pages.out,
              AllOf(HasSubstr("sum += term"), HasSubstr("lineCov"), HasSubstr("branchNoCov")));
  // lcov rejects a tracefile without a source file.
  scratch.write("broken.info", replaced(scratch.read("cov.info"), "SF:", "XX:"));
  EXPECT_FALSE(consumers.accepts_lcov("broken.info"));
}

TEST(CheckCoverage, BelowTheMinimumFailsAndNamesTheLines) {
  const Scratch scratch;
  const std::string source = replaced(kOneBlock, "if (m > 100) printf(\"many rows: %d\", m);",
                                      "if (m > 100)\n    printf(\"many rows: %d\", m);");
  const std::string file = scratch.write("one.cu", source);
  const Result lines = check_five(scratch, file, {"--min-coverage", "100"});
  EXPECT_EQ(lines.status, 1);
  EXPECT_THAT(lines.out,
              AllOf(HasSubstr("too little coverage: one lines "),
                    HasSubstr(" (never executed: one.cu:" +
                              std::to_string(number_of_line(source, "    printf")) + ")\n"),
                    Not(HasSubstr("one direction only"))));
  const Result branches = check_five(scratch, file, {"--min-coverage", "lines=50,branches=100"});
  EXPECT_EQ(branches.status, 1);
  EXPECT_THAT(branches.out, HasSubstr("too little coverage: one branches "));
  EXPECT_EQ(check_five(scratch, file, {"--min-coverage", "lines=50,branches=50"}).status, 0);
}

TEST(CheckCoverage, UnknownIfNoLaunchCompletes) {
  const Scratch scratch;
  const std::string file = scratch.write(
      "wild.cu", replaced(kOneBlock, "c[row * n + column] = sum;", "c[-row - 1] = sum;"));
  const Result result = check_five(scratch, file, {"--min-coverage", "1"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out,
              HasSubstr("too little coverage: one not known, because no launch completed\n"));
  EXPECT_EQ(scratch.read("cov.info"), "");
}

TEST(CheckCoverage, RejectsOptionsThatGivePartialCoverage) {
  const Scratch scratch;
  const std::string file = scratch.write("right.cu", correct_kernel("right"));
  const auto refusal = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"check", file, "--device", "virtual", "--cases", "4"});
    const Result result = scratch.run(words);
    EXPECT_EQ(result.status, 2);
    return result.error;
  };
  EXPECT_THAT(refusal({"--history", "h.db", "--resume", "--lcov", "cov.info"}),
              HasSubstr("found --resume with --lcov or --min-coverage"));
  EXPECT_THAT(refusal({"--shard", "1/2", "--min-coverage", "90"}),
              HasSubstr("found --min-coverage with --shard"));
}

/// Each thread computes one element; the terms beyond a multiple of 4 are in a tail of their own.
const std::string kTail = contract("tail", R"("k % 4 == 0", "m < 99", "n < 99", "k < 99")") + R"cu(
__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.y * 8 + threadIdx.y;
  const int column = blockIdx.x * 8 + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  int p = 0;
#pragma unroll 1
  for (; p + 4 <= k; p += 4) {
    for (int q = p; q < p + 4; ++q) sum += a[row * k + q] * b[q * n + column];
  }
#pragma unroll 1
  while (p < k) {
    sum += a[row * k + p] * b[p * n + column];
    ++p;
  }
  c[row * n + column] = sum;
}
)cu";

TEST(CheckLines, ALineThatNoCaseExecutesMakesThePassMistrusted) {
  const Scratch scratch;
  const std::string file = scratch.write("tail.cu", kTail);
  const int line = number_of_line(kTail, "    sum += a[row * k + p]");
  const auto check = [&](std::vector<std::string> further) {
    std::vector<std::string> words = {"check", file, "--cases", "40", "--device", "virtual"};
    words.insert(words.end(), further.begin(), further.end());
    return scratch.run(words);
  };
  const Result result = check({"--json", "report.json"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("  mistrusted: line"));
  EXPECT_THAT(result.out, HasSubstr(" " + std::to_string(line)));
  EXPECT_THAT(result.out, HasSubstr(" of tail.cu w"));
  EXPECT_THAT(scratch.read("report.json"), HasSubstr(R"("verdict":"mistrusted")"));
  EXPECT_THAT(scratch.read("report.json"),
              HasSubstr(R"("unexecuted":[{"file":"tail.cu","lines":[)"));
  EXPECT_EQ(check({"--min-coverage", "lines=50"}).status, 0) << "an explicit minimum replaces all";
  scratch.write("tail.cu", replaced(replaced(kTail, "  while (p < k) {",
                                             "  while (p < k) {  // LCOV_EXCL_START"),
                                    "    ++p;\n  }", "    ++p;\n  }  // LCOV_EXCL_STOP"));
  EXPECT_EQ(check({}).status, 0) << "the tail is marked";
  scratch.write("tail.cu", replaced(kTail, R"("k % 4 == 0", )", ""));
  EXPECT_EQ(check({}).status, 0) << "the domain contains tails";
}

TEST(CheckLines, MergedShardsLeaveTheSameLines) {
  const Scratch scratch;
  const std::string file = scratch.write("tail.cu", kTail);
  const auto check = [&](std::vector<std::string> further) {
    std::vector<std::string> words = {"check", file, "--cases", "40", "--device", "virtual"};
    words.insert(words.end(), further.begin(), further.end());
    return scratch.run(words).status;
  };
  EXPECT_EQ(check({"--json", "whole.json"}), 1);
  EXPECT_EQ(check({"--shard", "1/2", "--history", "1.db"}), 0) << "another shard may execute it";
  EXPECT_EQ(check({"--shard", "2/2", "--history", "2.db"}), 0);
  EXPECT_EQ(scratch.run({"merge", "1.db", "2.db", "-o", "all.db", "--json", "merged.json"}).status,
            1);
  const auto unexecuted = [&](const char* report) {
    const std::string text = scratch.read(report);
    const std::size_t at = text.find("\"lines\":");
    return text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_THAT(unexecuted("whole.json"), HasSubstr("tail.cu"));
  EXPECT_EQ(unexecuted("merged.json"), unexecuted("whole.json"));
}

TEST(CheckCoverage, SumOfTheShardsIsThatOfTheCampaign) {
  const Scratch scratch;
  const std::string file = scratch.write("right.cu", correct_kernel("right"));
  const auto counts = [&](std::vector<std::string> words) {
    words.insert(words.begin(),
                 {"check", file, "--device", "virtual", "--cases", "40", "--lcov", "cov.info"});
    const Result result = scratch.run(words);
    EXPECT_EQ(result.status, 0) << result.out << result.error;
    return executions(scratch.read("cov.info"));
  };
  const std::map<int, int> whole = counts({});
  std::map<int, int> sum = counts({"--shard", "1/2"});
  for (const auto& [line, warps] : counts({"--shard", "2/2"})) sum[line] += warps;
  EXPECT_FALSE(whole.empty());
  EXPECT_EQ(sum, whole);
}

}  // namespace
}  // namespace warpcheck::tool
