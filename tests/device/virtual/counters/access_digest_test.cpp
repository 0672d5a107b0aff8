// The digests of pairs of small kernels whose results are the same. Their accesses to memory are
// the same or differ.
#include <gmock/gmock.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

constexpr const char* kTile = ".shared .align 16 .b8 tile[1024];";

std::optional<std::uint64_t> digest(const std::string& body, std::uint64_t seed = 0,
                                    unsigned host_threads = 1) {
  Conditions conditions;
  conditions.grid = {3, 1, 1};
  conditions.block = {64, 1, 1};
  conditions.digest = true;
  conditions.seed = seed;
  conditions.host_threads = host_threads;
  const Result result = run(body, std::vector<std::uint32_t>(64, 7), conditions, kTile);
  EXPECT_TRUE(result.completed()) << result.finding();
  return result.outcome.access_digest;
}

constexpr const char* kStoreOwn = R"(
    shl.b32 %r1, %me, 2;
    mov.u32 %r2, tile;
    add.s32 %r2, %r2, %r1;
    st.shared.u32 [%r2], %me;
    bar.sync 0;
    ld.shared.u32 %r3, [%r2];)";

TEST(AccessDigest, DoesNotDependOnTheOrderOfWarpsAndBlocks) {
  EXPECT_EQ(digest(kStoreOwn), digest(kStoreOwn, 12345, 2));
}

TEST(AccessDigest, DoesNotDependOnArithmetic) {
  const std::string other = R"(
    mul.lo.u32 %r1, %me, 4;
    mov.u32 %r2, tile;
    add.s32 %r2, %r1, %r2;
    st.shared.u32 [%r2], %me;
    bar.sync 0;
    ld.shared.u32 %r3, [%r2];)";
  EXPECT_EQ(digest(kStoreOwn), digest(other));
}

TEST(AccessDigest, DependsOnTheNumberOfLoads) {
  EXPECT_NE(digest(kStoreOwn), digest(std::string(kStoreOwn) + "ld.shared.u32 %r4, [%r2];"));
}

TEST(AccessDigest, DependsOnTheAddressOfALoad) {
  EXPECT_NE(digest("ld.global.u32 %r1, [%in];"), digest("ld.global.u32 %r1, [%in+4];"));
}

TEST(AccessDigest, DependsOnTheWidthOfALoad) {
  EXPECT_NE(digest("ld.global.u32 %r1, [%in];"), digest("ld.global.v2.u32 {%r1, %r2}, [%in];"));
}

TEST(AccessDigest, DependsOnBytesThatAreOverwrittenLater) {
  const auto twice = [](int first) {
    return "mov.u32 %r1, tile; mov.u32 %r2, " + std::to_string(first) +
           "; setp.eq.u32 %p1, %me, 0; @%p1 st.shared.u32 [%r1], %r2; @%p1 st.shared.u32 [%r1], "
           "%me;";
  };
  EXPECT_EQ(digest(twice(3)), digest(twice(3)));
  EXPECT_NE(digest(twice(3)), digest(twice(4)));
}

TEST(AccessDigest, DependsOnBarriersAndFences) {
  const std::string without = "ld.global.u32 %r1, [%in];";
  for (const std::string barrier : {"bar.sync 0;", "bar.warp.sync -1;", "membar.gl;"}) {
    EXPECT_NE(digest(without), digest(without + barrier)) << barrier;
  }
}

TEST(AccessDigest, DependsOnTheThread) {
  const auto by = [](int thread) {
    return "setp.eq.u32 %p1, %me, " + std::to_string(thread) + "; @%p1 ld.global.u32 %r1, [%in];";
  };
  EXPECT_NE(digest(by(3)), digest(by(4)));
  EXPECT_NE(digest(by(3)), digest(by(35)));
}

TEST(AccessDigest, DependsOnTheSideOfABarrier) {
  EXPECT_NE(digest("ld.global.u32 %r1, [%in]; bar.sync 0;"),
            digest("bar.sync 0; ld.global.u32 %r1, [%in];"));
  EXPECT_NE(digest("ld.global.u32 %r1, [%in]; bar.warp.sync -1;"),
            digest("bar.warp.sync -1; ld.global.u32 %r1, [%in];"));
}

TEST(AccessDigest, DoesNotDependOnTheOrderOfBytesBetweenBarriers) {
  const auto elements = digest("ld.global.u32 %r1, [%in]; ld.global.u32 %r2, [%in+4];");
  EXPECT_EQ(elements, digest("ld.global.u32 %r2, [%in+4]; ld.global.u32 %r1, [%in];"));
  EXPECT_EQ(elements, digest("ld.global.v2.u32 {%r1, %r2}, [%in];"));
}

