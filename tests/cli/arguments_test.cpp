#include "cli/options/arguments.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace warpcheck::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Command parse(std::vector<const char*> words) {
  words.insert(words.begin(), "build/bin/warpcheck");
  return parse_arguments(static_cast<int>(words.size()), words.data());
}

/// The exit status of an invalid command line, or of one that prints help. The output of CLI11 is
/// discarded.
int status_of(const std::vector<const char*>& words) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const Command command = parse(words);
  static_cast<void>(testing::internal::GetCapturedStdout());
  static_cast<void>(testing::internal::GetCapturedStderr());
  const Leave* leave = std::get_if<Leave>(&command);
  return leave == nullptr ? -1 : leave->status;
}

TEST(Arguments, CheckWithoutTargetsHasTheDefaults) {
  const auto check = std::get<CheckCommand>(parse({"check"}));
  EXPECT_THAT(check.targets, IsEmpty());
  EXPECT_EQ(check.common.campaign.cases, 100);
  EXPECT_EQ(check.common.campaign.budget_seconds, 0.0);
  EXPECT_EQ(check.common.campaign.seed, 0u);
  EXPECT_EQ(check.common.device, "auto");
  EXPECT_TRUE(check.common.virtual_device.races);
  EXPECT_FALSE(check.common.campaign.strict.races);
  EXPECT_FALSE(check.common.campaign.strict.barriers);
  EXPECT_EQ(check.common.program, "build/bin/warpcheck");
}

TEST(Arguments, CheckAcceptsTargetsAndOptionsInAnyOrder) {
  const auto check = std::get<CheckCommand>(parse({"check",    "--device",   "virtual",
                                                   "a.cu",     "--property", "same-bits-twice",
                                                   "b*",       "--property", "matches-reference",
                                                   "--cases",  "7",          "--time",
                                                   "2m",       "--seed",     "18446744073709551615",
                                                   "--jobs",   "3",          "--json",
                                                   "out.json", "--no-races", "-v"}));
  EXPECT_THAT(check.targets, ElementsAre("a.cu", "b*"));
  EXPECT_THAT(check.common.campaign.properties,
              ElementsAre("same-bits-twice", "matches-reference"));
  EXPECT_EQ(check.common.campaign.cases, 7);
  EXPECT_EQ(check.common.campaign.budget_seconds, 120.0);
  EXPECT_EQ(check.common.campaign.seed, 18446744073709551615u);
  EXPECT_EQ(check.common.device, "virtual");
  EXPECT_EQ(check.common.campaign.jobs, 3u);
  EXPECT_FALSE(check.common.virtual_device.races);
  EXPECT_EQ(check.common.json, "out.json");
  EXPECT_TRUE(check.common.verbose);
}

TEST(Arguments, CommandsWithACampaignAcceptFilesOfAllFormats) {
  const auto expect_files = [](const Common& common) {
    EXPECT_EQ(common.junit, "r.xml");
    EXPECT_EQ(common.sarif, "r.sarif");
    EXPECT_EQ(common.gitlab, "r.gl");
    EXPECT_EQ(common.markdown, "r.md");
    EXPECT_TRUE(common.quiet);
  };
  const auto with_reports = [](std::vector<const char*> words) {
    for (const char* word : {"--junit", "r.xml", "--sarif", "r.sarif", "--gitlab", "r.gl",
                             "--markdown", "r.md", "--quiet"}) {
      words.push_back(word);
    }
    return parse(words);
  };
  expect_files(std::get<CheckCommand>(with_reports({"check"})).common);
  expect_files(std::get<ReplayCommand>(with_reports({"replay", "mine m=1"})).common);
  expect_files(std::get<FuzzCommand>(with_reports({"fuzz", "mine.cu"})).common);
  expect_files(std::get<GateCommand>(with_reports({"gate"})).common);
  expect_files(std::get<MergeCommand>(with_reports({"merge", "a.db", "-o", "b.db"})).common);
}

TEST(Arguments, MinimumCoverageSetsLinesOrBothByName) {
  const auto minimum = [](const char* text) {
    return std::get<CheckCommand>(parse({"check", "--min-coverage", text})).common.min_coverage;
  };
  EXPECT_EQ(minimum("95.5").lines, 95.5);
  EXPECT_EQ(minimum("95.5").branches, 0.0);
  EXPECT_EQ(minimum("branches=80,lines=90").lines, 90.0);
  EXPECT_EQ(minimum("branches=80,lines=90").branches, 80.0);
  for (const char* wrong : {"", "101", "-1", "lines", "lines=", "lines=90,", "line=3", "90 %"}) {
    EXPECT_EQ(status_of({"check", "--min-coverage", wrong}), 2) << wrong;
  }
}

