// Matrices of 8 x 8 halves between shared memory and registers, with the layout of the manual (PTX
// ISA 9.7.14.5.15 to 9.7.14.5.17): lane l has row l / 4, columns 2 (l mod 4) and the next.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// Fills `buffer`, 32 rows of 16 bytes: half number i is i. Sets %r10 to the address of the row
/// with the number of the lane.
const std::string kFilled =
    "mov.u32 %r10, buffer; mad.lo.u32 %r10, %me, 16, %r10;"
    "shl.b32 %r1, %me, 3; mad.lo.u32 %r1, %r1, 0x10001, 0x10000; add.u32 %r2, %r1, 0x20002;"
    "add.u32 %r3, %r2, 0x20002; add.u32 %r4, %r3, 0x20002;"
    "st.shared.v4.u32 [%r10], {%r1, %r2, %r3, %r4}; bar.warp.sync -1;";
const std::string kBuffer = ".shared .align 16 .b8 buffer[512];";

Result run_filled(const std::string& body) { return run(kFilled + body, {}, {}, kBuffer); }

constexpr std::uint32_t pair_of(std::uint32_t low, std::uint32_t high) { return high << 16 | low; }

TEST(Matrix, LoadGivesEachLaneTwoElementsOfARow) {
  const Result result = run_filled(
      "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r20, %r21}, [%r10];"
      "st.global.v2.u32 [%own], {%r20, %r21};");
  EXPECT_EQ(result.finding(), "");
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t first = 8 * (lane / 4) + 2 * (lane % 4);
    EXPECT_EQ(result.at<std::uint32_t>(2 * lane), pair_of(first, first + 1));
    EXPECT_EQ(result.at<std::uint32_t>(2 * lane + 1), pair_of(64 + first, 64 + first + 1));
  }
}

TEST(Matrix, TransposedLoadGivesTwoElementsOfAColumn) {
  const Result result = run_filled(
      "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r20, %r21, %r22, %r23}, [%r10];"
      "st.global.v2.u32 [%own], {%r20, %r23};");
  EXPECT_EQ(result.finding(), "");
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t first = 16 * (lane % 4) + lane / 4;
    EXPECT_EQ(result.at<std::uint32_t>(2 * lane), pair_of(first, first + 8));
    EXPECT_EQ(result.at<std::uint32_t>(2 * lane + 1), pair_of(192 + first, 192 + first + 8));
  }
}

TEST(Matrix, LanesWithoutARowMayHaveAnyAddress) {
  const Result result = run_filled(
      "setp.lt.u32 %p1, %me, 8; mov.u32 %r11, 0xfffffff1; @!%p1 mov.u32 %r10, %r11;"
      "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r20}, [%r10]; st.global.u32 [%own], %r20;");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(31), pair_of(62, 63));
}

TEST(Matrix, LoadsAcceptGenericAddresses) {
  const Result result = run_filled(
      "cvt.u64.u32 %d1, %r10; cvta.shared.u64 %d1, %d1;"
      "ldmatrix.sync.aligned.m8n8.x1.b16 {%r20}, [%d1+16]; st.global.u32 [%own], %r20;");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(0), pair_of(8, 9));
}

TEST(Matrix, StoreInvertsLoad) {
  for (const std::string trans : {"", ".trans"}) {
    const Result result =
        run_filled("ldmatrix.sync.aligned.m8n8.x4" + trans +
                   ".shared.b16 {%r20, %r21, %r22, %r23}, [%r10];"
                   "add.u32 %r20, %r20, 0x3000300; add.u32 %r23, %r23, 0x3000300;"
                   "stmatrix.sync.aligned.m8n8.x4" +
                   trans +
                   ".shared.b16 [%r10], {%r20, %r21, %r22, %r23}; bar.warp.sync -1;"
                   "ld.shared.v2.u32 {%r1, %r2}, [%r10]; st.global.v2.u32 [%own], {%r1, %r2};");
    EXPECT_EQ(result.finding(), "");
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::uint32_t first = 8 * lane + (lane < 8 || lane >= 24 ? 0x300 : 0);
      EXPECT_EQ(result.at<std::uint32_t>(2 * lane), pair_of(first, first + 1));
      EXPECT_EQ(result.at<std::uint32_t>(2 * lane + 1), pair_of(first + 2, first + 3));
    }
  }
}