TEST(AccessDigest, DoesNotDependOnTheWidthOfPartsOfTheSameBytes) {
  EXPECT_EQ(
      digest("ld.global.v2.u32 {%r1, %r2}, [%in];"),
      digest("{ .reg .u16 %h; ld.global.u16 %h, [%in+6]; ld.global.u16 %h, [%in+4]; "
             "ld.global.u8 %h, [%in]; ld.global.u8 %h, [%in+1]; ld.global.u16 %h, [%in+2]; }"));
  const std::string tile = "mov.u32 %r1, tile; setp.eq.u32 %p1, %me, 0; ";
  const std::string word = "mov.u32 %r2, 0x01020304; @%p1 st.shared.u32 [%r1], %r2;";
  const auto halves = [](const char* low, const char* high) {
    return std::string("{ .reg .u16 %h; mov.u16 %h, ") + low +
           "; @%p1 st.shared.u16 [%r1], %h; mov.u16 %h, " + high +
           "; @%p1 st.shared.u16 [%r1+2], %h; }";
  };
  EXPECT_EQ(digest(tile + word), digest(tile + halves("0x0304", "0x0102")));
  EXPECT_NE(digest(tile + word), digest(tile + halves("0x0102", "0x0304")));
}

TEST(AccessDigest, CountsRepeatedAccesses) {
  EXPECT_NE(digest("ld.global.u32 %r1, [%in]; ld.global.u32 %r1, [%in];"),
            digest("ld.global.u32 %r1, [%in];"));
}

TEST(AccessDigest, CountsConsecutivePollsOfAFlagOnce) {
  const std::string look = "ld.volatile.global.u32 %r1, [%in];";
  const std::string elsewhere = "ld.volatile.global.u32 %r1, [%in+4];";
  EXPECT_EQ(digest(look + look + look), digest(look));
  EXPECT_NE(digest(look), digest(""));
  EXPECT_NE(digest(look), digest(elsewhere));
  EXPECT_NE(digest(look + elsewhere + look), digest(look + elsewhere));
  EXPECT_NE(digest(look + "bar.sync 0;" + look), digest(look + "bar.sync 0;"));
  EXPECT_EQ(digest(look + look + "bar.sync 0;"), digest(look + "bar.sync 0;"));
}

/// Thread 0 waits for a store by a thread of the other warp, or reads the flag once.
TEST(AccessDigest, DistinguishesAWaitForAFlagFromASingleRead) {
  const auto until = [](int expected) {
    return "mov.u32 %r1, tile; setp.eq.u32 %p1, %me, 0; @%p1 st.relaxed.cta.shared.u32 [%r1], 0; "
           "bar.sync 0; setp.eq.u32 %p2, %me, 32; @!%p2 bra look; mov.u32 %r2, 1; bar.warp.sync "
           "1; st.relaxed.cta.shared.u32 [%r1], %r2; bra done; look: @!%p1 bra done; wait: "
           "ld.relaxed.cta.shared.u32 %r3, [%r1]; setp.lt.u32 %p3, %r3, " +
           std::to_string(expected) + "; @%p3 bra wait; done:";
  };
  const auto seeds = {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U};
  const auto after_wait = digest(until(1));
  std::set<std::optional<std::uint64_t>> single_reads;
  for (const unsigned seed : seeds) {
    EXPECT_EQ(digest(until(1), seed), after_wait) << "seed " << seed;
    single_reads.insert(digest(until(0), seed));
  }
  EXPECT_GT(single_reads.size(), 1U);  // depending on the order of the warps, a read returns 0 or 1
}

TEST(AccessDigest, DependsOnTheNumberOfGroupsInFlight) {
  const auto waiting_for = [](int groups) {
    return "shl.b32 %r1, %me, 2; mov.u32 %r2, tile; add.s32 %r2, %r2, %r1; cp.async.ca.shared."
           "global [%r2], [%in], 4; cp.async.commit_group; cp.async.wait_group " +
           std::to_string(groups) + ";";
  };
  EXPECT_NE(digest(waiting_for(0)), digest(waiting_for(1)));
}

TEST(AccessDigest, DependsOnTheParityOfAWait) {
  const auto waiting_for = [](int parity) {
    return "setp.eq.u32 %p1, %me, 0; mov.u32 %r1, tile; @%p1 mbarrier.init.shared.b64 [%r1], 64; "
           "bar.sync 0; mbarrier.test_wait.parity.shared.b64 %p2, [%r1], " +
           std::to_string(parity) + ";";
  };
  EXPECT_NE(digest(waiting_for(0)), digest(waiting_for(1)));
}

TEST(AccessDigest, IsEmptyUnlessRequestedAndCompleted) {
  EXPECT_FALSE(run("").outcome.access_digest);
  Conditions conditions;
  conditions.digest = true;
  EXPECT_TRUE(run("", {}, conditions).outcome.access_digest);
  const Result faulted = run("ld.global.u32 %r1, [%in+4096];", {1}, conditions);
  EXPECT_FALSE(faulted.completed());
  EXPECT_FALSE(faulted.outcome.access_digest);
}

}  // namespace
}  // namespace warpcheck::isa::test
