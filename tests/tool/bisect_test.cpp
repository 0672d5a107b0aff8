// Runs `warpcheck bisect` in repositories that the tests create.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/tool/harness/consumers.hpp"
#include "tests/tool/harness/git.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kCase = "mine m=9 n=8 k=3";

class Bisect : public testing::Test {
 protected:
  /// Everything in the repository that a bisection must not change.
  [[nodiscard]] std::string state() const {
    return repository_.git({"status", "--porcelain=v2", "--branch", "--untracked-files=all"}) +
           repository_.git({"worktree", "list"}) + repository_.git({"for-each-ref"});
  }

  /// Runs in the scratch folder, with its own folder for temporary files.
  [[nodiscard]] Result bisect(std::vector<std::string> arguments) const {
    std::filesystem::create_directories(scratch_.folder() / "tmp");
    arguments.insert(arguments.begin(), {"bisect", "--device", "virtual", "--in", "repo/mine.cu",
                                         "--json", "bisect.json"});
    return scratch_.run(arguments, {"TMPDIR=" + (scratch_.folder() / "tmp").string()});
  }

  [[nodiscard]] bool leaves_nothing_behind() const {
    return std::filesystem::is_empty(scratch_.folder() / "tmp");
  }

  /// Commits a change that does not affect the compiled kernel.
  std::string commit_notes(int number) const {
    repository_.write("notes.txt", "change " + std::to_string(number) + "\n");
    return repository_.commit("change " + std::to_string(number));
  }

  Scratch scratch_;
  GitRepository repository_{scratch_};
};

TEST_F(Bisect, FindsTheFirstBadOf64CommitsSomeOfWhichDoNotBuild) {
  const std::string correct = correct_kernel("mine");
  const std::string broken = kernel_without_bounds_check("mine");
  std::vector<std::string> commits;
  for (int i = 0; i < 64; ++i) {
    if (i == 0) repository_.write("mine.cu", correct);
    // A bisection of 63 commits tries the 31st first. That one and the next do not build.
    if (i == 31 || i == 32) repository_.write("mine.cu", "no kernel\n" + correct);
    if (i == 33) repository_.write("mine.cu", correct);
    if (i == 44) repository_.write("mine.cu", broken);
    commits.push_back(commit_notes(i));
  }
  repository_.write("mine.cu", "what the user is about to write\n");
  const std::string before = state();
  const Result result = bisect({"--good", commits.front(), "--bad", "main", kCase});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, AllOf(StartsWith("first bad commit: " + commits[44] + ", after "),
                                HasSubstr("subject    change 44\n"),
                                HasSubstr("author     Author of a test <author@example.org>\n"),
                                HasSubstr("error[out-of-bounds]: "),
                                HasSubstr("--> " + commits[44].substr(0, 10) + ":mine.cu:")));
  const json found = json::parse(without_start(scratch_.read("bisect.json")));
  EXPECT_EQ(found["commits"][0]["commit"], commits[44]);
  EXPECT_LE(found["steps"], 9);
  EXPECT_GE(found["skipped"], 1);
  EXPECT_EQ(event_errors(scratch_, "bisect.json"), "");
  EXPECT_EQ(state(), before);
  EXPECT_TRUE(leaves_nothing_behind());
}

