// Runs `warpcheck profile` on built-in variants with known counts for each source line.
#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/tool/harness/consumers.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

/// The number of the line of a built-in kernel that contains `text`.
unsigned line_of(const std::string& kernel, const std::string& text) {
  std::ifstream in(std::string(WARPCHECK_SOURCE_DIR) + "/kernels/gemm/" + kernel);
  std::string line;
  for (unsigned number = 1; std::getline(in, line); ++number) {
    if (line.find(text) != std::string::npos) return number;
  }
  ADD_FAILURE() << kernel << " has no line with " << text;
  return 0;
}

/// The fields of a line of CSV.
std::vector<std::string> split(const std::string& row) {
  std::vector<std::string> fields;
  std::istringstream in(row);
  for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
  return fields;
}

class ProfileOf : public testing::Test {
 protected:
  Json profile(const std::vector<std::string>& arguments) const {
    std::vector<std::string> words = {"profile", "--json", "profile.json"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const Result result = scratch_.run(words);
    EXPECT_EQ(result.status, 0) << result.out << result.error;
    return Json::parse(without_start(scratch_.read("profile.json")));
  }

  static Json line(const Json& profile, unsigned number) {
    for (const Json& line : profile["lines"]) {
      if (line["line"] == number) return line;
    }
    return nullptr;
  }

  Scratch scratch_;
};

// 128 x 128 x 128 in blocks of 32 x 32: 16 blocks of 32 warps. In the product each warp reads, for
// each of 128 p, one word of A's tile and a column of B's, all 32 words of which are in one bank.
// It also stages 4 tiles of B, each as a column.
TEST_F(ProfileOf, UnpaddedTransposedTileHas32WayConflicts) {
  const Json found = profile({"sgemm_tiled_transposed_b_conflicts"});
  const Json& metrics = found["metrics"];
  constexpr unsigned kReads = 16 * 32 * 128;
  constexpr unsigned kWrites = 16 * 32 * 4;
  EXPECT_EQ(metrics["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"], kReads * (1 + 32));
  EXPECT_EQ(event_errors(scratch_, "profile.json"), "");
  EXPECT_EQ(metrics["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"], kReads * 31);
  EXPECT_EQ(metrics["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"], kWrites * 31);
  EXPECT_EQ(metrics["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"], 128 * 128 * 128);

  const std::string file = "2_shared_memory_tiles/02_bank_conflicts_and_padding.cu";
  const unsigned product = line_of(file, "sum += tile_a[y][p] * tile_b[x][p]");
  EXPECT_EQ(found["lines"][0]["line"], product) << "the worst line comes first";
  EXPECT_EQ(found["lines"][0]["bank_conflicts"], kReads * 31);
  EXPECT_EQ(found["lines"][0]["ways"], 32);
  const Json staging = line(found, line_of(file, "tile_b[x][y] = "));
  EXPECT_EQ(staging["bank_conflicts"], kWrites * 31);
  EXPECT_EQ(staging["ways"], 32);
}

TEST_F(ProfileOf, PaddedTileHasNoConflicts) {
  const Json metrics = profile({"sgemm_tiled_transposed_b_padded"})["metrics"];
  EXPECT_EQ(metrics["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"], 0);
  EXPECT_EQ(metrics["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"], 0);
}

// Blocks of 16 x 16: a warp covers two rows of 16 columns. 512 warps read, for each of 128 p, one
// element of A in each of two rows that lie 512 bytes apart (2 sectors), and 16 neighbouring
// elements of B (64 bytes, 2 sectors). They store two rows of 64 bytes.
TEST_F(ProfileOf, NaiveKernelLoadsTwoSectorsPerRequest) {
  const Json found = profile({"sgemm_naive"});
  const Json& metrics = found["metrics"];
  EXPECT_EQ(metrics["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"], 2 * 512 * 128);
  EXPECT_EQ(metrics["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 2 * 2 * 512 * 128);
  EXPECT_EQ(metrics["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"], 512);
  EXPECT_EQ(metrics["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"], 4 * 512);
  const Json product = line(found, line_of("1_one_thread_per_element/01_naive.cu", "sum += a["));
  EXPECT_EQ(product["global_requests"], 2 * 512 * 128);
  EXPECT_EQ(product["global_sectors"], 2 * 2 * 512 * 128);
}

TEST_F(ProfileOf, DoesNotDependOnTheNumberOfThreads) {
  const Json one = profile({"sgemm_tiled16", "--size", "100x77x53", "--jobs", "1"});
  const Json four = profile({"sgemm_tiled16", "--size", "100x77x53", "--jobs", "4"});
  EXPECT_EQ(one, four);
}

TEST_F(ProfileOf, GeneratedCasesCoverMoreThanOneCase) {
  const Json one = profile({"sgemm_tiled16"});
  const Json many = profile({"sgemm_tiled16", "--cases", "30"});
  EXPECT_GT(one["coverage"]["one_sided"].size(), 0U) << "128 is a multiple of the tile";
  EXPECT_EQ(many["coverage"]["one_sided"].size(), 0U);
  EXPECT_GT(many["cases"], 10);
}

// tests/gpu/patterns.sm_90.csv is what Nsight Compute read on an NVIDIA H200 (scripts/gpu-tests).
TEST_F(ProfileOf, AccessPatternsHaveTheCountsOfAnH200) {
  const std::string folder = std::string(WARPCHECK_SOURCE_DIR) + "/tests/gpu/";
  const Result result = scratch_.run({"profile", folder + "patterns.cu", "--json", "all.json"});
  ASSERT_EQ(result.status, 0) << result.error;
  std::map<std::string, Json> metrics;
  std::istringstream events(without_start(scratch_.read("all.json")));
  for (std::string line; std::getline(events, line);) {
    const Json event = Json::parse(line);
    metrics[event["variant"]] = event["metrics"];
  }
  std::ifstream recorded(folder + "patterns.sm_90.csv");
  std::string row;
  std::getline(recorded, row);
  const std::vector<std::string> names = split(row);
  std::size_t patterns = 0;
  for (; std::getline(recorded, row); ++patterns) {
    const std::vector<std::string> fields = split(row);
    ASSERT_EQ(fields.size(), names.size());
    for (std::size_t i = 1; i < fields.size(); ++i) {
      EXPECT_EQ(metrics[fields[0]][names[i]], std::stoul(fields[i]))
          << fields[0] << ' ' << names[i];
    }
  }
  EXPECT_EQ(patterns, metrics.size());
}

TEST_F(ProfileOf, FaultIsAFinding) {
  const std::string file = scratch_.write("edge.cu", kernel_without_bounds_check("edge"));
  const Result result = scratch_.run({"profile", file, "--case", "edge m=3 n=3 k=3"});
  EXPECT_EQ(result.status, 1) << result.error;
  EXPECT_THAT(result.out, HasSubstr("edge: out-of-bounds\n"));
}

TEST_F(ProfileOf, WithoutPtxasOnlyOccupancyIsMissing) {
  const Result result = scratch_.run({"profile", "sgemm_naive"}, {"WARPCHECK_NVCC=/bin/true"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("not known: no ptxas next to /bin/true\n"));
  EXPECT_THAT(result.out, HasSubstr("Global Load Sectors/Req"));
}

TEST_F(ProfileOf, CaseOfAnotherVariantIsAnError) {
  const Result result = scratch_.run({"profile", "sgemm_naive", "--case", "other m=3"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.error, HasSubstr("sgemm_naive has no variant named other"));
}

TEST_F(ProfileOf, CaseWithoutALaunchIsAnError) {
  const Result result = scratch_.run({"profile", "sgemm_naive", "--case", "sgemm_naive m=0"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.error, HasSubstr("nothing was run"));
}

}  // namespace
}  // namespace warpcheck::tool