TEST(Arguments, GateAcceptsAPolicyReportsAndADate) {
  const auto gate = std::get<GateCommand>(
      parse({"gate", "ci.toml", "--lcov", "c.info", "--junit", "j.xml", "--today", "2026-12-31"}));
  EXPECT_EQ(gate.policy, "ci.toml");
  EXPECT_EQ(gate.common.lcov, "c.info");
  EXPECT_EQ(gate.common.junit, "j.xml");
  EXPECT_EQ(gate.today, "2026-12-31");
  EXPECT_EQ(std::get<GateCommand>(parse({"gate"})).policy, "");
  EXPECT_EQ(status_of({"gate", "--today", "2026-02-30"}), 2);
  EXPECT_EQ(status_of({"gate", "--device", "cuda"}), 2) << "the policy sets the devices";
}

TEST(Arguments, MmaArchSelectsAnArchitecture) {
  EXPECT_EQ(std::get<CheckCommand>(parse({"check"})).common.virtual_device.mma_arch, 0U);
  EXPECT_EQ(std::get<CheckCommand>(parse({"check", "--mma-arch", "sm_80"}))
                .common.virtual_device.mma_arch,
            80U);
  EXPECT_EQ(std::get<ReplayCommand>(parse({"replay", "x", "--mma-arch", "sm_89"}))
                .common.virtual_device.mma_arch,
            89U);
  EXPECT_EQ(std::get<ProfileCommand>(parse({"profile", "x", "--mma-arch", "sm_100"}))
                .common.virtual_device.mma_arch,
            100U);
  EXPECT_EQ(status_of({"check", "--mma-arch", "sm_75"}), 2);
  EXPECT_EQ(status_of({"check", "--mma-arch", "90"}), 2);
}

TEST(Arguments, InvalidCommandLineExitsWithStatus2) {
  EXPECT_EQ(status_of({}), 2);
  EXPECT_EQ(status_of({"explore"}), 2);
  EXPECT_EQ(status_of({"replay"}), 2);
  EXPECT_EQ(status_of({"check", "--no-such-option"}), 2);
  EXPECT_EQ(status_of({"check", "--device", "opencl"}), 2);
  EXPECT_EQ(status_of({"check", "--device", ""}), 2);
  EXPECT_EQ(status_of({"check", "--cases", "0"}), 2);
  EXPECT_EQ(status_of({"check", "--cases", "-5"}), 2);
  EXPECT_EQ(status_of({"check", "--cases", "many"}), 2);
  EXPECT_EQ(status_of({"check", "--time", "soon"}), 2);
  EXPECT_EQ(status_of({"check", "--seed", "-1"}), 2);
  EXPECT_EQ(status_of({"check", "--seed", "99999999999999999999"}), 2);
  EXPECT_EQ(status_of({"check", "--jobs", "-1"}), 2);
  EXPECT_EQ(status_of({"check", "--jobs", "4000000000"}), 2);
}

TEST(Arguments, UnknownCommandIsReportedWithTheClosestOne) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(std::get<Leave>(parse({"chekc", "a.cu"})).status, 2);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::StartsWith("unknown command 'chekc': did you mean 'check'?\n"));
  testing::internal::CaptureStderr();
  EXPECT_EQ(std::get<Leave>(parse({"help"})).status, 2);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::AllOf(testing::HasSubstr("expected one of list, init, check, replay"),
                             testing::Not(testing::HasSubstr("complete,"))));
}

TEST(Arguments, NoArgumentPrintsTheHelpAsAnError) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(std::get<Leave>(parse({})).status, 2);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::AllOf(testing::HasSubstr("warpcheck check mine.cu"),
                             testing::HasSubstr("Exit status")));
}

