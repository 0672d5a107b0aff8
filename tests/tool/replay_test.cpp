// Runs `warpcheck replay` with the case line of a failure.
#include <gmock/gmock.h>

#include <string>

#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using testing::HasSubstr;

/// The case line of the first finding that a report printed.
std::string smallest_case(const std::string& report) {
  const std::string field = "\n  case       ";
  const std::size_t begin = report.find(field) + field.size();
  return report.substr(begin, report.find('\n', begin) - begin);
}

class Replay : public testing::Test {
 protected:
  void SetUp() override {
    file_ = scratch_.write("edge.cu", kernel_without_bounds_check("edge"));
    const Result checked = scratch_.run({"check", file_, "--cases", "20", "--device", "virtual"});
    ASSERT_EQ(checked.status, 1) << checked.out << checked.error;
    line_ = smallest_case(checked.out);
  }

  Result replay(const std::vector<std::string>& arguments) const {
    std::vector<std::string> words = {"replay", "--device", "virtual"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return scratch_.run(words);
  }

  Scratch scratch_;
  std::string file_;
  std::string line_;
};

TEST_F(Replay, PrintedLineFailsTheSameWay) {
  const Result result = replay({"--in", file_, line_});
  EXPECT_EQ(result.status, 1) << result.error;
  EXPECT_THAT(result.out, HasSubstr("error[out-of-bounds]: "));
  EXPECT_EQ(smallest_case(result.out), line_);
}

TEST_F(Replay, LineAloneRunsTheFileThatWasLastChecked) {
  const Result result = replay({line_});
  EXPECT_EQ(result.status, 1) << result.error;
  EXPECT_THAT(result.out, HasSubstr("error[out-of-bounds]: "));
}

TEST_F(Replay, EditedLineWithinBoundsPasses) {
  const Result result = replay({"--in", file_, "edge m=8 n=16 k=3"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr(": passed\n"));
}

TEST_F(Replay, FileFailsIfOneLineFails) {
  const std::string file =
      scratch_.write("cases.txt", "# one right, one wrong\nedge m=8 n=8 k=3\n" + line_ + "\n");
  const Result result = replay({"--in", file_, file});
  EXPECT_EQ(result.status, 1) << result.error;
  EXPECT_THAT(result.out, HasSubstr("2 variants, 2 cases in "));
}

TEST_F(Replay, CaseOutsideTheDomainRunsWithANote) {
  const std::string text =
      replaced(kernel_without_bounds_check("multiples"),
               "block =", "requires = [\"m % 8 == 0\", \"n % 8 == 0\"]\nblock =");
  const std::string file = scratch_.write("multiples.cu", text);
  const Result inside = replay({"--in", file, "multiples m=8 n=8 k=2"});
  EXPECT_EQ(inside.status, 0) << inside.out << inside.error;
  const Result outside = replay({"--in", file, "multiples m=7 n=8 k=2"});
  EXPECT_EQ(outside.status, 1) << outside.error;
  EXPECT_THAT(outside.out, HasSubstr("outside the contract's domain, which requires m % 8 == 0\n"));
}

TEST_F(Replay, CaseWithoutALaunchIsAnError) {
  const Result result = replay({"--in", file_, "edge m=0 n=8 k=3"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.out, HasSubstr("nothing was launched: m is 0\n"));
}

TEST_F(Replay, CaseThatSkipsEveryLaunchPrintsTheReason) {
  const std::string text =
      replaced(replaced(correct_kernel("even"), "kernel = \"multiply\"\n", ""), "arguments =",
               "[[variant.launch]]\nkernel = \"multiply\"\nwhen = \"m % 2 == 0\"\narguments =");
  const Result result = replay({"--in", scratch_.write("even.cu", text), "even m=3 n=8 k=3"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.out,
              HasSubstr("nothing was launched: the condition 'when' of every launch is false\n"));
}

TEST_F(Replay, OutputOfTheKernelIsShown) {
  const std::string text = replaced(
      replaced(correct_kernel("chatty"), "__global__", "#include <cstdio>\n__global__"),
      "  float sum", "  if (row == 0 && column == 0) printf(\"k is %d\\n\", k);\n  float sum");
  const Result result = replay({"--in", scratch_.write("chatty.cu", text), "chatty m=1 n=1 k=2"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("k is 2\n"));
}

}  // namespace
}  // namespace warpcheck::tool
