// Limits of what a launch may use, and the condition that stops it. Next to each case beyond a
// limit is one near it that completes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>

#include "tests/base/time_factor.hpp"
#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Counts to `iterations` with about three instructions each.
std::string loop_of(int iterations) {
  return "mov.u32 %r1, 0;\nloop: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, " +
         std::to_string(iterations) + ";\n@%p1 bra loop;\nst.global.u32 [%own], %r1;";
}

TEST(Limits, BudgetIsThatOfAllWarpsOfABlock) {
  // Each of 32 warps executes about 3000 instructions.
  const Conditions beyond{.block = {1024, 1, 1}, .budget = 48'000};
  EXPECT_THAT(run(loop_of(1000), {}, beyond).finding(),
              StartsWith("timeout: the launch was still running after 48000 warp instructions"));
  EXPECT_EQ(run(loop_of(1000), {}, {.block = {1024, 1, 1}, .budget = 120'000}).finding(), "");
}

/// The same loop in several blocks, which share the output.
constexpr std::string_view kCount =
    "mov.u32 %r1, 0;\nloop: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 1000;\n@%p1 bra loop;";

TEST(Limits, BudgetIsThatOfAllBlocks) {
  // The budget of a grid has 512 instructions more for each warp. Each block needs about 3000.
  const auto result = [](unsigned blocks, unsigned host_threads) {
    return run(kCount, {},
               {.grid = {blocks, 1, 1}, .budget = 20'000, .host_threads = host_threads});
  };
  EXPECT_EQ(result(4, 1).finding(), "");
  const Result timeout = result(100, 1);
  EXPECT_THAT(timeout.finding(),
              StartsWith("timeout: the launch was still running after 71200 warp"));
  EXPECT_EQ(timeout.outcome.findings.at(0).option, UserOption::instructions);
  EXPECT_EQ(result(100, 4).finding(), timeout.finding());
}

TEST(Limits, OptionReplacesTheBudgetOfTheJob) {
  Conditions conditions{.budget = 100};
  conditions.limits.instructions = 100'000;
  EXPECT_EQ(run(loop_of(1000), {}, conditions).finding(), "");
}

TEST(Limits, BlocksBeyondTheLimitAreUnsupported) {
  Conditions conditions{.grid = {64, 2, 1}};
  conditions.limits.blocks = 128;
  EXPECT_EQ(run("mov.u32 %r1, %me;", {}, conditions).finding(), "");
  conditions.limits.blocks = 127;
  const Result result = run("mov.u32 %r1, %me;", {}, conditions);
  EXPECT_THAT(result.finding(), StartsWith("unsupported 128 blocks: "));
  EXPECT_EQ(result.outcome.unsupported.value().option, UserOption::blocks);
}

TEST(Limits, LocalMemoryBeyondThatOfTheHostIsUnsupported) {
  const std::string body =
      ".local .align 8 .b8 big[400000];\nmov.u32 %r1, big; st.local.u32 [%r1], 1;";
  Conditions conditions{.block = {64, 1, 1}};
  EXPECT_EQ(run(body, {}, conditions).finding(), "");
  conditions.limits.memory_bytes = 32 << 20;
  EXPECT_EQ(run(body, {}, conditions).outcome.unsupported.value().option, UserOption::memory);
}

constexpr std::string_view kRecursion = R"(
.func (.param .b32 result) down(.param .b32 n) {
  .reg .b32 %r<4>; .reg .pred %p<2>;
  ld.param.u32 %r1, [n];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra end;
  sub.u32 %r1, %r1, 1;
  { .param .b32 x; .param .b32 y;
    st.param.b32 [x], %r1;
    call.uni (y), down, (x);
    ld.param.b32 %r1, [y]; }
  end:
  st.param.b32 [result], %r1;
  ret;
}
)";

std::string call_down(int depth) {
  return "{ .param .b32 x; .param .b32 y; st.param.b32 [x], " + std::to_string(depth) +
         "; call.uni (y), down, (x); }";
}

TEST(Limits, CallsNestUpToTheStackOfAThread) {
  EXPECT_EQ(run(call_down(10'000), {}, {}, kRecursion).finding(), "");
  EXPECT_THAT(run(call_down(100'000), {}, {}, kRecursion).finding(),
              StartsWith("launch-failure: the calls nest so deep that they exceed the 512 KiB"));
}

TEST(Limits, CallsBeyondTheMemoryOfTheHostAreUnsupported) {
  Conditions conditions;
  conditions.limits.memory_bytes = 1 << 20;
  EXPECT_THAT(run(call_down(10'000), {}, conditions, kRecursion).finding(),
              StartsWith("unsupported calls of this depth: "));
}

TEST(Limits, AllocaInALoopExceedsTheStack) {
  const auto body = [](int iterations) {
    return "mov.u32 %r1, 0;\nloop: alloca.u64 %d1, 1000;\nadd.u32 %r1, %r1, 1; "
           "setp.lt.u32 %p1, %r1, " +
           std::to_string(iterations) + ";\n@%p1 bra loop;";
  };
  EXPECT_EQ(run(body(400), {}, {.block = {2, 1, 1}}).finding(), "");
  EXPECT_THAT(run(body(600), {}, {.block = {2, 1, 1}}).finding(),
              StartsWith("launch-failure: alloca of 1000 bytes"));
}

TEST(Limits, AllocaCountsWithLocalArraysAndCallers) {
  constexpr std::string_view kCallee = R"(
.func inner(.param .b64 n) {
  .reg .b64 %d<3>;
  ld.param.u64 %d1, [n];
  alloca.u64 %d2, %d1;
  ret;
}
)";
  const auto body = [](int local, int outer, int inner) {
    return ".local .align 8 .b8 big[" + std::to_string(local) +
           "];\nmov.u32 %r1, big; st.local.u32 [%r1], 1;\nalloca.u64 %d1, " +
           std::to_string(outer) + ";\n{ .param .b64 x; st.param.b64 [x], " +
           std::to_string(inner) + "; call.uni inner, (x); }";
  };
  const auto found = [&](int local, int outer, int inner) {
    return run(body(local, outer, inner), {}, {.block = {2, 1, 1}}, kCallee).finding();
  };
  EXPECT_EQ(found(200'000, 200'000, 100'000), "");
  EXPECT_THAT(found(400'000, 200'000, 8),
              StartsWith("launch-failure: alloca of 200000 bytes; the thread's calls, local arrays "
                         "and earlier alloca take 400008 of at most 524288 bytes of stack"));
  EXPECT_THAT(found(200'000, 200'000, 200'000),
              StartsWith("launch-failure: alloca of 200000 bytes; "));
  EXPECT_THAT(found(8, 524'264, 8), StartsWith("launch-failure: the calls nest so deep"));
}

constexpr std::string_view kPrintf =
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
    ".global .align 1 .b8 text[12] = {108, 105, 110, 101, 32, 97, 98, 99, 100, 101, 10, 0};\n";

std::string print_times(int iterations) {
  return "mov.u32 %r1, 0;\nloop:\n{ .param .b64 a; .param .b64 b; .param .b32 c;\n"
         "mov.u64 %d1, text; cvta.global.u64 %d1, %d1; st.param.b64 [a], %d1;"
         "mov.u64 %d2, 0; st.param.b64 [b], %d2; call.uni (c), vprintf, (a, b); }\n"
         "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, " +
         std::to_string(iterations) + ";\n@%p1 bra loop;";
}

TEST(Limits, PrintedBytesBeyondTheLimitAreCounted) {
  // 11 bytes for each of 2 threads, 10 times in each of 2 blocks.
  Conditions conditions{.grid = {2, 1, 1}, .block = {2, 1, 1}};
  conditions.limits.printed_bytes = 440;
  EXPECT_EQ(run(print_times(10), {}, conditions, kPrintf).outcome.printed.size(), 440U);
  conditions.limits.printed_bytes = 400;
  const std::string printed = run(print_times(10), {}, conditions, kPrintf).outcome.printed;
  EXPECT_THAT(printed, StartsWith("line abcde\nline abcde\n"));
  EXPECT_THAT(printed, HasSubstr("and 40 more bytes: 400 bytes of a launch are kept"));
}

TEST(Limits, EndlessOutputIsATimeout) {
  const Result result = run(print_times(1 << 30), {}, {.budget = 1'000'000}, kPrintf);
  EXPECT_THAT(result.finding(), StartsWith("timeout: "));
  EXPECT_LT(result.outcome.printed.size(), std::size_t{2} << 20);
}

TEST(Stop, RequestEndsALaunchWithoutAFinding) {
  const std::atomic<bool> requested = true;
  const Result result = run(loop_of(1 << 30), {}, {.stop = {{}, &requested}});
  EXPECT_TRUE(result.outcome.stopped);
  EXPECT_TRUE(result.outcome.findings.empty());
}

TEST(Stop, DeadlineEndsALaunch) {
  const auto begin = std::chrono::steady_clock::now();
  const Result result = run(loop_of(1 << 30), {},
                            {.budget = std::uint64_t{1} << 40,
                             .stop = {begin + std::chrono::milliseconds(100), nullptr}});
  EXPECT_TRUE(result.outcome.stopped);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, kTimeFactor * std::chrono::seconds(20));
}

TEST(Stop, LaunchThatEndsInTimeIsNotStopped) {
  const auto later = std::chrono::steady_clock::now() + std::chrono::hours(1);
  const Result result = run(loop_of(10), {}, {.stop = {later, nullptr}});
  EXPECT_FALSE(result.outcome.stopped);
  EXPECT_EQ(result.at<std::uint32_t>(0), 10U);
}

}  // namespace
}  // namespace warpcheck::isa::test
