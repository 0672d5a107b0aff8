// Loads through the read-only cache: no thread of the grid may write the memory, before or after,
// whatever orders the accesses (PTX ISA 9.7.9.9).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Matches a race that no order would prevent.
MATCHER(IsRaceByPath, "") {
  const std::string& text = arg;
  return text.starts_with("race: ") &&
         text.ends_with("not coherent with writes of its kernel, whatever orders them");
}

constexpr std::uint64_t kOrders = 5;  // seeds

/// The first finding of `threads` threads in each of `blocks` blocks.
std::string race_of(const std::string& body, unsigned threads = 1, unsigned blocks = 1,
                    std::uint64_t seed = 0, unsigned host_threads = 1) {
  Conditions conditions{.grid = {blocks, 1, 1}, .block = {threads, 1, 1}};
  conditions.seed = seed;
  conditions.host_threads = host_threads;
  return run(body, {}, conditions).finding();
}

TEST(ReadOnlyLoad, OfWhatItsThreadHasWrittenIsARace) {
  EXPECT_THAT(race_of("mov.u32 %r1, 7; st.global.u32 [%own], %r1;\n"
                      "ld.global.nc.u32 %r2, [%own];"),
              AllOf(StartsWith("race: thread (0, 0, 0) reads 4-byte element 0 of out, which "
                               "thread (0, 0, 0) wrote at PTX line "),
                    IsRaceByPath()));
}

TEST(ReadOnlyLoad, OfWhatItsThreadWritesLaterIsARace) {
  EXPECT_THAT(race_of("ld.global.nc.u32 %r2, [%own];\n st.global.u32 [%own], %r2;"),
              AllOf(StartsWith("race: thread (0, 0, 0) writes 4-byte element 0 of out, which "
                               "thread (0, 0, 0) read at PTX line "),
                    IsRaceByPath()));
}

TEST(ReadOnlyLoad, OfOtherMemoryThanItsKernelWritesIsNone) {
  EXPECT_EQ(race_of("mov.u32 %r1, 7; st.global.u32 [%own], %r1; ld.global.nc.u32 %r2, [%own+4];"),
            "");
  EXPECT_EQ(race_of("ld.global.nc.u32 %r2, [%own+4]; st.global.u32 [%own], %r2;", 64), "");
  // A neighbouring byte of the same word is written.
  EXPECT_EQ(race_of("ld.global.nc.u8 %r2, [%own+1]; st.global.u8 [%own], %r2;", 64), "");
  EXPECT_EQ(race_of("st.global.u32 [%own], %me; ld.global.nc.u8 %r2, [%own+4];"
                    "st.global.u8 [%own+5], %r2;"),
            "");
}

TEST(ReadOnlyLoad, OrdinaryLoadOfTheSameMemoryIsNone) {
  EXPECT_EQ(race_of("ld.global.u32 %r2, [%own]; st.global.u32 [%own], %r2;"
                    "ld.global.u32 %r2, [%own];",
                    64),
            "");
}

TEST(ReadOnlyLoad, SmallerPartOfAWordThatIsWrittenIsARace) {
  EXPECT_THAT(race_of("st.global.u32 [%own], %me; ld.global.nc.u8 %r2, [%own+3];"), IsRaceByPath());
  // The word was read before the detection had units of one byte.
  EXPECT_THAT(race_of("ld.global.nc.u32 %r2, [%own]; ld.global.u8 %r3, [%own+4];"
                      "st.global.u8 [%own+2], %r2;"),
              IsRaceByPath());
}

TEST(ReadOnlyLoad, OneMemberOfAVectorThatIsWrittenIsARace) {
  EXPECT_THAT(race_of("st.global.u32 [%own+4], %me; ld.global.nc.v2.u32 {%r2, %r3}, [%own];"),
              AllOf(IsRaceByPath(), HasSubstr("element 1 of out")));
}

TEST(ReadOnlyLoad, UniformLoadIsReadOnlyToo) {
  EXPECT_THAT(race_of("st.global.u32 [%own], %me; ldu.global.u32 %r2, [%own];"), IsRaceByPath());
}

TEST(ReadOnlyLoad, WholeWarpsThatStoreWithoutGapsAreARace) {
  const std::string read = "ld.global.nc.u64 %d1, [%own];";
  const std::string write = "mov.u64 %d2, 7; st.global.u64 [%own], %d2;";
  EXPECT_THAT(race_of(read + write, 64), IsRaceByPath());
  EXPECT_THAT(race_of(write + read, 64), IsRaceByPath());
  EXPECT_EQ(race_of("setp.lt.u32 %p1, %me, 32; @%p1 " + read +
                        " @!%p1 mov.u64 %d2, 7; @!%p1 st.global.u64 [%own], %d2;",
                    64),
            "");
}