TEST(Matrix, MovesTranspose) {
  const Result result = run_filled(
      "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r20}, [%r10];"
      "movmatrix.sync.aligned.m8n8.trans.b16 %r21, %r20; st.global.u32 [%own], %r21;");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(0), pair_of(0, 8));
  EXPECT_EQ(result.at<std::uint64_t>(6), pair_of(33, 41));
}

TEST(Matrix, MisalignedRowNamesItsLane) {
  const Result result = run_filled(
      "setp.eq.u32 %p1, %me, 5; @%p1 add.u32 %r10, %r10, 8;"
      "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r20}, [%r10];");
  EXPECT_THAT(result.finding(), AllOf(StartsWith("misaligned"), HasSubstr("byte 88 of buffer")));
  EXPECT_EQ(result.outcome.findings.at(0).thread->thread.x, 5U);
}

TEST(Matrix, RowPastTheEndNamesItsLane) {
  for (const std::string instruction :
       {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r20, %r21}, [%r10];",
        "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r10], {%r1, %r2};"}) {
    const Result result =
        run_filled("setp.eq.u32 %p1, %me, 9; @%p1 add.u32 %r10, %r10, 368;" + instruction);
    EXPECT_THAT(result.finding(),
                AllOf(StartsWith("out-of-bounds"), HasSubstr("byte 512 of buffer")));
    EXPECT_EQ(result.outcome.findings.at(0).thread->thread.x, 9U);
  }
}

TEST(Matrix, RowsMustBeInSharedMemory) {
  EXPECT_THAT(run("mov.u64 %d1, %out; ldmatrix.sync.aligned.m8n8.x1.b16 {%r20}, [%d1];").finding(),
              AllOf(StartsWith("out-of-bounds"), HasSubstr("not in shared memory")));
}

TEST(Matrix, AllLanesMustTakePart) {
  for (const std::string instruction : {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r20}, [%r10];",
                                        "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r10], {%r1};",
                                        "movmatrix.sync.aligned.m8n8.trans.b16 %r21, %r1;"}) {
    EXPECT_THAT(run_filled("setp.lt.u32 %p1, %me, 20; @%p1 " + instruction).finding(),
                AllOf(StartsWith("barrier-divergence"), HasSubstr("20 of the warp's 32 lanes")));
  }
}

TEST(Matrix, LanesWaitForTheOthersOfTheWarp) {
  // Lane 7 comes after a loop that is longer than a turn of its warp.
  const std::string rounds =
      "mov.u32 %r5, 0; setp.ne.u32 %p1, %me, 7; @%p1 bra move;\n"
      "round: add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 100000; @%p2 bra round;\n"
      "move: movmatrix.sync.aligned.m8n8.trans.b16 %r21, %r1; st.global.u32 [%own], %r21;";
  const Result together =
      run_filled("movmatrix.sync.aligned.m8n8.trans.b16 %r21, %r1; st.global.u32 [%own], %r21;");
  const Result late = run_filled(rounds);
  EXPECT_EQ(late.finding(), "");
  EXPECT_EQ(late.out, together.out);
}

TEST(Matrix, LanesThatWaitElsewhereAreAFinding) {
  const std::string lower = "setp.lt.u32 %p1, %me, 20; @!%p1 bra others;\n";
  const std::string move = "movmatrix.sync.aligned.m8n8.trans.b16 %r21, %r1;";
  const Result barrier = run_filled(lower + move + "\n others: bar.sync 0;");
  EXPECT_THAT(barrier.finding(),
              AllOf(StartsWith("barrier-divergence"), HasSubstr("20 threads wait at"),
                    HasSubstr("(movmatrix."), HasSubstr("for lanes 20 to 31 of their warp")));
  EXPECT_THAT(barrier.outcome.findings.front().source.instruction, StartsWith("movmatrix"));
  const Result other = run_filled(lower + move + "ret;\n others: " + move + "ret;");
  EXPECT_THAT(other.finding(), AllOf(StartsWith("barrier-divergence"),
                                     HasSubstr("for lanes 20 to 31 of their warp, which wait at")));
  const Result spins = run_filled(lower + move +
                                  "mov.u32 %r2, 1; st.relaxed.cta.shared.u32 [buffer], %r2; ret;\n"
                                  "others: ld.relaxed.cta.shared.u32 %r2, [buffer];"
                                  "setp.ne.u32 %p2, %r2, 1; @%p2 bra others;");
  EXPECT_THAT(spins.finding(), AllOf(StartsWith("deadlock"), HasSubstr("(movmatrix.")));
}