TEST(Arguments, UnknownOptionIsReportedWithTheClosestOne) {
  struct Mistake {
    std::vector<const char*> words;
    const char* error;
  };
  const std::vector<Mistake> mistakes = {
      {{"--verion"}, "unknown option '--verion' of 'warpcheck': did you mean '--version'?"},
      {{"--nonsense"}, "unknown option '--nonsense' of 'warpcheck'\n"},
      {{"--device", "cuda"}, "expected a command before '--device', such as 'warpcheck check --de"},
      {{"--device=cuda"}, "expected a command before '--device', such as 'warpcheck check --de"},
      {{"check", "--devise", "cuda"}, "unknown option '--devise' of 'check': did you mean '--devi"},
      {{"check", "--devise=cuda"}, "unknown option '--devise' of 'check': did you mean '--device"},
      {{"check", "-json", "x"}, "unknown option '-json' of 'check': did you mean '--json'?"},
      {{"check", "--nonsense"}, "unknown option '--nonsense' of 'check'\n"},
      {{"fuzz", "a.cu", "--minimze"}, "unknown option '--minimze' of 'fuzz': did you mean '--mini"},
      {{"gate", "--tody", "x"}, "unknown option '--tody' of 'gate': did you mean '--today'?"},
      {{"replay", "x", "--strict-race"}, "of 'replay': did you mean '--strict-races'?"},
      {{"init", "a.cu", "--forse"}, "unknown option '--forse' of 'init': did you mean '--force'?"},
  };
  for (const Mistake& mistake : mistakes) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(std::get<Leave>(parse(mistake.words)).status, 2) << mistake.error;
    EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr(mistake.error));
  }
}

TEST(Arguments, FuzzHasDefaultsAndAcceptsItsOptions) {
  const auto usual = std::get<FuzzCommand>(parse({"fuzz", "a.cu"}));
  EXPECT_THAT(usual.targets, ElementsAre("a.cu"));
  EXPECT_EQ(usual.corpus, ".warpcheck/fuzz");
  EXPECT_FALSE(usual.unguided || usual.stop_at_first || usual.minimize);
  const auto chosen = std::get<FuzzCommand>(
      parse({"fuzz", "a", "b", "--time", "2m", "--cases", "9", "--corpus", "c", "--seed", "3",
             "--stop-at-first", "--unguided", "--property", "same-bits-twice", "--jobs", "2"}));
  EXPECT_THAT(chosen.targets, ElementsAre("a", "b"));
  EXPECT_EQ(chosen.common.campaign.budget_seconds, 120.0);
  EXPECT_EQ(chosen.common.campaign.cases, 9);
  EXPECT_EQ(chosen.corpus, "c");
  EXPECT_EQ(chosen.common.campaign.seed, 3u);
  EXPECT_TRUE(chosen.unguided && chosen.stop_at_first);
  EXPECT_THAT(chosen.common.campaign.properties, ElementsAre("same-bits-twice"));
  EXPECT_EQ(chosen.common.campaign.jobs, 2u);
  EXPECT_TRUE(std::get<FuzzCommand>(parse({"fuzz", "a", "--minimize"})).minimize);
}

TEST(Arguments, FuzzRejectsInvalidLimitsAndCombinations) {
  EXPECT_EQ(status_of({"fuzz"}), 2);
  EXPECT_EQ(status_of({"fuzz", "a", "--time", "0"}), 2);
  EXPECT_EQ(status_of({"fuzz", "a", "--cases", "0"}), 2);
  EXPECT_EQ(status_of({"fuzz", "a", "--minimize", "--unguided"}), 2);
  EXPECT_EQ(status_of({"fuzz", "--help"}), 0);
}

TEST(Arguments, RetiredSpellingsAreAccepted) {
  EXPECT_TRUE(std::get<FuzzCommand>(parse({"fuzz", "a", "--minimise"})).minimize);
  EXPECT_EQ(status_of({"fuzz", "a", "--minimise", "--unguided"}), 2);
}

TEST(Arguments, HelpAndVersionExitWithStatus0) {
  EXPECT_EQ(status_of({"--help"}), 0);
  EXPECT_EQ(status_of({"check", "--help"}), 0);
  EXPECT_EQ(status_of({"--version"}), 0);
}

TEST(Arguments, ProfileAcceptsOneSizeForAllThreeExtents) {
  const auto cube = std::get<ProfileCommand>(parse({"profile", "k", "--size", "256"}));
  EXPECT_EQ(cube.target, "k");
  EXPECT_EQ(cube.size.m, 256);
  EXPECT_EQ(cube.size.k, 256);
  const auto uneven = std::get<ProfileCommand>(parse({"profile", "k", "--size", "100x77x53"}));
  EXPECT_EQ(uneven.size.m, 100);
  EXPECT_EQ(uneven.size.n, 77);
  EXPECT_EQ(uneven.size.k, 53);
  const auto usual = std::get<ProfileCommand>(parse({"profile", "k"}));
  EXPECT_EQ(usual.size.n, 128);
  EXPECT_EQ(usual.common.campaign.cases, 0);
}