TEST(ReadOnlyLoad, EveryKindOfWriteIsARace) {
  for (const char* write : {
           "st.volatile.global.u32 [%own], %r1;", "st.relaxed.gpu.global.u32 [%own], %r1;",
           "atom.global.add.u32 %r3, [%own], %r1;", "red.global.add.u32 [%own], %r1;",
           "st.global.u32 [%own], 0;",  // the same value
       }) {
    const std::string read = "ld.global.nc.u32 %r2, [%own];";
    const std::string one = "mov.u32 %r1, 7;";
    EXPECT_THAT(race_of(one + write + read), IsRaceByPath()) << write;
    EXPECT_THAT(race_of(one + read + write), IsRaceByPath()) << write;
  }
}

TEST(ReadOnlyLoad, BulkStoreIsAWrite) {
  const std::string store =
      ".shared .align 16 .b32 tile[4]; st.shared.v2.u64 [tile], {%d4, %d5};"
      "fence.proxy.async.shared::cta; mov.u32 %r4, tile;"
      "cp.async.bulk.global.shared::cta.bulk_group [%out], [%r4], 16;"
      "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;";
  const std::string zeros = "mov.u64 %d4, 0; mov.u64 %d5, 0; setp.ne.u32 %p1, %me, 0; @%p1 ret;";
  EXPECT_THAT(race_of(zeros + "ld.global.nc.u32 %r2, [%out];" + store, 2), IsRaceByPath());
  EXPECT_THAT(race_of(zeros + store + "ld.global.nc.u32 %r2, [%out];", 2), IsRaceByPath());
}

/// Threads store to their words, synchronise, and read those of the opposite threads.
TEST(ReadOnlyLoad, BarrierOrdersNothing) {
  const std::string exchange =
      "st.global.u32 [%own], %me; bar.sync 0; sub.u32 %r1, 63, %me;"
      "mad.wide.u32 %d1, %r1, 8, %out;";
  EXPECT_EQ(race_of(exchange + "ld.global.u32 %r2, [%d1];", 64), "");
  for (std::uint64_t seed = 0; seed < kOrders; ++seed) {
    EXPECT_THAT(race_of(exchange + "ld.global.nc.u32 %r2, [%d1];", 64, 1, seed), IsRaceByPath());
  }
}

/// Thread 0 reads; after a barrier all threads read; after another, thread 1 writes.
TEST(ReadOnlyLoad, LaterOrdinaryReadsDoNotHideIt) {
  const std::string body =
      "setp.ne.u32 %p1, %me, 0; setp.ne.u32 %p2, %me, 1;"
      "@!%p1 ld.global.nc.u32 %r1, [%out]; bar.sync 0; ld.global.u32 %r2, [%out]; bar.sync 0;"
      "@!%p2 st.global.u32 [%out], %me;";
  EXPECT_THAT(race_of(body, 64), AllOf(StartsWith("race: thread (1, 0, 0) writes"),
                                       HasSubstr("thread (0, 0, 0) read at")));
}

TEST(ReadOnlyLoad, WriteOfAnotherBlockIsARaceInAnyOrder) {
  const std::string body =
      "mov.u32 %r5, %ctaid.x; setp.ne.u32 %p1, %r5, 2;"
      "@%p1 ld.global.nc.u32 %r1, [%out]; @!%p1 st.global.u32 [%out], %r5;";
  for (std::uint64_t seed = 0; seed < kOrders; ++seed) {
    const std::string first = race_of(body, 1, 4, seed);
    EXPECT_THAT(first, IsRaceByPath());
    EXPECT_EQ(race_of(body, 1, 4, seed, 2), first);
  }
}

TEST(ReadOnlyLoad, ManyReadersOfOneWordAreOneFinding) {
  Conditions conditions{.grid = {4, 1, 1}, .block = {256, 1, 1}};
  const Result result =
      run("ld.global.nc.u32 %r1, [%out]; bar.sync 0; setp.ne.u32 %p1, %me, 0;"
          "@!%p1 st.global.u32 [%out], %r1;",
          {}, conditions);
  for (const Finding& each : result.outcome.findings) {
    EXPECT_EQ(each.kind, FindingClass::race);
    EXPECT_TRUE(each.other.has_value());
  }
  EXPECT_LE(result.outcome.findings.size(), 2U);  // the stores of blocks race, too
}

}  // namespace
}  // namespace warpcheck::isa::test
