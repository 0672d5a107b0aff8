// Runs the commands on contracts with include, defines, flags, arch, constants, instances, fix,
// when and computed arguments: the files of tests/contract/tutorials, and kernels of these tests.
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/tool/harness/git.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kTutorials = WARPCHECK_SOURCE_DIR "/tests/contract/tutorials";

/// The verdicts in a JSON Lines report, by variant.
std::map<std::string, std::string> verdicts(const std::string& report) {
  std::map<std::string, std::string> found;
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);) {
    const json event = json::parse(line);
    if (event["event"] == "variant") found[event["variant"]] = event["verdict"];
  }
  return found;
}

TEST(ContractKeys, TutorialsHaveTheirVerdicts) {
  const Scratch scratch;
  const Result result = scratch.run(
      {"check", kTutorials, "--device", "virtual", "--cases", "20", "--json", "report.json"});
  EXPECT_EQ(result.status, 1) << result.error;
  const std::map<std::string, std::string> expected = {
      {"macro_tiles_BM8_BN32_BK4", "pass"},
      {"macro_tiles_BM16_BN16_BK16", "pass"},
      {"fixed_sizes_M64_N48_K32", "pass"},
      {"fixed_sizes_M17_N5_K33", "pass"},
      {"fixed_vector", "pass"},
      {"dispatch", "pass"},
      {"split_PARTS2", "pass"},
      {"split_PARTS5", "pass"},
      {"headers_float", "pass"},
      {"headers_double", "pass"},
      {"block_tiling_BM32_BN32_TM4_TN4", "pass"},
      {"block_tiling_BM16_BN64_TM2_TN8", "pass"},
      {"cpp20", "pass"},
      {"byte_strides", "pass"},
      {"many_naive", "pass"},
      {"many_shared", "pass"},
      {"many_transposed", "pass"},
      {"many_short", "wrong-result"},
      {"ampere", "pass"},
      {"hopper", "pass"},
  };
  EXPECT_EQ(verdicts(scratch.read("report.json")), expected) << result.out;
}

/// Two kernels, of which the host code chooses one by m. `limit` is a macro of the build.
std::string dispatching(const std::string& small_when, const std::string& large_loop) {
  return R"t(/* warpcheck
[[variant]]
name      = "dispatch"
operation = "gemm"
defines   = { LIMIT = 20 }
requires  = ["m <= 65535 * 8"]
[[variant.launch]]
kernel    = "small"
arguments = ["a", "b", "c", "m * n", "n", "k"]
block     = [32]
grid      = ["ceil_div(m * n, 32)"]
when      = ")t" +
         small_when + R"t("
[[variant.launch]]
kernel    = "large"
arguments = ["a", "b", "c", "m", "n", "k"]
block     = [8, 8]
grid      = ["ceil_div(n, 8)", "ceil_div(m, 8)"]
when      = "m >= LIMIT"
*/
__global__ void small(const float* a, const float* b, float* c, int count, int n, int k) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (i >= count) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += a[i / n * k + p] * b[p * n + i % n];
  c[i] = sum;
}
__global__ void large(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.y * 8 + threadIdx.y;
  const int column = blockIdx.x * 8 + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int p = 0; )t" +
         large_loop + R"t(; ++p) sum += a[row * k + p] * b[p * n + column];
  c[row * n + column] = sum;
}
)t";
}

TEST(ContractKeys, DefectOfALaunchChosenBySizeIsFound) {
  const Scratch scratch;
  scratch.write("x.cu", dispatching("m < LIMIT", "p < k - 1"));
  const Result result = scratch.run({"check", "x.cu", "--device", "virtual"});
  EXPECT_EQ(result.status, 1) << result.error;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("error[wrong-result]: "), HasSubstr("dispatch m=20 n=1 k=1")));
}

TEST(ContractKeys, CaseWithoutALaunchIsAContractError) {
  const Scratch scratch;
  scratch.write("x.cu", dispatching("m < LIMIT - 1", "p < k"));
  const Result result = scratch.run({"check", "x.cu", "--device", "virtual"});
  EXPECT_EQ(result.status, 2) << result.out;
  EXPECT_THAT(result.error,
              HasSubstr("x.cu:12:14: error: dispatch: no launch that writes the output applies to "
                        "the case 'dispatch m=19 n=1 k=1"));
  // Such a case is outside the domain of all commands that do not generate cases.
  const Result replayed =
      scratch.run({"replay", "--device", "virtual", "--in", "x.cu", "dispatch m=19 n=1 k=1"});
  EXPECT_THAT(replayed.out + replayed.error, HasSubstr("(m < 20 - 1) or (m >= 20)"));
}

