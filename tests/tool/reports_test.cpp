// Reports for other programs, checked by such programs.
#include <gmock/gmock.h>

#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/tool/harness/consumers.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using testing::HasSubstr;

TEST(Reports, JunitMatchesTheSchemaOfJenkins) {
  const Scratch scratch;
  const std::string file = scratch.write("tail.cu", kernel_that_drops_the_last_term("tail"));
  const Result result =
      scratch.run({"check", file, "--cases", "20", "--device", "virtual", "--junit", "report.xml"});
  EXPECT_EQ(result.status, 1) << result.error;
  Consumers consumers(scratch);
  EXPECT_TRUE(consumers.accepts_junit("report.xml")) << consumers.errors();
  scratch.write("wrong.xml",
                replaced(scratch.read("report.xml"), "</failure>", "<line/></failure>"));
  const bool accepted = consumers.accepts_junit("wrong.xml");
  if (!consumers.missing().empty()) GTEST_SKIP() << consumers.missing();
  EXPECT_FALSE(accepted);
}

TEST(Reports, SarifMatchesItsSchema) {
  const Scratch scratch;
  const std::string file = scratch.write("tail.cu", kernel_that_drops_the_last_term("tail"));
  const Result result = scratch.run(
      {"check", file, "--cases", "20", "--device", "virtual", "--sarif", "report.sarif"});
  EXPECT_EQ(result.status, 1) << result.error;
  Consumers consumers(scratch);
  EXPECT_TRUE(consumers.accepts_sarif("report.sarif")) << consumers.errors();
  scratch.write("wrong.sarif",
                replaced(scratch.read("report.sarif"), "\"startLine\": ", "\"startLine\": -"));
  const bool accepted = consumers.accepts_sarif("wrong.sarif");
  if (!consumers.missing().empty()) GTEST_SKIP() << consumers.missing();
  EXPECT_FALSE(accepted);
}

/// Checks the reports of a command that this machine cannot run.
void expect_reports_of_a_campaign_that_did_not_run(const Scratch& scratch,
                                                   const std::string& reason) {
  EXPECT_THAT(scratch.read("r.json"), HasSubstr("{\"event\":\"not-run\",\"message\":\"" + reason));
  EXPECT_THAT(scratch.read("r.json"), HasSubstr("\"event\":\"summary\",\"verdict\":\"undecided\""));
  EXPECT_THAT(scratch.read("r.xml"), HasSubstr("errors=\"1\""));
  EXPECT_THAT(scratch.read("r.xml"), HasSubstr("<error type=\"not-run\" message=\"" + reason));
  EXPECT_THAT(scratch.read("r.sarif"), HasSubstr("\"executionSuccessful\": false"));
  EXPECT_THAT(scratch.read("r.sarif"), HasSubstr("Nothing was checked: " + reason));
  EXPECT_THAT(scratch.read("r.gl"), HasSubstr("Nothing was checked: " + reason));
  EXPECT_THAT(scratch.read("r.md"), HasSubstr("## warpcheck: not passed"));
  EXPECT_THAT(scratch.read("r.md"), HasSubstr("**nothing was checked**: " + reason));
  EXPECT_THAT(scratch.read("r.html"), HasSubstr("<h1>Nothing was checked: " + reason));
  EXPECT_FALSE(std::filesystem::exists(scratch.folder() / "r.html.partial"));
  Consumers consumers(scratch);
  EXPECT_TRUE(consumers.accepts_junit("r.xml")) << consumers.errors();
  EXPECT_TRUE(consumers.accepts_sarif("r.sarif")) << consumers.errors();
  EXPECT_EQ(event_errors(scratch, "r.json"), "");
}

