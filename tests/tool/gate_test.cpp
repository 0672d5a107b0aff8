// Runs `warpcheck gate` in a git repository with a copy of examples/.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/tool/harness/git.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

namespace fs = std::filesystem;

std::string file_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The example with fewer cases and mutants, so that a test takes seconds.
class Gate : public testing::Test {
 protected:
  Gate() {
    const fs::path example = fs::path(WARPCHECK_SOURCE_DIR) / "examples";
    for (const char* name : {"sgemm.cu", "hgemm.cu", "tile.cuh"}) {
      repository_.write(std::string("kernels/") + name, file_text(example / "kernels" / name));
    }
    policy_ = file_text(example / "warpcheck.toml");
    policy_ = replaced(policy_, "cases   = 100", "cases   = 40");
    policy_ = replaced(policy_, "mutation_score = 75", "mutation_score = 50");
    policy_ = replaced(policy_, "mutants  = 30", "mutants  = 4");
    policy_ = replaced(policy_, "seed    = 1", "seed    = 1\nmutants = 4");
    repository_.write("warpcheck.toml", policy_);
    repository_.commit("Multiply by tiles");
  }

  [[nodiscard]] Result gate(std::vector<std::string> further = {}) const {
    further.insert(further.begin(), {"gate", "repo"});
    return scratch_.run(further);
  }

  /// Removes the barrier after the products: the next tile overwrites values that are still read.
  void plant_race() const { edit("kernels/hgemm.cu", "    }\n    __syncthreads();\n", "    }\n"); }

  void edit(const std::string& file, const std::string& what, const std::string& with) const {
    repository_.write(file, replaced(file_text(scratch_.folder() / "repo" / file), what, with));
  }

  void add_known_race(const std::string& until) const {
    repository_.write("warpcheck.toml", policy_ +
                                            "[[known_failure]]\nvariant = \"hgemm\"\nclass = "
                                            "\"race\"\nreason = \"issue 12\"\nuntil = " +
                                            until + "\n");
  }

  Scratch scratch_;
  GitRepository repository_{scratch_};
  std::string policy_;
};

TEST_F(Gate, ExamplePassesWithADozenLines) {
  const Result result = gate();
  ASSERT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_LE(std::count(result.out.begin(), result.out.end(), '\n'), 12);
  EXPECT_THAT(result.out, HasSubstr("repo/warpcheck.toml: 2 variants, 80 cases on virtual in "));
  const auto least = [](const char* what) {
    return MatchesRegex(std::string("(.|\n)*  ") + what +
                        " +[0-9.]+ % at least \\([hs]gemm\\)\n(.|\n)*");
  };
  EXPECT_THAT(result.out, AllOf(least("sensitivity"), least("lines"), least("branches"),
                                least("mutation score")));
  EXPECT_TRUE(result.out.ends_with("gate passed\n")) << result.out;
}

TEST_F(Gate, FindsThePolicyInTheRootOfTheRepository) {
  repository_.write("warpcheck.toml", "targets = [\"kernels/sgemm.cu\"]\ncases = 4\n");
  const Result result = scratch_.run_in("repo/kernels", {"gate"});
  ASSERT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("warpcheck.toml: 1 variant, 4 cases"));
  const Result nowhere = scratch_.run({"gate", "kernels"});
  EXPECT_EQ(nowhere.status, 2);
}

TEST_F(Gate, FailsUnlessTheDefectIsKnownAndNotExpired) {
  plant_race();
  const Result red = gate({"--today", "2026-07-01"});
  EXPECT_EQ(red.status, 1) << red.out << red.error;
  EXPECT_THAT(red.out, AllOf(HasSubstr("error[race]: "),
                             HasSubstr("  failed hgemm: race (repo/kernels/hgemm.cu:"),
                             HasSubstr("\ngate failed: ")));

  add_known_race("2026-12-31");
  const Result green = gate({"--today", "2026-12-31"});
  EXPECT_EQ(green.status, 0) << green.out << green.error;
  EXPECT_THAT(green.out, AllOf(HasSubstr("hgemm: race until 2026-12-31: issue 12 (repo/kernels/"),
                               Not(HasSubstr("error[race]: ")), HasSubstr("80 cases on virtual")))
      << "the known failure is not reported as new and ends no campaign";

  const Result late = gate({"--today", "2027-01-01", "--junit", "late.xml"});
  EXPECT_EQ(late.status, 1) << late.out << late.error;
  EXPECT_THAT(late.out, AllOf(HasSubstr("known failure of hgemm, race until 2026-12-31: issue 12: "
                                        "its last day has passed\n"),
                              HasSubstr("gate failed: 1 reason\n")));
  EXPECT_THAT(scratch_.read("late.xml"), HasSubstr("<failure type=\"race\""))
      << "reports mark an expired failure as a failure";
}