TEST(ContractKeys, MutateUsesEachLaunch) {
  const Scratch scratch;
  scratch.write("x.cu", dispatching("m < LIMIT", "p < k"));
  const Result result =
      scratch.run({"mutate", "x.cu", "--cases", "60", "--mutants", "16", "--json", "mutants.json"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  std::set<std::int64_t> lines;
  std::istringstream report(scratch.read("mutants.json"));
  for (std::string line; std::getline(report, line);) {
    const json event = json::parse(line);
    if (event["event"] == "mutant" && event["fate"] == "killed")
      lines.insert(event["line"].get<std::int64_t>());
  }
  EXPECT_THAT(lines, AllOf(testing::Contains(testing::Lt(27)), testing::Contains(testing::Gt(27))));
}

TEST(ContractKeys, FuzzFindsADefectOfALaunch) {
  const Scratch scratch;
  scratch.write("x.cu", dispatching("m < LIMIT", "p < (k / LIMIT == 2 ? k - 1 : k)"));
  const Result result = scratch.run({"fuzz", "x.cu", "--time", "120s", "--stop-at-first"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
}

/// A kernel with a tile of any size; SKIP terms are missing.
std::string tiled(const std::string& more,
                  const std::string& requirement = "requires = ['m <= 65535 * T']\n") {
  return "/* warpcheck\n[[variant]]\nname = 'tiled'\noperation = 'gemm'\nkernel = 'tiled<T>'\n"
         "arguments = ['a', 'b', 'c', 'm', 'n', 'k']\nblock = ['T', 'T']\n"
         "grid = ['ceil_div(n, T)', 'ceil_div(m, T)']\n" +
         requirement + more + R"(*/
#ifndef SKIP
#define SKIP 0
#endif
template <int T>
__global__ void tiled(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.y * T + threadIdx.y;
  const int column = blockIdx.x * T + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int p = SKIP; p < k; ++p) sum += a[row * k + p] * b[p * n + column];
  c[row * n + column] = sum;
}
)";
}

constexpr const char* kTwo =
    "[[variant.instances]]\nconstants = { T = 4 }\ndefines = { SKIP = 0 }\n"
    "[[variant.instances]]\nconstants = { T = 8 }\ndefines = { SKIP = 1 }\n";

TEST(ContractKeys, ListShowsEachInstance) {
  const Scratch scratch;
  scratch.write("x.cu", tiled(kTwo, "requires = ['m % T == 0']\n"));
  const Result result = scratch.run({"list", "x.cu"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.out, AllOf(HasSubstr("  tiled_T4_SKIP0\n    tiled<4>(a, b, c, m, n, k)\n"),
                                HasSubstr("  tiled_T8_SKIP1\n    tiled<8>(a, b, c, m, n, k)\n"),
                                HasSubstr("    requires m % 8 == 0\n")));
}

TEST(ContractKeys, DiffComparesInstances) {
  const Scratch scratch;
  scratch.write("one.cu", tiled("constants = { T = 4 }\n"));
  scratch.write("two.cu", tiled("constants = { T = 8 }\ndefines = { SKIP = 1 }\n"));
  const Result different = scratch.run({"diff", "one.cu", "two.cu", "--device", "virtual"});
  EXPECT_EQ(different.status, 1) << different.out << different.error;
  scratch.write("three.cu", tiled("constants = { T = 8 }\ndefines = { SKIP = 0 }\n"));
  const Result same = scratch.run({"diff", "one.cu", "three.cu", "--device", "virtual"});
  EXPECT_EQ(same.status, 0) << same.out << same.error;
}

TEST(ContractKeys, ExploreWritesNoRequiresOfAnInstance) {
  const Scratch scratch;
  const std::string text = tiled(kTwo);
  scratch.write("x.cu", text);
  const Result result = scratch.run({"explore", "x.cu", "--write"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.error,
              HasSubstr("tiled_T4_SKIP0 is an instance of tiled: state a condition "));
  EXPECT_EQ(scratch.read("x.cu"), text);
}

TEST(ContractKeys, BisectFindsTheCommitThatChangesAMacro) {
  const Scratch scratch;
  const GitRepository repository(scratch);
  const auto commit = [&](int skip, const std::string& subject) {
    repository.write("x.cu", tiled("constants = { T = 4 }\ninclude = ['inc']\n"
                                   "defines = { SKIP = " +
                                   std::to_string(skip) + " }\n# " + subject + "\n"));
    repository.write("inc/unused.cuh", "");
    return repository.commit(subject);
  };
  const std::string good = commit(0, "one");
  commit(0, "two");
  const std::string bad = commit(1, "three");
  commit(1, "four");
  const Result result = scratch.run({"bisect", "--device", "virtual", "--in", "repo/x.cu", "--good",
                                     good, "--bad", "HEAD", "tiled m=3 n=2 k=2"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr(bad.substr(0, 7)));
}

TEST(ContractKeys, GateChecksInstances) {
  const Scratch scratch;
  const GitRepository repository(scratch);
  repository.write("x.cu", tiled("[[variant.instances]]\nconstants = { T = 4 }\n"
                                 "[[variant.instances]]\nconstants = { T = 8 }\n"));
  repository.write("warpcheck.toml", "targets = [\"x.cu\"]\ncases = 20\nseed = 1\n");
  repository.commit("Multiply");
  const Result result = scratch.run({"gate", "repo"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, AllOf(HasSubstr("2 variants, 40 cases"), HasSubstr("gate passed")));
}

}  // namespace
}  // namespace warpcheck::tool
