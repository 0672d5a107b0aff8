// Invalid input of a user causes a located error and the right exit status, never a crash.
// These tests also run under AddressSanitizer and UndefinedBehaviorSanitizer.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "base/diagnostic.hpp"
#include "contract/compile/nvcc.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// Expects exit status 2 and an error text that matches.
template <typename Matcher>
void expect_input_error(const Result& result, Matcher matcher) {
  EXPECT_EQ(result.status, 2) << result.out << result.error;
  EXPECT_THAT(result.error, matcher);
}

TEST(Input, EmptyFileHasNoContract) {
  const Scratch scratch;
  expect_input_error(scratch.run({"check", scratch.write("empty.cu", "")}), HasSubstr("empty.cu"));
}

TEST(Input, BinaryFileHasNoContract) {
  const Scratch scratch;
  std::string bytes;
  for (int i = 0; i < 4096; ++i) bytes += static_cast<char>(i * 7919 >> 3);
  expect_input_error(scratch.run({"check", scratch.write("binary.cu", bytes)}),
                     HasSubstr("binary.cu"));
}

TEST(Input, BinaryContractIsLocated) {
  const Scratch scratch;
  scratch.write("x.cu", correct_kernel("x"));
  expect_input_error(
      scratch.run({"check", scratch.write("y.cu", "/* warpcheck\n\xff\xfe\x01 = [\n*/\n")}),
      StartsWith("y.cu:"));
}

TEST(Input, ContractThatNeverEndsIsAnError) {
  const Scratch scratch;
  expect_input_error(
      scratch.run({"check", scratch.write("x.cu", "/* warpcheck\n[[variant]]\nname = \"x\"\n")}),
      HasSubstr("x.cu"));
}

TEST(Input, NegativeBlockIsLocatedInTheContract) {
  const Scratch scratch;
  const std::string text = replaced(correct_kernel("x"), "block = [8, 8]", "block = [8, -8]");
  const Result result = scratch.run({"check", scratch.write("x.cu", text), "--device", "virtual"});
  expect_input_error(result, AllOf(StartsWith("x.cu:9:"), HasSubstr("-8")));
}

TEST(Input, UnknownKeyAndArgumentAreReportedTogether) {
  const Scratch scratch;
  const std::string text =
      replaced(replaced(correct_kernel("x"), "grid =", "gird ="), "\"k\"]", "\"kk\"]");
  expect_input_error(
      scratch.run({"check", scratch.write("x.cu", text)}),
      AllOf(HasSubstr("x.cu:8:"), HasSubstr("'kk'"), HasSubstr("x.cu:10:"), HasSubstr("'gird'")));
}

TEST(Input, KernelThatIsNotInTheSourceIsAnError) {
  const Scratch scratch;
  const std::string text = replaced(correct_kernel("x"), "\"multiply\"", "\"divide\"");
  expect_input_error(scratch.run({"check", scratch.write("x.cu", text)}), HasSubstr("divide"));
}

TEST(Input, ErrorsOfNvccAreShownUnchanged) {
  const Scratch scratch;
  const std::string text = replaced(correct_kernel("x"), "float sum", "flaot sum");
  expect_input_error(scratch.run({"check", scratch.write("x.cu", text)}),
                     AllOf(HasSubstr("x.cu(16): error"), HasSubstr("flaot")));
}

TEST(Input, SyntaxErrorInThePtxIsLocated) {
  const Scratch scratch;
  // nvcc copies inline assembly without parsing it.
  const std::string text =
      replaced(correct_kernel("x"), "float sum", "asm volatile(\"mov.u32 {;\");\n  float sum");
  expect_input_error(scratch.run({"check", scratch.write("x.cu", text), "--device", "virtual"}),
                     AllOf(HasSubstr(".ptx:"), HasSubstr("mov.u32 {;")));
}

TEST(Input, DomainWithoutCasesIsAnError) {
  const Scratch scratch;
  const std::string text =
      replaced(correct_kernel("x"), "block =", "requires = [\"m > n\", \"n > m\"]\nblock =");
  expect_input_error(scratch.run({"check", scratch.write("x.cu", text), "--device", "virtual"}),
                     HasSubstr("m > n"));
}

TEST(Input, FolderWithoutVariantsIsAnError) {
  const Scratch scratch;
  scratch.write("folder/readme.txt", "nothing here");
  expect_input_error(scratch.run({"check", "folder"}), HasSubstr("folder"));
}

TEST(Input, TwoVariantsOfOneNameAreAnError) {
  const Scratch scratch;
  const std::string one = scratch.write("one.cu", correct_kernel("x"));
  const std::string two = scratch.write("two.cu", correct_kernel("x"));
  expect_input_error(scratch.run({"check", one, two}),
                     AllOf(HasSubstr("one.cu"), HasSubstr("two.cu")));
}

