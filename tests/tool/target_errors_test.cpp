// One wrong file among the targets of a command does not stop the others, and no file is skipped
// without a message.
#include <gmock/gmock.h>

#include <filesystem>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "tests/tool/harness/consumers.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace fs = std::filesystem;

class TargetErrors : public testing::Test {
 protected:
  TargetErrors() { scratch_.write("k/right.cu", correct_kernel("right")); }

  [[nodiscard]] Result check(std::vector<std::string> targets) const {
    const std::vector<std::string> options = {
        "--device", "virtual", "--cases", "5",      "--junit", "r.xml",      "--sarif",
        "r.sarif",  "--json",  "r.json",  "--html", "r.html",  "--markdown", "r.md"};
    targets.insert(targets.begin(), "check");
    targets.insert(targets.end(), options.begin(), options.end());
    fs::remove(scratch_.folder() / "r.md");
    return scratch_.run(targets);
  }

  void expect_that_right_was_checked(const Result& result) const {
    EXPECT_EQ(result.status, 2) << result.out << result.error;
    EXPECT_THAT(result.out, HasSubstr("right  pass "));
    EXPECT_THAT(result.out, HasSubstr("1 passed, 0 failed, 0 mistrusted, 1 not checked\n"));
    EXPECT_THAT(scratch_.read("r.xml"), HasSubstr("<testcase name=\"right: matches-reference\""));
  }

  Scratch scratch_;
};

TEST_F(TargetErrors, SourceThatDoesNotCompileDoesNotStopTheOthers) {
  scratch_.write("k/bad.cu", replaced(correct_kernel("bad"), "float sum", "flaot sum"));
  const Result result = check({"k"});
  expect_that_right_was_checked(result);
  EXPECT_THAT(result.error, HasSubstr("k/bad.cu(16): error: "));
  EXPECT_THAT(scratch_.read("r.xml"), AllOf(HasSubstr("<testcase name=\"k/bad.cu\""),
                                            HasSubstr("<error type=\"source-error\"")));
  EXPECT_THAT(
      scratch_.read("r.json"),
      AllOf(HasSubstr(R"({"event":"error","target":"k/bad.cu","file":"k/bad.cu","line":16)"),
            HasSubstr(R"("verdict":"error")")));
  EXPECT_THAT(scratch_.read("r.sarif"),
              AllOf(HasSubstr("\"ruleId\": \"source-error\""), HasSubstr("\"startLine\": 16"),
                    HasSubstr("\"executionSuccessful\": false")));
  EXPECT_THAT(scratch_.read("r.html"), HasSubstr("<h1>1 target could not be checked."));
  EXPECT_THAT(scratch_.read("r.md"), AllOf(StartsWith("## warpcheck: not passed\n"),
                                           HasSubstr("**not checked**: k/bad.cu\n")));
}

TEST_F(TargetErrors, EachTargetOfTheCommandLineIsCheckedByItself) {
  scratch_.write("bad.cu", replaced(correct_kernel("bad"), "grid =", "gird ="));
  expect_that_right_was_checked(check({"bad.cu", "k/right.cu"}));
  expect_that_right_was_checked(check({"absent.cu", "k/right.cu"}));
  expect_that_right_was_checked(check({"sgemm_navie", "k/right.cu"}));
}

TEST_F(TargetErrors, FuzzMutateAndListGoOnWithTheOthers) {
  scratch_.write("k/bad.cu", replaced(correct_kernel("bad"), "grid =", "gird ="));
  const auto run = [&](const std::vector<std::string>& words, const char* right) {
    const Result result = scratch_.run(words);
    EXPECT_EQ(result.status, 2) << words.front() << result.out << result.error;
    EXPECT_THAT(result.error, StartsWith("k/bad.cu:10:1: error: unknown key 'gird'"));
    EXPECT_THAT(result.out, HasSubstr(right)) << words.front();
  };
  run({"fuzz", "k", "--device", "virtual", "--cases", "5", "--junit", "r.xml"}, "1 not checked\n");
  EXPECT_THAT(scratch_.read("r.xml"),
              AllOf(HasSubstr("<testcase name=\"right: matches-reference\""),
                    HasSubstr("<error type=\"source-error\"")));
  run({"mutate", "k", "--mutants", "2", "--cases", "5"}, "right");
  run({"list", "k"}, "  right\n");
}

TEST_F(TargetErrors, EmptyDomainDoesNotStopTheOthers) {
  scratch_.write("k/empty.cu",
                 replaced(correct_kernel("empty"), "*/", "requires = [\"m == m + 1\"]\n*/"));
  const Result result = check({"k"});
  expect_that_right_was_checked(result);
  EXPECT_THAT(result.error, HasSubstr("k/empty.cu:11:14: error: empty: no case satisfies"));
}

