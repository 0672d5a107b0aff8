// Histories: campaigns that are interrupted and resumed, split in shards and merged.
#include <gmock/gmock.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// The events after the start, without their times.
std::string without_json_times(const std::string& events) {
  return std::regex_replace(without_start(events), std::regex(R"("seconds":[^,}]*)"),
                            R"("seconds":0)");
}

std::vector<std::string> concatenated(std::vector<std::string> words,
                                      const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// One correct kernel, one with a benign race and wrong results, one with two defects.
std::vector<std::string> campaign(const Scratch& scratch) {
  scratch.write("right.cu", correct_kernel("right"));
  scratch.write("edge.cu", kernel_without_bounds_check("edge"));
  scratch.write("racy.cu", replaced(kernel_that_races("racy"), "i < k;", "i < k - k / 16;"));
  return {"check", "right.cu", "edge.cu", "racy.cu", "--cases",
          "90",    "--device", "virtual", "--seed",  "5"};
}

TEST(History, MergedShardsEqualTheWholeCampaign) {
  const Scratch scratch;
  const std::vector<std::string> words = campaign(scratch);
  const Result whole = scratch.run(concatenated(words, {"--json", "whole.json"}));
  EXPECT_EQ(whole.status, 1) << whole.error;
  for (const int shards : {2, 7}) {
    std::vector<std::string> merge = {"merge"};
    const std::string all = std::to_string(shards);
    for (int i = 1; i <= shards; ++i) {
      const std::string file = all + "-" + std::to_string(i) + ".db";
      const Result shard = scratch.run(
          concatenated(words, {"--shard", std::to_string(i) + "/" + all, "--history", file}));
      EXPECT_LE(shard.status, 1) << shard.error;
      merge.push_back(file);
    }
    const Result merged =
        scratch.run(concatenated(merge, {"-o", all + ".db", "--json", "merged.json"}));
    EXPECT_EQ(merged.status, 1) << merged.error;
    EXPECT_EQ(without_json_times(scratch.read("merged.json")),
              without_json_times(scratch.read("whole.json")));
    EXPECT_THAT(merged.out, HasSubstr("--in edge.cu 'edge m="));
    const Result again = scratch.run(concatenated(merge, {"-o", all + ".db"}));
    EXPECT_EQ(again.status, 0) << again.error;
    EXPECT_THAT(again.out, HasSubstr("0 joined from shards, 0 copied, 1 there already\n"));
  }
}

TEST(History, RepeatedlyKilledCampaignResumesWithoutLoss) {
  const Scratch scratch;
  const std::vector<std::string> words = concatenated(campaign(scratch), {"--jobs", "2"});
  // The first run compiles, so that the time of the second is that of the cases.
  EXPECT_EQ(scratch.run(words).status, 1);
  const auto start = std::chrono::steady_clock::now();
  const Result whole = scratch.run(concatenated(words, {"--json", "whole.json"}));
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(whole.status, 1) << whole.error;

  const std::vector<std::string> resume =
      concatenated(words, {"--history", "killed.db", "--resume", "--json", "resumed.json"});
  Result last;
  int killed = 0;
  for (double seconds = time.count() / 8; killed < 60; seconds *= 1.1) {
    last = scratch.run_for(seconds, resume);
    if (last.status != 128 + 9) break;
    ++killed;
  }
  EXPECT_GE(killed, 3);
  EXPECT_EQ(last.status, 1) << last.error;
  EXPECT_THAT(last.out, HasSubstr("\nresumes the campaign of "));
  EXPECT_EQ(without_json_times(scratch.read("resumed.json")),
            without_json_times(scratch.read("whole.json")));
}

TEST(History, ResumeDoesNotRepeatRecordedCases) {
  const Scratch scratch;
  scratch.write("right.cu", correct_kernel("right"));
  const std::vector<std::string> words = {
      "check", "right.cu",   "--cases",           "1500",      "--device", "virtual", "--jobs", "1",
      "-v",    "--property", "matches-reference", "--history", "h.db",     "--resume"};
  const auto lines_of_cases = [](const std::string& out) {
    std::set<std::string> lines;
    std::istringstream stream(out);
    for (std::string line; std::getline(stream, line);) {
      if (line.starts_with("right m=")) lines.insert(line);
    }
    return lines;
  };
  const auto begun = [&] { return lines_of_cases(scratch.read("stdout")).size() >= 48; };
  Result result = scratch.run_and_interrupt(words, begun, SIGKILL);
  ASSERT_EQ(result.status, 128 + 9) << "ended before it could be killed";
  const std::set<std::string> before = lines_of_cases(result.out);
  ASSERT_GE(before.size(), 48);
  result = scratch.run(words);
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr(" 1500 cases "));
  int repeated = 0;
  for (const std::string& line : lines_of_cases(result.out)) repeated += before.contains(line);
  EXPECT_LE(repeated, 16) << "only the cases in flight may run again";
}

