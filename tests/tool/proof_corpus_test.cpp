// Proofs of kernels in the manner of tutorials and libraries: tests/proof/files.
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using nlohmann::json;
using testing::IsEmpty;

constexpr const char* kFolder = WARPCHECK_PROOF_CORPUS;

/// The properties of each variant, by their names.
using Results = std::map<std::string, std::map<std::string, json>>;

/// Empty if the build has no solver.
Results prove_all() {
  const Scratch scratch;
  const Result result = scratch.run({"prove", kFolder, "--no-conditions", "--json", "proofs.json"});
  Results results;
  if (result.error.find("has no solver") != std::string::npos) return results;
  std::istringstream lines(scratch.read("proofs.json"));
  for (std::string line; std::getline(lines, line);) {
    const json event = json::parse(line);
    if (event.at("event") != "proof") continue;
    for (const json& property : event.at("properties")) {
      results[event.at("variant")][property.at("name")] = property;
    }
  }
  return results;
}

std::string status(Results& results, const std::string& variant, const std::string& property) {
  return results[variant][property]["status"];
}

/// The properties that are not proved.
std::set<std::string> open(Results& results, const std::string& variant) {
  std::set<std::string> names;
  for (const auto& [name, property] : results[variant]) {
    if (property["status"] != "proved") names.insert(name);
  }
  return names;
}

void check_kernels(Results& results) {
  for (const char* const variant : {"attention_scores_tile",
                                    "scale_channels",
                                    "mean_dim1",
                                    "bmm",
                                    "depthwise3x3",
                                    "sgemm_register_tiled",
                                    "conv1d_strided",
                                    "cross_entropy_rows",
                                    "embedding_with_padding",
                                    "gather_rows",
                                    "gemv_warp",
                                    "layer_norm_vec4",
                                    "matmul_double_buffer_kernel",
                                    "matmul_tiled_kernel16",
                                    "maxpool2d",
                                    "quantize_int8_per_row",
                                    "reduce_two_kernels",
                                    "rms_norm_kernel_float256",
                                    "rms_norm_kernel_half256",
                                    "rope_interleaved",
                                    "row_norm_l2",
                                    "scan_block",
                                    "softmax_online",
                                    "transpose_padded",
                                    "tree",
                                    "count",
                                    "columns",
                                    "table",
                                    "two_launches",
                                    "launch_by_size"}) {
    ASSERT_TRUE(results.contains(variant)) << variant;
    EXPECT_THAT(open(results, variant), IsEmpty()) << variant;
  }
}

/// The swizzle of its tile is beyond the integer sets.
void check_swizzled_tile(Results& results) {
  EXPECT_THAT(open(results, "transpose_swizzled"),
              testing::IsSubsetOf(std::set<std::string>{"initialized"}));
}

void check_mistakes(Results& results) {
  for (const auto& [variant, property] :
       std::multimap<std::string, std::string>{{"conv1d_halo", "bounds"},
                                               {"conv1d_strided_too_far", "bounds"},
                                               {"gelu_bias_vec", "alignment"},
                                               {"matmul_naive", "bounds"},
                                               {"softmax_masked", "races"},
                                               {"tree_without_barrier", "races"},
                                               {"tree_one_too_far", "bounds"},
                                               {"count_one_too_far", "bounds"},
                                               {"count_narrow", "bounds"},
                                               {"columns_without_barrier", "races"},
                                               {"columns_one_too_far", "bounds"},
                                               {"table_one_too_far", "bounds"},
                                               {"mean_dim1_too_far", "bounds"},
                                               {"divided_or_too_far", "bounds"},
                                               {"two_launches_one_too_far", "bounds"},
                                               {"two_launches_short_workspace", "bounds"},
                                               {"two_launches_one_too_few", "initialized"}}) {
    EXPECT_EQ(status(results, variant, property), "refuted") << variant;
    EXPECT_NE(results[variant][property]["reason"], "") << variant;
  }
}

