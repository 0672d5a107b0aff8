// Runs `warpcheck check --keep`, which saves failing cases; later runs replay them first.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Regressions : public testing::Test {
 protected:
  [[nodiscard]] Result check(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"check", "--device", "virtual", "--json", "report.json"});
    return scratch_.run(arguments);
  }

  [[nodiscard]] nlohmann::json first_event() const {
    const std::string report = without_start(scratch_.read("report.json"));
    return nlohmann::json::parse(report.substr(0, report.find('\n')));
  }

  Scratch scratch_;
};

TEST_F(Regressions, FailureIsSavedOnceAndReplayedFirst) {
  const std::string file = scratch_.write("src/tail.cu", kernel_that_drops_the_last_term("tail"));
  const Result found = check({file, "--cases", "20", "--keep"});
  EXPECT_EQ(found.status, 1) << found.error;
  EXPECT_THAT(found.out, HasSubstr("added to src/regressions/tail.cases: tail m=1 n=1 k=1 "));
  const std::string kept = scratch_.read("src/regressions/tail.cases");
  EXPECT_THAT(kept, AllOf(StartsWith("# wrong-result at tail.cu:"),
                          ContainsRegex(", [0-9]+-[0-9][0-9]-[0-9][0-9]\ntail m=1 n=1 k=1 ")));
  EXPECT_EQ(first_event().count("regression"), 0u);

  const Result again = check({file, "--cases", "1", "--seed", "1", "--keep"});
  EXPECT_EQ(again.status, 1) << again.error;
  EXPECT_THAT(again.out, HasSubstr("  regression src/regressions/tail.cases:2\n"));
  EXPECT_EQ(first_event()["regression"], "src/regressions/tail.cases:2");
  EXPECT_EQ(scratch_.read("src/regressions/tail.cases"), kept);
}

TEST_F(Regressions, RunBeforeGeneratedCasesAndCountAsCases) {
  const std::string file = scratch_.write("right.cu", correct_kernel("right"));
  scratch_.write(
      "regressions/right.cases",
      "# failed before\nright m=3 n=5 k=7 seed=11\nright m=2 n=2 k=2 property=same-bits-twice\n");
  const Result result = check({file, "--cases", "4", "--jobs", "1", "-v"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("1 variant, 6 cases in "));
  const std::size_t first = result.out.find("\nright m=");
  EXPECT_EQ(result.out.find("\nright m=3 n=5 k=7 "), first);
  const Result second_shard = check({file, "--cases", "40", "--shard", "2/2", "-v"});
  EXPECT_THAT(second_shard.out,
              Not(HasSubstr("right m=3 n=5 k=7 alpha=1 beta=0 data=lattice seed=11")));
  const Result first_shard = check({file, "--cases", "40", "--shard", "1/2", "-v"});
  EXPECT_THAT(first_shard.out, HasSubstr("right m=3 n=5 k=7 alpha=1 beta=0 data=lattice seed=11"));
}

TEST_F(Regressions, InvalidLinesAreLocatedErrors) {
  const std::string file = scratch_.write("right.cu", correct_kernel("right"));
  scratch_.write("regressions/right.cases",
                 "right m=3 speed=5\nleft m=3\nright m=4 lda=9\nright m=4 property=pretty\n");
  const Result syntax = check({file, "--cases", "4"});
  EXPECT_EQ(syntax.status, 2);
  EXPECT_THAT(syntax.error, HasSubstr("regressions/right.cases:1:"));
  scratch_.write("regressions/right.cases",
                 "right m=3\nleft m=3\nright m=4 lda=9\nright m=4 property=pretty\n");
  const Result meaning = check({file, "--cases", "4"});
  EXPECT_EQ(meaning.status, 2);
  EXPECT_THAT(meaning.error,
              AllOf(HasSubstr("regressions/right.cases:2:1: error: found a case of left"),
                    HasSubstr("regressions/right.cases:3:11: error: lda is given"),
                    HasSubstr("regressions/right.cases:4:1: error: unknown property")));
}

TEST_F(Regressions, StaleCasesAndFilesCauseWarnings) {
  const std::string narrow =
      replaced(correct_kernel("narrow"), "block =", "requires = [\"k % 4 == 0\"]\nblock =");
  const std::string file = scratch_.write("narrow.cu", narrow);
  scratch_.write("regressions/narrow.cases", "narrow m=3 n=3 k=3\n");
  scratch_.write("regressions/renamed.cases", "renamed m=3 n=3 k=3\n");
  const Result result = check({file, "--cases", "4"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.error,
              AllOf(HasSubstr("regressions/narrow.cases:1: warning: not run: outside the domain "
                              "of narrow, which requires k % 4 == 0\n"),
                    HasSubstr("regressions/renamed.cases: warning: no variant of a source in ")));
}

TEST_F(Regressions, OfBuiltInVariantsAreInThisOrTheGivenFolder) {
  scratch_.write("regressions/sgemm_naive.cases", "sgemm_naive m=3 n=5 k=7 seed=12\n");
  scratch_.write("kept/sgemm_naive.cases", "sgemm_naive m=3 n=5 k=7 seed=13\n");
  const Result here = check({"sgemm_naive", "--cases", "1", "-v"});
  EXPECT_THAT(here.out, HasSubstr("sgemm_naive m=3 n=5 k=7 alpha=1 beta=0 data=lattice seed=12\n"));
  const Result there = check({"sgemm_naive", "--cases", "1", "-v", "--regressions", "kept"});
  EXPECT_THAT(there.out,
              HasSubstr("sgemm_naive m=3 n=5 k=7 alpha=1 beta=0 data=lattice seed=13\n"));
}

}  // namespace
}  // namespace warpcheck::tool
