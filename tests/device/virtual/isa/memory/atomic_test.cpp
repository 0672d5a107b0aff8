// atom and red: order of lanes, state spaces, results, and the checks of memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// The first word of the output; the kernel must not change the others.
Result run_words(const std::string& body, const std::vector<std::uint32_t>& in = {},
                 const Conditions& conditions = {}, std::string_view declarations = "") {
  return run(body, in, conditions, declarations);
}

TEST(Atomic, LanesRunInAscendingOrder) {
  const Result result = run_words(
      "atom.global.add.u32 %r1, [%out], 2; setp.ne.u32 %p1, %me, 0;"
      "@%p1 st.global.u32 [%own], %r1;");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(0), 64U);
  EXPECT_EQ(result.at<std::uint64_t>(5), 10U);
  EXPECT_EQ(result.at<std::uint64_t>(31), 62U);
}

TEST(Atomic, InactiveLanesDoNotTakePart) {
  const Result result = run_words("setp.lt.u32 %p1, %me, 3; @%p1 red.global.add.u32 [%out], 1;");
  EXPECT_EQ(result.at<std::uint32_t>(0), 3U);
}

TEST(Atomic, IntegerOperationsFollowTheirNames) {
  const auto after = [](const std::string& start, const std::string& operation) {
    const Result result = run_words("setp.eq.u32 %p1, %me, 0; @!%p1 ret; mov.u32 %r1, " + start +
                                    "; st.global.u32 [%out], %r1; " + operation);
    EXPECT_EQ(result.finding(), "") << operation;
    return result.at<std::uint32_t>(0);
  };
  EXPECT_EQ(after("5", "red.global.min.s32 [%out], -3;"), 0xfffffffdU);
  EXPECT_EQ(after("5", "red.global.min.u32 [%out], -3;"), 5U);
  EXPECT_EQ(after("5", "red.global.max.u32 [%out], -3;"), 0xfffffffdU);
  EXPECT_EQ(after("5", "red.global.max.s32 [%out], -3;"), 5U);
  EXPECT_EQ(after("12", "red.global.and.b32 [%out], 10;"), 8U);
  EXPECT_EQ(after("12", "red.global.or.b32 [%out], 10;"), 14U);
  EXPECT_EQ(after("12", "red.global.xor.b32 [%out], 10;"), 6U);
  EXPECT_EQ(after("7", "red.global.inc.u32 [%out], 7;"), 0U);
  EXPECT_EQ(after("6", "red.global.inc.u32 [%out], 7;"), 7U);
  EXPECT_EQ(after("0", "red.global.dec.u32 [%out], 7;"), 7U);
  EXPECT_EQ(after("9", "red.global.dec.u32 [%out], 7;"), 7U);
  EXPECT_EQ(after("1", "atom.global.exch.b32 %r2, [%out], 9;"), 9U);
  EXPECT_EQ(after("1", "atom.global.cas.b32 %r2, [%out], 1, 9;"), 9U);
  EXPECT_EQ(after("2", "atom.global.cas.b32 %r2, [%out], 1, 9;"), 2U);
  EXPECT_EQ(after("0x00020001",
                  "mov.b16 %h1, 1; mov.b16 %h2, 7; atom.global.cas.b16 %h3, [%out], %h1, %h2;"),
            0x00020007U);
}

TEST(Atomic, SixtyFourBitsAreOneWord) {
  const Result result = run_words(
      "setp.eq.u32 %p1, %me, 0; @!%p1 ret; mov.u64 %d1, 0xffffffff; st.global.u64 [%out], %d1;"
      "atom.global.add.u64 %d2, [%out], 1; st.global.u64 [%out+8], %d2;");
  EXPECT_EQ(result.at<std::uint64_t>(0), 0x100000000U);
  EXPECT_EQ(result.at<std::uint64_t>(1), 0xffffffffU);
}

