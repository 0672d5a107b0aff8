// Verdicts and reports do not depend on the vectors of the CPU, which determine in which order the
// reference adds.
#include <gmock/gmock.h>

#include <regex>
#include <string>
#include <vector>

#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

struct Campaign {
  int status;
  std::string events;  // the events without their times
};

/// Checks kernels with at most these vectors; empty: the widest of the CPU.
Campaign check(const std::string& vectors, const std::vector<std::string>& targets) {
  const Scratch scratch;
  std::vector<std::string> words = {"check", "--device", "virtual", "--json", "events"};
  words.insert(words.end(), targets.begin(), targets.end());
  const int status = scratch.run(words, {"WARPCHECK_SIMD=" + vectors}).status;
  const std::regex seconds(R"("seconds":[0-9.e-]+)");
  return {status, std::regex_replace(without_start(scratch.read("events")), seconds, "")};
}

void expect_equal_reports(const std::vector<std::string>& targets, const std::string& contained) {
  const Campaign widest = check("", targets);
  EXPECT_THAT(widest.events, testing::HasSubstr(contained));
  for (const std::string vectors : {"plain", "avx2"}) {
    const Campaign limited = check(vectors, targets);
    EXPECT_EQ(limited.status, widest.status) << vectors;
    EXPECT_EQ(limited.events, widest.events) << vectors;
  }
}

TEST(Vectors, DoNotChangeReportsOfTheLadder) {
  expect_equal_reports({"sgemm_*", "hgemm_*", "dgemm_*", "--cases", "2"}, R"("verdict":"pass")");
}

/// Wrong values are printed, with what is expected.
TEST(Vectors, DoNotChangeReportsOfWrongResults) {
  expect_equal_reports({WARPCHECK_SOURCE_DIR "/kernels/specimens/arithmetic", "--cases", "20"},
                       "wrong-result");
}

}  // namespace
}  // namespace warpcheck::tool
