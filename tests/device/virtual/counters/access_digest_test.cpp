// Pairs of small kernels that leave the same bytes behind, and do or do not do the same on the way.
#include <gmock/gmock.h>

#include <optional>
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

TEST(AccessDigest, IsTheSameWhateverTheOrderOfWarpsAndBlocks) {
  EXPECT_EQ(digest(kStoreOwn), digest(kStoreOwn, 12345, 2));
}

TEST(AccessDigest, IsTheSameForOtherArithmeticWithTheSameAccesses) {
  const std::string other = R"(
    mul.lo.u32 %r1, %me, 4;
    mov.u32 %r2, tile;
    add.s32 %r2, %r1, %r2;
    st.shared.u32 [%r2], %me;
    bar.sync 0;
    ld.shared.u32 %r3, [%r2];)";
  EXPECT_EQ(digest(kStoreOwn), digest(other));
}

TEST(AccessDigest, TellsOneMoreLoad) {
  EXPECT_NE(digest(kStoreOwn), digest(std::string(kStoreOwn) + "ld.shared.u32 %r4, [%r2];"));
}

TEST(AccessDigest, TellsALoadFromElsewhere) {
  EXPECT_NE(digest("ld.global.u32 %r1, [%in];"), digest("ld.global.u32 %r1, [%in+4];"));
}

TEST(AccessDigest, TellsAWiderLoad) {
  EXPECT_NE(digest("ld.global.u32 %r1, [%in];"), digest("ld.global.v2.u32 {%r1, %r2}, [%in];"));
}

TEST(AccessDigest, TellsOtherBytesThatAreOverwrittenLater) {
  const auto twice = [](int first) {
    return "mov.u32 %r1, tile; mov.u32 %r2, " + std::to_string(first) +
           "; setp.eq.u32 %p1, %me, 0; @%p1 st.shared.u32 [%r1], %r2; @%p1 st.shared.u32 [%r1], "
           "%me;";
  };
  EXPECT_EQ(digest(twice(3)), digest(twice(3)));
  EXPECT_NE(digest(twice(3)), digest(twice(4)));
}

TEST(AccessDigest, TellsAMissingBarrierOfBlockOrWarpAndAMissingFence) {
  const std::string without = "ld.global.u32 %r1, [%in];";
  for (const std::string barrier : {"bar.sync 0;", "bar.warp.sync -1;", "membar.gl;"}) {
    EXPECT_NE(digest(without), digest(without + barrier)) << barrier;
  }
}

TEST(AccessDigest, TellsWhichThreadDidIt) {
  const auto by = [](int thread) {
    return "setp.eq.u32 %p1, %me, " + std::to_string(thread) + "; @%p1 ld.global.u32 %r1, [%in];";
  };
  EXPECT_NE(digest(by(3)), digest(by(4)));
  EXPECT_NE(digest(by(3)), digest(by(35)));
}

TEST(AccessDigest, TellsWhichSideOfABarrierAnAccessIsOn) {
  EXPECT_NE(digest("ld.global.u32 %r1, [%in]; bar.sync 0;"),
            digest("bar.sync 0; ld.global.u32 %r1, [%in];"));
  EXPECT_NE(digest("ld.global.u32 %r1, [%in]; bar.warp.sync -1;"),
            digest("bar.warp.sync -1; ld.global.u32 %r1, [%in];"));
}

TEST(AccessDigest, IsTheSameForTheSameBytesInAnotherOrderOrAtOnce) {
  const auto elements = digest("ld.global.u32 %r1, [%in]; ld.global.u32 %r2, [%in+4];");
  EXPECT_EQ(elements, digest("ld.global.u32 %r2, [%in+4]; ld.global.u32 %r1, [%in];"));
  EXPECT_EQ(elements, digest("ld.global.v2.u32 {%r1, %r2}, [%in];"));
}

TEST(AccessDigest, CountsAnAccessThatIsRepeated) {
  EXPECT_NE(digest("ld.global.u32 %r1, [%in]; ld.global.u32 %r1, [%in];"),
            digest("ld.global.u32 %r1, [%in];"));
}

TEST(AccessDigest, TellsAnotherCountOfAsynchronousCopiesInFlight) {
  const auto waiting_for = [](int groups) {
    return "shl.b32 %r1, %me, 2; mov.u32 %r2, tile; add.s32 %r2, %r2, %r1; cp.async.ca.shared."
           "global [%r2], [%in], 4; cp.async.commit_group; cp.async.wait_group " +
           std::to_string(groups) + ";";
  };
  EXPECT_NE(digest(waiting_for(0)), digest(waiting_for(1)));
}

TEST(AccessDigest, TellsTheParityThatIsWaitedFor) {
  const auto waiting_for = [](int parity) {
    return "setp.eq.u32 %p1, %me, 0; mov.u32 %r1, tile; @%p1 mbarrier.init.shared.b64 [%r1], 64; "
           "bar.sync 0; mbarrier.test_wait.parity.shared.b64 %p2, [%r1], " +
           std::to_string(parity) + ";";
  };
  EXPECT_NE(digest(waiting_for(0)), digest(waiting_for(1)));
}

TEST(AccessDigest, IsNotThereWhereNobodyAskedOrALaunchDidNotComplete) {
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
