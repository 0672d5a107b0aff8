#include "report/json/exploration_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/report/sample_exploration.hpp"

namespace warpcheck::report {
namespace {

TEST(ExplorationJson, WritesOneLine) {
  const std::string text = exploration_json(sample_exploration());
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  const auto event = nlohmann::json::parse(text);
  EXPECT_EQ(event["event"], "exploration");
  EXPECT_EQ(event["correct"], "exactly");
  // Declared conditions that no case examined stay.
  EXPECT_EQ(event["requires"], nlohmann::json({"k % 8 == 0", "aligned(b, 16)", "m <= 1048560"}));
  EXPECT_EQ(event["conditions"][0]["smallest"]["line"], 12);
  EXPECT_TRUE(event["conditions"][1]["smallest"].is_null());
  EXPECT_EQ(event["exceptions"][0]["passed"], 4);
  EXPECT_EQ(event["declared"]["too_weak"]["class"], "misaligned");
  EXPECT_EQ(event["declared"]["needless"], nlohmann::json({"m == n"}));
  EXPECT_TRUE(event["passes_outside"].is_null());
}

}  // namespace
}  // namespace warpcheck::report