TEST(Arguments, BenchAcceptsSeveralSizes) {
  const auto bench =
      std::get<BenchCommand>(parse({"bench", "k", "l", "--size", "64", "--size", "1x2x3"}));
  EXPECT_EQ(bench.targets, (std::vector<std::string>{"k", "l"}));
  ASSERT_EQ(bench.sizes.size(), 2U);
  EXPECT_EQ(bench.sizes[0].n, 64);
  EXPECT_EQ(bench.sizes[1].k, 3);
  EXPECT_EQ(status_of({"bench", "--size", "1x2"}), 2);
  EXPECT_EQ(status_of({"bench", "--rounds", "0"}), 2);
}

TEST(Arguments, CheckAcceptsAShardAndAHistory) {
  const auto usual = std::get<CheckCommand>(parse({"check"}));
  EXPECT_EQ(usual.common.campaign.shard.of, 1U);
  EXPECT_EQ(usual.common.history, "");
  const auto check = std::get<CheckCommand>(
      parse({"check", "--shard", "3/16", "--history", "h.db", "--resume", "--fail-on-drift"}));
  EXPECT_EQ(check.common.campaign.shard.number, 3U);
  EXPECT_EQ(check.common.campaign.shard.of, 16U);
  EXPECT_EQ(check.common.history, "h.db");
  EXPECT_TRUE(check.common.resume);
  EXPECT_TRUE(check.common.fail_on_drift);
  for (const char* const shard : {"", "/", "3", "0/4", "5/4", "1/0", "-1/4", "1/4/2", "1/65537"}) {
    EXPECT_EQ(status_of({"check", "--shard", shard}), 2) << shard;
  }
  EXPECT_EQ(status_of({"check", "--resume"}), 2);
  EXPECT_EQ(status_of({"check", "--fail-on-drift"}), 2);
}

TEST(Arguments, MergeRequiresInputsAndAnOutput) {
  const auto merge = std::get<MergeCommand>(parse({"merge", "a.db", "b.db", "-o", "c.db"}));
  EXPECT_THAT(merge.from, ElementsAre("a.db", "b.db"));
  EXPECT_EQ(merge.to, "c.db");
  EXPECT_EQ(status_of({"merge", "a.db"}), 2);
  EXPECT_EQ(status_of({"merge", "-o", "c.db"}), 2);
}

TEST(Arguments, ExploreTakesATargetAndItsLimits) {
  const auto usual = std::get<ExploreCommand>(parse({"explore", "mine.cu"}));
  EXPECT_EQ(usual.target, "mine.cu");
  EXPECT_FALSE(usual.write);
  EXPECT_EQ(usual.max_size, 2048);
  const auto chosen = std::get<ExploreCommand>(
      parse({"explore", "k", "--write", "--max-size", "64", "--seed", "3", "--json", "-"}));
  EXPECT_TRUE(chosen.write);
  EXPECT_EQ(chosen.max_size, 64);
  EXPECT_EQ(chosen.common.campaign.seed, 3U);
  EXPECT_EQ(chosen.common.json, "-");
  EXPECT_EQ(status_of({"explore"}), 2);
  EXPECT_EQ(status_of({"explore", "k", "--max-size", "0"}), 2);
}

TEST(Arguments, ExecLeavesTheProgramItsOwnArguments) {
  const auto plain =
      std::get<ExecCommand>(parse({"exec", "--seed", "3", "./program", "--seed", "-h", "--", "x"}));
  EXPECT_EQ(plain.options.seed, 3U);
  EXPECT_THAT(plain.program, ElementsAre("./program", "--seed", "-h", "--", "x"));
  const auto marked =
      std::get<ExecCommand>(parse({"exec", "--leak-check", "--", "./program", "-x"}));
  EXPECT_TRUE(marked.options.leaks);
  EXPECT_THAT(marked.program, ElementsAre("./program", "-x"));
  EXPECT_EQ(status_of({"exec"}), 2);
  EXPECT_EQ(status_of({"exec", "--no-such-option", "./program"}), 2);
  EXPECT_EQ(status_of({"exec", "--error-exitcode", "256", "./program"}), 2);
}

