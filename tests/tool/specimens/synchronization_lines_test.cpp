// The synchronisation of pipelines, one line omitted or changed at a time: which of them are
// defects, and that warpcheck finds each.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using nlohmann::json;

struct Line {
  int number;
  const char* what;
  std::set<std::string> found;  // one of these classes; empty: the kernel is right without the line
  std::string where = "";       // a part of the line of such a finding
};

struct Finding {
  std::string found;
  std::string where;  // its line in the kernel's file
};

const std::vector<Line> kPipeline = {
    {0, "nothing is omitted", {}},
    {1, "`full` expects an arrival too many", {"deadlock"}},
    {2, "`empty` expects the arrivals of one group only", {"race", "deadlock"}},
    {3, "no barrier after the objects are initialised", {"uninitialized-read", "race"}},
    {4, "the producer does not wait for `empty`", {"race"}},
    {5, "the producer waits for the wrong parity", {"deadlock"}},
    {6, "no arrival and no bytes expected", {"deadlock"}},
    {7, "too few bytes expected", {"race"}},
    {8, "too many bytes expected", {"deadlock"}},
    {9, "the consumers do not wait for `full`", {"race"}},
    {10, "the consumers wait for a constant parity", {"race", "deadlock"}},
    {11, "the consumers do not release the stage", {"deadlock"}},
    {12, "no fence.proxy.async before the store", {"race"}},
    {13, "no barrier before the store", {"race"}},
    {14, "the group of the store is not committed", {"race"}},
    {15, "no wait before the thread exits", {"race"}},
};

const std::vector<Line> kProducts = {
    {0, "nothing is omitted", {}},
    {2, "no fence.proxy.async before the product", {"race"}, "wgmma::multiply"},
    {3, "no barrier before the product", {"race"}, "wgmma::multiply"},
    {4, "one warp skips the product", {"barrier-divergence", "race"}, "finding here"},
    {5, "no wgmma.fence before the product", {"race"}, "wgmma::multiply"},
    {8, "the products are not committed", {"race"}, "finding here"},
    {9, "no wait before the sums are read", {"race"}, "finding here"},
    {10, "the wait leaves one group in flight", {"race"}, "finding here"},
    {11, "no barrier before the tiles are refilled", {}},
    {12, "the sums change after wgmma.fence", {"race"}, "wgmma::multiply"},
};

/// Text of hgemm_tma_wgmma, what replaces it, and what is found then.
struct Edit {
  std::string line;
  std::string replacement;
  std::set<std::string> found;
  std::string where;
};

const std::vector<Edit> kGemm = {
    {"", "", {}, ""},
    {"bulk::init(&full[stage], 1);", "", {"uninitialized-read"}, "full[stage]"},
    {"bulk::init(&empty[stage], kGroups);", "", {"uninitialized-read"}, "empty[stage]"},
    {"bulk::init(&full[stage], 1);", "bulk::init(&full[stage], 2);", {"deadlock"}, "bulk::wait"},
    {"bulk::init(&empty[stage], kGroups);",
     "bulk::init(&empty[stage], 1);",
     {"race", "deadlock"},
     "bulk::"},
    // The cluster has one block, whose threads the barrier orders.
    {"bulk::fence_init();", "", {}, ""},
    {"__syncthreads();", "", {"uninitialized-read", "race"}, "bulk::wait"},
    {"bulk::wait(&empty[stage], (step / kStages + 1) % 2);", "", {"race"}, "bulk::load"},
    {"(step / kStages + 1) % 2", "step / kStages % 2", {"deadlock"}, "bulk::wait"},
    {"bulk::expect_bytes(&full[stage], sizeof(Stage<T>));", "", {"deadlock"}, "bulk::wait"},
    {"sizeof(Stage<T>)", "sizeof(Stage<T>::a)", {"race"}, "wgmma::multiply"},
    {"sizeof(Stage<T>)", "2 * sizeof(Stage<T>)", {"deadlock"}, "bulk::wait"},
    {"bulk::wait(&full[stage], step / kStages % 2);", "", {"race"}, "bulk::load"},
    {"bulk::wait(&full[stage], step / kStages % 2);",
     "bulk::wait(&full[stage], 0);",
     {"race", "deadlock"},
     "bulk::wait"},
    {"wgmma::fence();", "", {"race"}, "wgmma::multiply"},
    {"wgmma::commit();", "", {"race"}, "sums[i]"},
    {"wgmma::wait<0>();", "", {"race"}, "sums[i]"},
    {"wgmma::wait<0>();", "wgmma::wait<1>();", {"race"}, "sums[i]"},
    {"if (threadIdx.x % wgmma::threads == 0) bulk::arrive(&empty[stage]);",
     "",
     {"deadlock"},
     "bulk::wait"},
};

const std::vector<Line> kMulticast = {
    {0, "nothing is omitted", {}},
    {1, "the copy is not ordered after the partner's initialisation", {"race"}},
    {2, "the tile is refilled before both blocks release it", {"race"}},
    {3, "the mask leaves out the partner", {"deadlock"}},
    {4, "the mask has a block beyond the cluster", {"out-of-bounds"}},
    {5, "the first block exits before its partner arrives", {"out-of-bounds"}},
};

