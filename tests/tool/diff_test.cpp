// Runs `warpcheck diff` on pairs of kernels.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "tests/tool/harness/consumers.hpp"
#include "tests/tool/harness/git.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

/// Products of f16 operands with sums of type `sum`. The bound of the contract allows both types.
std::string product_of_halves(const std::string& name, const std::string& sum) {
  std::string text =
      replaced(correct_kernel(name), R"(a = "f32", b = "f32", c = "f32", accumulate = "f32")",
               R"(a = "f16", b = "f16", c = "f16", accumulate = "f16")");
  text = replaced(text, "__global__", "#include <cuda_fp16.h>\n__global__");
  text = replaced(text, "const float* a, const float* b, float* c",
                  "const __half* a, const __half* b, __half* c");
  text = replaced(text, "float sum = 0.0f", sum + " sum = 0.0f");
  return replaced(text, "sum += a[row * k + i] * b[i * n + column]",
                  "sum = float(sum) + float(a[row * k + i]) * float(b[i * n + column])");
}

class Diff : public testing::Test {
 protected:
  [[nodiscard]] Result diff(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"diff", "--device", "virtual", "--json", "report.json"});
    return scratch_.run(arguments);
  }

  [[nodiscard]] json event() const {
    return json::parse(without_start(scratch_.read("report.json")));
  }

  Scratch scratch_;
};