TEST_F(Bisect, FindsTheCommitOnAMergedBranch) {
  repository_.write("mine.cu", correct_kernel("mine"));
  const std::string good = repository_.commit("begin");
  commit_notes(1);
  repository_.git({"checkout", "--quiet", "-b", "faster", good});
  repository_.write("other.txt", "1");
  repository_.commit("prepare");
  repository_.write("mine.cu", kernel_that_drops_the_last_term("mine"));
  const std::string culprit = repository_.commit("make it faster");
  repository_.write("other.txt", "2");
  repository_.commit("polish");
  repository_.git({"checkout", "--quiet", "main"});
  commit_notes(2);
  repository_.git({"merge", "--quiet", "--no-ff", "--no-edit", "faster"});
  commit_notes(3);
  scratch_.write("lines.cases", "# two of them\nmine m=1 n=1 k=1\nmine m=5 n=5 k=5\n");
  const Result result = bisect({"--good", good, "lines.cases"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, AllOf(StartsWith("first bad commit: " + culprit + ", after "),
                                HasSubstr("error[wrong-result]: ")));
  EXPECT_TRUE(leaves_nothing_behind());
}

TEST_F(Bisect, CommitsThatCannotRunLeaveSeveralCandidates) {
  repository_.write("mine.cu", correct_kernel("mine"));
  const std::string good = repository_.commit("begin");
  repository_.git({"rm", "--quiet", "mine.cu"});
  const std::string gone = repository_.commit("lose it");
  repository_.write("mine.cu", kernel_without_bounds_check("mine"));
  const std::string back = repository_.commit("bring it back");
  const Result result = bisect({"--good", good, kCase});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(result.out,
              AllOf(StartsWith("the first bad commit is one of 2, because the others cannot run; "),
                    HasSubstr(gone), HasSubstr(back)));
}

TEST_F(Bisect, UnsupportedCommitsAreSkippedOrEndIt) {
  const std::string query =
      replaced(correct_kernel("mine"), "  float sum = 0.0f;\n",
               "  float sum = 0.0f;\n  unsigned is_texture;\n"
               "  asm volatile(\"{.reg .pred p; istypep.texref p, %1; selp.u32 %0, 1, 0, p;}\" : "
               "\"=r\"(is_texture) : \"l\"(0ull));\n");
  repository_.write("mine.cu", correct_kernel("mine"));
  const std::string good = repository_.commit("begin");
  repository_.write("mine.cu", query);
  const std::string unsupported = repository_.commit("query a texture");
  repository_.write("mine.cu", kernel_without_bounds_check("mine"));
  const std::string bad = repository_.commit("break it");
  const Result skipped = bisect({"--good", good, kCase});
  EXPECT_EQ(skipped.status, 1) << skipped.out << skipped.error;
  EXPECT_THAT(skipped.error,
              HasSubstr(" cannot run: unsupported on the virtual device: istypep.texref  (query"));
  EXPECT_THAT(skipped.out, AllOf(HasSubstr(unsupported), HasSubstr(bad)));
  const Result ended = bisect({"--good", unsupported, kCase});
  EXPECT_EQ(ended.status, 3) << ended.out << ended.error;
  EXPECT_THAT(ended.error,
              HasSubstr(unsupported + " cannot run (unsupported on the virtual device: istypep"));
}

TEST_F(Bisect, EndsWithTheWrongResultAreErrors) {
  repository_.write("mine.cu", correct_kernel("mine"));
  const std::string good = repository_.commit("begin");
  repository_.write("mine.cu", kernel_without_bounds_check("mine"));
  const std::string bad = repository_.commit("break it");
  const Result swapped = bisect({"--good", bad, "--bad", good, kCase});
  EXPECT_EQ(swapped.status, 2);
  EXPECT_THAT(swapped.error, HasSubstr(good + " passes: expected a revision that fails"));
  const Result unknown = bisect({"--good", "nowhere", kCase});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.error, HasSubstr("found no commit named nowhere"));
  EXPECT_TRUE(leaves_nothing_behind());
}

TEST_F(Bisect, SignalLeavesNothingBehind) {
  repository_.write("mine.cu", correct_kernel("mine"));
  const std::string good = repository_.commit("begin");
  commit_notes(1);
  repository_.write("mine.cu", kernel_without_bounds_check("mine"));
  repository_.commit("break it");
  const std::string before = state();
  // A slow compiler that sends a signal to the tool.
  scratch_.write("nvcc",
                 "#!/bin/sh\n[ \"$1\" = --version ] && echo 'Cuda compilation tools, release 12.0' "
                 "&& exit\nkill -TERM $PPID\nexec sleep 2\n");
  std::filesystem::permissions(scratch_.folder() / "nvcc", std::filesystem::perms::owner_all);
  std::filesystem::create_directories(scratch_.folder() / "tmp");
  const Result result =
      scratch_.run({"bisect", "--device", "virtual", "--in", "repo/mine.cu", "--good", good, kCase},
                   {"TMPDIR=" + (scratch_.folder() / "tmp").string(),
                    "WARPCHECK_NVCC=" + (scratch_.folder() / "nvcc").string()});
  EXPECT_EQ(result.status, 130) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("interrupted: this result is incomplete: the first revision "));
  EXPECT_EQ(state(), before);
  EXPECT_TRUE(leaves_nothing_behind());
}

}  // namespace
}  // namespace warpcheck::tool
