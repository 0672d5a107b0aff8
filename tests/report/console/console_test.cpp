#include "report/console/console.hpp"

#include <gmock/gmock.h>

#include <sstream>

#include "tests/report/events.hpp"

namespace warpcheck::report {
namespace {

using testing::HasSubstr;

ConsoleOptions plain() {
  ConsoleOptions options;
  options.name_width = 12;
  options.replay_command = [](const campaign::Case& problem) {
    return "replay " + problem.variant;
  };
  return options;
}

TEST(Console, RepeatsLinesOfVariantsThatDidNotPass) {
  const std::string failed =
      "sgemm_float4  misaligned               7 cases  sensitivity  99 %  level coverage  90 %  "
      "pair coverage  75 %  findings 1    12.0 s\n";
  const std::string mistrusted =
      "sgemm_blind   mistrusted               1 cases  sensitivity   0 %  level coverage < 1 %  "
      "pair coverage 100 %  findings 0     0.0 s  1 mistrusted\n"
      "  mistrusted: the data could not have exposed a defect\n";
  std::ostringstream out;
  Console console(out, plain());
  console.finished(passing_variant());
  console.finished(failing_variant());
  console.finished(mistrusted_variant());
  console.summary({{passing_variant(), failing_variant(), mistrusted_variant()}, 1, 1, 108, 12.42});
  EXPECT_EQ(
      out.str(),
      "sgemm_naive   pass                   100 cases  sensitivity 100 %  level coverage 100 %  "
      "pair coverage 100 %  findings 0     0.4 s\n" +
          failed + mistrusted + "\nnot passed on the virtual device:\n" + failed + mistrusted +
          "\n3 variants, 108 cases in 12.4 s: 1 passed, 1 failed, 1 mistrusted\n");
}

TEST(Console, PrintsUnexecutedLinesAndEmptyCases) {
  std::ostringstream out;
  Console console(out, plain());
  console.finished(variant_with_unexecuted_lines());
  campaign::CampaignReport totals;
  totals.add(variant_with_unexecuted_lines());
  console.summary(totals);
  EXPECT_EQ(
      out.str(),
      "sgemm_tail    mistrusted              99 cases  sensitivity 100 %  level coverage 100 %  "
      "pair coverage 100 %  findings 0     0.4 s  2 empty\n"
      "  mistrusted: lines 41-44, 52 of kernels/sgemm_tail.cu, line 7 of kernels/tile.cuh were "
      "never executed\n"
      "1 variant, 99 cases in 0.0 s: 0 passed, 0 failed, 1 mistrusted\n");
}

TEST(Console, PrintsUnsupportedFormsAndWhatTheyBlock) {
  campaign::VariantReport other = unsupported_variant();
  other.variant = "bgemm_wgmma";
  campaign::CampaignReport totals;
  for (const auto& variant : {passing_variant(), unsupported_variant(), other}) totals.add(variant);
  std::ostringstream out;
  Console console(out, plain());
  console.finished(unsupported_variant());
  EXPECT_THAT(
      out.str(),
      testing::StartsWith(
          "\nhgemm_wgmma: unsupported on the virtual device\n"
          "  wgmma.fence.sync.aligned (PTX ISA 9.7.15): the virtual device does not "
          "implement this instruction\n"
          "  case       hgemm_wgmma m=64 n=8 k=16 alpha=1 beta=0 data=lattice seed=1\n"
          "  --> kernels/hgemm_wgmma.cu:31\n"
          "  executing  wgmma.fence.sync.aligned\n"
          "  reached    in 98 cases\n"
          "  replay     replay hgemm_wgmma\n"
          "  This does not show that the kernel is wrong: check it on a GPU, with --device cuda.\n"
          "\nhgemm_wgmma   unsupported            100 cases  sensitivity     -  "
          "level coverage     -  pair coverage     -  findings 0 "));
  out.str("");
  console.summary(totals);
  EXPECT_THAT(out.str(),
              testing::EndsWith("\nunsupported forms:\n"
                                "  wgmma.fence.sync.aligned (PTX ISA 9.7.15) blocks 2 variants: "
                                "hgemm_wgmma, bgemm_wgmma\n"
                                "3 variants, 300 cases in 0.0 s: 1 passed, 0 failed, 0 mistrusted, "
                                "2 unsupported\n"));
}

TEST(Console, DoesNotRepeatTheLineOfASingleVariant) {
  std::ostringstream out;
  Console(out, plain()).summary({{failing_variant()}, 1, 0, 7, 12.0});
  EXPECT_EQ(out.str(), "1 variant, 7 cases in 12.0 s: 0 passed, 1 failed, 0 mistrusted\n");
}

TEST(Console, QuietPrintsOnlyFailuresAndTotals) {
  ConsoleOptions options = plain();
  options.quiet = true;
  options.progress.quiet = true;
  options.progress.live = true;
  std::ostringstream out;
  Console console(out, options);
  console.progress({"sgemm_naive", 0, 14, 5, 100, 0, 0.5, "checking"});
  console.noted(benign_race());
  console.finished(passing_variant());
  EXPECT_EQ(out.str(), "");
  console.found(misaligned_load());
  EXPECT_THAT(out.str(), testing::StartsWith("\nerror[misaligned]: "));
  out.str("");
  console.finished(failing_variant());
  console.summary({{failing_variant()}, 1, 0, 7, 12.0});
  EXPECT_THAT(out.str(), testing::StartsWith(
                             "\nnot passed on the virtual device:\nsgemm_float4  misaligned "));
  out.str("");
  console.summary({{passing_variant()}, 0, 0, 100, 1.0});
  EXPECT_EQ(out.str(), "1 variant, 100 cases in 1.0 s: passed\n");
}

TEST(Console, PrintsThatAllPassed) {
  std::ostringstream out;
  Console(out, plain()).summary({{passing_variant(), passing_variant()}, 0, 0, 200, 1.0});
  EXPECT_EQ(out.str(), "2 variants, 200 cases in 1.0 s: all passed\n");
}

TEST(Console, PrintsFindingWithItsReplayCommand) {
  std::ostringstream out;
  Console(out, plain()).found(misaligned_load());
  EXPECT_THAT(out.str(), testing::StartsWith("\nerror[misaligned]: "));
  EXPECT_THAT(out.str(), testing::EndsWith("  replay     replay sgemm_float4\n\n"));
}

TEST(Console, PrintsBenignRaceOnOneLine) {
  std::ostringstream out;
  Console(out, plain()).noted(benign_race());
  EXPECT_EQ(out.str(),
            "note: sgemm_float4: benign race at kernels/sgemm_float4.cu:9 and "
            "kernels/sgemm_float4.cu:12: thread (1, 0, 0) writes element 0 of flag; "
            "31 such accesses\n");
}

TEST(Console, PrintsNoProgressIntoAPipe) {
  std::ostringstream out;
  Console(out, plain()).progress({"sgemm_naive", 0, 14, 5, 100, 0, 0.5, "checking"});
  EXPECT_EQ(out.str(), "");
}

/// With the clock's redrawing out of the way.
ConsoleOptions terminal() {
  ConsoleOptions options = plain();
  options.progress.live = true;
  options.progress.pause = std::chrono::milliseconds(0);
  options.progress.redraw = std::chrono::hours(1);
  return options;
}

TEST(Console, ErasesProgressLineBeforeTheResult) {
  std::ostringstream out;
  Console console(out, terminal());
  console.progress({"sgemm_naive", 0, 14, 5, 100, 0, 0.5, "checking", 0.0, "cases", 5});
  EXPECT_EQ(out.str(),
            "\r\033[K0:00 [1/14] sgemm_naive: 5 of 100 cases, 0 findings, checking, 10 cases/s");
  out.str("");
  console.progress({"sgemm_naive", 0, 14, 50, 100, 2, 4.0, "checking", 0.0, "cases", 50});
  EXPECT_EQ(out.str(),
            "\r\033[K0:04 (1:48 left) [1/14] sgemm_naive: 50 of 100 cases, 2 findings, checking, "
            "12 cases/s");
  out.str("");
  console.finished(passing_variant());
  EXPECT_THAT(out.str(), testing::StartsWith("\r\033[Ksgemm_naive   pass"));
  out.str("");
  console.finished(passing_variant());
  EXPECT_THAT(out.str(), testing::StartsWith("sgemm_naive   pass"));
}

TEST(Console, RateIsThatOfAllVariantsOfTheCampaign) {
  std::ostringstream out;
  Console console(out, terminal());
  console.progress({"two", 1, 2, 50, 100, 0, 3.0, "checking", 0.0, "cases", 150});
  EXPECT_THAT(out.str(), testing::EndsWith("checking, 50 cases/s"));
}

TEST(Console, ProgressEndsWithTheBudgetAndCountsOtherUnits) {
  std::ostringstream out;
  Console(out, terminal())
      .progress({"sgemm_naive", 0, 14, 50, 100, 0, 4.0, "checking", 10.0, "mutants"});
  EXPECT_THAT(out.str(), testing::StartsWith(
                             "\r\033[K0:04 (0:06 left) [1/14] sgemm_naive: 50 of 100 mutants"));
}

TEST(Console, CutsProgressLineToTheTerminalWidth) {
  std::ostringstream out;
  ConsoleOptions options = terminal();
  options.progress.columns = 10;
  Console(out, options).progress({"sgemm_naive", 0, 14, 5, 100, 0, 0.5, "checking"});
  EXPECT_EQ(out.str(), "\r\033[K0:00 [1/1\r\033[K");
}

TEST(Console, PrintsCasesBeforeLaunchOnlyOnRequest) {
  const campaign::Case problem = misaligned_load().smallest;
  std::ostringstream quiet;
  Console(quiet, plain()).launching(problem);
  EXPECT_EQ(quiet.str(), "");
  std::ostringstream verbose;
  ConsoleOptions options = plain();
  options.verbose = true;
  Console(verbose, options).launching(problem);
  EXPECT_EQ(verbose.str(), to_line(problem) + "\n");
}

TEST(Console, ColoursVerdictsOnlyOnRequest) {
  std::ostringstream out;
  ConsoleOptions options = plain();
  options.colours = true;
  Console console(out, options);
  console.finished(passing_variant());
  console.finished(mistrusted_variant());
  console.finished(failing_variant());
  EXPECT_THAT(out.str(), HasSubstr("\033[32mpass "));
  EXPECT_THAT(out.str(), HasSubstr("\033[33mmistrusted "));
  EXPECT_THAT(out.str(), HasSubstr("\033[31mmisaligned "));
}

}  // namespace
}  // namespace warpcheck::report
