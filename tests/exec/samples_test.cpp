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
  const char* options = "";
  const char* architecture = "sm_80";
  bool has_consequences = false;  // the defect causes other findings too
};

void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.program; }

class Samples : public Exec, public testing::WithParamInterface<Sample> {};

TEST_P(Samples, DefectIsFoundAndNothingElse) {
  const std::string program = GetParam().program;
  compile(program,
          fmt::format("-std=c++17 --extended-lambda -cudart shared {}", GetParam().options),
          GetParam().architecture);
  const Result right = scratch.run({"exec", "--leak-check", "./program"});
  EXPECT_EQ(right.status, 0) << right.error;
  EXPECT_THAT(right.out, HasSubstr("correct\n"));
  EXPECT_THAT(right.error, HasSubstr(": 0 findings"));
  const Result wrong = scratch.run({"exec", "./program", "defect"});
  EXPECT_EQ(wrong.status, 1) << wrong.error;
  EXPECT_THAT(wrong.error, HasSubstr(fmt::format("error[{}]: ", GetParam().defect)));
  EXPECT_THAT(wrong.error,
              HasSubstr(fmt::format("{}:{}", source_of(program), line_of_finding(program))));
  if (GetParam().has_consequences) return;
  EXPECT_THAT(wrong.error, testing::ContainsRegex(": 1 finding[;,\n]")) << wrong.error;
}

std::string name_of(const testing::TestParamInfo<Sample>& test) {
  const std::string program = test.param.program;
  return program.substr(program.rfind('/') + 1);
}

INSTANTIATE_TEST_SUITE_P(Style, Samples,
                         testing::Values(Sample{"samples/callbacks", "race"},
                                         Sample{"samples/hash_table", "uninitialized-read"},
                                         Sample{"samples/lookback", "race"},
                                         Sample{"samples/low_precision", "launch-failure"},
                                         Sample{"samples/mandelbrot", "out-of-bounds"},
                                         Sample{"samples/radix_sort", "race", "", "sm_80", true},
                                         Sample{"samples/transpose", "race"},
                                         Sample{"samples/unified", "race"},
                                         Sample{"samples/virtual_calls", "use-after-free"}),
                         name_of);

// Programs in the style of the documentation of libcu++, CUB, Thrust and cooperative groups.
INSTANTIATE_TEST_SUITE_P(
    Library, Samples,
    testing::Values(Sample{"library/atomic_types", "race"}, Sample{"library/semaphores", "race"},
                    Sample{"library/warp_specialized", "uninitialized-read", "", "sm_80", true},
                    Sample{"library/group_algorithms", "race", "", "sm_80", true},
                    Sample{"library/block_collectives", "race"},
                    Sample{"library/device_algorithms", "out-of-bounds", "", "sm_80", true},
                    Sample{"library/views", "out-of-bounds"}, Sample{"library/pools", "race"},
                    Sample{"library/intrinsics", "uninitialized-read"},
                    Sample{"library/fancy_iterators", "out-of-bounds"},
                    Sample{"library/dependent_launch", "race", "", "sm_90"},
                    Sample{"library/two_captures", "race", "-default-stream per-thread"}),
    name_of);

TEST_F(Exec, EdgeThatIsNoFullDependencyIsUnsupported) {
  compile("library/dependent_launch", "-std=c++17 --extended-lambda -cudart shared", "sm_90");
  const Result result = scratch.run({"exec", "./program", "edge"});
  EXPECT_EQ(result.status, 3) << result.error;
  EXPECT_EQ(result.out, "cudaErrorNotSupported\n");
  EXPECT_THAT(in_one_line(result.error),
              HasSubstr("unsupported: cudaGraphAddDependencies: an edge that is not a full "
                        "dependency"));
}

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
