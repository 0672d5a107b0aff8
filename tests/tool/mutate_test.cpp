// Runs `warpcheck mutate` on a built-in variant.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/tool/harness/consumers.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

std::vector<Json> lines_of(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
  return lines;
}

std::vector<std::string> words(const std::vector<std::string>& more) {
  std::vector<std::string> all = {"mutate", "sgemm_tiled8", "--cases", "30", "--mutants", "40"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(Mutate, ReportsTheFateOfEachMutantAndTheTotals) {
  const Scratch scratch;
  const Result result = scratch.run(words({"--json", "mutants.json"}));
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.out, AllOf(HasSubstr("sgemm_tiled8: 40 of "), HasSubstr("barrier-dropped")));
  std::vector<Json> events = lines_of(without_start(scratch.read("mutants.json")));
  ASSERT_EQ(events.size(), 41U);
  EXPECT_EQ(event_errors(scratch, "mutants.json"), "");
  const Json score = events.back();
  events.pop_back();
  EXPECT_EQ(score["event"], "mutation-score");
  std::size_t killed = 0;
  std::size_t races = 0;
  for (const Json& event : events) {
    EXPECT_EQ(event["event"], "mutant");
    EXPECT_THAT(event["file"].get<std::string>(), HasSubstr(".cu"));
    killed += event["fate"] == "killed" ? 1 : 0;
    EXPECT_EQ(event["fate"] == "killed", event.contains("case"));
    if (event["operator"] != "barrier-dropped") continue;
    EXPECT_TRUE(event["after"].is_null());
    races += event.value("class", "") == "race" ? 1 : 0;
  }
  EXPECT_EQ(score["killed"], killed);
  EXPECT_EQ(score["run"], 40);
  EXPECT_GE(races, 2U);
}

TEST(Mutate, DoesNotDependOnTheNumberOfThreads) {
  const Scratch scratch;
  const auto events = [&](const char* jobs) {
    EXPECT_EQ(scratch.run(words({"--jobs", jobs, "--json", "mutants.json"})).status, 0);
    const std::string all = without_start(scratch.read("mutants.json"));
    return all.substr(0, all.rfind("\"seconds\""));
  };
  EXPECT_EQ(events("1"), events("3"));
}

TEST(Mutate, FailsIfTooFewAreKilled) {
  const Scratch scratch;
  // A single property that does not check values kills few.
  EXPECT_EQ(scratch.run(words({"--property", "leaves-inputs-alone", "--min-score", "100"})).status,
            1);
  EXPECT_EQ(scratch.run(words({"--min-score", "50"})).status, 0);
}

TEST(Mutate, ListsMutantsWithoutRunningThem) {
  const Scratch scratch;
  const Result result = scratch.run(words({"--list"}));
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr("barrier-dropped at "), HasSubstr("    - bar.sync 0\n"),
                                Not(HasSubstr("killed"))));
}

TEST(Mutate, UnknownVariantIsAnError) {
  const Result result = Scratch().run({"mutate", "sgemm_tilde8"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.error, HasSubstr("sgemm_tiled8"));
}

}  // namespace
}  // namespace warpcheck::tool
