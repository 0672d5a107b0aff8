// Programs as people write them, in the style of the CUDA samples: right ones are silent, and with
// the argument "defect" the class and the line of their defect are the first finding.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/exec/fixture.hpp"

namespace warpcheck::tool {
namespace {

using testing::HasSubstr;

struct Sample {
  const char* program;
  const char* defect;  // the class
};

void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.program; }

class Samples : public Exec, public testing::WithParamInterface<Sample> {};

TEST_P(Samples, DefectIsFoundAndNothingElse) {
  const std::string program = fmt::format("samples/{}", GetParam().program);
  compile(program, "-std=c++17 --extended-lambda -cudart shared");
  const Result right = scratch.run({"exec", "--leak-check", "./program"});
  EXPECT_EQ(right.status, 0) << right.error;
  EXPECT_THAT(right.out, HasSubstr("correct\n"));
  EXPECT_THAT(right.error, HasSubstr(": 0 findings"));
  const Result wrong = scratch.run({"exec", "./program", "defect"});
  EXPECT_EQ(wrong.status, 1) << wrong.error;
  EXPECT_THAT(wrong.error, HasSubstr(fmt::format("error[{}]: ", GetParam().defect)));
  EXPECT_THAT(wrong.error,
              HasSubstr(fmt::format("  --> {}:{}", source_of(program), line_of_finding(program))));
  // The values of a sort that went wrong are indices, which are wrong then.
  if (program == "samples/radix_sort") return;
  EXPECT_THAT(wrong.error, testing::ContainsRegex(": 1 finding[;,\n]")) << wrong.error;
}

INSTANTIATE_TEST_SUITE_P(
    Style, Samples,
    testing::Values(Sample{"callbacks", "race"}, Sample{"hash_table", "uninitialized-read"},
                    Sample{"lookback", "race"}, Sample{"low_precision", "launch-failure"},
                    Sample{"mandelbrot", "out-of-bounds"}, Sample{"radix_sort", "race"},
                    Sample{"transpose", "race"}, Sample{"unified", "race"},
                    Sample{"virtual_calls", "use-after-free"}),
    [](const auto& test) { return std::string(test.param.program); });

TEST_F(Exec, WaitForTheHostIsUnsupported) {
  compile("samples/mailbox", "-std=c++17 -cudart shared");
  const Result result = scratch.run({"exec", "--time", "5", "./program"});
  EXPECT_EQ(result.status, 3) << result.error;
  EXPECT_THAT(in_one_line(result.error),
              HasSubstr("unsupported: a wait for the host: the kernel waits for a change of memory "
                        "that the host can access"));
}

}  // namespace
}  // namespace warpcheck::tool
