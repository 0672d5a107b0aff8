// Clusters: their barrier, and the shared memory of other blocks (PTX ISA 9.7.13.3).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kSync = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";

/// %r0 is the rank of the block, %r4 the thread's cell of `cells`, %r5 that of the other block, and
/// %own the place of the thread of the grid in the output.
const std::string kSetup =
    "mov.u32 %r0, %cluster_ctarank; mov.u32 %r20, %ctaid.x; mov.u32 %r21, %ntid.x;"
    "mad.lo.u32 %r22, %r20, %r21, %me; mad.wide.u32 %own, %r22, 8, %out;"
    "mov.u32 %r1, cells; xor.b32 %r2, %r0, 1; mapa.shared::cluster.u32 %r3, %r1, %r2;"
    "mad.lo.u32 %r4, %me, 4, %r1; mad.lo.u32 %r5, %me, 4, %r3;"
    "mad.lo.u32 %r6, %r0, 100, %me; setp.eq.u32 %p1, %r0, 0; setp.eq.u32 %p2, %me, 0;";

struct Shape {
  Dim3 grid{2, 1, 1};
  std::string cluster = "2, 1, 1";
  std::uint64_t seed = 0;
};

Result run_cluster(const std::string& body, const Shape& shape = {}) {
  std::string text = entry(kSetup + body, ".shared .align 16 .b32 cells[32]; .shared .b64 object;");
  const std::string parameters = ".param .u64 out_parameter)";
  text.insert(text.find(parameters) + parameters.size(),
              shape.cluster.empty() ? "" : " .reqnctapercluster " + shape.cluster);
  const std::size_t blocks = std::size_t{shape.grid.x} * shape.grid.y * shape.grid.z;
  return run_module(text, {}, 8 * 32 * blocks, {.grid = shape.grid, .seed = shape.seed});
}

const std::string kStoreOwn = "st.shared.u32 [%r4], %r6;";
const std::string kLoadOther = "ld.shared::cluster.u32 %r7, [%r5]; st.global.u32 [%own], %r7;";

TEST(ClusterOfBlocks, RemoteLoadsReadTheOtherBlock) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Result result = run_cluster(kStoreOwn + kSync + kLoadOther + kSync, {.seed = seed});
    EXPECT_EQ(result.finding(), "");
    EXPECT_EQ(result.at<std::uint64_t>(5), 105U);
    EXPECT_EQ(result.at<std::uint64_t>(32 + 7), 7U);
  }
}

TEST(ClusterOfBlocks, GenericAddressesReachTheOtherBlock) {
  const Result result = run_cluster(
      kStoreOwn + kSync +
      "cvta.shared.u64 %d1, cells; mapa.u64 %d2, %d1, %r2; mad.wide.u32 %d2, %me, 4, %d2;"
      "ld.u32 %r7, [%d2]; getctarank.u64 %r8, %d2; st.global.v2.u32 [%own], {%r7, %r8};" +
      kSync);
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(3), std::uint64_t{1} << 32 | 103U);
  EXPECT_EQ(result.at<std::uint64_t>(32 + 3), 3U);
}

TEST(ClusterOfBlocks, ReadWithoutABarrierIsARace) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    EXPECT_THAT(run_cluster("st.shared.u32 [%r4], 1;" + kSync + kStoreOwn + kLoadOther + kSync,
                            {.seed = seed})
                    .finding(),
                StartsWith("race: "))
        << seed;
  }
  EXPECT_THAT(run_cluster("st.shared.u32 [%r4], 1;" + kSync + kLoadOther +
                          "st.shared.u32 [%r4], 2;" + kSync)
                  .finding(),
              StartsWith("race: "));
}

TEST(ClusterOfBlocks, RelaxedArrivalOrdersNothing) {
  const std::string relaxed = "barrier.cluster.arrive.relaxed; barrier.cluster.wait;";
  EXPECT_THAT(run_cluster("st.shared.u32 [%r4], 1;" + kSync + kLoadOther + relaxed +
                          "st.shared.u32 [%r4], 2;" + kSync)
                  .finding(),
              StartsWith("race: "));
}

TEST(ClusterOfBlocks, BlockThatMayEndBeforeAnAccessIsOutOfBounds) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    EXPECT_THAT(run_cluster(kStoreOwn + kSync + kLoadOther, {.seed = seed}).finding(),
                StartsWith("out-of-bounds: "))
        << seed;
  }
}

