// The HTML page of a campaign. tests/report/browser covers its layout and scripts.
#include <gmock/gmock.h>

#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using testing::HasSubstr;

/// The page without times, its date, its command and the nonce, which depends on them.
std::string without_times(const std::string& page) {
  const std::regex times(R"(<dl class=run>[^\n]*|)"
                         R"(\d+\.\d s\b|\d{4}-\d\d-\d\d \d\d:\d\d UTC|nonce[-=][0-9a-f]{32})");
  return std::regex_replace(page, times, "");
}

std::vector<std::string> checked(const std::vector<std::string>& more) {
  std::vector<std::string> words = {"check", "edge.cu", "--device", "virtual", "--cases", "30"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(Html, PageOfMergedShardsEqualsThatOfTheCampaign) {
  const Scratch scratch;
  scratch.write("edge.cu", kernel_that_drops_the_last_term("edge"));
  // A history has no coverage: neither a merged nor a resumable campaign shows any.
  EXPECT_EQ(
      scratch.run(checked({"--html", "piece.html", "--history", "piece.db", "--resume"})).status,
      1);
  for (const std::string number : {"1", "2", "3"}) {
    (void)scratch.run(checked(
        {"--shard", number + "/3", "--history", number + ".db", "--html", number + ".html"}));
  }
  const Result merged =
      scratch.run({"merge", "1.db", "2.db", "3.db", "-o", "all.db", "--html", "joined.html"});
  EXPECT_EQ(merged.status, 1) << merged.error;
  const std::string piece = scratch.read("piece.html");
  EXPECT_THAT(piece, HasSubstr("class=\"map\""));
  EXPECT_EQ(without_times(scratch.read("joined.html")), without_times(piece));
}

TEST(Html, DoesNotChangeOtherReports) {
  const Scratch scratch;
  scratch.write("edge.cu", kernel_that_drops_the_last_term("edge"));
  const Result without = scratch.run(checked({"--json", "without.json"}));
  const Result with = scratch.run(checked({"--json", "with.json", "--html", "page.html"}));
  const std::regex seconds(R"("seconds":[0-9.e-]+)");
  EXPECT_EQ(with.status, without.status);
  EXPECT_EQ(std::regex_replace(without_start(scratch.read("with.json")), seconds, ""),
            std::regex_replace(without_start(scratch.read("without.json")), seconds, ""));
}

TEST(Html, DoesNotDependOnTheNumberOfThreads) {
  const Scratch scratch;
  scratch.write("edge.cu", kernel_that_drops_the_last_term("edge"));
  (void)scratch.run(checked({"--html", "one.html", "--jobs", "1"}));
  (void)scratch.run(checked({"--html", "four.html", "--jobs", "4"}));
  EXPECT_EQ(without_times(scratch.read("one.html")), without_times(scratch.read("four.html")));
}

TEST(Html, DoesNotDependOnTheVectorsOfTheCpu) {
  const Scratch scratch;
  scratch.write("edge.cu", kernel_that_drops_the_last_term("edge"));
  (void)scratch.run(checked({"--html", "widest.html"}));
  for (const char* const limit : {"plain", "avx2"}) {
    setenv("WARPCHECK_SIMD", limit, 1);
    (void)scratch.run(checked({"--html", "limited.html"}));
    unsetenv("WARPCHECK_SIMD");
    EXPECT_EQ(without_times(scratch.read("limited.html")),
              without_times(scratch.read("widest.html")))
        << limit;
  }
}

TEST(Html, UnwritableFileIsAnErrorBeforeAnythingRuns) {
  const Scratch scratch;
  const Result result = scratch.run(checked({"--html", "no/such/page.html"}));
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
}

}  // namespace
}  // namespace warpcheck::tool
