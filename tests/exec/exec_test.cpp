// Programs under `warpcheck exec`: right ones are silent, and planted defects are found.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contract/compile/nvcc.hpp"
#include "tests/exec/fixture.hpp"
#include "tests/tool/harness/consumers.hpp"

namespace warpcheck::tool {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct Planted {
  const char* program;
  const char* defect;  // the class
  const char* architecture = "sm_80";
};

void PrintTo(const Planted& planted, std::ostream* out) { *out << planted.program; }

class ExecPrograms : public Exec, public testing::WithParamInterface<Planted> {};

TEST_P(ExecPrograms, CorrectProgramIsSilent) {
  compile(GetParam().program, "-cudart shared", GetParam().architecture);
  const Result result = scratch.run({"exec", "--leak-check", "./program"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_EQ(result.out, "correct\n");
  EXPECT_THAT(result.error, HasSubstr(": 0 findings\n"));
  EXPECT_THAT(result.error, Not(HasSubstr("note:")));
}

TEST_P(ExecPrograms, PlantedDefectIsFoundAtItsLine) {
  compile(GetParam().program, "-cudart shared -DDEFECT", GetParam().architecture);
  const Result result = scratch.run({"exec", "./program"});
  EXPECT_EQ(result.status, 1) << result.error;
  EXPECT_THAT(result.error, HasSubstr(fmt::format("error[{}]: ", GetParam().defect)));
  EXPECT_THAT(result.error, HasSubstr(fmt::format("{}.cu:{}", GetParam().program,
                                                  line_of_finding(GetParam().program))));
}

INSTANTIATE_TEST_SUITE_P(
    Planted, ExecPrograms,
    testing::Values(Planted{"vector_add", "out-of-bounds"}, Planted{"reduction", "race"},
                    Planted{"histogram", "race"}, Planted{"races/schedules", "race"},
                    Planted{"streams", "use-after-free"}, Planted{"managed", "api-misuse"},
                    Planted{"cooperative", "race"}, Planted{"image_filter", "uninitialized-read"},
                    Planted{"surfaces", "out-of-bounds"}, Planted{"graphs", "use-after-free"},
                    Planted{"capture/arrays", "use-after-free"},
                    Planted{"capture/array_nodes", "use-after-free"},
                    Planted{"capture/conditional", "out-of-bounds"},
                    Planted{"memory", "out-of-bounds"}, Planted{"monte_carlo", "out-of-bounds"},
                    Planted{"device_heap", "use-after-free"}, Planted{"filter", "out-of-bounds"},
                    Planted{"clusters", "out-of-bounds", "sm_90"},
                    Planted{"clusters/reductions", "race", "sm_90"},
                    Planted{"tensor_maps", "race", "sm_90a"}),
    [](const auto& test) {
      const std::string program = test.param.program;
      return program.substr(program.rfind('/') + 1);
    });

TEST_F(Exec, ConditionThatNothingSetIsAFinding) {
  compile("capture/conditional");
  const Result result = scratch.run({"exec", "./program", "unset"});
  EXPECT_EQ(result.status, 1) << result.error;
  EXPECT_THAT(in_one_line(result.error),
              HasSubstr("error[uninitialized-read]: cudaGraphLaunch: the condition of a node is "
                        "undefined: it has no default, and no kernel called "
                        "cudaGraphSetConditional"));
}

TEST_F(Exec, LoopOfAGraphThatNothingEndsIsUndecided) {
  compile("capture/conditional");
  const Result result = scratch.run({"exec", "./program", "endless"});
  EXPECT_EQ(result.status, 3) << result.error;
  EXPECT_EQ(result.out, "ended\n");
  EXPECT_THAT(in_one_line(result.error),
              HasSubstr("unsupported: cudaGraphLaunch: a conditional node was not executed to its "
                        "end: it executed its graph 1048576 times, the limit"));
}

TEST_F(Exec, OriginOfAnUndefinedValueNamesItsCopyAndAllocation) {
  compile("errors/undefined");
  const Result wrong = scratch.run({"exec", "--track-origins", "./program"});
  EXPECT_EQ(wrong.status, 1);
  const std::string file = source_of("errors/undefined");
  const std::string text = in_one_line(wrong.error);
  EXPECT_THAT(text,
              HasSubstr("error[uninitialized-read]: an undefined value is stored to byte 0 of "
                        "allocation 3"));
  EXPECT_THAT(text,
              HasSubstr("line 8 loads the undefined value from 4-byte element 31 of allocation "
                        "2, to which no thread has stored a value"));
  EXPECT_THAT(wrong.error, HasSubstr("allocation 3 allocated by main at " + file + ":16\n"));
  EXPECT_THAT(wrong.error, HasSubstr("allocation 2 allocated by main at " + file + ":15\n"));
  EXPECT_THAT(wrong.error, HasSubstr("undefined bytes of allocation 1 copied by cudaMemcpy, called "
                                     "by main at " +
                                     file + ":18\n"));
  EXPECT_THAT(wrong.error, HasSubstr("allocation 1 allocated by main at " + file + ":14\n"));
  const Result right = scratch.run({"exec", "--track-origins", "./program", "all"});
  EXPECT_EQ(right.status, 0) << right.error;
  const Result plain = scratch.run({"exec", "./program"});
  EXPECT_EQ(plain.status, 1);
  EXPECT_THAT(plain.error, Not(HasSubstr("copied by")));
}

TEST_F(Exec, RaceOfSomeSchedulesIsFound) {
  compile("races/schedules", "-cudart shared -DDEFECT");
  const Result one = scratch.run({"exec", "--seeds", "1", "./program"});
  EXPECT_EQ(one.status, 0) << one.error;
  const Result four = scratch.run({"exec", "./program"});
  EXPECT_EQ(four.status, 1) << four.error;
  EXPECT_EQ(four.out, "correct\n");  // the memory is that of the first schedule
  EXPECT_THAT(four.error, HasSubstr("error[race]: "));
  EXPECT_THAT(four.error, testing::ContainsRegex("\\(in\\s+schedule\\s+[234]\\s+of\\s+4\\)"));
  EXPECT_THAT(four.error,
              HasSubstr(fmt::format("schedules.cu:{}", line_of_finding("races/schedules"))));
  const auto findings = [](const std::string& error) {
    return error.substr(0, error.find("\nexec: "));  // the last line has the time
  };
  EXPECT_EQ(findings(scratch.run({"exec", "./program"}).error), findings(four.error));
}

// nvcc needs 15 s for these libraries. No other test runs kernels that their authors did not write
// for warpcheck.
TEST_F(Exec, ThrustAndCubAreSilentUnlikeAFunctor) {
  compile("thrust_and_cub");
  const Result result = scratch.run({"exec", "--leak-check", "./program"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_EQ(result.out, "correct\n");
  EXPECT_THAT(result.error, HasSubstr(": 0 findings, 1 note\n"));
  // thrust::unique in place orders its blocks by relaxed accesses.
  const Result strict = scratch.run({"exec", "--strict-races", "./program"});
  EXPECT_EQ(strict.status, 1);
  EXPECT_THAT(strict.error, HasSubstr("error[race]: "));
  const Result wrong = scratch.run({"exec", "./program", "defect"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.error,
              HasSubstr(fmt::format("thrust_and_cub.cu:{}", line_of_finding("thrust_and_cub"))));
}

TEST_F(Exec, IllegalTensorMapIsRefusedWithItsReason) {
  compile("tensor_maps", "-cudart shared", "sm_90a");
  const Result result = scratch.run({"exec", "./program", "misaligned"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("refused: 1\n"));
  EXPECT_THAT(result.error, testing::ContainsRegex(
                                "error\\[api-misuse\\]: cuTensorMapEncodeTiled: globalAddress is "
                                "[0-9]+: expected a multiple of\\s+16 bytes"));
}

TEST_F(Exec, EndlessKernelIsATimeoutOrStopsInTime) {
  compile("endless");
  const Result result = scratch.run({"exec", "--time-per-launch", "1", "./program"});
  EXPECT_NE(result.status, 0);
  EXPECT_THAT(result.error,
              testing::AnyOf(HasSubstr("error[timeout]"), HasSubstr("error[deadlock]"),
                             HasSubstr("it did not end within 1 s")));
  EXPECT_EQ(result.out, "cudaErrorLaunchFailure\n");
}

TEST_F(Exec, StackOfTheHostNamesTheLaunchAndTheAllocation) {
  compile("vector_add", "-cudart shared -DDEFECT");
  const Result result =
      scratch.run({"exec", "--error-exitcode", "42", "--json", "events", "./program"});
  EXPECT_EQ(result.status, 42);
  EXPECT_THAT(result.error,
              HasSubstr("kernel     add(float const*, float const*, float*, int), launch 1"));
  EXPECT_THAT(result.error, testing::ContainsRegex("launched by main at .*vector_add.cu:25"));
  EXPECT_THAT(result.error, testing::ContainsRegex("allocated by main at .*vector_add.cu:22"));
  EXPECT_THAT(scratch.read("events"), HasSubstr("\"event\":\"exec_finding\""));
  EXPECT_EQ(event_errors(scratch, "events"), "");
}

TEST_F(Exec, UnsupportedFunctionIsReportedAndLeaksAreFound) {
  compile("unfreed");
  const Result plain = scratch.run({"exec", "./program"});
  EXPECT_EQ(plain.status, 3);
  EXPECT_EQ(plain.out, "cudaErrorNotSupported\n");
  EXPECT_THAT(plain.error, HasSubstr("unsupported: cudaImportExternalMemory"));
  const Result leaks = scratch.run({"exec", "--leak-check", "./program"});
  EXPECT_EQ(leaks.status, 1);
  EXPECT_THAT(leaks.error,
              HasSubstr("error[leak]: 3072 bytes of device memory in 3 allocations are not freed"));
  EXPECT_THAT(leaks.error, HasSubstr(fmt::format("unfreed.cu:{}", line_of_finding("unfreed"))));
}

TEST_F(Exec, LibraryOfMachineCodeIsUnsupportedByTheCalledFunction) {
  if (!can_compile("machine_code", "-cudart shared -lcufft")) GTEST_SKIP() << "there is no cuFFT";
  const Result result = scratch.run({"exec", "./program"});
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.error,
              testing::ContainsRegex("unsupported: cufftPlan1d of libcufft.so.[0-9]+: the library "
                                     "contains machine code"));
  EXPECT_THAT(result.error,
              testing::ContainsRegex("cufftPlan1d of libcufft.so.[0-9]+: [0-9]+ call"));
}

TEST_F(Exec, LibraryWithoutPtxIsNamed) {
  if (!can_compile("machine_code", "-cudart shared -DWITH_NCCL -lnccl")) {
    GTEST_SKIP() << "there is no NCCL";
  }
  const Result result = scratch.run({"exec", "./program"});
  EXPECT_NE(result.status, 0);
  EXPECT_THAT(result.error, testing::ContainsRegex("ncclCommInitRank of libnccl.so.[0-9]+: the "
                                                   "library contains machine code"));
}

TEST_F(Exec, LaunchesCanBeSkipped) {
  compile("vector_add", "-cudart shared -DDEFECT");
  const Result other = scratch.run({"exec", "--kernel", "sub*", "./program"});
  EXPECT_EQ(other.status, 7);  // the program's own: its result is wrong without the kernel
  EXPECT_THAT(other.error, HasSubstr("exec: 0 runs of kernels"));
  EXPECT_THAT(other.error, HasSubstr("1 skipped run"));
  EXPECT_THAT(other.error, HasSubstr("exec: not executed: 1 of 1 launches of add("));
  EXPECT_EQ(scratch.run({"exec", "--kernel", "add", "./program"}).status, 1);
  EXPECT_EQ(scratch.run({"exec", "--launch-skip", "1", "./program"}).status, 7);
}

/// A program without the launches may exit with 0, and kernels read what the others would write.
TEST_F(Exec, SelectedLaunchesAreJudgedAlone) {
  compile("two_steps");
  EXPECT_EQ(scratch.run({"exec", "./program"}).status, 0);
  const Result second = scratch.run({"exec", "--kernel", "second", "./program"});
  EXPECT_EQ(second.status, 0) << second.error;
  EXPECT_THAT(second.error, HasSubstr("exec: not executed: 1 of 1 launches of first(int*)\n"));
  const Result none = scratch.run({"exec", "--kernel", "third", "./program"});
  EXPECT_EQ(none.status, 3);
  EXPECT_THAT(none.error, HasSubstr("select no launch"));
}

TEST_F(Exec, LaunchesOverTheBudgetOfAKernelAreNoPass) {
  compile("repeated");
  const Result all = scratch.run({"exec", "./program"});
  EXPECT_EQ(all.status, 0) << all.error;
  EXPECT_EQ(all.out, "6\n");
  const Result some = scratch.run({"exec", "--launches-per-kernel", "2", "./program"});
  EXPECT_EQ(some.status, 3);
  EXPECT_EQ(some.out, "3\n");  // the other grid has a launch, too
  EXPECT_THAT(some.error, HasSubstr("exec: not executed: 3 of 6 launches of count(int*, int)\n"));
  EXPECT_THAT(some.error, HasSubstr("exec: 3 runs of kernels"));
  EXPECT_EQ(scratch.run({"exec", "--launches-per-kernel", "5", "./program"}).status, 0);
}

TEST_F(Exec, FindingBeforeSkippedLaunchesIsAFinding) {
  compile("repeated", "-cudart shared -DDEFECT");
  const Result result = scratch.run({"exec", "--launches-per-kernel", "1", "./program"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.error, HasSubstr("error[out-of-bounds]"));
}

TEST_F(Exec, ProgramKeepsItsArgumentsAndStatus) {
  scratch.write("script", "#!/bin/sh\necho \"$@\"\nexit 5\n");
  ASSERT_EQ(scratch.shell("chmod +x script").status, 0);
  const Result result = scratch.run({"exec", "./script", "--seed", "-h", "word"});
  EXPECT_EQ(result.out, "--seed -h word\n");
  EXPECT_EQ(result.status, 5);
  EXPECT_EQ(scratch.run({"exec", "--seed", "3", "--", "./script", "--json"}).out, "--json\n");
}

TEST_F(Exec, ProgramWithoutCudaIsNoPass) {
  const Result result = scratch.run({"exec", "true"});
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.error, HasSubstr("nothing was checked"));
}

TEST_F(Exec, FindingsOfAProgramThatCrashesArePrinted) {
  compile("vector_add", "-cudart shared -DDEFECT");
  const Result result = scratch.run({"exec", "sh", "-c", "./program; kill -SEGV $$"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.error, HasSubstr("error[out-of-bounds]: "));
  EXPECT_THAT(result.error, HasSubstr("ended by signal 11"));
}

}  // namespace
}  // namespace warpcheck::tool