TEST(Reports, AreWrittenIfThisMachineCannotRunTheCampaign) {
  const std::vector<std::string> files = {"--json",  "r.json",  "--junit",    "r.xml",
                                          "--sarif", "r.sarif", "--gitlab",   "r.gl",
                                          "--html",  "r.html",  "--markdown", "r.md"};
  const std::vector<std::string> no_gpu = {"WARPCHECK_LIBCUDA=/no/such/libcuda.so.1"};
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"check", "sgemm_naive", "--device", "cuda"},
        {"fuzz", "sgemm_naive", "--device", "cuda"},
        {"replay", "sgemm_naive m=2 n=2 k=2", "--device", "cuda"},
        {"gate", "policy.toml"}}) {
    const Scratch scratch;
    scratch.write("policy.toml", "targets = [\"sgemm_naive\"]\ndevices = [\"cuda\"]\n");
    std::vector<std::string> words = command;
    words.insert(words.end(), files.begin(), files.end());
    const Result result = scratch.run(words, no_gpu);
    EXPECT_EQ(result.status, 3) << command.front() << result.error;
    EXPECT_THAT(result.error, testing::StartsWith("warpcheck: no NVIDIA driver"));
    expect_reports_of_a_campaign_that_did_not_run(scratch, "no NVIDIA driver");
  }
  const Scratch scratch;
  std::vector<std::string> words = {"check", scratch.write("x.cu", correct_kernel("x"))};
  words.insert(words.end(), files.begin(), files.end());
  EXPECT_EQ(scratch.run(words, {"WARPCHECK_NVCC=/no/such/nvcc"}).status, 3);
  expect_reports_of_a_campaign_that_did_not_run(scratch, "");
}

