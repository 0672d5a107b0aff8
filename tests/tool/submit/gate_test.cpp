// Gates whose cases run in shards.
#include <gmock/gmock.h>

#include <regex>
#include <string>
#include <vector>

#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kPolicy = R"(
targets = ["kernels"]
cases = 48
mutants = 3
minimum = { sensitivity = 50, lines = 90, branches = 50, mutation_score = 10 }

[[group]]
variants = ["known"]
cases = 32
minimum = { lines = 1, branches = 1, mutation_score = 0 }

[[known_failure]]
variant = "known"
class = "wrong-result"
reason = "the last term"
until = 2099-12-31
)";

/// The whole gate, and the same in a folder of shards.
struct Gates {
  Scratch scratch;

  Gates() {
    scratch.write("kernels/right.cu", correct_kernel("right"));
    scratch.write("kernels/known.cu", kernel_that_drops_the_last_term("known"));
    scratch.write("kernels/half.cu", "/* warpcheck\n[[variant]]\nname = \"half\"\n*/\n");
    scratch.write("policy.toml", kPolicy);
  }

  void expect_equal_reports() const {
    const std::vector<std::string> reports = {"--junit",       "junit.xml", "--lcov",
                                              "coverage.info", "--html",    "page.html"};
    std::vector<std::string> words = {"gate", "policy.toml", "--json", "run/whole.jsonl"};
    words.insert(words.end(), reports.begin(), reports.end());
    const Result whole = scratch.run(words);
    const std::string keep = "mkdir -p kept && mv junit.xml coverage.info page.html kept";
    ASSERT_EQ(scratch.shell(keep).status, 0);
    scratch.write("kept/out", whole.out);
    std::string merge = "bash run/merge.sh >out";
    for (const std::string& word : reports) merge += " " + word;
    const Result merged = scratch.shell(merge);
    EXPECT_EQ(merged.status, whole.status) << merged.error;
    EXPECT_EQ(merged.error, whole.error);
    EXPECT_EQ(comparable("run/report.jsonl"), comparable("run/whole.jsonl"));
    for (const std::string file : {"junit.xml", "coverage.info", "out"}) {
      EXPECT_EQ(comparable(file), comparable("kept/" + file)) << file;
    }
  }

  /// A file without times and the command of its start.
  [[nodiscard]] std::string comparable(const std::string& file) const {
    const std::string text = std::regex_replace(
        scratch.read(file),
        std::regex(R"("seconds":[^,}]*|time(stamp)?="[^"]*"|in [0-9.]+ s|"command" value="[^"]*")"),
        "TIME");
    return text.starts_with("{") ? without_start(text) : text;
  }
};

/// A program in place of warpcheck that is killed in shard 2, once its history has begun.
constexpr const char* kKilledInShard2 = R"(#!/bin/bash
[[ "$*" == *"--shard 2/"* ]] || exec ')" WARPCHECK_TOOL R"(' "$@"
')" WARPCHECK_TOOL R"(' "$@" &
until [ -s "$3" ]; do sleep 0.01; done
kill -KILL $!
wait $!
)";

TEST(SubmitGate, MergedGateIsThatOfOneProcess) {
  const Gates gates;
  const Scratch& scratch = gates.scratch;
  scratch.write("killed", kKilledInShard2);
  const Result written =
      scratch.run({"submit", "--shards", "3", "-o", "run", "--", "gate", "policy.toml"});
  ASSERT_EQ(written.status, 0) << written.error;
  const std::string killed = "chmod +x killed && WARPCHECK_PROGRAM=$PWD/killed bash run/shards.txt";
  (void)scratch.shell(killed);
  EXPECT_THAT(scratch.run({"submit", "--resume", "-o", "run"}).out,
              HasSubstr("run: 1 shards to run"));
  const Result early = scratch.shell("bash run/merge.sh");
  EXPECT_EQ(early.status, 2);
  // The history of the killed shard may be empty.
  EXPECT_THAT(early.error, testing::ContainsRegex("shard 2 |2.db: error: found an empty file"));
  EXPECT_EQ(scratch.shell("bash run/shards.txt").status, 0);
  gates.expect_equal_reports();
}

TEST(SubmitGate, FindingFailsTheMergedGateToo) {
  const Gates gates;
  const Scratch& scratch = gates.scratch;
  scratch.write("kernels/edge.cu", kernel_without_bounds_check("edge"));
  ASSERT_EQ(
      scratch.run({"submit", "--shards", "5", "-o", "run", "--", "gate", "policy.toml"}).status, 0);
  EXPECT_EQ(scratch.shell("bash run/shards.txt").status, 0);
  gates.expect_equal_reports();
  EXPECT_THAT(scratch.read("run/report.jsonl"), HasSubstr("\"class\":\"out-of-bounds\""));
}

TEST(SubmitGate, ShardsOfAnotherPolicyAreAnError) {
  const Gates gates;
  const Scratch& scratch = gates.scratch;
  ASSERT_EQ(
      scratch.run({"submit", "--shards", "2", "-o", "run", "--", "gate", "policy.toml"}).status, 0);
  EXPECT_EQ(scratch.shell("bash run/shards.txt; sed -i 's/48/49/' policy.toml").status, 0);
  const Result merged = scratch.shell("bash run/merge.sh");
  EXPECT_EQ(merged.status, 2);
  EXPECT_THAT(merged.error, HasSubstr("differ in their cases"));
}

TEST(SubmitGate, WrongUseIsAnErrorBeforeAnyFileIsWritten) {
  const Gates gates;
  const Scratch& scratch = gates.scratch;
  const auto error_of = [&](const std::vector<std::string>& further) {
    std::vector<std::string> words = {"submit", "-o", "run", "--", "gate", "policy.toml"};
    words.insert(words.end(), further.begin(), further.end());
    const Result result = scratch.run(words);
    EXPECT_EQ(result.status, 2);
    return result.error;
  };
  EXPECT_THAT(error_of({"--junit", "x.xml"}), HasSubstr("--junit"));
  EXPECT_THAT(error_of({"--cases", "3"}), HasSubstr("--cases"));
  scratch.write("policy.toml", std::string(kPolicy) + "[[group]]\nvariants=['right']\nseconds=3\n");
  EXPECT_THAT(error_of({}), HasSubstr("policy.toml:17:1: error: found `seconds`"));
  EXPECT_EQ(scratch.shell("test ! -e run").status, 0);
  EXPECT_EQ(scratch.run({"gate", "policy.toml", "--shard", "1/2"}).status, 2);
  EXPECT_EQ(scratch.run({"gate", "policy.toml", "--merge", "none.db"}).status, 2);
  scratch.write("policy.toml", kPolicy);
  EXPECT_THAT(
      scratch
          .run({"gate", "policy.toml", "--shard", "1/2", "--history", "1.db", "--junit", "x.xml"})
          .error,
      HasSubstr("`gate --merge` writes those of the gate"));
  EXPECT_THAT(scratch.run({"gate", "policy.toml", "--shard", "1/1", "--history", "1.db"}).error,
              HasSubstr("run the whole gate without --shard"));
}

}  // namespace
}  // namespace warpcheck::tool