TEST(Arguments, MutateAcceptsAMinimumScoreInPercent) {
  const auto usual = std::get<MutateCommand>(parse({"mutate", "k"}));
  EXPECT_EQ(usual.common.campaign.cases, 500);
  EXPECT_EQ(usual.min_score, 0.0);
  EXPECT_FALSE(usual.list);
  const auto strict = std::get<MutateCommand>(
      parse({"mutate", "k", "--min-score", "99.5", "--mutants", "7", "--seed", "3"}));
  EXPECT_EQ(strict.min_score, 99.5);
  EXPECT_EQ(strict.mutants, 7U);
  EXPECT_EQ(strict.common.campaign.seed, 3U);
  for (const char* const score : {"", "-1", "101", "95%", "nan"}) {
    EXPECT_EQ(status_of({"mutate", "k", "--min-score", score}), 2) << score;
  }
  EXPECT_EQ(status_of({"mutate"}), 2);
  EXPECT_EQ(status_of({"mutate", "k", "--mutants", "0"}), 2);
}

TEST(Arguments, ProfileRejectsInvalidSizesAndTwoKindsOfCases) {
  for (const char* const size : {"", "x", "1x2", "1x2x3x4", "1xx3", "0x1x1", "-1", "1x2x3x"}) {
    EXPECT_EQ(status_of({"profile", "k", "--size", size}), 2) << size;
  }
  EXPECT_EQ(status_of({"profile"}), 2);
  EXPECT_EQ(status_of({"profile", "k", "--size", "3", "--case", "k m=1"}), 2);
  EXPECT_EQ(status_of({"profile", "k", "--size", "3", "--cases", "9"}), 2);
}

TEST(Arguments, DiffAcceptsTwoTargetsOrOneWithRevisions) {
  const auto two = std::get<DiffCommand>(parse({"diff", "old.cu", "new.cu:fast", "--bits"}));
  EXPECT_THAT(two.operands, ElementsAre("old.cu", "new.cu:fast"));
  EXPECT_TRUE(two.bits);
  EXPECT_EQ(two.common.campaign.cases, 100);
  const auto one = std::get<DiffCommand>(parse(
      {"diff", "--rev", "v1", "--rev", "v2", "mine.cu", "--size", "64x32x16", "--runs", "5"}));
  EXPECT_THAT(one.revisions, ElementsAre("v1", "v2"));
  EXPECT_THAT(one.operands, ElementsAre("mine.cu"));
  EXPECT_EQ(one.size.k, 16);
  EXPECT_EQ(one.runs, 5U);
  EXPECT_EQ(status_of({"diff"}), 2);
  EXPECT_EQ(status_of({"diff", "a.cu", "b.cu", "--runs", "0"}), 2);
}

TEST(Arguments, BisectAcceptsRevisionsAndACase) {
  const auto bisect = std::get<BisectCommand>(
      parse({"bisect", "--good", "v1", "--in", "mine.cu", "mine m=1 n=1 k=1"}));
  EXPECT_EQ(bisect.good, "v1");
  EXPECT_EQ(bisect.bad, "HEAD");
  EXPECT_EQ(bisect.in, "mine.cu");
  EXPECT_EQ(bisect.line_or_file, "mine m=1 n=1 k=1");
  EXPECT_FALSE(bisect.step);
  EXPECT_TRUE(std::get<BisectCommand>(parse({"bisect", "--step", "mine m=1"})).step);
  EXPECT_EQ(status_of({"bisect", "--step", "--good", "v1", "mine m=1"}), 2);
  EXPECT_EQ(status_of({"bisect"}), 2);
}

TEST(Arguments, OfInitChooseTheOutput) {
  const auto init = std::get<InitCommand>(parse({"init", "mine.cu", "--write", "--cases", "7"}));
  EXPECT_EQ(init.file, "mine.cu");
  EXPECT_TRUE(init.write);
  EXPECT_FALSE(init.embed);
  EXPECT_EQ(init.common.campaign.cases, 7);
  EXPECT_EQ(status_of({"init", "mine.cu", "--write", "--embed"}), 2);
  EXPECT_EQ(status_of({"init"}), 2);
}

}  // namespace
}  // namespace warpcheck::cli
