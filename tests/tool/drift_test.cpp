// Kernels that still pass, but have larger errors than before.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/tool/harness/consumers.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class Drift : public testing::Test {
 protected:
  [[nodiscard]] Result check(const std::string& source, const std::string& seed,
                             const std::vector<std::string>& more = {}) const {
    scratch_.write("product.cu", source);
    std::vector<std::string> words = {"check",     "product.cu", "--cases", "40",
                                      "--device",  "virtual",    "--seed",  seed,
                                      "--history", "h.db",       "--json",  "report.json"};
    words.insert(words.end(), more.begin(), more.end());
    return scratch_.run(words);
  }

  [[nodiscard]] std::vector<json> drifts() const {
    std::vector<json> events;
    std::istringstream lines(scratch_.read("report.json"));
    for (std::string line; std::getline(lines, line);) {
      json event = json::parse(line);
      if (event["event"] == "drift") events.push_back(std::move(event));
    }
    return events;
  }

  Scratch scratch_;
  std::string in_floats_ = kernel_with_f16_operands("product");
  std::string in_halves_ = kernel_with_f16_products("product");
};

TEST_F(Drift, LostPrecisionIsReportedThoughBothPass) {
  Result result = check(in_floats_, "3");
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_TRUE(drifts().empty());
  result = check(in_halves_, "3");
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("\ndrift: product: error over bound "));
  ASSERT_EQ(drifts().size(), 1u);
  EXPECT_EQ(event_errors(scratch_, "report.json"), "");
  const json drift = drifts().front();
  EXPECT_EQ(drift["same_cases"], true);
  // The relative error is 2^-24 for sums in f32 and 2^-12 for products in f16; the contract allows
  // 2^-11 for each.
  EXPECT_LT(drift["largest_before"], 1e-2);
  EXPECT_GT(drift["largest"], 0.1);
  EXPECT_LE(drift["largest"], 1.0);
  EXPECT_GT(drift["typical"], 5 * drift["typical_before"].get<double>());
}

TEST_F(Drift, IsReportedWithAnotherSeed) {
  EXPECT_EQ(check(in_floats_, "3").status, 0);
  const Result result = check(in_halves_, "4", {"--fail-on-drift"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  ASSERT_EQ(drifts().size(), 1u);
  EXPECT_EQ(drifts().front()["same_cases"], false);
}

TEST_F(Drift, EqualAccuracyIsNotReportedForAnySeed) {
  const std::string rewritten = replaced(in_floats_, "  for (", "#pragma unroll 1\n  for (");
  for (const std::string seed : {"1", "2", "3"}) {
    EXPECT_EQ(check(in_floats_, seed, {"--fail-on-drift"}).status, 0);
    const Result result = check(rewritten, seed + "0", {"--fail-on-drift"});
    EXPECT_EQ(result.status, 0) << result.out;
    EXPECT_THAT(result.out, Not(HasSubstr("drift")));
  }
}

TEST_F(Drift, HigherAccuracyIsNotReported) {
  EXPECT_EQ(check(in_halves_, "3").status, 0);
  EXPECT_EQ(check(in_floats_, "3", {"--fail-on-drift"}).status, 0);
}

}  // namespace
}  // namespace warpcheck::tool