/// The keys of [defaults] of a contract.
std::string defaults_of(const std::string& toml) {
  return toml.substr(0, toml.find("[[variant]]"));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// A kernel with variants, by number of the line.
struct Variants {
  std::string folder;  // folder of its headers
  std::string source;
  std::string defaults;  // [defaults] of the contract
  std::map<int, std::string> kernels;
  std::string cases = "8";
};

/// The place in `file` that the finding names, or from which that place is called.
std::string line_in(const std::string& file, const std::vector<std::string>& lines,
                    const json& finding) {
  std::vector<json> places = {finding};
  for (const json& caller : finding.value("called_from", json::array())) places.push_back(caller);
  for (const json& place : places) {
    if (place.value("file", "") == file) return lines.at(place["line"].get<std::size_t>() - 1);
  }
  return "";
}

/// Checks each variant. Returns the findings by number.
std::map<int, std::vector<Finding>> findings_of(const Variants& variants) {
  const Scratch scratch;
  scratch.write("kernel.cu", variants.source);
  std::string toml = variants.defaults + "include = [\"" + variants.folder + "\"]\n";
  for (const auto& [number, kernel] : variants.kernels) {
    toml +=
        "[[variant]]\nname = \"line" + std::to_string(number) + "\"\nkernel = \"" + kernel + "\"\n";
  }
  scratch.write("kernel.toml", toml);
  const Result result = scratch.run({"check", "kernel.cu", "--device", "virtual", "--cases",
                                     variants.cases, "--quiet", "--json", "report.json"});
  EXPECT_EQ(result.status, 1) << result.error;
  const std::vector<std::string> lines = lines_of(variants.source);
  std::map<int, std::vector<Finding>> found;
  for (const std::string& text : lines_of(scratch.read("report.json"))) {
    const json event = json::parse(text);
    if (event["event"] != "finding") continue;
    const auto variant = event["variant"].get<std::string>();
    found[std::stoi(variant.substr(4))].push_back(
        {event["class"].get<std::string>(), line_in("kernel.cu", lines, event)});
  }
  return found;
}

std::string text_of(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& one : findings) text += "\n  " + one.found + " at " + one.where;
  return text;
}

void expect_each_found(const Variants& variants, const std::vector<Line>& lines) {
  auto found = findings_of(variants);
  for (const Line& line : lines) {
    const std::vector<Finding>& findings = found[line.number];
    const bool expected = std::any_of(findings.begin(), findings.end(), [&](const Finding& one) {
      return line.found.contains(one.found) && one.where.find(line.where) != std::string::npos;
    });
    EXPECT_EQ(findings.empty(), line.found.empty()) << line.what << text_of(findings);
    EXPECT_EQ(expected, !line.found.empty()) << line.what << text_of(findings);
  }
}

/// A specimen whose template argument is the number of the line that it omits.
void expect_each_found(const std::string& folder, const std::string& kernel,
                       const std::vector<Line>& lines) {
  Variants variants;
  variants.folder = WARPCHECK_SOURCE_DIR "/kernels/specimens/" + folder;
  variants.source = read_input(variants.folder + "/" + kernel + ".cu");
  variants.defaults = defaults_of(read_input(variants.folder + "/" + kernel + ".toml"));
  for (const Line& line : lines) {
    variants.kernels[line.number] = kernel + "<" + std::to_string(line.number) + ">";
  }
  expect_each_found(variants, lines);
}

/// A copy of the kernel in namespace `line<number>` for each edit. The #include lines come first.
std::string edited_copies(const std::string& source, const std::vector<Edit>& edits) {
  std::string includes;
  std::string code;
  for (const std::string& line : lines_of(source)) {
    (line.starts_with("#include") ? includes : code) += line + "\n";
  }
  for (std::size_t i = 0; i < edits.size(); ++i) {
    includes += "namespace line" + std::to_string(i) + " {\n" +
                replaced(code, edits[i].line, edits[i].replacement) + "}\n";
  }
  return includes;
}

TEST(SynchronizationLines, EachOfThePipelineIsNeeded) {
  expect_each_found("bulk_copies", "d42_pipeline", kPipeline);
}

TEST(SynchronizationLines, EachOfTheMulticastIsNeeded) {
  expect_each_found("bulk_copies", "d43_multicast", kMulticast);
}

TEST(SynchronizationLines, OfTheProductsOfAWarpgroup) {
  expect_each_found("warpgroups", "d44_wgmma", kProducts);
}

TEST(SynchronizationLines, OfTheGemmThroughTensorMaps) {
  Variants variants;
  variants.folder = WARPCHECK_SOURCE_DIR "/kernels/gemm/8_warpgroups";
  variants.source = edited_copies(read_input(variants.folder + "/02_tma_pipeline.cu"), kGemm);
  // Every case refills a stage.
  variants.defaults =
      replaced(defaults_of(read_input(variants.folder + "/02_tma_pipeline.toml")),
               "\"lda % 8 == 0\"", R"("m <= 8", "n <= 8", "k > 256", "k <= 320", "lda % 8 == 0")") +
      R"(types = { a = "bf16", b = "bf16", c = "f32", accumulate = "f32" }
)";
  variants.cases = "2";
  std::vector<Line> lines;
  for (const Edit& edit : kGemm) {
    const int number = static_cast<int>(lines.size());
    variants.kernels[number] = "line" + std::to_string(number) + "::hgemm_tma_wgmma<__nv_bfloat16>";
    lines.push_back({number, edit.line.c_str(), edit.found, edit.where});
  }
  expect_each_found(variants, lines);
}

}  // namespace
}  // namespace warpcheck::tool