TEST_F(Gate, FailsIfAKnownFailureIsFixed) {
  add_known_race("2026-12-31");
  const Result result = gate({"--today", "2026-07-01"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("repo/warpcheck.toml:"), HasSubstr("no finding matches it any more"),
                    HasSubstr("gate failed: 1 reason\n")));
}

TEST_F(Gate, FailsOnAnotherDefectThanTheKnownOne) {
  plant_race();
  add_known_race("2026-12-31");
  edit("kernels/hgemm.cu", "if (row < m && column < n) c[", "if (row < m) c[");
  const Result result = gate({"--today", "2026-07-01"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(result.out, AllOf(HasSubstr("  failed hgemm: "), Not(HasSubstr("failed hgemm: race")),
                                HasSubstr("known          hgemm: race")));
}

TEST_F(Gate, ReportsCoverageBelowTheMinimum) {
  edit("kernels/sgemm.cu", "  if (row < m && column < n) {\n",
       "  if (m == 123456) c[1] = 0.0f * alpha;\n  if (row < m && column < n) {\n");
  repository_.write(
      "warpcheck.toml",
      "targets = \"kernels/sgemm.cu\"\ncases = 10\nmutants = 5\n"
      "properties = \"matches-reference\"\n"
      "minimum = { sensitivity = 100, lines = 100, branches = 100, mutation_score = 100 }\n");
  const Result result = gate();
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("  failed sgemm: branches "));
  EXPECT_THAT(result.out, HasSubstr("expected 100 % of lines and 100 % of branches\n"));
}

TEST_F(Gate, WritesThePolicysReportsAndMarksKnownFailures) {
  plant_race();
  add_known_race("2026-12-31");
  edit("warpcheck.toml", "[minimum]", "[reports]\njson = \"out/events.jsonl\"\n[minimum]");
  const Result result = gate({"--today", "2026-07-01", "--junit", "gate.xml", "--lcov", "gate.info",
                              "--markdown", "gate.md", "--html", "gate.html"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(scratch_.read("repo/out/events.jsonl"), HasSubstr("\"event\":\"summary\""));
  EXPECT_THAT(scratch_.read("gate.xml"), HasSubstr("<skipped message=\"known: race until "));
  EXPECT_THAT(scratch_.read("gate.md"),
              HasSubstr("## warpcheck: passed, except for known failures\n"));
  EXPECT_THAT(scratch_.read("gate.html"), HasSubstr(">known: race<"));
  EXPECT_THAT(scratch_.read("gate.info"), HasSubstr("tile.cuh\n"));
}

TEST_F(Gate, EntriesThatMatchNoVariantAreErrors) {
  const auto refusal = [&](const std::string& policy) {
    repository_.write("warpcheck.toml", policy);
    const Result result = gate();
    EXPECT_EQ(result.status, 2) << result.out;
    return result.error;
  };
  EXPECT_THAT(refusal("targets = \"kernels\"\n[[group]]\nvariants = \"igemm\"\n"),
              HasSubstr("repo/warpcheck.toml:2:1: error: no variant of the gate matches 'igemm'"));
  EXPECT_THAT(refusal("targets = \"kernels\"\n[[known_failure]]\nvariant = \"x\"\nclass = "
                      "\"race\"\nreason = \"r\"\nuntil = 2026-12-31\n"),
              HasSubstr("no variant of the gate matches 'x'"));
  EXPECT_THAT(refusal("targets = \"kernels\"\n[[known_failure]]\nvariant = \"hgemm\"\nclass = "
                      "\"race\"\n"),
              HasSubstr(":2:1: error: missing keys 'reason' and 'until'"));
  EXPECT_THAT(refusal("targets = \"nothing/here\"\n"), HasSubstr("no such file or folder"));
  EXPECT_EQ(scratch_.run({"gate", "--today", "2026-02-30"}).status, 2);
}

}  // namespace
}  // namespace warpcheck::tool