TEST(Atomic, FloatsAreSummedInTheOrderOfLanes) {
  const Result single = run_words("cvt.rn.f32.u32 %f1, %me; red.global.add.f32 [%out], %f1;");
  EXPECT_EQ(single.at<float>(0), 496.0F);
  // 2^24 + 1 + 1 ... is 2^24 in f32, because each sum rounds.
  const Result rounded = run_words(
      "setp.eq.u32 %p1, %me, 0; selp.f32 %f1, 0f4B800000, 0f3F800000, %p1;"
      "red.global.add.f32 [%out], %f1;");
  EXPECT_EQ(rounded.at<float>(0), 0x1p24F);
  const Result wide = run_words("cvt.rn.f64.u32 %e1, %me; red.global.add.f64 [%out], %e1;");
  EXPECT_EQ(wide.at<double>(0), 496.0);
}

TEST(Atomic, FloatSumFlushesSubnormalsOnlyInGlobalMemory) {
  const Conditions one{.block = {1, 1, 1}};
  EXPECT_EQ(run_words("red.global.add.f32 [%out], 0f00000001;", {}, one).at<std::uint32_t>(0), 0U);
  EXPECT_EQ(run_words("mov.u32 %r2, cell; mov.u32 %r3, 0; st.shared.u32 [%r2], %r3;"
                      "red.shared.add.f32 [%r2], 0f00000001; ld.shared.u32 %r1, [%r2];"
                      "st.global.u32 [%out], %r1;",
                      {}, one, ".shared .b32 cell;")
                .at<std::uint32_t>(0),
            1U);
}

TEST(Atomic, DoubleSumKeepsItsNan) {
  // As recorded on an H200: the NaN of the operand, otherwise of memory, not made quiet.
  const Conditions one{.block = {1, 1, 1}};
  EXPECT_EQ(run("red.global.add.f64 [%out], 0dFFF402C3B552955E;", {}, one).at<std::uint64_t>(0),
            0xfff402c3b552955eU);
  EXPECT_EQ(run("mov.u64 %d1, 0x7ff375870ea7f3a1; st.global.u64 [%out], %d1;"
                "red.global.add.f64 [%out], 0d4041C00000000000;",
                {}, one)
                .at<std::uint64_t>(0),
            0x7ff375870ea7f3a1U);
}

TEST(Atomic, PackedHalvesAreSummedIndependently) {
  const Result result = run_words("red.global.add.noftz.f16x2 [%out], 0x3c004000;");
  EXPECT_EQ(result.at<std::uint32_t>(0), 0x50005400U);  // 32 and 64
  const Result brain = run_words("mov.b16 %h1, 0x3f80; red.global.add.noftz.bf16 [%out], %h1;");
  EXPECT_EQ(brain.at<std::uint32_t>(0), 0x4200U);  // 32
}

TEST(Atomic, VectorsAreUpdatedMemberByMember) {
  const Result result = run_words(
      "mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f40000000;"
      "atom.global.add.v2.f32 {%f3, %f4}, [%out], {%f1, %f2}; setp.eq.u32 %p1, %me, 31;"
      "@%p1 st.global.v2.f32 [%own], {%f3, %f4};");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<float>(0), 32.0F);
  EXPECT_EQ(result.at<float>(1), 64.0F);
  EXPECT_EQ(result.at<float>(62), 31.0F);
  EXPECT_EQ(result.at<float>(63), 62.0F);
}

TEST(Atomic, GenericAddressesReachSharedAndGlobalMemory) {
  const Result result = run_words(
      "mov.u32 %r2, cell; mov.u32 %r3, 0; setp.eq.u32 %p3, %me, 0;"
      "@%p3 st.shared.u32 [%r2], %r3; bar.sync 0;"
      "cvta.shared.u64 %d1, cell; and.b32 %r4, %me, 1; setp.eq.u32 %p1, %r4, 0;"
      "selp.u64 %d2, %d1, %out, %p1; atom.add.u32 %r1, [%d2], 1; bar.sync 0;"
      "ld.shared.u32 %r5, [%r2]; setp.eq.u32 %p2, %me, 0; @%p2 st.global.u32 [%out+4], %r5;",
      {}, {}, ".shared .b32 cell;");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(0), 16U);
  EXPECT_EQ(result.at<std::uint32_t>(1), 16U);
}

TEST(Atomic, BoundsAndAlignmentAreChecked) {
  EXPECT_THAT(run_words("red.global.add.u32 [%out+256], 1;").finding(),
              StartsWith("out-of-bounds"));
  EXPECT_THAT(run_words("red.global.add.u32 [%out+2], 1;").finding(), StartsWith("misaligned"));
  EXPECT_THAT(run_words("red.global.add.u64 [%out+4], 1;").finding(), StartsWith("misaligned"));
  EXPECT_THAT(run_words("red.shared.add.u32 [cell+4], 1;", {}, {}, ".shared .b32 cell;").finding(),
              StartsWith("out-of-bounds"));
}

