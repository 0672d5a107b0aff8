// Runs `warpcheck check` and `list` as a user calls them.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<json> json_lines(const std::string& text) {
  std::vector<json> events;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) events.push_back(json::parse(line));
  return events;
}

std::vector<std::string> keys(const json& event) {
  std::vector<std::string> names;
  for (const auto& item : event.items()) names.push_back(item.key());
  return names;  // the order is alphabetical
}

std::string without_console_times(const std::string& report) {
  return std::regex_replace(report, std::regex(R"( *[0-9]+\.[0-9] s)"), " <time>");
}

TEST(Check, CorrectKernelOutsideTheTreePasses) {
  const Scratch scratch;
  const std::string file = scratch.write("right.cu", correct_kernel("right"));
  const Result result =
      scratch.run({"check", file, "--cases", "20", "--device", "virtual", "--json", "report.json"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, AllOf(HasSubstr("right  pass "), HasSubstr("20 cases"),
                                HasSubstr("1 variant, 20 cases in "), HasSubstr(": passed\n")));
  const std::vector<json> events = json_lines(without_start(scratch.read("report.json")));
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0]["verdict"], "pass");
  EXPECT_EQ(events[0]["cases"], 20);
  EXPECT_EQ(events[1]["failed"], 0);
}

TEST(Check, WrongKernelIsFoundLocatedAndShrunk) {
  const Scratch scratch;
  const std::string file = scratch.write("tail.cu", kernel_that_drops_the_last_term("tail"));
  const Result result =
      scratch.run({"check", file, "--cases", "20", "--device", "virtual", "--json", "report.json"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("error[wrong-result]: "));
  EXPECT_THAT(result.out,
              HasSubstr("warpcheck replay --device virtual --in tail.cu 'tail m=1 n=1 k=1 "));
  const std::vector<json> events = json_lines(without_start(scratch.read("report.json")));
  ASSERT_GE(events.size(), 3u);
  EXPECT_THAT(keys(events.front()),
              ElementsAre("block", "case", "class", "column", "device", "element", "event", "file",
                          "instruction", "line", "memory", "message", "more_cases", "property",
                          "replay", "smallest", "thread", "values", "variant"));
  EXPECT_EQ(events.front()["class"], "wrong-result");
  EXPECT_THAT(keys(events[events.size() - 2]),
              ElementsAre("cases", "device", "empty", "error_over_bound", "event", "in_domain",
                          "level_coverage", "pair_coverage", "properties", "seconds", "sensitivity",
                          "triples", "variant", "verdict"));
  EXPECT_THAT(keys(events.back()),
              ElementsAre("cases", "empty", "errors", "event", "failed", "known", "mistrusted",
                          "seconds", "unsupported", "variants", "verdict"));
}

TEST(Check, FaultIsReportedWithItsSourceLine) {
  const Scratch scratch;
  const std::string file = scratch.write("edge.cu", kernel_without_bounds_check("edge"));
  const Result result =
      scratch.run({"check", file, "--cases", "20", "--device", "virtual", "--json", "report.json"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  const json finding = json_lines(without_start(scratch.read("report.json"))).front();
  EXPECT_EQ(finding["class"], "out-of-bounds");
  const int line = finding["line"];
  EXPECT_TRUE(line == 16 || line == 17) << finding;  // the load in the loop, or the store after it
  EXPECT_THAT(result.out, HasSubstr("  --> "));
  EXPECT_THAT(result.out, HasSubstr("\n  >   " + std::to_string(line) + " | "));
}

TEST(Check, ReportDoesNotDependOnTheNumberOfThreads) {
  const Scratch scratch;
  const std::string right = scratch.write("right.cu", correct_kernel("right"));
  const std::string wrong = scratch.write("edge.cu", kernel_without_bounds_check("edge"));
  const auto report = [&](const std::string& jobs) {
    return without_console_times(scratch
                                     .run({"check", right, wrong, "--cases", "30", "--seed", "7",
                                           "--device", "virtual", "--jobs", jobs})
                                     .out);
  };
  const std::string alone = report("1");
  EXPECT_THAT(alone, HasSubstr("2 variants, "));
  EXPECT_EQ(report("2"), alone);
  EXPECT_EQ(report("1"), alone);
}

/// Processes that compute for ever, until the end of the object.
class Load {
 public:
  explicit Load(unsigned processes) {
    for (unsigned i = 0; i < processes; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;) asm volatile("");
      }
      children_.push_back(child);
    }
  }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;
  ~Load() {
    for (const pid_t child : children_) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
  }

 private:
  std::vector<pid_t> children_;
};

/// The console report and the events of a run on two wrong kernels, without times.
std::string reports_of_wrong_kernels(const Scratch& scratch, const std::string& jobs) {
  const std::string edge = scratch.write("edge.cu", kernel_without_bounds_check("edge"));
  const std::string tail = scratch.write("tail.cu", kernel_that_drops_the_last_term("tail"));
  const Result result = scratch.run({"check", edge, tail, "--cases", "10", "--device", "virtual",
                                     "--jobs", jobs, "--json", "r.json"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  static const std::regex kSeconds(R"("seconds":[0-9.e-]+)");
  return without_console_times(result.out) +
         std::regex_replace(without_start(scratch.read("r.json")), kSeconds, "");
}

TEST(Check, ReportDoesNotDependOnTheLoadOfTheMachine) {
  const Scratch scratch;
  const std::string alone = reports_of_wrong_kernels(scratch, "1");
  EXPECT_THAT(alone, AllOf(HasSubstr("2 failed"), Not(HasSubstr("fully"))));
  const Load load(2 * std::thread::hardware_concurrency());
  EXPECT_EQ(reports_of_wrong_kernels(scratch, "1"), alone);
  EXPECT_EQ(reports_of_wrong_kernels(scratch, "2"), alone);
}

TEST(Check, OperationsAreBuiltIn) {
  const Scratch scratch;
  EXPECT_THAT(scratch.run({"list", "*softmax*"}).out,
              AllOf(HasSubstr("\n  softmax_online\n"), HasSubstr("\n  softmax_three_passes\n")));
  const Result result = scratch.run({"check", "*softmax*", "--cases", "3", "--device", "virtual"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out,
              AllOf(testing::ContainsRegex("level coverage +[0-9]+ %  pair coverage +[0-9]+ %"),
                    HasSubstr("2 variants, 6 cases in ")));
}

TEST(Check, WritesNoEscapeSequenceAndNoProgressToAPipe) {
  const Scratch scratch;
  const Result result =
      scratch.run({"check", "sgemm_naive", "--cases", "5", "--device", "virtual"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.out, Not(AnyOf(HasSubstr("\033"), HasSubstr("\r"))));
}

TEST(Check, NoRacesOptionIsNotedInTheReport) {
  const Scratch scratch;
  const std::string file = scratch.write("racy.cu", kernel_that_races("racy"));
  const Result with = scratch.run({"check", file, "--cases", "20", "--device", "virtual"});
  EXPECT_EQ(with.status, 1) << with.error;
  EXPECT_THAT(with.out, HasSubstr("error[race]: "));
  const Result without = scratch.run({"check", file, "--cases", "20", "--device", "virtual",
                                      "--no-races", "--json", "report.json"});
  EXPECT_EQ(without.status, 0) << without.out << without.error;
  EXPECT_THAT(without.out, HasSubstr("except the detection of races"));
  EXPECT_EQ(json_lines(without_start(scratch.read("report.json"))).back()["unchecked"],
            json({"race"}));
}

TEST(Check, VerbosePrintsEveryCaseLine) {
  const Scratch scratch;
  const Result result =
      scratch.run({"check", "sgemm_naive", "--cases", "5", "-v", "--device", "virtual"});
  std::istringstream lines(result.out);
  int cases = 0;
  for (std::string line; std::getline(lines, line);) cases += line.starts_with("sgemm_naive m=");
  EXPECT_GE(cases, 5) << result.out;
}

TEST(Check, AutoWithoutAGpuUsesAndNamesTheVirtualDevice) {
  const Scratch scratch;
  const Result result = scratch.run({"check", "sgemm_naive", "--cases", "1"},
                                    {"WARPCHECK_LIBCUDA=/no/such/libcuda.so.1"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.out, testing::StartsWith("device: virtual, "));
  EXPECT_THAT(result.out.substr(0, result.out.find('\n')), HasSubstr("cuda is not available: "));
}

TEST(Check, GlobSelectsMatchingBuiltInVariants) {
  const Scratch scratch;
  const Result result =
      scratch.run({"check", "sgemm_column_*", "--cases", "1", "--device", "virtual"});
  EXPECT_THAT(result.out, HasSubstr(" 0 failed, "));
  EXPECT_THAT(result.out, HasSubstr("sgemm_column_64 "));
  EXPECT_THAT(result.out, Not(HasSubstr("sgemm_naive")));
}

TEST(List, PrintsDevicesAndVariantsWithTheirContracts) {
  const Scratch scratch;
  const Result result = scratch.run({"list"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.out,
              AllOf(testing::StartsWith("devices\n  virtual  "), HasSubstr("\n  cuda     "),
                    HasSubstr("\nvariants\n"), HasSubstr("\n  sgemm_naive\n")));
}

}  // namespace
}  // namespace warpcheck::tool
