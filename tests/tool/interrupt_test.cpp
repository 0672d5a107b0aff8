// Ctrl-C and SIGTERM during a campaign.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

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

TEST(Interrupt, FindingIsReportedAndResumeEndsTheCampaign) {
  const Scratch scratch;
  // One thread with a volatile counter makes each launch last some milliseconds, so that the signal
  // arrives during the campaign.
  scratch.write("wrong.cu",
                replaced(kernel_that_drops_the_last_term("wrong"), "  float sum",
                         "  volatile int spin = 0;\n"
                         "  if (row + column == 0) for (int i = 0; i < 5000; ++i) spin += i;\n"
                         "  float sum"));
  const std::vector<std::string> words = {"check",  "wrong.cu",  "--device", "virtual", "-v",
                                          "--jobs", "1",         "--cases",  "30",      "--json",
                                          "r.json", "--history", "h.db",     "--resume"};
  const auto begun = [&] {
    const std::string out = scratch.read("stdout");
    return std::count(out.begin(), out.end(), '\n') > 12;
  };
  Result result = scratch.run_and_interrupt(words, begun);
  EXPECT_EQ(result.status, 130) << result.error;
  EXPECT_THAT(result.out, AllOf(HasSubstr("error[wrong-result]: "), HasSubstr("1 failed"),
                                HasSubstr("interrupted: this result is ")));
  EXPECT_THAT(scratch.read("r.json"), HasSubstr("\"event\":\"finding\""));
  result = scratch.run(words);
  EXPECT_EQ(result.status, 1) << result.error;
  EXPECT_THAT(result.out, AllOf(HasSubstr("resumes the campaign of"), HasSubstr("shrunk in ")));
}

}  // namespace
}  // namespace warpcheck::tool
