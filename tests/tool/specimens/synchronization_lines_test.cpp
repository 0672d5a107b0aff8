// The synchronisation of the pipelines of kernels/specimens/bulk_copies, one line omitted or
// changed at a time: which of them are defects, and that warpcheck finds each.
#include <gtest/gtest.h>

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

const std::vector<Line> kMulticast = {
    {0, "nothing is omitted", {}},
    {2, "the tile is refilled before both blocks release it", {"race"}},
    {3, "the mask leaves out the partner", {"deadlock"}},
    {4, "the mask has a block beyond the cluster", {"out-of-bounds"}},
    {5, "the first block exits before its partner arrives", {"out-of-bounds"}},
};

/// The keys of [defaults] of the specimens.
std::string defaults_of(const std::string& toml) {
  return toml.substr(0, toml.find("[[variant]]"));
}

/// Checks the kernel once for each line. Returns the classes of the findings, by number.
std::map<int, std::set<std::string>> findings_of(const std::string& kernel,
                                                 const std::vector<Line>& lines) {
  const std::string folder = WARPCHECK_SOURCE_DIR "/kernels/specimens/bulk_copies/";
  const Scratch scratch;
  scratch.write("bulk.cuh", read_input(folder + "bulk.cuh"));
  scratch.write(kernel + ".cu", read_input(folder + kernel + ".cu"));
  std::string toml = defaults_of(read_input(folder + kernel + ".toml"));
  for (const Line& line : lines) {
    const std::string number = std::to_string(line.number);
    toml +=
        "[[variant]]\nname = \"line" + number + "\"\nkernel = \"" + kernel + "<" + number + ">\"\n";
  }
  scratch.write(kernel + ".toml", toml);
  const Result result = scratch.run({"check", kernel + ".cu", "--device", "virtual", "--cases", "8",
                                     "--quiet", "--json", "report.json"});
  EXPECT_EQ(result.status, 1) << result.error;
  std::map<int, std::set<std::string>> found;
  std::istringstream report(scratch.read("report.json"));
  for (std::string text; std::getline(report, text);) {
    const json event = json::parse(text);
    if (event["event"] != "finding") continue;
    const auto variant = event["variant"].get<std::string>();
    found[std::stoi(variant.substr(4))].insert(event["class"].get<std::string>());
  }
  return found;
}

void expect_each_found(const std::string& kernel, const std::vector<Line>& lines) {
  const auto found = findings_of(kernel, lines);
  for (const Line& line : lines) {
    const auto classes = found.find(line.number);
    if (line.found.empty()) {
      EXPECT_EQ(classes, found.end()) << line.what;
      continue;
    }
    ASSERT_NE(classes, found.end()) << line.what;
    bool expected = false;
    for (const std::string& one : classes->second) expected |= line.found.contains(one);
    EXPECT_TRUE(expected) << line.what << ": " << *classes->second.begin();
  }
}

TEST(SynchronizationLines, EachOfThePipelineIsNeeded) {
  expect_each_found("d42_pipeline", kPipeline);
}

TEST(SynchronizationLines, EachOfTheMulticastIsNeeded) {
  expect_each_found("d43_multicast", kMulticast);
}

}  // namespace
}  // namespace warpcheck::tool
