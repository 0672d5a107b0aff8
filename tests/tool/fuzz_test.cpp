// Runs `warpcheck fuzz` as a user calls it.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/tool/harness/consumers.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// The last event of a kind in a report.
json event(const std::string& text, const std::string& kind) {
  json found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    json one = json::parse(line);
    if (one["event"] == kind) found = std::move(one);
  }
  return found;
}

/// Correct except for one shape, for which the unrolled loop lacks its last iteration.
std::string tuned_for_one_shape(const std::string& name) {
  return replaced(
      correct_kernel(name),
      "  for (long long i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];\n",
      R"cu(  if (m == 56 && n == 88 && k == 104) {
    for (int i = 0; i + 8 < 104; i += 8) {
#pragma unroll
      for (int j = 0; j < 8; ++j) sum += a[row * 104 + i + j] * b[(i + j) * 88 + column];
    }
  } else {
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  }
)cu");
}

std::size_t files_in(const fs::path& folder) {
  std::error_code missing;
  const fs::directory_iterator files(folder, missing);
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

/// The folder below `corpora` whose path ends with "<file>/<variant>".
fs::path variant_folder(const fs::path& corpora, const std::string& end) {
  for (const auto& entry : fs::recursive_directory_iterator(corpora)) {
    if (entry.path().string().ends_with("/" + end)) return entry.path();
  }
  ADD_FAILURE() << corpora << " has no " << end;
  return {};
}

TEST(Fuzz, FindsSavesAndReplaysWhatGeneratedCasesMiss) {
  const Scratch scratch;
  const std::string file = scratch.write("tuned.cu", tuned_for_one_shape("tuned"));
  const std::vector<std::string> common = {"fuzz",    file,        "--device",       "virtual",
                                           "--cases", "600",       "--jobs",         "2",
                                           "--json",  "fuzz.json", "--stop-at-first"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), common.begin(), common.end());
    return scratch.run(more);
  };

  const Result unguided = with({"--unguided", "--corpus", "other"});
  EXPECT_EQ(unguided.status, 0) << unguided.out << unguided.error;
  EXPECT_THAT(unguided.out, HasSubstr(": passed\n"));

  const Result guided = with({});
  EXPECT_EQ(guided.status, 1) << guided.out << guided.error;
  EXPECT_THAT(guided.out,
              AllOf(HasSubstr("error[wrong-result]: "),
                    HasSubstr("warpcheck replay --device virtual --in tuned.cu 'tuned m=56 n=88 "),
                    HasSubstr(" of its bound in "), Not(HasSubstr("\r"))));
  const json report = event(scratch.read("fuzz.json"), "fuzz");
  EXPECT_EQ(report["verdict"], "wrong-result");
  EXPECT_EQ(report["first_after"], report["cases"]);
  EXPECT_EQ(event(scratch.read("fuzz.json"), "finding")["class"], "wrong-result");
  EXPECT_EQ(event_errors(scratch, "fuzz.json"), "");

  const fs::path kept = variant_folder(scratch.folder() / ".warpcheck/fuzz", "tuned.cu/tuned");
  ASSERT_EQ(files_in(kept / "findings"), 1U);
  const std::string finding =
      fs::relative(fs::directory_iterator(kept / "findings")->path(), scratch.folder());
  EXPECT_EQ(scratch.run({"replay", finding, "--in", file, "--device", "virtual"}).status, 1);

  const Result again = with({});
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.out, HasSubstr("1 finding from an earlier search: still failing\n"));
  EXPECT_EQ(files_in(kept / "findings"), 1U);

  scratch.write("tuned.cu", correct_kernel("tuned"));
  const Result fixed = with({});
  EXPECT_EQ(fixed.status, 0) << fixed.out;
  EXPECT_THAT(fixed.out, HasSubstr("1 finding from an earlier search: no longer failing\n"));

  const std::size_t before = files_in(kept / "corpus");
  const Result minimized = scratch.run({"fuzz", file, "--device", "virtual", "--minimize"});
  EXPECT_EQ(minimized.status, 0) << minimized.out;
  EXPECT_LE(files_in(kept / "corpus"), before);
}

TEST(Fuzz, CtrlCEndsTheSearchAndSavesItsState) {
  const Scratch scratch;
  const fs::path kept = scratch.folder() / "kept" / "sgemm_naive";
  const Result result = scratch.run_and_interrupt(
      {"fuzz", "sgemm_naive", "--device", "virtual", "--time", "10m", "--corpus", "kept"},
      [&] { return files_in(kept / "corpus") > 40; });
  EXPECT_EQ(result.status, 130) << result.out << result.error;
  EXPECT_THAT(result.out, AllOf(HasSubstr(" s, interrupted\n"),
                                HasSubstr("interrupted: this result is incomplete: ")));
  EXPECT_TRUE(fs::exists(kept / "state"));
}

TEST(Fuzz, CommentOfAFindingNamesTheOptionThatChangesIt) {
  const Scratch scratch;
  const Result result =
      scratch.run({"fuzz", "sgemm_naive", "--device", "virtual", "--limit", "instructions=200",
                   "--cases", "20", "--jobs", "1", "--stop-at-first", "--corpus", "kept"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  const fs::path findings = scratch.folder() / "kept/sgemm_naive/findings";
  ASSERT_EQ(files_in(findings), 1U);
  EXPECT_THAT(
      scratch.read(fs::relative(fs::directory_iterator(findings)->path(), scratch.folder())),
      testing::StartsWith(
          "# timeout: the launch was still running after 200 warp instructions, its "
          "budget; `--limit instructions=N` changes it\n"));
}

TEST(Fuzz, ErrorInACorpusFileIsLocated) {
  const Scratch scratch;
  scratch.write("kept/sgemm_naive/corpus/x.case", "sgemm_naive m=three\n");
  const Result result =
      scratch.run({"fuzz", "sgemm_naive", "--device", "virtual", "--corpus", "kept"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.error,
              HasSubstr("kept/sgemm_naive/corpus/x.case:1:15: error: m: 'three' is not"));
}

TEST(Fuzz, MergeJoinsCorpora) {
  const Scratch scratch;
  const std::string file = scratch.write("right.cu", correct_kernel("right"));
  const auto search = [&](const std::string& seed, const std::string& corpus) {
    return scratch.run({"fuzz", file, "--device", "virtual", "--cases", "40", "--jobs", "1",
                        "--seed", seed, "--corpus", corpus});
  };
  EXPECT_EQ(search("1", "one").status, 0);
  EXPECT_EQ(search("2", "two").status, 0);
  const Result merged = scratch.run({"merge", "one", "two", "-o", "all"});
  EXPECT_EQ(merged.status, 0) << merged.error;
  EXPECT_THAT(merged.out, HasSubstr("all: "));
  const auto cases = [&](const char* folder) {
    return files_in(variant_folder(scratch.folder() / folder, "right.cu/right") / "corpus");
  };
  EXPECT_GT(cases("one"), 0U);
  EXPECT_GE(cases("all"), std::max(cases("one"), cases("two")));
  EXPECT_LE(cases("all"), cases("one") + cases("two"));
  const Result mixed = scratch.run({"merge", "one", file, "-o", "all"});
  EXPECT_EQ(mixed.status, 2);
  EXPECT_THAT(mixed.error,
              HasSubstr("found a file and folders, expected only histories or only corpora"));
}

}  // namespace
}  // namespace warpcheck::tool
