// Ctrl-C and SIGTERM during a campaign.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Runs a campaign of two variants and interrupts it in the first.
Result run_interrupted(const Scratch& scratch, int signal) {
  const auto begun = [&] {
    const std::string out = scratch.read("stdout");
    return out.find("sgemm_naive m=") != std::string::npos;
  };
  return scratch.run_and_interrupt(
      {"check", "sgemm_naive", "sgemm_column_128", "--device", "virtual", "--cases", "100000", "-v",
       "--json", "r.json", "--junit", "r.xml", "--sarif", "r.sarif", "--markdown", "r.md", "--html",
       "r.html"},
      begun, signal);
}

TEST(Interrupt, CtrlCWritesIncompleteReportsAndASummary) {
  const Scratch scratch;
  const Result result = run_interrupted(scratch, SIGINT);
  EXPECT_EQ(result.status, 130) << result.error;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("1 requirement not met"), HasSubstr("interrupted: this result is "),
                    Not(HasSubstr("all passed"))));
  for (const char* file : {"r.json", "r.xml", "r.sarif", "r.md", "r.html"}) {
    EXPECT_THAT(scratch.read(file), HasSubstr("interrupted: this result is incomplete")) << file;
  }
  EXPECT_THAT(scratch.read("r.json"), HasSubstr("\"verdict\":\"undecided\""));
}

TEST(Interrupt, SigtermEndsTheCampaignLikeCtrlC) {
  const Scratch scratch;
  const Result result = run_interrupted(scratch, SIGTERM);
  EXPECT_EQ(result.status, 130) << result.error;
  EXPECT_THAT(result.out, HasSubstr("interrupted: this result is incomplete"));
}

}  // namespace
}  // namespace warpcheck::tool
