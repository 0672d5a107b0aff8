#include "report/json/mutation_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/report/sample_mutation.hpp"

namespace warpcheck::report {
namespace {

TEST(MutationJson, WritesOneLinePerMutantAndTheScoreLast) {
  std::istringstream lines(mutation_json(sample_mutation()));
  std::vector<nlohmann::json> events;
  for (std::string line; std::getline(lines, line);) events.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(events.size(), 5U);
  EXPECT_EQ(events[0]["fate"], "killed");
  EXPECT_EQ(events[0]["class"], "race");
  EXPECT_EQ(events[0]["cases"], 3);
  EXPECT_TRUE(events[0]["after"].is_null());
  EXPECT_EQ(events[1]["after"], "mul x");
  EXPECT_FALSE(events[1].contains("case"));
  EXPECT_EQ(events[4]["event"], "mutation-score");
  EXPECT_EQ(events[4]["unreachable"], 1);
  EXPECT_EQ(events[4]["score"], 0.5);
  EXPECT_EQ(events[4]["operators"].size(), 3U);
}

}  // namespace
}  // namespace warpcheck::report
