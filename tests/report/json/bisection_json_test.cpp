#include "report/json/bisection_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/report/events.hpp"

namespace warpcheck::report {
namespace {

using workflows::bisect::Bisection;

TEST(BisectionJson, WritesCommitsAndFindings) {
  Bisection bisection;
  bisection.bad = {{"2a8de7da7a", "Drop a test", "A. Author <a@example.org>", "Sat Nov 21 2026"}};
  bisection.steps = 4;
  bisection.findings = {misaligned_load()};
  const auto event = nlohmann::json::parse(bisection_json(bisection));
  EXPECT_EQ(event["event"], "bisection");
  EXPECT_EQ(event["commits"], nlohmann::json::parse(R"([{"commit": "2a8de7da7a",
    "subject": "Drop a test", "author": "A. Author <a@example.org>", "date": "Sat Nov 21 2026"}])"));
  EXPECT_EQ(event["steps"], 4);
  EXPECT_EQ(event["skipped"], 0);
  EXPECT_EQ(event["findings"][0]["class"], "misaligned");
}

}  // namespace
}  // namespace warpcheck::report