void check_wrong_twins(Results& results) {
  EXPECT_EQ(status(results, "tree_barrier_in_branch", "barriers"), "unknown");
  EXPECT_EQ(status(results, "table_writes", "races"), "unknown");
  EXPECT_EQ(status(results, "vector_copy_tail", "covered"), "unknown");
  EXPECT_EQ(status(results, "conv1d_strided_too_few", "covered"), "unknown");
  EXPECT_EQ(status(results, "divided", "bounds"), "proved");
  EXPECT_EQ(status(results, "launch_by_some_sizes", "covered"), "unknown");
  EXPECT_EQ(status(results, "launch_by_some_sizes", "written-once"), "unknown");
  for (const auto& [name, property] : results["no_case"]) {
    EXPECT_EQ(property["status"], "unknown") << name;
  }
}

/// Copies through tensor maps, products of warpgroups and clusters: the order of their accesses is
/// not followed, and no wait is proved to end.
void check_boxes(Results& results) {
  const std::set<std::string> order = {"races", "initialized", "ends"};
  EXPECT_EQ(open(results, "boxes"), order);
  EXPECT_EQ(open(results, "shared_boxes"), order);
  EXPECT_EQ(open(results, "products"), (std::set<std::string>{"races", "initialized"}));
  for (const auto& [variant, property] :
       std::multimap<std::string, std::string>{{"boxes_short_array", "bounds"},
                                               {"boxes_any_columns", "bounds"},
                                               {"boxes_object_behind", "bounds"},
                                               {"boxes_odd_place", "alignment"},
                                               {"boxes_odd_object", "alignment"},
                                               {"boxes_twice", "written-once"},
                                               {"boxes_whole_rows", "covered"},
                                               {"products_beyond_tile", "bounds"},
                                               {"products_large_stride", "bounds"},
                                               {"products_part_of_group", "barriers"},
                                               {"shared_boxes_beyond_cluster", "bounds"},
                                               {"shared_boxes_beyond_mask", "bounds"}}) {
    EXPECT_EQ(status(results, variant, property), "refuted") << variant;
  }
  for (const auto& [variant, property] :
       std::multimap<std::string, std::string>{{"boxes_wrap", "overflow"},
                                               {"boxes_gap", "covered"},
                                               {"boxes_twice", "covered"},
                                               {"boxes_no_store", "covered"},
                                               {"boxes_few_blocks", "covered"},
                                               {"boxes_overlap", "written-once"},
                                               {"boxes_odd_column", "alignment"},
                                               {"boxes_before", "bounds"},
                                               {"shared_boxes_remote_store", "bounds"},
                                               {"shared_boxes_part_of_cluster", "barriers"},
                                               {"shared_boxes_odd_grid", "bounds"},
                                               {"products_three_warps", "barriers"}}) {
    EXPECT_EQ(status(results, variant, property), "unknown") << variant;
  }
}

TEST(ProofCorpus, KernelsAreProvedAndMistakesAreNot) {
  Results results = prove_all();
  if (results.empty()) GTEST_SKIP() << "the build has no solver";
  check_kernels(results);
  check_swizzled_tile(results);
  check_mistakes(results);
  check_wrong_twins(results);
  check_boxes(results);
}

TEST(ProofCorpus, ConditionsAreFoundWithWhichAPropertyIsProved) {
  const Scratch scratch;
  const std::string folder = kFolder;
  if (scratch.run({"prove", folder + "/twins.cu:table"}).status == 3) {
    GTEST_SKIP() << "the build has no solver";
  }
  const Result tile = scratch.run({"prove", folder + "/matmul_naive.cu", "--only", "bounds"});
  EXPECT_THAT(tile.out,
              testing::HasSubstr("proved with requires = [\"m % 16 == 0\", \"n % 16 == 0\"]"));
  const Result row = scratch.run({"prove", folder + "/gelu_bias_vec.cu", "--only", "alignment"});
  EXPECT_THAT(row.out, testing::HasSubstr("proved with requires = [\"cols % 4 == 0\"]"));
  const Result narrow =
      scratch.run({"prove", folder + "/twins.cu:count_narrow", "--only", "overflow"});
  EXPECT_THAT(narrow.out, testing::HasSubstr(
                              "proved with requires = [\"batch * rows * columns < 2147483648\"]"));
}

}  // namespace
}  // namespace warpcheck::tool
