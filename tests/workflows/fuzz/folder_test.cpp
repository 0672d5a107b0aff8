#include "workflows/fuzz/folder.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "base/process/temporary_folder.hpp"

namespace warpcheck::workflows::fuzz {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

campaign::Case case_of_size(std::int64_t size, const std::string& variant = "mine") {
  campaign::Case problem;
  problem.variant = variant;
  problem.set_value("m", size);
  return problem;
}

constexpr const char* kMessage = "thread (0, 0, 0) writes\nwhat thread (1, 0, 0) read";

campaign::FindingReport race(const campaign::Case& smallest) {
  campaign::FindingReport report;
  report.finding.kind = FindingClass::race;
  report.finding.source = {"mine.cu", 12, "st.shared.f32", 0};
  report.original = case_of_size(500);
  report.smallest = smallest;
  return report;
}

/// Returns the place and message of the error for a folder that cannot be read.
std::string read_error(const fs::path& folder) {
  try {
    static_cast<void>(FuzzFolder(folder, "/src/k.cu", "mine").corpus());
  } catch (const InputError& error) {
    const Diagnostic& first = error.diagnostics().front();
    return first.where.file + ":" + std::to_string(first.where.line) + ": " + first.message;
  }
  return {};
}

TEST(FuzzFolder, ReadsWhatItWrote) {
  const TemporaryFolder temporary;
  const FuzzFolder folder(temporary.path() / "deep" / "er", "/src/k.cu", "mine");
  EXPECT_TRUE(folder.corpus().empty());
  EXPECT_TRUE(folder.findings().empty());
  EXPECT_EQ(folder.state(), SearchState{});
  folder.add(case_of_size(3));
  folder.add(case_of_size(4));
  folder.add(case_of_size(3));
  folder.add(race(case_of_size(1)), kMessage);
  folder.write({17, 40});
  EXPECT_THAT(folder.corpus(), UnorderedElementsAre(case_of_size(3), case_of_size(4)));
  EXPECT_THAT(folder.findings(), UnorderedElementsAre(case_of_size(1)));
  EXPECT_EQ(folder.state(), (SearchState{17, 40}));
  folder.drop(case_of_size(4));
  EXPECT_THAT(folder.corpus(), UnorderedElementsAre(case_of_size(3)));
}

TEST(FuzzFolder, WritesTheClassAndPlaceOfAFinding) {
  const TemporaryFolder temporary;
  FuzzFolder(temporary.path(), "/src/k.cu", "mine").add(race(case_of_size(1)), kMessage);
  const fs::path file = *fs::directory_iterator(temporary.path() / "src/k.cu/mine" / "findings");
  EXPECT_THAT(file.filename().string(), ::testing::MatchesRegex("race-[0-9a-f]+\\.case"));
  const std::string text = read_input(file);
  EXPECT_THAT(text, HasSubstr("# at mine.cu:12\n"));
  EXPECT_THAT(text, HasSubstr("# from mine m=500 "));
  EXPECT_EQ(campaign::parse_cases(text, "file").size(), 1U)
      << "a message of two lines stays a comment";
}

TEST(FuzzFolder, ReportsThePlaceOfAnErrorInAFile) {
  const TemporaryFolder temporary;
  const FuzzFolder folder(temporary.path(), "/src/k.cu", "mine");
  folder.add(case_of_size(3));
  const fs::path corpus = temporary.path() / "src/k.cu/mine" / "corpus";
  const auto write = [&](const std::string& text) { std::ofstream(corpus / "x.case") << text; };
  write("# a comment\nmine m=3 n=two\n");
  EXPECT_THAT(read_error(temporary.path()), HasSubstr("x.case:2: n: 'two' is not a whole number"));
  write("");
  EXPECT_THAT(read_error(temporary.path()),
              HasSubstr("x.case:0: found 0 case lines, expected one"));
  write("yours m=3\n");
  EXPECT_THAT(read_error(temporary.path()),
              HasSubstr("found a case of yours, expected one of mine"));
  std::ofstream(temporary.path() / "src/k.cu/mine" / "state")
      << "drawn=many\n";  // retired spelling
  EXPECT_THROW(static_cast<void>(folder.state()), InputError);
}

TEST(FuzzFolder, IgnoresTemporaryFiles) {
  const TemporaryFolder temporary;
  const FuzzFolder folder(temporary.path(), "/src/k.cu", "mine");
  folder.add(case_of_size(3));
  std::ofstream(temporary.path() / "src/k.cu/mine" / "corpus" / "x.case.123-4.tmp") << "mine m=";
  EXPECT_THAT(folder.corpus(), UnorderedElementsAre(case_of_size(3)));
}

TEST(FuzzFolder, FilesWithAVariantOfOneNameDoNotShare) {
  const TemporaryFolder temporary;
  const FuzzFolder one(temporary.path(), "/src/one.cu", "mine");
  const FuzzFolder two(temporary.path(), "/src/two.cu", "mine");
  one.add(case_of_size(3));
  one.write({17, 40});
  EXPECT_TRUE(two.corpus().empty());
  EXPECT_EQ(two.state(), SearchState{});
  two.add(case_of_size(4));
  EXPECT_THAT(one.corpus(), UnorderedElementsAre(case_of_size(3)));
}

TEST(FuzzFolder, IsTheSameInEveryCloneOfARepository) {
  const TemporaryFolder temporary;
  const fs::path corpora = temporary.path() / "corpora";
  for (const char* const clone : {"here", "deep/there"}) {
    fs::create_directories(temporary.path() / clone / ".git");
  }
  FuzzFolder(corpora, temporary.path() / "here/k/x.cu", "mine").add(case_of_size(3));
  EXPECT_THAT(FuzzFolder(corpora, temporary.path() / "deep/there/k/x.cu", "mine").corpus(),
              UnorderedElementsAre(case_of_size(3)));
  EXPECT_TRUE(fs::exists(corpora / "k/x.cu/mine/corpus"));
}

TEST(FuzzFolder, FolderOfAnEarlierVersionIsMovedOnce) {
  const TemporaryFolder temporary;
  fs::create_directories(temporary.path() / "mine/corpus");
  std::ofstream(temporary.path() / "mine/corpus/x.case") << "mine m=3 n=3 k=3\n";
  std::ofstream(temporary.path() / "mine/state") << "generated=17 cases=40\n";
  const FuzzFolder one(temporary.path(), "/src/one.cu", "mine");
  EXPECT_EQ(one.corpus().size(), 1U);
  EXPECT_EQ(one.state(), (SearchState{17, 40}));
  EXPECT_FALSE(fs::exists(temporary.path() / "mine"));
  EXPECT_TRUE(FuzzFolder(temporary.path(), "/src/two.cu", "mine").corpus().empty());
}

TEST(FuzzFolder, BuiltInVariantNeedsNoFile) {
  const TemporaryFolder temporary;
  FuzzFolder(temporary.path(), "", "mine").add(case_of_size(3));
  EXPECT_TRUE(fs::exists(temporary.path() / "mine/corpus"));
  EXPECT_EQ(FuzzFolder(temporary.path(), "", "mine").corpus().size(), 1U);
}

TEST(FuzzFolder, CommentsHaveNoControlCharacters) {
  const TemporaryFolder temporary;
  auto finding = race(case_of_size(1));
  finding.finding.source.file = "e\x1b[31m\n.cu";
  FuzzFolder(temporary.path(), "/src/k.cu", "mine").add(finding, kMessage);
  const fs::path file = *fs::directory_iterator(temporary.path() / "src/k.cu/mine/findings");
  EXPECT_THAT(read_input(file), HasSubstr("# at e\\x1b[31m\\n.cu:12\n"));
}

TEST(MergeCorpora, KeepsFilesWithAVariantOfOneNameApart) {
  const TemporaryFolder temporary;
  const std::string from = temporary.path() / "from";
  const std::string all = temporary.path() / "all";
  FuzzFolder(from, "/corpus/one.cu", "mine").add(case_of_size(3));
  FuzzFolder(from, "/corpus/two.cu", "mine").add(case_of_size(4));
  EXPECT_EQ(merge_corpora(std::vector<std::string>{from}, all).corpus, 2);
  EXPECT_THAT(FuzzFolder(all, "/corpus/one.cu", "mine").corpus(),
              UnorderedElementsAre(case_of_size(3)));
}

TEST(MergeCorpora, IsTheUnionOfAllVariants) {
  const TemporaryFolder temporary;
  const std::string one = temporary.path() / "one";
  const std::string two = temporary.path() / "two";
  const std::string all = temporary.path() / "all";
  FuzzFolder(one, "/src/k.cu", "mine").add(case_of_size(3));
  FuzzFolder(one, "/src/k.cu", "mine").add(case_of_size(4));
  FuzzFolder(two, "/src/k.cu", "mine").add(case_of_size(4));
  FuzzFolder(two, "/src/k.cu", "mine").add(race(case_of_size(1)), kMessage);
  FuzzFolder(two, "/src/k.cu", "yours").add(case_of_size(5, "yours"));
  FuzzFolder(all, "/src/k.cu", "mine").add(case_of_size(3));
  const std::vector<std::string> from = {one, two};
  const MergedCorpora merged = merge_corpora(from, all);
  EXPECT_EQ(merged.corpus, 2);
  EXPECT_EQ(merged.findings, 1);
  EXPECT_THAT(FuzzFolder(all, "/src/k.cu", "mine").corpus(),
              UnorderedElementsAre(case_of_size(3), case_of_size(4)));
  EXPECT_THAT(FuzzFolder(all, "/src/k.cu", "mine").findings(),
              UnorderedElementsAre(case_of_size(1)));
  EXPECT_THAT(FuzzFolder(all, "/src/k.cu", "yours").corpus(),
              UnorderedElementsAre(case_of_size(5, "yours")));
  EXPECT_EQ(merge_corpora(from, all).corpus, 0) << "a second merge adds nothing";
}

TEST(MergeCorpora, WritesNothingIfAFolderIsInvalid) {
  const TemporaryFolder temporary;
  const std::string one = temporary.path() / "one";
  const std::string all = temporary.path() / "all";
  FuzzFolder(one, "/src/k.cu", "mine").add(case_of_size(3));
  const std::vector<std::string> missing = {one, temporary.path() / "absent"};
  EXPECT_THROW(merge_corpora(missing, all), InputError);
  std::ofstream(fs::path(one) / "src/k.cu/mine" / "corpus" / "z.case") << "mine m=x\n";
  EXPECT_THROW(merge_corpora(std::vector<std::string>{one}, all), InputError);
  EXPECT_FALSE(fs::exists(all));
}

}  // namespace
}  // namespace warpcheck::workflows::fuzz
