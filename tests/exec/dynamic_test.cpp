// Launches by threads of the device (dynamic parallelism).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/exec/fixture.hpp"

namespace warpcheck::tool {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

const std::string kOptions = "-cudart shared -rdc=true -lcudadevrt";

TEST_F(Exec, GridsOfThreadsRunInTheOrderOfStreams) {
  compile("dynamic/launches", kOptions);
  const Result result = scratch.run({"exec", "--leak-check", "./program"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_EQ(result.out, "correct\n");
  EXPECT_THAT(result.error, HasSubstr(": 0 findings\n"));
}

TEST_F(Exec, GridsOfThreadsWithoutOrderRace) {
  compile("dynamic/launches", kOptions + " -DDEFECT");
  const Result result = scratch.run({"exec", "./program"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.error, HasSubstr("error[race]: "));
  EXPECT_THAT(result.error, HasSubstr(fmt::format("dynamic/launches.cu:{}:",
                                                  line_of_finding("dynamic/launches"))));
}

struct Launch {
  const char* mode;
  const char* output;
  const char* finding;  // one line
  const char* launched_by;
};

// Without their paths, these are the messages and the lines of
// tests/exec/programs/dynamic/races.cu.
const Launch kLaunches[] = {
    {"1", "cudaSuccess 0",
     "error[race]: thread (0, 0, 0) of block (0, 0, 0) of read(int const*, int*) reads 4-byte "
     "element "
     "1 of allocation 1, which thread (1, 0, 0) of block (0, 0, 0) of parent(int*, int*, int) "
     "wrote "
     "at line 14: the launch at line 22 orders only what happens before it in its thread",
     "dynamic/races.cu:22"},
    {"2", "cudaSuccess 0",
     "parent(int*, int*, int) wrote at line 26: the launch at line 25 orders only what happens "
     "before "
     "it in its thread",
     "dynamic/races.cu:25"},
    {"3", "cudaSuccess 2", "no stream orders the grids launched at line 29 and line 30",
     "dynamic/races.cu:30"},
    {"4", "cudaSuccess 0",
     "error[out-of-bounds]: 4-byte store to byte 4194304 of allocation 1, which has 128 bytes",
     "dynamic/races.cu:33"},
    {"5", "cudaSuccess 0",
     "error[invalid-call]: argument 1 of copy_first(int const*, int*) is an address of shared "
     "memory, "
     "which another grid cannot access",
     "dynamic/races.cu:36"},
    {"6", "cudaSuccess 0",
     "error[launch-failure]: the launch of read(int const*, int*): invalid configuration: the "
     "number "
     "of threads of a block is 2048; the architecture allows 1024",
     "dynamic/races.cu:39"},
    {"30", "cudaSuccess 25",
     "error[launch-failure]: the launch of nested(int*, int) has nesting depth 25; the "
     "architecture "
     "allows 24",
     "dynamic/races.cu:54"},
};

TEST_F(Exec, WrongLaunchesOfThreadsAreFoundAtTheirLines) {
  compile("dynamic/races", kOptions);
  for (const char* right : {"0", "24"}) {
    const Result result = scratch.run({"exec", "./program", right});
    EXPECT_EQ(result.status, 0) << right << result.error;
  }
  for (const Launch& launch : kLaunches) {
    const Result result = scratch.run({"exec", "./program", launch.mode});
    EXPECT_EQ(result.status, 1) << launch.mode;
    EXPECT_EQ(result.out, fmt::format("{}\n", launch.output)) << launch.mode;
    EXPECT_THAT(in_one_line(result.error), HasSubstr(launch.finding)) << launch.mode;
    EXPECT_THAT(result.error, HasSubstr(launch.launched_by)) << launch.mode;
    EXPECT_THAT(result.error, AnyOf(HasSubstr("main at "), HasSubstr("more calls"))) << launch.mode;
  }
}

TEST_F(Exec, RaceOfSomeSchedulesInAGridOfAThreadIsFound) {
  compile("dynamic/races", kOptions);
  EXPECT_EQ(scratch.run({"exec", "--seeds", "1", "./program", "8"}).status, 0);
  const Result result = scratch.run({"exec", "--seeds", "8", "./program", "8"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.error, testing::ContainsRegex("\\(in\\s+schedule\\s+[2-8]\\s+of\\s+8\\)"));
  EXPECT_THAT(result.error, HasSubstr("kernel     hand_over(int*, int*), launch 1"));
  EXPECT_THAT(result.error, HasSubstr("launched by thread (0, 0, 0) of block (0, 0, 0) of "
                                      "launch_hand_over(int*, int*) at "));
}

TEST_F(Exec, LaunchesOfThreadsBeyondTheBufferAreANote) {
  compile("dynamic/races", kOptions);
  const Result many = scratch.run({"exec", "./program", "9"});
  EXPECT_THAT(in_one_line(many.error),
              HasSubstr("more than 2048 launches of a grid may be pending, the limit "
                        "cudaLimitDevRuntimePendingLaunchCount"));
  const Result raised = scratch.run({"exec", "./program", "9", "4096"});
  EXPECT_THAT(raised.error, testing::Not(HasSubstr("may be pending")));
}

TEST_F(Exec, CopiesFillsAndEventsOfThreadsAreOrdered) {
  compile("dynamic/copies", kOptions);
  const Result right = scratch.run({"exec", "--leak-check", "./program"});
  EXPECT_EQ(right.status, 0) << right.error;
  EXPECT_EQ(right.out, "correct\n");
  EXPECT_THAT(right.error, HasSubstr(": 0 findings\n"));
  const Result beyond = scratch.run({"exec", "./program", "1"});
  EXPECT_EQ(beyond.status, 1);
  EXPECT_THAT(
      in_one_line(beyond.error),
      HasSubstr("error[out-of-bounds]: 1-byte load from byte 800 of allocation 1, which has "
                "800 bytes"));
  EXPECT_THAT(beyond.error, HasSubstr("dynamic/copies.cu:20\n"));
  const Result race = scratch.run({"exec", "./program", "2"});
  EXPECT_EQ(race.status, 1);
  EXPECT_THAT(in_one_line(race.error),
              HasSubstr("no stream orders the grids launched at line 20 and line 28"));
  EXPECT_THAT(race.error, HasSubstr("dynamic/copies.cu:11:"));
}

TEST_F(Exec, UnsupportedFunctionOfTheDeviceIsNamed) {
  compile("dynamic/races", kOptions);
  const Result result = scratch.run({"exec", "./program", "7"});
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.error,
              HasSubstr("cudaDeviceGetAttribute of the device runtime is not supported"));
}

}  // namespace
}  // namespace warpcheck::tool
