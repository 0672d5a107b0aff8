// Ctrl-C and SIGTERM during each command.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "tests/base/time_factor.hpp"
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

TEST(Interrupt, GateWritesIncompleteReports) {
  const Scratch scratch;
  scratch.write("warpcheck.toml",
                "targets = [\"sgemm_naive\", \"sgemm_column_128\"]\ncases = 100000\n");
  const auto begun = [&] { return !scratch.read("r.json").empty(); };
  const Result result = scratch.run_and_interrupt(
      {"gate", "--json", "r.json", "--junit", "r.xml", "--sarif", "r.sarif"}, begun);
  EXPECT_EQ(result.status, 130) << result.error;
  EXPECT_THAT(result.out, AllOf(HasSubstr("interrupted: this result is incomplete: "),
                                Not(HasSubstr("gate passed"))));
  for (const char* file : {"r.json", "r.xml", "r.sarif"}) {
    EXPECT_THAT(scratch.read(file), HasSubstr("interrupted: this result is incomplete")) << file;
  }
}

struct Interruption {
  const char* name;
  std::vector<std::string> words;
  const char* done;  // a part of the last line of the output
};

void PrintTo(const Interruption& row, std::ostream* out) { *out << row.name; }

class InterruptedCommand : public testing::TestWithParam<Interruption> {};

TEST_P(InterruptedCommand, EndsWithAnIncompleteResult) {
  const Scratch scratch;
  std::vector<std::string> words = GetParam().words;
  words.insert(words.end(), {"--json", "r.json"});
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> begun;
  const auto runs = [&] {  // it runs for a while: the kernels are compiled, and cases run
    if (!begun && std::filesystem::exists(scratch.folder() / "r.json")) begun = Clock::now();
    return begun && Clock::now() - *begun > kTimeFactor * std::chrono::milliseconds(700);
  };
  const Result result = scratch.run_and_interrupt(words, runs, SIGTERM);
  EXPECT_EQ(result.status, 130) << result.error;
  EXPECT_THAT(result.out, HasSubstr("interrupted: this result is incomplete: "));
  EXPECT_THAT(result.out, HasSubstr(GetParam().done));
  EXPECT_THAT(scratch.read("r.json"),
              AllOf(HasSubstr("\"event\":\"gate\""), HasSubstr("\"verdict\":\"undecided\""),
                    HasSubstr("interrupted: this result is incomplete: ")));
}

INSTANTIATE_TEST_SUITE_P(Interrupt, InterruptedCommand,
                         testing::Values(Interruption{"Mutate",
                                                      {"mutate", "sgemm_naive", "--cases",
                                                       "100000"},
                                                      " mutants of sgemm_naive were run"},
                                         Interruption{"Explore",
                                                      {"explore", "sgemm_column_128"},
                                                      "0 of 1 variants were explored"},
                                         Interruption{"Diff",
                                                      {"diff", "sgemm_naive", "sgemm_column_128",
                                                       "--device", "virtual", "--cases", "100000"},
                                                      "0 of 1 pairs of variants were compared"},
                                         Interruption{"Profile",
                                                      {"profile", "sgemm_naive", "--size", "1024"},
                                                      "0 of 1 variants were profiled"}),
                         [](const auto& row) { return row.param.name; });

/// An nvcc that does not end. Its child, like that of nvcc, has a temporary file.
constexpr const char* kEndlessNvcc = R"sh(#!/bin/sh
[ "$1" = --version ] && { echo "Cuda compilation tools, release 13.0"; exit; }
@trap
sh -c 'echo > "$TMPDIR/left"; echo $$ > "$0"; exec sleep 20' "$PWD/child"
)sh";

struct Compiler {
  explicit Compiler(const Scratch& scratch, const std::string& trap = "") : scratch_(scratch) {
    scratch.write("nvcc", replaced(kEndlessNvcc, "@trap", trap));
    scratch.write("tmp/.keep", "");
    std::filesystem::permissions(scratch.folder() / "nvcc", std::filesystem::perms::owner_exec,
                                 std::filesystem::perm_options::add);
  }
  [[nodiscard]] std::vector<std::string> environment() const {
    return {"WARPCHECK_NVCC=" + (scratch_.folder() / "nvcc").string(),
            "TMPDIR=" + (scratch_.folder() / "tmp").string()};
  }
  [[nodiscard]] bool runs() const { return !scratch_.read("child").empty(); }
  [[nodiscard]] bool left_nothing() const {  // but .keep
    const auto left = std::filesystem::directory_iterator(scratch_.folder() / "tmp");
    return std::distance(begin(left), end(left)) == 1;
  }

  const Scratch& scratch_;
};

TEST(Interrupt, DuringACompilationEndsNvccAndRemovesItsFiles) {
  const Scratch scratch;
  const Compiler compiler(scratch);
  scratch.write("x.cu", correct_kernel("x"));
  const Result result = scratch.run_and_interrupt(
      {"check", "x.cu", "--json", "r.json", "--junit", "r.xml"}, [&] { return compiler.runs(); },
      SIGTERM, compiler.environment());
  EXPECT_EQ(result.status, 130) << result.error;
  EXPECT_THAT(result.out, HasSubstr("interrupted: this result is incomplete: 0 cases of "));
  for (const char* file : {"r.json", "r.xml"}) {
    EXPECT_THAT(scratch.read(file), HasSubstr("interrupted: this result is incomplete")) << file;
  }
  // The child of nvcc does not run: a process that ended has no command line.
  std::ifstream command("/proc/" + std::to_string(std::stoi(scratch.read("child"))) + "/cmdline");
  EXPECT_EQ(command.get(), std::ifstream::traits_type::eof());
  EXPECT_TRUE(compiler.left_nothing());
}

TEST(Interrupt, InitAndListEndNvccToo) {
  for (const std::string command : {"init", "list"}) {
    const Scratch scratch;
    const Compiler compiler(scratch);
    const std::string source = correct_kernel("x");
    scratch.write("x.cu", command == "list" ? source : source.substr(source.find("__global__")));
    const Result result = scratch.run_and_interrupt(
        {command, "x.cu"}, [&] { return compiler.runs(); }, SIGINT, compiler.environment());
    EXPECT_EQ(result.status, 130) << command;
    EXPECT_EQ(result.error, "warpcheck: interrupted\n") << command;
    EXPECT_TRUE(compiler.left_nothing()) << command;
  }
}

TEST(Interrupt, SecondCtrlCEndsAtOnce) {
  const Scratch scratch;
  const Compiler compiler(scratch, "trap '' TERM INT");
  scratch.write("x.cu", correct_kernel("x"));
  const Result result = scratch.shell(
      "export WARPCHECK_NVCC=$PWD/nvcc TMPDIR=$PWD/tmp XDG_CACHE_HOME=$PWD/cache; '" +
      std::string(WARPCHECK_BINARY_DIR) +
      "/bin/warpcheck' check x.cu & tool=$!; while [ ! -s child ]; do sleep 0.02; done; "
      "kill -TERM $tool; sleep 0.3; kill -0 $tool || exit 99; kill -TERM $tool; wait $tool; "
      "status=$?; kill -9 $(cat child); exit $status");
  EXPECT_EQ(result.status, 128 + SIGTERM) << result.out << result.error;
}

}  // namespace
}  // namespace warpcheck::tool
