#include "report/json/bench_json.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/workflows/bench/sample_results.hpp"

namespace warpcheck::report {
namespace {

using workflows::bench::sample_results;

TEST(BenchJson, WritesTimesAndShares) {
  const auto event = nlohmann::json::parse(bench_json(sample_results().results[0]));
  EXPECT_EQ(event["event"], "bench");
  EXPECT_EQ(event["seconds"]["median"], 1e-3);
  EXPECT_DOUBLE_EQ(event["rate"], 2e12);
  EXPECT_DOUBLE_EQ(event["share_of_cublas"], 0.8);
  EXPECT_EQ(event["wrong"], "");
}

TEST(BenchJson, GivesTheReasonWithoutCublas) {
  const auto event = nlohmann::json::parse(bench_json(sample_results().results[1]));
  EXPECT_EQ(event["no_cublas"], "a batch");
  EXPECT_FALSE(event.contains("share_of_cublas"));
  EXPECT_FALSE(event.contains("peak"));
  EXPECT_FALSE(event.contains("clock_hz"));
}

TEST(BenchJson, GivesTheBandwidthOfAnotherOperation) {
  const auto event = nlohmann::json::parse(bench_json(sample_results().results[2]));
  EXPECT_EQ(event["case"], "softmax operation=softmax rows=1000 columns=250 data=lattice seed=0");
  EXPECT_DOUBLE_EQ(event["bandwidth"], 2e9);
  EXPECT_DOUBLE_EQ(event["peak_bandwidth"], 4e9);
  EXPECT_FALSE(event.contains("rate"));
}

}  // namespace
}  // namespace warpcheck::report