TEST(Matrix, UndefinedRowMakesItsLanesUndefined) {
  // Row 3 is never written. Lanes 12 to 15 load it; transposed, all lanes with l mod 4 = 1.
  const auto finding = [](const std::string& trans, const std::string& storing) {
    return run("mov.u32 %r10, buffer; mad.lo.u32 %r10, %me, 16, %r10; mov.u32 %r1, 0;"
               "setp.ne.u32 %p1, %me, 3; @%p1 st.shared.v4.u32 [%r10], {%r1, %r1, %r1, %r1};"
               "bar.warp.sync -1; ldmatrix.sync.aligned.m8n8.x1" +
                   trans + ".shared.b16 {%r20}, [%r10]; " + storing +
                   " st.global.u32 [%own], %r20;",
               {}, {}, kBuffer)
        .finding();
  };
  EXPECT_EQ(finding("", "shr.u32 %r2, %me, 2; setp.ne.u32 %p1, %r2, 3; @%p1"), "");
  EXPECT_THAT(finding("", "setp.eq.u32 %p1, %me, 12; @%p1"), StartsWith("uninitialized-read"));
  // The high half is row 3 of the pair of rows 2 and 3.
  EXPECT_EQ(finding(".trans", "and.b32 %r2, %me, 3; setp.ne.u32 %p1, %r2, 1; @%p1"), "");
  EXPECT_EQ(finding(".trans", "and.b32 %r20, %r20, 0xffff;"), "");
  EXPECT_THAT(finding(".trans", "setp.eq.u32 %p1, %me, 29; @%p1"),
              StartsWith("uninitialized-read"));
}

TEST(Matrix, UndefinedHalvesStayUndefinedInMemory) {
  const std::string store =
      "ld.global.u32 %r1, [%in]; mov.u32 %r10, buffer; mad.lo.u32 %r10, %me, 16, %r10;"
      "setp.ne.u32 %p1, %me, 4; @%p1 mov.u32 %r1, 0;"
      "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r10], {%r1}; bar.warp.sync -1;"
      "mov.u32 %r2, 0; mov.u32 %r11, buffer; ";
  const auto finding = [&](const std::string& load) {
    return run(store + load + " st.global.u32 [%own], %r2;", {7}, {.in_initialized = false},
               kBuffer)
        .finding();
  };
  EXPECT_EQ(finding("ld.shared.u32 %r2, [%r11+20];"), "");
  EXPECT_THAT(finding("ld.shared.u32 %r2, [%r11+16];"), StartsWith("uninitialized-read"));
}

TEST(Matrix, ReadOfRowsOfOtherLanesRequiresABarrier) {
  const std::string unordered =
      "mov.u32 %r10, buffer; mad.lo.u32 %r11, %me, 4, %r10; mad.lo.u32 %r10, %me, 16, %r10;"
      "st.shared.u32 [%r11], %me; ";
  const std::string load = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r20}, [%r10];";
  EXPECT_THAT(run(unordered + load, {}, {}, kBuffer).finding(), StartsWith("race"));
  EXPECT_EQ(run(unordered + "bar.warp.sync -1; " + load, {}, {}, kBuffer).finding(), "");
}

TEST(Matrix, NumberOfRegistersIsThatOfMatrices) {
  EXPECT_THAT(
      run_filled("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r20, %r21}, [%r10];").finding(),
      AllOf(StartsWith("unsupported "), HasSubstr("2 registers are given, 4 expected")));
}

}  // namespace
}  // namespace warpcheck::isa::test
