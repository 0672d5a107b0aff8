// Branches: divergence and reconvergence of lanes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kStore = " st.global.u32 [%own], %r1;";

TEST(Control, LanesReconvergeAfterAnIf) {
  const Result result =
      run("setp.lt.u32 %p1, %me, 10; @%p1 bra small;\n mov.u32 %r1, 2; bra.uni met;\n"
          "small: mov.u32 %r1, 1;\n met: activemask.b32 %r2; st.global.v2.u32 [%own], {%r1, %r2};");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(2 * 9), 1U);
  EXPECT_EQ(result.at<std::uint32_t>(2 * 10), 2U);
  EXPECT_EQ(result.at<std::uint32_t>(1), 0xffffffffU);
  EXPECT_EQ(result.at<std::uint32_t>(2 * 31 + 1), 0xffffffffU);
}

TEST(Control, NestedIfsReconvergeInsideOut) {
  const Result result =
      run("mov.u32 %r1, 0; setp.ge.u32 %p1, %me, 16; @%p1 bra outer;\n"
          "setp.ge.u32 %p2, %me, 8; @%p2 bra inner;\n add.u32 %r1, %r1, 1;\n"
          "inner: activemask.b32 %r2; add.u32 %r1, %r1, 10;\n"
          "outer: activemask.b32 %r3; add.u32 %r1, %r1, 100;"
          "setp.lt.u32 %p3, %me, 16; @%p3 st.global.u32 [%own+4], %r2; st.global.u32 [%own], %r1;");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(0), 111U);
  EXPECT_EQ(result.at<std::uint32_t>(2 * 8), 110U);
  EXPECT_EQ(result.at<std::uint32_t>(2 * 16), 100U);
  EXPECT_EQ(result.at<std::uint32_t>(1), 0x0000ffffU);
}

TEST(Control, LanesLeaveALoopAfterDifferentIterations) {
  const Result result =
      run("mov.u32 %r1, 0; mov.u32 %r2, 0;\n"
          "loop: setp.ge.u32 %p1, %r2, %me; @%p1 bra done; add.u32 %r1, %r1, %r2;"
          "add.u32 %r2, %r2, 1; bra loop;\n"
          "done: activemask.b32 %r3; st.global.v2.u32 [%own], {%r1, %r3};");
  EXPECT_EQ(result.finding(), "");
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(result.at<std::uint32_t>(2 * lane), lane * (lane - 1) / 2 * (lane != 0));
    EXPECT_EQ(result.at<std::uint32_t>(2 * lane + 1), 0xffffffffU);
  }
}

TEST(Control, BreakAndContinueDivergeInALoop) {
  // for i in 0..9: if ((i + tid) & 1) continue; if (i > tid) break; sum += i
  const Result result =
      run(std::string("mov.u32 %r1, 0; mov.u32 %r2, 0;\n"
                      "loop: setp.ge.u32 %p1, %r2, 10; @%p1 bra done;\n"
                      "add.u32 %r3, %r2, %me; and.b32 %r3, %r3, 1; setp.ne.u32 %p2, %r3, 0;"
                      "@%p2 bra next; setp.gt.u32 %p3, %r2, %me; @%p3 bra done;"
                      "add.u32 %r1, %r1, %r2;\n"
                      "next: add.u32 %r2, %r2, 1; bra loop;\n done:") +
          std::string(kStore));
  EXPECT_EQ(result.finding(), "");
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < 10; ++i) {
      if (((i + lane) & 1) != 0) continue;
      if (i > lane) break;
      sum += i;
    }
    EXPECT_EQ(result.at<std::uint64_t>(lane), sum) << lane;
  }
}

TEST(Control, SwitchJumpsThroughItsTable) {
  const std::string body =
      "and.b32 %r2, %me, 3;\n table: .branchtargets zero, one, two, three;\n"
      "brx.idx %r2, table;\n zero: mov.u32 %r1, 10; bra met;\n one: mov.u32 %r1, 11; bra met;\n"
      "two: mov.u32 %r1, 12; bra met;\n three: mov.u32 %r1, 13;\n"
      "met: activemask.b32 %r3; st.global.v2.u32 [%own], {%r1, %r3};";
  const Result result = run(body);
  EXPECT_EQ(result.finding(), "");
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(result.at<std::uint32_t>(2 * lane), 10 + lane % 4);
    EXPECT_EQ(result.at<std::uint32_t>(2 * lane + 1), 0xffffffffU);
  }
}

TEST(Control, IndexBeyondTheTableIsIllegal) {
  EXPECT_THAT(run("table: .branchtargets zero;\n brx.idx %me, table;\n zero: ret;").finding(),
              HasSubstr("branch to entry 1 of a table of 1"));
}

