// Folders that cannot be written, full disks, damaged caches, and ends without warning.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

namespace fs = std::filesystem;

using testing::AllOf;
using testing::HasSubstr;

std::vector<std::string> check_of(const std::string& target) {
  return {"check", target, "--device", "virtual", "--cases", "5"};
}

std::vector<std::string> with(std::vector<std::string> words,
                              const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Runs the tool with its standard output on a full disk.
Result run_on_a_full_disk(const Scratch& scratch, const std::string& words) {
  return scratch.shell("export XDG_CACHE_HOME=\"$PWD/cache\"; '" WARPCHECK_TOOL "' " + words +
                       " > /dev/full");
}

TEST(FullDisk, EveryReportThatCannotBeWrittenIsStatus3) {
  const Scratch scratch;
  for (const char* const option : {"--json", "--junit", "--sarif", "--gitlab", "--html",
                                   "--markdown", "--lcov", "--history"}) {
    const Result result = scratch.run(with(check_of("sgemm_naive"), {option, "/dev/full"}));
    EXPECT_EQ(result.status, 3) << option;
    EXPECT_THAT(result.error, HasSubstr("warpcheck: /dev/full")) << option;
  }
}

/// The limit of the size of files acts as a full disk on a file that is renamed when it is whole.
TEST(FullDisk, TruncatedReportNeverGetsItsName) {
  const Scratch scratch;
  for (const std::string option : {"--junit", "--sarif", "--gitlab", "--html", "--lcov"}) {
    scratch.write("report", "all passed");
    const Result result = scratch.shell("ulimit -f 0; '" WARPCHECK_TOOL
                                        "' check sgemm_naive --device virtual --cases 5 " +
                                        option + " report > /dev/null 2>&1");
    EXPECT_EQ(result.status, 3) << option;
    EXPECT_FALSE(fs::exists(scratch.folder() / "report")) << option;
    EXPECT_FALSE(fs::exists(scratch.folder() / "report.partial")) << option;
  }
}

TEST(FullDisk, OtherReportsAreWrittenNevertheless) {
  const Scratch scratch;
  const Result result = scratch.run(with(
      check_of("sgemm_naive"), {"--json", "/dev/full", "--junit", "x.xml", "--markdown", "x.md"}));
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(scratch.read("x.xml"), HasSubstr("</testsuites>"));
  EXPECT_THAT(scratch.read("x.md"), HasSubstr("## warpcheck: passed"));
}

TEST(FullDisk, StandardOutputThatCannotBeWrittenIsStatus3) {
  const Scratch scratch;
  const std::string check = "check sgemm_naive --device virtual --cases 5";
  scratch.write("warpcheck.toml", "targets = [\"sgemm_naive\"]\ncases = 5\n");
  for (const std::string& words :
       {check, check + " --json -", check + " --junit -", check + " --sarif -", check + " --html -",
        check + " --gitlab -", check + " --markdown -", check + " --lcov -", std::string("list"),
        std::string("--version"), std::string("--help"), std::string("man"),
        std::string("completion bash"), std::string("replay 'sgemm_naive m=1' --device virtual"),
        std::string("profile sgemm_naive"), std::string("profile sgemm_naive --json -"),
        std::string("fuzz sgemm_naive --cases 20 --device virtual"),
        std::string("mutate sgemm_naive --list"), std::string("gate")}) {
    const Result result = run_on_a_full_disk(scratch, words);
    EXPECT_EQ(result.status, 3) << words;
    EXPECT_THAT(result.error, HasSubstr("warpcheck: the standard output cannot be written"))
        << words;
  }
}

TEST(ReadOnlyHome, FallsBackToATemporaryFolderWithANote) {
  const Scratch scratch;
  scratch.write("x.cu", correct_kernel("x"));
  fs::create_directories(scratch.folder() / "tmp");
  const std::string temporary = (scratch.folder() / "tmp").string();
  for (const std::string home : {"/dev/null", "/proc"}) {
    const Result result =
        scratch.run(check_of("x.cu"), {"XDG_CACHE_HOME=", "HOME=" + home, "TMPDIR=" + temporary});
    EXPECT_EQ(result.status, 0) << result.error;
    EXPECT_THAT(result.error,
                AllOf(HasSubstr("note: cannot write the cache " + home + "/.cache/warpcheck ("),
                      HasSubstr("compiled kernels are in " + temporary + "/warpcheck-")));
  }
}

TEST(ReadOnlyHome, UnwritableTemporaryFolderIsStatus3) {
  const Scratch scratch;
  scratch.write("x.cu", correct_kernel("x"));
  for (const std::string folder : {"/proc", "/no/such/folder"}) {
    const Result result = scratch.run(check_of("x.cu"), {"TMPDIR=" + folder});
    EXPECT_EQ(result.status, 3) << result.out;
    EXPECT_THAT(result.error, HasSubstr(folder == "/proc" ? "cannot create the temporary folder"
                                                          : "TMPDIR is not a folder"));
  }
}

TEST(ReadOnlyHome, BuiltInKernelNeedsNoCache) {
  const Scratch scratch;
  const Result result = scratch.run(check_of("sgemm_naive"), {"XDG_CACHE_HOME=", "HOME=/dev/null"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.error, "");
}

/// The PTX of another kernel in the place of an entry is neither executed nor trusted.
TEST(DamagedCache, ForeignPtxIsNotExecuted) {
  const Scratch scratch;
  scratch.write("right.cu", correct_kernel("right"));
  scratch.write("wrong.cu", kernel_that_drops_the_last_term("wrong"));
  EXPECT_EQ(scratch.run(check_of("right.cu")).status, 0);
  const auto entries = [&] {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(scratch.folder() / "cache/warpcheck")) {
      if (entry.path().extension() == ".ptx") files.push_back(entry.path());
    }
    return files;
  };
  const fs::path right = entries().at(0);
  EXPECT_EQ(scratch.run(check_of("wrong.cu")).status, 1);
  for (const fs::path& file : entries()) {
    if (file != right) fs::copy_file(file, right, fs::copy_options::overwrite_existing);
  }
  EXPECT_EQ(scratch.run(check_of("right.cu")).status, 0);
}

TEST(DamagedCache, KilledCompilationLeavesNoHalfEntry) {
  const Scratch scratch;
  for (const double seconds : {0.05, 0.2, 0.5, 1.0}) {
    scratch.write("x.cu", correct_kernel("x") + "// " + std::to_string(seconds) + "\n");
    (void)scratch.run_for(seconds, check_of("x.cu"));
    const Result result = scratch.run(check_of("x.cu"));
    EXPECT_EQ(result.status, 0) << result.error;
  }
}

TEST(DamagedHistory, IsAnErrorAndStaysAsItIs) {
  const Scratch scratch;
  const auto record = [&] {
    return scratch.run(with(check_of("sgemm_naive"), {"--history", "h"}));
  };
  EXPECT_EQ(record().status, 0);
  const std::string whole = scratch.read("h");
  for (const std::string& damaged :
       {whole.substr(0, whole.size() / 2), std::string(whole.size(), 'x'),
        whole.substr(0, 100) + std::string(whole.size() - 100, '\xff')}) {
    scratch.write("h", damaged);
    const Result result = record();
    EXPECT_EQ(result.status, 2) << result.out;
    EXPECT_THAT(result.error, testing::StartsWith("h: error: "));
    EXPECT_EQ(scratch.read("h"), damaged);
  }
  scratch.write("h", whole);
  EXPECT_EQ(record().status, 0);
}

TEST(Killed, FuzzCorpusStaysUsable) {
  const Scratch scratch;
  const std::vector<std::string> fuzz = {"fuzz",     "sgemm_naive", "--device", "virtual",
                                         "--corpus", "kept",        "--cases",  "100000"};
  for (const double seconds : {0.3, 0.6}) EXPECT_EQ(scratch.run_for(seconds, fuzz).status, 137);
  const Result after = scratch.run(
      {"fuzz", "sgemm_naive", "--device", "virtual", "--corpus", "kept", "--cases", "20"});
  EXPECT_EQ(after.status, 0) << after.error;
}

TEST(Killed, ReportsAreWholeOrAbsent) {
  const Scratch scratch;
  for (const double seconds : {0.1, 1.5}) {
    scratch.write("x.xml", "all passed");
    const Result result =
        scratch.run_for(seconds, {"check", "--device", "virtual", "--cases", "4000", "--junit",
                                  "x.xml", "--history", "x.db"});
    EXPECT_EQ(result.status, 137);
    // The report of the earlier run stays until the next one begins.
    if (fs::exists(scratch.folder() / "x.xml")) {
      EXPECT_EQ(scratch.read("x.xml"), "all passed");
    }
  }
  const Result after =
      scratch.run(with(check_of("sgemm_naive"), {"--junit", "x.xml", "--history", "x.db"}));
  EXPECT_EQ(after.status, 0) << after.error;
  EXPECT_THAT(scratch.read("x.xml"), HasSubstr("</testsuites>"));
}

}  // namespace
}  // namespace warpcheck::tool