TEST(Reports, NotesAreEvents) {
  const Scratch scratch;
  // Unordered writes of the same value are a benign race.
  const std::string racy = replaced(kernel_that_races("racy"), "= threadIdx.y", "= 1");
  scratch.write("racy.cu", replaced(racy, "threadIdx.x / blockDim.x", "threadIdx.x"));
  const Result result = scratch.run(
      {"check", "racy.cu", "--cases", "20", "--device", "virtual", "--json", "report.json"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(scratch.read("report.json"), HasSubstr(R"({"event":"note",)"));
  EXPECT_THAT(scratch.read("report.json"), HasSubstr(R"("benign":true,"grade":"same-value")"));
  EXPECT_EQ(event_errors(scratch, "report.json"), "");
}

TEST(Reports, SchemaOfEventsRejectsInvalidEvents) {
  const Scratch scratch;
  const std::string right =
      R"({"event":"summary","variants":1,"failed":0,"mistrusted":0,"unsupported":0,"cases":9,"seconds":0.5})";
  const auto accepted = [&scratch](const std::string& event) {
    scratch.write("events.json", event + "\n");
    Consumers consumers(scratch);
    return consumers.accepts_events("events.json");
  };
  EXPECT_TRUE(accepted(right));
  const bool another = accepted(replaced(right, "summary", "sumary"));
  Consumers consumers(scratch);
  (void)consumers.accepts_events("events.json");
  if (!consumers.missing().empty()) GTEST_SKIP() << consumers.missing();
  EXPECT_FALSE(another);
  EXPECT_FALSE(accepted(replaced(right, "failed", "faild")));
  EXPECT_FALSE(accepted(replaced(right, R"("cases":9,)", "")));
  EXPECT_FALSE(accepted(replaced(right, R"("cases":9)", R"("cases":"9")")));
  EXPECT_FALSE(accepted(replaced(right, "}", R"(,"unchecked":["racing"]})")));
  EXPECT_FALSE(accepted(right + "\n" + replaced(right, "}", R"(,"more":1})")));
}

/// A report without times and the start of the campaign: its command line and what follows from it.
std::string without_start_and_times(const std::string& report) {
  const std::regex times(
      R"re([0-9.e-]+ s\b|timestamp="[^"]*"|time="[0-9.]+"|"seconds":[0-9.e-]+)re");
  std::string kept;
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);) {
    const auto has = [&](const char* text) { return line.find(text) != std::string::npos; };
    if (!has("\"event\":\"start\"") && !has("<property ")) kept += line + "\n";
  }
  return std::regex_replace(kept, times, "<time>");
}

/// Reports of a campaign in all formats, without times and the start.
class AllReports : public testing::Test {
 protected:
  [[nodiscard]] std::string of(std::vector<std::string> words) const {
    const std::vector<std::string> more = {"--json",     "r.json",  "--junit",  "r.xml",
                                           "--sarif",    "r.sarif", "--gitlab", "r.gl",
                                           "--markdown", "r.md"};
    words.insert(words.end(), more.begin(), more.end());
    std::filesystem::remove(scratch_.folder() / "r.md");
    const Result result = scratch_.run(words);
    EXPECT_EQ(result.status, 1) << result.error;
    std::string text;
    for (const char* file : {"r.json", "r.xml", "r.sarif", "r.gl", "r.md"}) {
      EXPECT_NE(scratch_.read(file), "") << file;
      text += scratch_.read(file);
    }
    return without_start_and_times(text);
  }

  Scratch scratch_;
  std::string right_ = scratch_.write("right.cu", correct_kernel("right"));
  std::string wrong_ = scratch_.write("edge.cu", kernel_without_bounds_check("edge"));
  std::vector<std::string> check_ = {"check", right_,     wrong_,   "--cases",
                                     "30",    "--device", "virtual"};
};

TEST_F(AllReports, DoNotDependOnTheNumberOfThreads) {
  std::vector<std::string> jobs = check_;
  jobs.insert(jobs.end(), {"--jobs", "1"});
  const std::string alone = of(jobs);
  jobs.back() = "3";
  EXPECT_EQ(of(jobs), alone);
}

TEST_F(AllReports, OfMergedShardsEqualThoseOfTheCampaign) {
  for (const std::string number : {"1", "2"}) {
    std::vector<std::string> shard = check_;
    shard.insert(shard.end(), {"--shard", number + "/2", "--history", number + ".db"});
    (void)scratch_.run(shard);
  }
  EXPECT_EQ(of({"merge", "1.db", "2.db", "-o", "all.db"}), of(check_));
}

TEST_F(AllReports, AreAlsoWrittenByReplayAndFuzz) {
  EXPECT_THAT(of({"replay", "--device", "virtual", "--in", wrong_, "edge m=9 n=9 k=1"}),
              HasSubstr("out-of-bounds"));
  EXPECT_THAT(of({"fuzz", "--device", "virtual", "--cases", "20", wrong_}),
              HasSubstr("out-of-bounds"));
}

TEST(Reports, KilledRunLeavesNoReportThatLooksLikeAPass) {
  const Scratch scratch;
  scratch.write("r.xml", "of an earlier run");
  scratch.write("r.sarif", "of an earlier run");
  // The run has opened its reports once the earlier ones are gone.
  const auto has_begun = [&] {
    return !std::filesystem::exists(scratch.folder() / "r.xml") &&
           !std::filesystem::exists(scratch.folder() / "r.sarif") &&
           !scratch.read("r.json").empty();
  };
  const Result result = scratch.run_and_interrupt(
      {"check", "--cases", "100000", "--device", "virtual", "--json", "r.json", "--junit", "r.xml",
       "--sarif", "r.sarif", "--markdown", "r.md"},
      has_begun, SIGKILL);
  EXPECT_EQ(result.status, 128 + 9);
  EXPECT_FALSE(std::filesystem::exists(scratch.folder() / "r.xml"));
  EXPECT_FALSE(std::filesystem::exists(scratch.folder() / "r.sarif"));
  EXPECT_EQ(scratch.read("r.md"), "");
  EXPECT_EQ(scratch.read("r.json").find(R"("event":"summary")"), std::string::npos);
}

TEST(Reports, MarkdownIsAppendedAndQuietPrintsOnlyTotals) {
  const Scratch scratch;
  scratch.write("job.md", "Output of an earlier step.\n");
  const Result result = scratch.run({"check", "sgemm_naive", "--cases", "5", "--device", "virtual",
                                     "--quiet", "--markdown", "job.md"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(scratch.read("job.md"),
              testing::StartsWith("Output of an earlier step.\n## warpcheck: passed\n"));
  EXPECT_THAT(result.out, testing::MatchesRegex("1 variant, 5 cases in [0-9.]+ s: passed\n"));
}

TEST(Reports, TwoReportsInOneFileAreAnError) {
  const Scratch scratch;
  const Result result = scratch.run(
      {"check", "sgemm_naive", "--device", "virtual", "--junit", "r.xml", "--sarif", "r.xml"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.error, HasSubstr("r.xml: error: found as the file of two reports"));
}

TEST(Reports, HyphenWritesAReportToTheStandardOutput) {
  const Scratch scratch;
  scratch.write("tail.cu", kernel_that_drops_the_last_term("tail"));
  const std::vector<std::string> check = {"check", "tail.cu",  "--cases",
                                          "20",    "--device", "virtual"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), check.begin(), check.end());
    const Result result = scratch.run(more);
    EXPECT_EQ(result.status, 1) << result.error;
    return Result{result.status, without_start_and_times(result.out),
                  without_start_and_times(result.error)};
  };
  const std::string console = with({}).out;
  EXPECT_THAT(console, HasSubstr("1 variant, 20 cases"));
  for (const char* format : {"--json", "--junit", "--sarif", "--gitlab", "--markdown", "--lcov"}) {
    const std::string file = std::string("file") + format;
    (void)with({format, file});
    const Result printed = with({format, "-"});
    EXPECT_EQ(printed.out, without_start_and_times(scratch.read(file))) << format;
    EXPECT_THAT(printed.error, HasSubstr(console.substr(console.find("\n\n")))) << format;
    EXPECT_FALSE(std::filesystem::exists(scratch.folder() / "-"));
  }
  EXPECT_THAT(with({"--html", "-"}).out, testing::StartsWith("<!DOCTYPE html>"));
}

TEST(Reports, EveryCommandWritesOnlyEventsToTheStandardOutput) {
  const Scratch scratch;
  scratch.write("tail.cu", kernel_that_drops_the_last_term("tail"));
  scratch.write("warpcheck.toml", "targets = \"tail.cu\"\ncases = 4\n[reports]\njson = \"-\"\n");
  const auto is_events = [&](const std::vector<std::string>& words) {
    const Result result = scratch.run(words);
    EXPECT_LE(result.status, 1) << result.error;
    EXPECT_NE(result.error, "") << words.front();
    scratch.write("printed.json", result.out);
    EXPECT_THAT(result.out, testing::StartsWith("{\"event\":")) << words.front();
    EXPECT_EQ(event_errors(scratch, "printed.json"), "") << words.front();
  };
  is_events({"gate"});
  is_events({"fuzz", "tail.cu", "--device", "virtual", "--cases", "4", "--json", "-"});
  is_events(
      {"replay", "tail m=2 n=2 k=3", "--in", "tail.cu", "--device", "virtual", "--json", "-"});
  for (const std::string number : {"1", "2"}) {
    (void)scratch.run({"check", "tail.cu", "--cases", "4", "--device", "virtual", "--history",
                       number + ".db", "--shard", number + "/2"});
  }
  is_events({"merge", "1.db", "2.db", "-o", "all.db", "--json", "-"});
  is_events({"profile", "tail.cu", "--size", "8", "--json", "-"});
  is_events({"diff", "tail.cu", "tail.cu", "--device", "virtual", "--cases", "2", "--json", "-"});
  is_events({"mutate", "sgemm_naive", "--mutants", "1", "--cases", "2", "--json", "-"});
}

TEST(Reports, TwoReportsOnTheStandardOutputAreAnError) {
  const Scratch scratch;
  const Result result =
      scratch.run({"check", "sgemm_naive", "--device", "virtual", "--junit", "-", "--json", "-"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.error, HasSubstr("-: error: found as the file of two reports"));
  EXPECT_EQ(result.out, "");
}

TEST(Reports, UnwritableFileIsAnErrorBeforeAnythingRuns) {
  const Scratch scratch;
  const Result result =
      scratch.run({"check", "sgemm_naive", "--device", "virtual", "--junit", "no/such/folder.xml"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.error, HasSubstr("no/such/folder.xml: error: cannot be written: "));
  EXPECT_EQ(result.out, "");
}

}  // namespace
}  // namespace warpcheck::tool
