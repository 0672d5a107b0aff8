// Runs `warpcheck bench` on the virtual device.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/tool/harness/consumers.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using BenchEvent = nlohmann::json;

TEST(Bench, TimesTheVirtualDevice) {
  const Scratch scratch;
  const Result result = scratch.run({"bench", "sgemm_naive", "--device", "virtual", "--size",
                                     "16x8x4", "--size", "8", "--json", "bench.json"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, AllOf(HasSubstr("one host thread"), HasSubstr("sgemm_naive"),
                                HasSubstr("16x8x4"), HasSubstr("8x8x8")));
  const std::string lines = without_start(scratch.read("bench.json"));
  const BenchEvent event = BenchEvent::parse(lines.substr(0, lines.find('\n')));
  EXPECT_EQ(event["operations"], 2.0 * 16 * 8 * 4);
  EXPECT_GT(event["seconds"]["median"], 0.0);
  EXPECT_EQ(event["wrong"], "");
}

TEST(Bench, AWrongResultIsAFinding) {
  const Scratch scratch;
  const Result result = scratch.run(
      {"bench",
       std::string(WARPCHECK_SOURCE_DIR) + "/kernels/specimens/missing_work/d08_k_tail_dropped.cu",
       "--device", "virtual", "--size", "20"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("wrong result: C[0, 0] is"));
}

TEST(Bench, TimesAnotherOperation) {
  const Scratch scratch;
  const Result result = scratch.run(
      {"bench", "softmax_online", "--device", "virtual", "--json", "bench.json", "--rounds", "1"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("B/s"));
  const BenchEvent event = BenchEvent::parse(without_start(scratch.read("bench.json")));
  EXPECT_GT(event["bandwidth"], 0.0);
  EXPECT_EQ(event["no_cublas"], "no product of matrices");
}

TEST(Bench, TimesACase) {
  const Scratch scratch;
  const std::string line = "softmax_online operation=softmax rows=7 columns=65";
  const Result result =
      scratch.run({"bench", "softmax_*", "--device", "virtual", "--case", line, "--rounds", "1"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("softmax_online               7x65"));
}

TEST(Bench, AWrongResultOfAnotherOperationIsAFinding) {
  const Scratch scratch;
  const std::string folder = std::string(WARPCHECK_SOURCE_DIR) + "/kernels/specimens/operations/";
  const Result result = scratch.run({"bench", folder + "d45_softmax.cu:d45_sum_not_rescaled",
                                     "--device", "virtual", "--rounds", "1"});
  EXPECT_EQ(result.status, 1) << result.error;
  EXPECT_THAT(result.out, HasSubstr("wrong result: y["));
}

TEST(Bench, ANoteIsNoFailure) {
  const Scratch scratch;  // blocks take turns by volatile accesses
  const Result result =
      scratch.run({"bench", "sgemm_split_k_turns", "--device", "virtual", "--size", "64"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("64x64x64"));
}

TEST(Bench, NeedsAGpuForCuda) {
  const Scratch scratch;
  EXPECT_EQ(scratch.run({"bench", "sgemm_naive", "--device", "cuda"}).status, 3);
}

}  // namespace
}  // namespace warpcheck::tool