TEST(Input, TargetThatDoesNotExistIsAnError) {
  const Scratch scratch;
  expect_input_error(scratch.run({"check", "missing.cu"}), StartsWith("missing.cu: error: "));
  expect_input_error(scratch.run({"check", "sgemm_niave"}), HasSubstr("sgemm_naive"));
  expect_input_error(scratch.run({"check", "cgemm_*"}), HasSubstr("cgemm_*"));
  expect_input_error(scratch.run({"check", std::string(10'000, 'x')}), HasSubstr("error: "));
}

TEST(Input, UnknownFieldOfACaseLineIsLocatedWithACaret) {
  const Scratch scratch;
  expect_input_error(scratch.run({"replay", "sgemm_naive m=3 q=4"}),
                     AllOf(StartsWith("case:1:17: error: "), HasSubstr("'q'"),
                           HasSubstr("\n  sgemm_naive m=3 q=4\n                  ^\n")));
}

TEST(Input, InvalidCaseLinesAreErrors) {
  const Scratch scratch;
  for (const std::string line :
       {"", " ", "=", "sgemm_naive m", "sgemm_naive m=", "sgemm_naive m=x", "sgemm_naive m=-1",
        "sgemm_naive m=1 m=2", "sgemm_naive m=99999999999999999999", "sgemm_naive data=mush",
        "sgemm_naive alpha=zero", "sgemm_naive seed=-1", "\xff\xfe", "sgemm_naive m=1\nn=2"}) {
    expect_input_error(scratch.run({"replay", line}), StartsWith("case:1"));
  }
}

TEST(Input, EveryWrongLineOfACaseFileIsLocated) {
  const Scratch scratch;
  const std::string file = scratch.write(
      "cases.txt", "# found yesterday\nsgemm_naive m=1\n\nsgemm_naive q=1\nsgemm_naive m=x\n");
  expect_input_error(scratch.run({"replay", file}),
                     AllOf(HasSubstr("cases.txt:4:"), HasSubstr("cases.txt:5:")));
  expect_input_error(scratch.run({"replay", scratch.write("none.txt", "# nothing\n")}),
                     HasSubstr("none.txt"));
}

TEST(Input, TooLargeSizeIsRejectedBeforeAllocation) {
  const Scratch scratch;
  for (const std::string sizes : {"m=1000000 n=1000000 k=1000000", "m=9223372036854775807",
                                  "m=4294967296 n=4294967296 k=4294967296"}) {
    expect_input_error(scratch.run({"replay", "sgemm_naive " + sizes, "--device", "virtual"}),
                       AllOf(HasSubstr("m="), HasSubstr(" bytes")));
  }
}

TEST(Input, LeadingDimensionBelowTheRowIsAnError) {
  const Scratch scratch;
  expect_input_error(
      scratch.run({"replay", "sgemm_tiled16 m=2 n=2 k=8 lda=4", "--device", "virtual"}),
      AllOf(HasSubstr("lda"), HasSubstr("4"), HasSubstr("8")));
}

TEST(Input, FieldThatNoArgumentTakesIsAnError) {
  const Scratch scratch;
  expect_input_error(
      scratch.run({"replay", "sgemm_naive m=3 ta=t", "--device", "virtual"}),
      AllOf(StartsWith("case:1:17: error: ta is given, but no argument of sgemm_naive takes it"),
            HasSubstr("\n  sgemm_naive m=3 ta=t\n                  ^\n")));
  const std::string file = scratch.write("cases.txt", "sgemm_naive m=1\nsgemm_naive batch=2 m=1\n");
  expect_input_error(scratch.run({"replay", file, "--device", "virtual"}),
                     StartsWith("cases.txt:2:13: error: batch is given"));
}

TEST(Input, ErrorOfAnUnknownVariantNamesTheInOption) {
  const Scratch scratch;
  expect_input_error(scratch.run({"replay", "my_kernel m=1"}),
                     AllOf(HasSubstr("my_kernel"), HasSubstr("--in")));
  const std::string file = scratch.write("x.cu", correct_kernel("x"));
  expect_input_error(scratch.run({"replay", "--in", file, "my_kernel m=1"}),
                     AllOf(HasSubstr("x.cu"), HasSubstr("my_kernel")));
}

TEST(Input, UnknownPropertyIsNamed) {
  const Scratch scratch;
  expect_input_error(
      scratch.run({"check", "sgemm_naive", "--property", "is-fast", "--device", "virtual"}),
      HasSubstr("is-fast"));
}

TEST(Input, UnwritableReportIsAnErrorBeforeAnythingRuns) {
  const Scratch scratch;
  const Result result =
      scratch.run({"check", "sgemm_naive", "--json", "no/such/folder/x", "--device", "virtual"});
  expect_input_error(result, StartsWith("no/such/folder/x: error: "));
  EXPECT_EQ(result.out, "");
}

TEST(Environment, CudaWithoutADriverExitsWithStatus3) {
  const Scratch scratch;
  const Result result = scratch.run({"check", "sgemm_naive", "--device", "cuda"},
                                    {"WARPCHECK_LIBCUDA=/no/such/libcuda.so.1"});
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.error, StartsWith("warpcheck: "));
  EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
}

TEST(Environment, MissingNvccExitsWithStatus3AndItsPath) {
  const Scratch scratch;
  const Result result = scratch.run({"check", scratch.write("x.cu", correct_kernel("x"))},
                                    {"WARPCHECK_NVCC=/no/such/nvcc"});
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.error, AllOf(StartsWith("warpcheck: "), HasSubstr("/no/such/nvcc")));
}

TEST(Environment, MissingHostCompilerExitsWithStatus3) {
  const Scratch scratch;
  const std::string file = scratch.write("x.cu", correct_kernel("x"));
  std::string nvcc;
  try {
    nvcc = contract::find_nvcc().string();
  } catch (const EnvironmentError&) {
    GTEST_SKIP() << "no nvcc";
  }
  const Result result =
      scratch.run({"check", file, "--device", "virtual"},
                  {"PATH=/no/such/folder", "WARPCHECK_NVRTC=off", "WARPCHECK_NVCC=" + nvcc});
  EXPECT_EQ(result.status, 3) << result.out << result.error;
  EXPECT_THAT(result.error, StartsWith("warpcheck: no g++, which nvcc needs"));
  EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
}

}  // namespace
}  // namespace warpcheck::tool