TEST_F(Diff, LostPrecisionIsFoundThoughBothPass) {
  const std::string old_file = scratch_.write("old.cu", product_of_halves("product", "float"));
  const std::string new_file = scratch_.write("new.cu", product_of_halves("product", "__half"));
  const Result result = diff({old_file, new_file, "--cases", "40"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("new is markedly less accurate, but both pass\n"));
  const json found = event();
  EXPECT_EQ(found["old"]["verdict"], "pass");
  EXPECT_EQ(found["new"]["verdict"], "pass");
  EXPECT_EQ(found["drift"], true);
  EXPECT_GT(found["error_ratio"], 1.5);
  EXPECT_LE(found["new"]["largest_error"], 1.0);
  EXPECT_GT(found["differing"], 0);
  EXPECT_EQ(event_errors(scratch_, "report.json"), "");
  // A single product is rounded once by either.
  const campaign::Case smallest =
      campaign::parse_case(found["smallest"]["case"].get<std::string>());
  EXPECT_EQ(smallest.whole("m"), 1);
  EXPECT_EQ(smallest.whole("n"), 1);
  EXPECT_GE(smallest.whole("k"), 2);
  EXPECT_LE(smallest.whole("k"), 4);
  EXPECT_GE(found["smallest"]["ulps"], 1.0);
}

TEST_F(Diff, TheOtherWayRoundIsNoFailure) {
  const std::string old_file = scratch_.write("old.cu", product_of_halves("product", "__half"));
  const std::string new_file = scratch_.write("new.cu", product_of_halves("product", "float"));
  const Result result = diff({old_file, new_file, "--cases", "40"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_EQ(event()["drift"], false);
  EXPECT_GT(event()["differing"], 0);
  EXPECT_EQ(diff({old_file, new_file, "--cases", "40", "--bits"}).status, 1);
}

TEST_F(Diff, WhatOnlyTheNewOneGetsWrongIsAFindingWithItsLine) {
  const std::string old_file = scratch_.write("old.cu", correct_kernel("mine"));
  const std::string new_file = scratch_.write("new.cu", kernel_without_bounds_check("theirs"));
  const Result result = diff({old_file, new_file, "--cases", "20"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(result.out, AllOf(HasSubstr("error[out-of-bounds]: "),
                                HasSubstr("replay --device virtual --in new.cu 'theirs m=1 n=1")));
  const json found = event();
  EXPECT_EQ(found["old"]["verdict"], "pass");
  EXPECT_EQ(found["new"]["findings"][0]["class"], "out-of-bounds");
  EXPECT_EQ(found["drift"], false);
  EXPECT_EQ(diff({new_file, old_file, "--cases", "20"}).status, 0);
}

TEST_F(Diff, CasesAreInBothDomains) {
  const std::string threes = replaced(correct_kernel("threes"),
                                      "block =", "requires = [\"k % 3 == 0\", \"k > 0\"]\nblock =");
  const std::string fives =
      replaced(correct_kernel("fives"),
               "block =", "requires = [\"k % 5 == 0\", \"m > 0 and n > 0\"]\nblock =");
  const Result result = diff({scratch_.write("threes.cu", threes),
                              scratch_.write("fives.cu", fives), "--cases", "15", "-v"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  std::istringstream lines(result.out);
  int cases = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("threes m=") && !line.starts_with("fives m=")) continue;
    ++cases;
    EXPECT_EQ(campaign::parse_case(line).whole("k") % 15, 0) << line;
    EXPECT_GT(campaign::parse_case(line).whole("k"), 0) << line;
  }
  EXPECT_EQ(cases, 30);
}

TEST_F(Diff, LimitsApplyToTheCases) {
  const Result result =
      diff({"sgemm_tiled16", "sgemm_tiled32", "--cases", "20", "--limit", "work=64", "-v"});
  std::istringstream lines(result.out);
  std::size_t cases = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("sgemm_tiled16 m=")) continue;
    const campaign::Case problem = campaign::parse_case(line);
    EXPECT_LE(problem.whole("m") * problem.whole("n") * problem.whole("k"), 64) << line;
    ++cases;
  }
  EXPECT_GE(cases, 20U) << result.error;
}

TEST_F(Diff, DifferentTypesAreComparedByValue) {
  const std::string halves = scratch_.write("halves.cu", product_of_halves("halves", "float"));
  const std::string floats = scratch_.write("floats.cu", correct_kernel("floats"));
  const Result result = diff({floats, halves, "--cases", "20"});
  EXPECT_NE(result.status, 2) << result.out << result.error;
  EXPECT_THAT(result.out, AllOf(HasSubstr("A is f32 in floats and f16 in halves: its elements are "
                                          "values of f16\n"),
                                HasSubstr("of D the values are compared, not the bits\n")));
  // The operands are f16 values: both are correct, and one rounds D to f16.
  EXPECT_EQ(event()["old"]["verdict"], "pass");
  EXPECT_EQ(event()["new"]["verdict"], "pass");
  EXPECT_GT(event()["differing"], 0);
}

TEST_F(Diff, ComparingRevisionsDoesNotChangeTheCheckout) {
  const GitRepository repository(scratch_, ".");
  repository.write("terms.h", "#define TERMS(k) (k)\n");
  repository.write("mine.cu", replaced(replaced(correct_kernel("mine"), "i < k;", "i < TERMS(k);"),
                                       "__global__", "#include \"terms.h\"\n__global__"));
  repository.commit("right");
  repository.write("terms.h", "#define TERMS(k) (k - 1)\n");
  repository.commit("wrong in what it includes");
  repository.write("terms.h", "#define TERMS(k) (k + 0)\n");
  const auto state = [&] {
    return repository.git({"status", "--porcelain"}) + repository.git({"worktree", "list"});
  };
  const std::string before = state();
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--rev", "HEAD~1", "--rev", "HEAD", "mine.cu", "--cases", "20"},
        {"HEAD~1:mine.cu", "HEAD:./mine.cu:mine", "--cases", "20"}}) {
    const Result result = diff(arguments);
    EXPECT_EQ(result.status, 1) << result.out << result.error;
    EXPECT_THAT(result.out,
                AllOf(HasSubstr("error[wrong-result]: "), HasSubstr("--> HEAD:mine.cu:")));
  }
  const Result working = diff({"--rev", "HEAD~1", "mine.cu", "--bits"});
  EXPECT_EQ(working.status, 0) << working.out << working.error;
  EXPECT_EQ(state(), before);
  const Result absent = diff({"HEAD:other.cu", "mine.cu"});
  EXPECT_EQ(absent.status, 2);
  EXPECT_THAT(absent.error, HasSubstr("HEAD has no other.cu"));
}

TEST_F(Diff, KernelEqualsItself) {
  const std::string file = scratch_.write("right.cu", correct_kernel("right"));
  const Result result = diff({file, file + ":right", "--bits", "--cases", "20"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("\nold: " + file + " right\nnew: " + file + ":right\n"))
      << "each variant is named once";
  EXPECT_THAT(result.out, HasSubstr("D is the same, bit for bit, on all "));
  const json found = event();
  EXPECT_EQ(found["differing"], 0);
  EXPECT_EQ(found["drift"], false);
  EXPECT_EQ(found["old"]["cost"], found["new"]["cost"]);
  EXPECT_GT(found["old"]["cost"]["global_sectors"], 0);
}

}  // namespace
}  // namespace warpcheck::tool