TEST(ClusterOfBlocks, BoundsOfTheOtherBlockAreChecked) {
  EXPECT_THAT(run_cluster(kSync + "@%p1 st.shared::cluster.u32 [%r3+512], %me;" + kSync).finding(),
              StartsWith("out-of-bounds: 4-byte store to byte 128 of object, which has 8"));
  EXPECT_THAT(run_cluster("mapa.shared::cluster.u32 %r3, %r1, 2;").finding(),
              StartsWith("out-of-bounds: block 2 of a cluster that has 2"));
}

TEST(ClusterOfBlocks, AtomicsOfBothBlocksAdd) {
  const Result result =
      run_cluster("mapa.shared::cluster.u32 %r3, %r1, 0; @%p2 st.shared.u32 [cells], 0;" + kSync +
                  "red.relaxed.cluster.shared::cluster.add.u32 [%r3], 1;" + kSync +
                  "ld.shared::cluster.u32 %r7, [%r3]; st.global.u32 [%own], %r7;" + kSync);
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(40), 64U);
}

TEST(ClusterOfBlocks, SpecialRegistersNumberBlocksAndClusters) {
  const Result result = run_cluster(
      "mov.u32 %r7, %clusterid.x; mov.u32 %r8, %cluster_ctaid.y; mov.u32 %r9, %nclusterid.x;"
      "mov.u32 %r10, %cluster_nctarank; mov.u32 %r11, %ctaid.y; mov.u32 %r12, %nctaid.x;"
      "mad.lo.u32 %r13, %r11, %r12, %r20; shl.b32 %r13, %r13, 5; add.u32 %r13, %r13, %me;"
      "mad.wide.u32 %own, %r13, 8, %out; mad.lo.u32 %r7, %r7, 10, %r8; mad.lo.u32 %r7, %r7, 10, "
      "%r9;"
      "mad.lo.u32 %r7, %r7, 10, %r10; mad.lo.u32 %r7, %r7, 10, %r0; st.global.u32 [%own], %r7;",
      {.grid = {4, 2, 1}, .cluster = "2, 2, 1"});
  EXPECT_EQ(result.finding(), "");
  // The cluster, the row in it, the clusters of a row, the blocks of a cluster, the rank.
  EXPECT_EQ(result.at<std::uint64_t>(0), 240U);
  EXPECT_EQ(result.at<std::uint64_t>(32 * 7), 11243U);
  EXPECT_EQ(result.at<std::uint64_t>(32 * 2), 10240U);
}

TEST(ClusterOfBlocks, ThreadsThatMissTheBarrierAreADeadlock) {
  const Result result =
      run_cluster("setp.lt.u32 %p3, %me, 16; @%p1 bra ALL; @%p3 bra BLOCK; ALL: " + kSync +
                  "BLOCK: bar.sync 0;");
  EXPECT_THAT(result.finding(), HasSubstr("the barrier of the cluster"));
  EXPECT_THAT(result.finding(), HasSubstr("48 of 64 threads have come"));
}

TEST(ClusterOfBlocks, ExitedThreadsDoNotHoldTheBarrier) {
  EXPECT_EQ(run_cluster("setp.lt.u32 %p3, %me, 16; @%p3 exit; barrier.cluster.arrive;"
                        "barrier.cluster.wait;")
                .finding(),
            "");
}

TEST(ClusterOfBlocks, ArrivalsAndWaitsAlternate) {
  EXPECT_THAT(run_cluster("barrier.cluster.arrive; barrier.cluster.arrive;").finding(),
              StartsWith("barrier-divergence: a second arrival"));
  EXPECT_THAT(run_cluster("barrier.cluster.wait;").finding(),
              StartsWith("barrier-divergence: a wait"));
}

TEST(ClusterOfBlocks, RemoteArrivalPublishesARemoteStore) {
  const Result result =
      run_cluster("@!%p2 bra READY; mbarrier.init.shared.b64 [object], 32; READY: " + kSync +
                  "mov.u32 %r8, object; mapa.shared::cluster.u32 %r9, %r8, 0; @%p1 bra WAIT;"
                  "st.shared::cluster.u32 [%r5], %r6;"
                  "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r9]; bra END;"
                  "WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p4, [object], 0;"
                  "@!%p4 bra WAIT; ld.shared.u32 %r7, [%r4]; st.global.u32 [%own], %r7; END: " +
                  kSync);
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(9), 109U);
}