TEST(Atomic, UpdateOfAnInputIsAFinding) {
  EXPECT_THAT(run_words("red.global.add.u32 [%in], 1;", {5}).finding(),
              StartsWith("input-modified"));
}

TEST(Atomic, UndefinedWordsAndOperandsAreFindingsInGlobalMemory) {
  const Conditions undefined{.in_initialized = false, .in_access = device::Access::read_write};
  EXPECT_THAT(run_words("red.global.add.u32 [%in], 1;", {5}, undefined).finding(),
              StartsWith("uninitialized-read"));
  EXPECT_THAT(run_words("ld.global.u32 %r1, [%in]; red.global.add.u32 [%out], %r1;", {5}, undefined)
                  .finding(),
              StartsWith("uninitialized-read"));
  EXPECT_THAT(run_words("ld.global.u64 %d1, [%in]; red.global.add.u32 [%d1], 1;", {5, 5}, undefined)
                  .finding(),
              HasSubstr("the address is undefined"));
  // An exchange defines the word. Its result is undefined, which is a finding only if it is used.
  EXPECT_EQ(
      run_words("setp.eq.u32 %p1, %me, 0; @%p1 atom.global.exch.b32 %r1, [%in], 1;", {5}, undefined)
          .finding(),
      "");
  EXPECT_THAT(run_words("setp.ne.u32 %p1, %me, 0; @%p1 ret; atom.global.exch.b32 %r1, [%in], 1;"
                        "st.global.u32 [%own], %r1;",
                        {5}, undefined)
                  .finding(),
              StartsWith("uninitialized-read"));
}

TEST(Atomic, UndefinedSharedWordIsAFindingInGlobalMemory) {
  const std::string update = "red.shared.add.u32 [cell], 1;";
  EXPECT_EQ(run_words(update, {}, {}, ".shared .b32 cell;").finding(), "");
  EXPECT_THAT(
      run_words(update + "bar.sync 0; ld.shared.u32 %r1, [cell]; st.global.u32 [%own], %r1;", {},
                {}, ".shared .b32 cell;")
          .finding(),
      StartsWith("uninitialized-read"));
}

TEST(Atomic, BlocksMayShareACounter) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    const Result result = run_words("red.global.add.u32 [%out], 1;", {},
                                    {.grid = {50, 1, 1}, .host_threads = threads});
    EXPECT_EQ(result.at<std::uint32_t>(0), 1600U);
  }
}

TEST(Atomic, BlockMayWaitForAnotherBlock) {
  // Block 0 spins until block 1 sets a flag.
  const Result result = run_words(
      "mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra raise;\n"
      "spin: atom.global.add.u32 %r2, [%out], 0; setp.eq.u32 %p2, %r2, 0; @%p2 bra spin; ret;\n"
      "raise: atom.global.exch.b32 %r3, [%out], 1;",
      {}, {.grid = {2, 1, 1}, .block = {1, 1, 1}});
  EXPECT_EQ(result.finding(), "");
}

TEST(Atomic, SeedDeterminesTheOrderOfLanes) {
  const auto tickets = [](std::uint64_t seed) {
    const Result result =
        run("atom.global.add.u32 %r1, [%out], 1; st.global.u32 [%own+4], %r1;", {}, {.seed = seed});
    std::vector<std::uint32_t> taken;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      taken.push_back(result.at<std::uint32_t>(2 * lane + 1));
    }
    return taken;
  };
  std::vector<std::uint32_t> by_number(32);
  std::iota(by_number.begin(), by_number.end(), 0U);
  EXPECT_EQ(tickets(0), by_number);
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    EXPECT_NE(tickets(seed), by_number) << seed;
    EXPECT_EQ(tickets(seed), tickets(seed)) << seed;
    EXPECT_THAT(tickets(seed), testing::UnorderedElementsAreArray(by_number)) << seed;
  }
  EXPECT_NE(tickets(1), tickets(2));
}

}  // namespace
}  // namespace warpcheck::isa::test