TEST(Control, ExitedLanesLeaveTheOthersRunning) {
  const Result result =
      run("setp.lt.u32 %p1, %me, 5; @%p1 exit; activemask.b32 %r1;" + std::string(kStore));
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(4), 0U);
  EXPECT_EQ(result.at<std::uint64_t>(5), 0xffffffe0U);
}

TEST(Control, EndlessLoopIsATimeoutAtItsLine) {
  const Result result = run("loop: add.u32 %r1, %r1, 1;\n bra loop;", {}, {.budget = 1000});
  EXPECT_THAT(result.finding(), StartsWith("timeout: "));
  EXPECT_THAT(result.outcome.findings.front().source.instruction, StartsWith("bra"));
}

TEST(Control, SpinningLanesLetOthersProgress) {
  // Lanes 1 to 31 wait for a store of lane 0 that follows in program order.
  const Result result =
      run("mov.u32 %r1, 0; setp.eq.u32 %p1, %me, 0; @%p1 st.relaxed.cta.shared.u32 [flag], %r1;"
          "bar.warp.sync -1; @%p1 bra raise;\n"
          "spin: ld.relaxed.cta.shared.u32 %r2, [flag]; setp.eq.u32 %p2, %r2, 0; @%p2 bra spin; "
          "bra met;\n"
          "raise: mov.u32 %r3, 1; st.relaxed.cta.shared.u32 [flag], %r3;\n met: st.global.u32 "
          "[%own], 9;",
          {}, {.budget = 1 << 20}, ".shared .b32 flag;");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(31), 9U);
}

TEST(Control, TrapEndsTheLaunch) {
  EXPECT_THAT(run("setp.eq.u32 %p1, %me, 3; @%p1 trap;").finding(), StartsWith("launch-failure"));
  EXPECT_EQ(run("setp.eq.u32 %p1, %me, 99; @%p1 trap;").finding(), "");
}

TEST(Control, SetmaxnregNeedsAllLanesOfTheWarp) {
  const std::string dec =
      "setmaxnreg.dec.sync.aligned.u32 40; setmaxnreg.inc.sync.aligned.u32 232;";
  EXPECT_EQ(run(dec).finding(), "");
  EXPECT_EQ(run(dec, {}, {.block = {128, 1, 1}}).finding(), "");
  // The warps of a warpgroup execute it, those of the other do not.
  EXPECT_EQ(run("setp.lt.u32 %p1, %me, 128; @!%p1 bra met; " + dec + "\n met: ret;", {},
                {.block = {256, 1, 1}})
                .finding(),
            "");
  const Result diverged = run("setp.lt.u32 %p1, %me, 20; @!%p1 bra met; " + dec + "\n met: ret;");
  EXPECT_THAT(diverged.finding(),
              StartsWith("barrier-divergence: 20 of the warp's 32 lanes come to "
                         "setmaxnreg.sync.aligned"));
  EXPECT_THAT(diverged.outcome.findings.front().source.instruction, StartsWith("setmaxnreg.dec"));
}

TEST(Control, SetmaxnregNeedsAllWarpsOfTheWarpgroup) {
  const std::string some = "setp.lt.u32 %p1, %me, 32; @!%p1 bra met;";
  const std::string dec = "setmaxnreg.dec.sync.aligned.u32 40;";
  const Result one = run(some + dec + "\n met: ret;", {}, {.block = {128, 1, 1}});
  EXPECT_THAT(one.finding(), StartsWith("barrier-divergence: 1 of the 4 warps of a warpgroup "
                                        "execute this setmaxnreg: all of them must"));
  EXPECT_THAT(one.outcome.findings.front().source.instruction, StartsWith("setmaxnreg.dec"));
  const Result different = run(some + dec + "ret;\n met: setmaxnreg.inc.sync.aligned.u32 232; ret;",
                               {}, {.block = {128, 1, 1}});
  EXPECT_THAT(different.finding(), StartsWith("barrier-divergence: the warps of a warpgroup "
                                              "execute different setmaxnreg"));
}

TEST(Control, SetmaxnregCountIsAMultipleOf8From24To256) {
  for (const char* count : {"16", "25", "264", "%r1"}) {
    EXPECT_THAT(run(std::string("setmaxnreg.inc.sync.aligned.u32 ") + count + ";").finding(),
                StartsWith("unsupported setmaxnreg.inc.sync.aligned.u32"))
        << count;
  }
  for (const char* count : {"24", "256"}) {
    EXPECT_EQ(run(std::string("setmaxnreg.inc.sync.aligned.u32 ") + count + ";").finding(), "");
  }
}

}  // namespace
}  // namespace warpcheck::isa::test