/// Block 1 initialises an object, on which a copy of block 0 to block 1 completes.
std::string copy_after(const std::string& init_fence, const std::string& sync) {
  return "@%p1 bra INIT_DONE; @!%p2 bra INIT_DONE; mbarrier.init.shared.b64 [object], 1; " +
         init_fence + "INIT_DONE: " + sync +
         "mov.u32 %r8, object; mapa.shared::cluster.u32 %r9, %r8, 1; @!%p1 bra RECEIVE; @!%p2 bra "
         "END;"
         "st.shared.v4.u32 [%r1], {%r6, %r6, %r6, %r6}; fence.proxy.async;"
         "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r3], [%r1], 16, "
         "[%r9]; bra END;"
         "RECEIVE: @!%p2 bra END; mbarrier.arrive.expect_tx.shared.b64 _, [object], 16;"
         "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p4, [object], 0; @!%p4 bra WAIT;"
         "END: " +
         kSync;
}

TEST(ClusterOfBlocks, CopyIsOrderedAfterThePartnersObject) {
  const std::string relaxed =
      "barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;";
  const std::string fence = "fence.mbarrier_init.release.cluster;";
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    EXPECT_EQ(run_cluster(copy_after("", kSync), {.seed = seed}).finding(), "");
    EXPECT_EQ(run_cluster(copy_after(fence, relaxed), {.seed = seed}).finding(), "");
    EXPECT_EQ(run_cluster(copy_after("fence.acq_rel.cluster;", relaxed), {.seed = seed}).finding(),
              "");
    const Result unordered = run_cluster(copy_after("", relaxed), {.seed = seed});
    EXPECT_THAT(unordered.finding(), StartsWith("race"));
    EXPECT_THAT(unordered.finding(), HasSubstr("of object"));
  }
}

/// Some lanes wait at the barrier, the last ones to arrive do not. Then they exchange values.
TEST(ClusterOfBlocks, LanesMeetAgainAfterTheirBarriers) {
  const std::string wait = "barrier.cluster.arrive; barrier.cluster.wait;";
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Result result =
        run_cluster("@%p2 bra ONE; " + wait + "bra BOTH; ONE: " + wait +
                        "BOTH: shfl.sync.idx.b32 %r7, %r6, 3, 31, -1; st.global.u32 [%own], %r7;",
                    {.seed = seed});
    EXPECT_EQ(result.finding(), "") << seed;
    EXPECT_EQ(result.at<std::uint64_t>(40), 103U) << seed;
  }
}

TEST(ClusterOfBlocks, GridMustBeAMultiple) {
  EXPECT_THAT(run_cluster("", {.grid = {3, 1, 1}}).finding(),
              StartsWith("launch-failure: a grid of 3 x 1 x 1 blocks is no multiple"));
  EXPECT_THAT(run_cluster("", {.grid = {32, 1, 1}, .cluster = "32, 1, 1"}).finding(),
              StartsWith("launch-failure: clusters of 32 x 1 x 1 blocks"));
  // The product is 1 modulo 2^32.
  EXPECT_THAT(run_cluster("", {.cluster = "3, 2863311531, 1"}).finding(),
              StartsWith("launch-failure: clusters of 3 x 2863311531 x 1 blocks"));
}

TEST(ClusterOfBlocks, BlockWithoutAClusterIsOneOfItsOwn) {
  EXPECT_EQ(run(kSync + "bar.sync 0;" + kSync, {}, {.block = {64, 1, 1}}).finding(), "");
  EXPECT_THAT(run_cluster("", {.cluster = ""}).finding(),
              StartsWith("out-of-bounds: block 1 of a cluster that has 1"));
}

TEST(ClusterOfBlocks, ManyClustersRunWithinMemory) {
  const Result result =
      run_cluster(kStoreOwn + kSync + kLoadOther + kSync, {.grid = {600, 1, 1}, .seed = 3});
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(599 * 32 + 1), 1U);
}

}  // namespace
}  // namespace warpcheck::isa::test