TEST(History, OnlyTheSameCampaignIsResumed) {
  const Scratch scratch;
  scratch.write("right.cu", correct_kernel("right"));
  const auto check = [&](const std::vector<std::string>& more) {
    return concatenated({"check", "right.cu", "--device", "virtual", "--history", "h.db"}, more);
  };
  Result result = scratch.run(check({"--cases", "20", "--resume"}));
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("nothing to resume: no campaign is unfinished\n"));
  const auto begun = [&] { return scratch.read("stdout").find("\nright m=") != std::string::npos; };
  result = scratch.run_and_interrupt(check({"--cases", "1000000", "-v"}), begun, SIGKILL);
  EXPECT_EQ(result.status, 128 + 9);
  result = scratch.run(check({"--cases", "20", "--resume"}));
  EXPECT_THAT(result.out, HasSubstr("differs in its cases\n"));
  scratch.write("right.cu",
                replaced(correct_kernel("right"), "  for (", "#pragma unroll 1\n  for ("));
  result = scratch.run(check({"--cases", "1000000", "--time", "1s", "--resume"}));
  EXPECT_THAT(result.out, HasSubstr("differs in its source\n"));
}

TEST(History, MergeNamesAMissingShard) {
  const Scratch scratch;
  scratch.write("right.cu", correct_kernel("right"));
  for (const std::string number : {"1", "2", "5"}) {
    const Result shard = scratch.run({"check", "right.cu", "--cases", "40", "--device", "virtual",
                                      "--shard", number + "/6", "--history", number + ".db"});
    EXPECT_EQ(shard.status, 0) << shard.error;
  }
  const Result merged = scratch.run({"merge", "1.db", "2.db", "5.db", "-o", "all.db"});
  EXPECT_EQ(merged.status, 2);
  EXPECT_THAT(merged.error, AllOf(StartsWith("all.db: error: "), HasSubstr("in 6 shards"),
                                  HasSubstr("shard 3 to 4, 6 is missing")));
}

TEST(History, ShardWithoutCasesDoesNotPassButMerges) {
  const Scratch scratch;
  scratch.write("right.cu", correct_kernel("right"));
  std::vector<std::string> merge = {"merge"};
  int without = 0;
  for (int i = 1; i <= 4; ++i) {
    const std::string number = std::to_string(i);
    const Result shard = scratch.run({"check", "right.cu", "--cases", "3", "--device", "virtual",
                                      "--shard", number + "/4", "--history", number + ".db"});
    EXPECT_THAT(shard.status, testing::AnyOf(0, 2)) << shard.error;
    if (shard.status == 2) {
      ++without;
      EXPECT_THAT(shard.error, HasSubstr("4 shards, of which this is number " + number));
    }
    merge.push_back(number + ".db");
  }
  EXPECT_GE(without, 1);
  const Result merged = scratch.run(concatenated(merge, {"-o", "all.db"}));
  EXPECT_EQ(merged.status, 0) << merged.error;
  EXPECT_THAT(merged.out, HasSubstr("1 variant, 3 cases in "));
}

TEST(History, CampaignsWithoutShardsAreCopiedOnce) {
  const Scratch scratch;
  scratch.write("right.cu", correct_kernel("right"));
  for (const std::string file : {"a.db", "b.db"}) {
    EXPECT_EQ(
        scratch.run({"check", "right.cu", "--cases", "5", "--device", "virtual", "--history", file})
            .status,
        0);
  }
  Result merged = scratch.run({"merge", "a.db", "b.db", "-o", "all.db"});
  EXPECT_EQ(merged.status, 0) << merged.error;
  EXPECT_THAT(merged.out, HasSubstr("0 joined from shards, 2 copied, 0 there already\n"));
  merged = scratch.run({"merge", "a.db", "-o", "all.db"});
  EXPECT_THAT(merged.out, HasSubstr("0 joined from shards, 0 copied, 1 there already\n"));
}

}  // namespace
}  // namespace warpcheck::tool