TEST_F(TargetErrors, NameOfAnEarlierVariantIsAnErrorOfTheSecondFile) {
  scratch_.write("k/second.cu", correct_kernel("right"));
  const Result result = check({"k"});
  expect_that_right_was_checked(result);
  EXPECT_THAT(result.error, HasSubstr("k/second.cu:2:1: error: second variant with the name"));
}

TEST_F(TargetErrors, ReportsAreWrittenIfNoTargetIsRight) {
  scratch_.write("bad.cu", replaced(correct_kernel("bad"), "grid =", "gird ="));
  const Result result = check({"bad.cu"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.error, StartsWith("bad.cu:10:1: error: unknown key 'gird'"));
  EXPECT_THAT(scratch_.read("r.xml"), HasSubstr("errors=\"1\""));
  EXPECT_THAT(scratch_.read("r.json"), HasSubstr("\"event\":\"summary\",\"verdict\":\"error\""));
  Consumers consumers(scratch_);
  EXPECT_TRUE(consumers.accepts_junit("r.xml")) << consumers.errors();
  EXPECT_TRUE(consumers.accepts_sarif("r.sarif")) << consumers.errors();
  EXPECT_TRUE(consumers.accepts_events("r.json")) << consumers.errors();
}

TEST_F(TargetErrors, UnreadableFileInAFolderIsAnError) {
  fs::create_symlink("loop.cu", scratch_.folder() / "k/loop.cu");
  const Result result = check({"k"});
  expect_that_right_was_checked(result);
  EXPECT_THAT(result.error, HasSubstr("k/loop.cu: error: cannot read this file"));
}

TEST_F(TargetErrors, ContractWithoutItsSourceIsAnError) {
  scratch_.write("k/moved.toml", "[[variant]]\nname = \"moved\"\n");
  scratch_.write("k/other.toml", "[tool]\nname = \"no contract\"\n");
  const Result result = check({"k"});
  expect_that_right_was_checked(result);
  EXPECT_THAT(result.error, AllOf(HasSubstr("k/moved.toml: error: contract without a source"),
                                  Not(HasSubstr("other.toml"))));
}

TEST_F(TargetErrors, FilesWithoutAContractAreCountedAndNamed) {
  scratch_.write("k/plain.cu", "__global__ void plain(float* c) { *c = 1; }\n");
  scratch_.write("k/deep/more.cu", "__global__ void more(float* c) { *c = 1; }\n");
  const Result result = check({"k"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("note: 2 files without a contract, not checked: "
                                    "k/deep/more.cu, k/plain.cu\n"));
  EXPECT_THAT(scratch_.read("r.xml"), AllOf(HasSubstr("<testcase name=\"k/plain.cu\""),
                                            HasSubstr("<skipped message=\"no contract\"")));
  EXPECT_THAT(scratch_.read("r.json"),
              HasSubstr(R"({"event":"without-contract","file":"k/plain.cu"})"));
  for (const char* report : {"r.md", "r.html", "r.sarif"}) {
    EXPECT_THAT(scratch_.read(report), HasSubstr("k/plain.cu")) << report;
  }
}

TEST_F(TargetErrors, TooLittleCoverageIsRedInEveryReport) {
  scratch_.write("dead.cu", replaced(correct_kernel("dead"), "  c[row",
                                     "  if (m == 123456) {\n    for (int i = 0; i < n; ++i) {\n    "
                                     "  c[i] += a[i];\n    }\n  }\n  c[row"));
  const Result result = scratch_.run({"check", "dead.cu", "--device", "virtual", "--cases", "5",
                                      "--min-coverage", "100", "--junit", "r.xml", "--json",
                                      "r.json", "--markdown", "r.md", "--sarif", "r.sarif"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr(", 1 requirement not met\n"));
  EXPECT_THAT(scratch_.read("r.xml"), HasSubstr("<failure type=\"coverage\""));
  EXPECT_THAT(scratch_.read("r.json"), HasSubstr(R"("event":"summary","verdict":"failed")"));
  EXPECT_THAT(scratch_.read("r.md"), StartsWith("## warpcheck: not passed\n"));
  EXPECT_THAT(scratch_.read("r.sarif"), HasSubstr("\"ruleId\": \"unmet-requirement\""));
}

/// A mistake in a policy, or in what a command takes for a policy or a target.
struct Mistake {
  std::string name;
  std::string policy;
  std::vector<std::string> command;
  std::string error;  // a part of the standard error
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

class UserMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(UserMistakes, AreErrorsWithTheirCauseAndPlace) {
  const Scratch scratch;
  scratch.write("k/right.cu", correct_kernel("right"));
  scratch.write("k/side.cu", "__global__ void side(float* c) { *c = 1; }\n");
  scratch.write("k/side.toml", "[[variant]]\nname = \"side\"\n");
  scratch.write("warpcheck.toml", GetParam().policy);
  const Result result = scratch.run(GetParam().command);
  EXPECT_EQ(result.status, 2) << result.out;
  EXPECT_THAT(result.error, HasSubstr(GetParam().error));
}

std::vector<Mistake> mistakes() {
  const std::string right = "targets = \"k/right.cu\"\ncases = 3\n";
  return {
      {"GlobOfFiles",
       "targets = \"k/*.cu\"\n",
       {"gate"},
       "k/*.cu: error: no such file or folder; a glob selects built-in variants"},
      {"SourceAsPolicy",
       "",
       {"gate", "k/right.cu"},
       "k/right.cu: error: found a source, expected a policy such as warpcheck.toml"},
      {"ContractAsTarget",
       "",
       {"check", "k/side.toml"},
       "k/side.toml: error: expected the source of this contract, k/side.cu"},
      {"AbsentPolicy", "", {"gate", "ci/nightly.toml"}, "ci/nightly.toml: error: cannot be read: "},
      {"MisspeltVariant",
       right + "variants = [\"rihgt\"]\n",
       {"gate"},
       "warpcheck.toml:3:12: error: no variant of the gate matches 'rihgt': did you mean 'right'?"},
      {"MisspeltTable",
       right + "[[known_failures]]\n",
       {"gate"},
       "warpcheck.toml:3:3: error: unknown key 'known_failures': did you mean 'known_failure'?"},
      {"QuotedDate",
       right + "[[known_failure]]\nvariant = \"right\"\nclass = \"race\"\nreason = \"r\"\n"
               "until = \"2026-12-31\"\n",
       {"gate"},
       "warpcheck.toml:7:9: error: a string where a date such as 2026-12-31, without quotes,"},
      {"MisspeltSwitch",
       right + "require_contract = true\n",
       {"gate"},
       "error: unknown key 'require_contract': did you mean 'require_contracts'?"},
      {"NumberAsSwitch",
       right + "require_contracts = 1\n",
       {"gate"},
       "warpcheck.toml:3:21: error: an integer where true or false is expected"},
      {"UnknownDevice",
       right + "devices = [\"gpu\"]\n",
       {"gate"},
       "warpcheck.toml:3:12: error: unknown device 'gpu': expected one of virtual, cuda"},
      {"NumberAsMinimum",
       right + "minimum = 90\n",
       {"gate"},
       "warpcheck.toml:3:11: error: an integer where a table of percentages is expected"},
      {"NoTargets", "cases = 3\n", {"gate"}, "error: missing key 'targets'"},
      {"SlashAfterAFile",
       "targets = \"k/right.cu/\"\n",
       {"gate"},
       "k/right.cu/: error: no such file or folder"},
  };
}

INSTANTIATE_TEST_SUITE_P(Kinds, UserMistakes, testing::ValuesIn(mistakes()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_F(TargetErrors, WrongRegressionDoesNotStopTheCampaign) {
  scratch_.write("k/regressions/right.cases", "right m=3 n=q\n");
  const Result result = check({"k"});
  expect_that_right_was_checked(result);
  EXPECT_THAT(result.error, HasSubstr("k/regressions/right.cases:1:13: error: "));
}

/// An nvcc that compiles nothing. It waits for a second one, or writes `alone` if none starts.
constexpr const char* kMeetingNvcc = R"sh(#!/bin/bash
[ "$1" = --version ] && { echo "Cuda compilation tools, release 13.0"; exit; }
touch "$PWD/run.$$"
for _ in {1..100}; do
  runs=("$PWD"/run.*)
  [ ${#runs[@]} -lt 2 ] || { echo "two at once"; exit 1; }
  sleep 0.05
done
echo alone >"$PWD/alone"
exit 1
)sh";

TEST(Targets, SeveralFilesCompileAtOnce) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "this machine has one processor";
  const Scratch scratch;
  scratch.write("nvcc", kMeetingNvcc);
  std::filesystem::permissions(scratch.folder() / "nvcc", std::filesystem::perms::owner_exec,
                               std::filesystem::perm_options::add);
  scratch.write("x.cu", correct_kernel("x"));
  scratch.write("y.cu", correct_kernel("y"));
  const Result result = scratch.run({"check", "x.cu", "y.cu", "--device", "virtual"},
                                    {"WARPCHECK_NVCC=" + (scratch.folder() / "nvcc").string()});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.error, HasSubstr("two at once"));
  EXPECT_EQ(scratch.read("alone"), "");
}

}  // namespace
}  // namespace warpcheck::tool
