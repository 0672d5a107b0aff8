// A launch of a session goes on after a misuse of an instruction: a second defect is found, too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/device/virtual/session/fixture.hpp"

namespace warpcheck::device::test {
namespace {

using testing::StartsWith;
using testing::UnorderedElementsAre;

struct Misuse {
  const char* name;
  const char* body;
  const char* finding;  // the beginning
  unsigned threads = 32;
};

void PrintTo(const Misuse& misuse, std::ostream* out) { *out << misuse.name; }

constexpr const char* kShared =
    ".shared .align 128 .b8 tile[1024];\n.shared .align 8 .b64 object;\n";

/// The instruction after the misuse stores beyond the buffer.
constexpr const char* kSecond = "\n st.global.u32 [%p+4096], 1;\n";

class SessionContinuation : public SessionTest, public testing::WithParamInterface<Misuse> {};

TEST_P(SessionContinuation, SecondFindingIsReportedToo) {
  const ModuleId module = load(kShared + entry("both", GetParam().body + std::string(kSecond)));
  const std::uint64_t a = allocate(Words(256, 5), "a");
  SessionLaunch what;
  what.entry = "both";
  what.block = {GetParam().threads, 1, 1};
  what.parameters = parameters(a);
  const LaunchResult result = session->launch(module, what);
  EXPECT_FALSE(result.unsupported);
  EXPECT_TRUE(result.completed) << testing::PrintToString(texts(result.findings));
  std::vector<Finding> failures = result.findings;
  std::erase_if(failures, [](const Finding& one) { return one.grade != Grade::failure; });
  EXPECT_THAT(texts(failures),
              UnorderedElementsAre(StartsWith(GetParam().finding),
                                   StartsWith("out-of-bounds: 4-byte store to byte 4096 of a")));
}

constexpr const char* kInit =
    "setp.eq.u32 %q3, %me, 0; @%q3 mbarrier.init.shared.b64 [object], 1;"
    " bar.sync 0;\n";

std::string with_object(const std::string& body) { return kInit + body; }

const std::string kTooMany = with_object(
    "@!%q3 bra end; mbarrier.arrive.shared.b64 _, [object]; mbarrier.arrive.noComplete.shared.b64 "
    "%d1, [object], 2; st.global.u64 [%p], %d1; end:");
const std::string kTooManyBytes = with_object(
    "@!%q3 bra end; mov.u32 %r1, 1048576; mbarrier.expect_tx.relaxed.cta.shared.b64 [object], %r1;"
    " end:");
const std::string kBulkSource = with_object(
    "@!%q3 bra end; mbarrier.arrive.expect_tx.shared.b64 _, [object], 32;"
    " cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%p+1008], 32, "
    "[object]; again: mbarrier.try_wait.parity.shared.b64 %q1, [object], 0; @!%q1 bra again;"
    " ld.shared.u32 %r1, [tile+16]; st.global.u32 [%p], %r1; end:");
const std::string kBulkTarget = with_object(
    "@!%q3 bra end; mbarrier.arrive.expect_tx.shared.b64 _, [object], 32;"
    " mov.u32 %r2, tile; add.u32 %r2, %r2, 8; "
    " cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%p], 32, "
    "[object]; again: mbarrier.try_wait.parity.shared.b64 %q1, [object], 0; @!%q1 bra again; end:");
const std::string kBulkSize = with_object(
    "@!%q3 bra end; mbarrier.arrive.expect_tx.shared.b64 _, [object], 24;"
    " cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%p], 24, "
    "[object]; again: mbarrier.try_wait.parity.shared.b64 %q1, [object], 0; @!%q1 bra again; end:");

INSTANTIATE_TEST_SUITE_P(
    Kinds, SessionContinuation,
    testing::Values(
        Misuse{"BarrierNumber", "mov.u32 %r1, 16; bar.sync %r1;",
               "barrier-divergence: barrier 16 is named"},
        Misuse{"BarrierReduction",
               "mov.u32 %r1, 17; setp.eq.u32 %q1, %me, 0; bar.red.popc.u32 %r2, %r1, %q1;"
               " st.global.u32 [%own], %r2;",
               "barrier-divergence: barrier 17 is named"},
        Misuse{"BarrierCount", "bar.sync 1, 33;",
               "barrier-divergence: barrier 1 waits for 33 threads"},
        Misuse{"WarpBarrierMask", "mov.u32 %r1, 0x0000ffff; bar.warp.sync %r1;",
               "barrier-divergence: lane 16 waits with mask 0x0000ffff, which does not name it"},
        Misuse{"ShuffleMask",
               "shfl.sync.idx.b32 %r1, %me, 16, 31, 0xffff0000; st.global.u32 [%own+512], 1;",
               "barrier-divergence: lane 0 takes part with mask 0xffff0000"},
        Misuse{"ObjectBeyondSharedMemory", "mov.u32 %r1, 65536; mbarrier.init.shared.b64 [%r1], 1;",
               "out-of-bounds: 8-byte store", 1},
        Misuse{"ObjectCount",
               "mbarrier.init.shared.b64 [object], 0;"
               " mbarrier.arrive.shared.b64 %d1, [object]; st.global.u64 [%p], %d1;",
               "barrier-divergence: a count of 0 is given", 1},
        Misuse{"ObjectWithoutInit",
               "mbarrier.arrive.shared.b64 %d1, [object]; st.global.u64 [%p], %d1;",
               "uninitialized-read: byte 0 of object begins no mbarrier object", 1},
        Misuse{"TooManyArrivals", kTooMany.c_str(), "barrier-divergence: 2 arrive where"},
        Misuse{"TooManyBytes", kTooManyBytes.c_str(),
               "barrier-divergence: the object would wait for 1048576 bytes"},
        Misuse{"BulkCopyFromBeyondABuffer", kBulkSource.c_str(),
               "out-of-bounds: bulk copy of 32 bytes from byte 1008 of a"},
        Misuse{"BulkCopyToMisaligned", kBulkTarget.c_str(),
               "misaligned: bulk copy of 32 bytes to byte 8 of tile"},
        Misuse{"BulkCopySize", kBulkSize.c_str(), "misaligned: bulk copy of 24 bytes"},
        Misuse{"AsyncCopyUndefined",
               "cp.async.ca.shared.global [tile], [%d5], 4;"
               " cp.async.wait_all; ld.shared.u32 %r1, [tile]; st.global.u32 [%p], %r1;",
               "uninitialized-read: the address or the size of the source is undefined", 1},
        Misuse{"AsyncCopySize",
               "mov.u32 %r1, 8; cp.async.ca.shared.global [tile], [%p], 4, %r1;"
               " cp.async.wait_all;",
               "illegal-instruction: a copy of 4 bytes is to read 8 bytes", 1},
        Misuse{"MatrixOutsideOfSharedMemory",
               "ldmatrix.sync.aligned.m8n8.x1.b16 {%r2}, [%p]; st.global.u32 [%own], %r2;",
               "out-of-bounds: the address of the row is not in shared memory"},
        Misuse{"MatrixByHalfAWarp",
               "mov.u32 %r2, tile; movmatrix.sync.aligned.m8n8.trans.b16 %r3, %r2;"
               " setp.lt.u32 %q1, %me, 16; @%q1 bra part; bra end;\n part:"
               " movmatrix.sync.aligned.m8n8.trans.b16 %r3, %r2;"
               " st.global.u32 [%own], %r3;\n end:",
               "barrier-divergence: 16 of the warp's 32 lanes come to movmatrix"},
        Misuse{
            "MatrixWithTwoAddresses",
            "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7},"
            " [%own], 16;",
            "barrier-divergence: lane 1 has another address or stride than lane 0"},
        Misuse{
            "MatrixBeyondABuffer",
            "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7},"
            " [%p+512], 16; st.global.u32 [%own], %r7;",
            "out-of-bounds: row"},
        Misuse{"ClusterArrival",
               "barrier.cluster.arrive; barrier.cluster.arrive; barrier.cluster.wait;",
               "barrier-divergence: a second arrival at the barrier of the cluster"},
        Misuse{"ClusterWait", "barrier.cluster.wait;",
               "barrier-divergence: a wait at the barrier of the cluster without an arrival"},
        Misuse{"ClusterRank", "mov.u32 %r1, tile; mapa.shared::cluster.u32 %r2, %r1, 9;",
               "out-of-bounds: block 9 of a cluster that has 1"},
        Misuse{"ProductDescriptor",
               "mov.f32 %r0, 0f00000000; mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0;"
               " mov.u64 %d1, 0x3fff; setp.eq.u32 %q1, %me, %me; wgmma.fence.sync.aligned;"
               " wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r0, %r1, %r2, %r3}, %d1, %d1,"
               " %q1, 1, 1, 0, 0; wgmma.commit_group.sync.aligned;"
               " wgmma.wait_group.sync.aligned 0; st.global.u32 [%own], %r0;",
               "out-of-bounds: the descriptor leads to", 128},
        Misuse{"ProductByOneWarp",
               "wgmma.fence.sync.aligned;"
               " wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r0, %r1, %r2, %r3}, %d1, %d1,"
               " %q1, 1, 1, 0, 0; st.global.u32 [%own], %r0;",
               "barrier-divergence: a warpgroup is four warps"},
        Misuse{"RegistersOfAWarpgroup",
               "setp.lt.u32 %q1, %me, 32; @%q1 bra less; setmaxnreg.inc.sync.aligned.u32 64;"
               " bra end;\n less: setmaxnreg.inc.sync.aligned.u32 128;\n end:",
               "barrier-divergence: the warps of a warpgroup execute different setmaxnreg", 128}),
    [](const auto& test) { return test.param.name; });

class SessionResults : public SessionTest {};

TEST_F(SessionResults, MatrixOutsideOfSharedMemoryIsZero) {
  const ModuleId module = load(
      entry("load", "ldmatrix.sync.aligned.m8n8.x1.b16 {%r2}, [%p]; st.global.u32 [%own], %r2;"));
  const std::uint64_t a = allocate(Words(32, 5), "a");
  EXPECT_TRUE(launch(module, "load", 32, a).completed);
  EXPECT_EQ(read(a, 32), Words(32, 0));
}

TEST_F(SessionResults, BulkCopyFromBeyondABufferDeliversZeros) {
  const ModuleId module = load(kShared + entry("copy", kBulkSource));
  const std::uint64_t a = allocate(Words(256, 5), "a");
  EXPECT_TRUE(launch(module, "copy", 32, a).completed);
  EXPECT_EQ(read(a, 1), Words{0});
}

TEST_F(SessionResults, LanesThatAMaskOmitsFormAGroup) {
  const ModuleId module =
      load(entry("shuffle",
                 "mov.u32 %r2, 0x0000ffff; and.b32 %r3, %me, 16; add.u32 %r3, %r3, 3;"
                 " shfl.sync.idx.b32 %r1, %me, %r3, 31, %r2; st.global.u32 [%own], %r1;"));
  const std::uint64_t a = allocate(Words(32, 5), "a");
  EXPECT_TRUE(launch(module, "shuffle", 32, a).completed);
  Words expected(32, 3);
  std::fill(expected.begin() + 16, expected.end(), 19);
  EXPECT_EQ(read(a, 32), expected);
}

class SessionEnds : public SessionTest {};

/// After these the state of the threads is unknown.
TEST_F(SessionEnds, BranchCallAndTrapEndTheLaunch) {
  const std::uint64_t a = allocate(4, "a");
  for (const char* body :
       {"trap;", "mov.u32 %r1, 9; ts: .branchtargets end; brx.idx %r1, ts;\n end:",
        "mov.u64 %d1, 0; proto: .callprototype _ (); call %d1, (), proto;"}) {
    const ModuleId module = load(entry("end", body + std::string(kSecond)));
    const LaunchResult result = launch(module, "end", 1, a);
    EXPECT_FALSE(result.completed) << body;
    EXPECT_EQ(result.findings.size(), 1U) << body;
  }
}

}  // namespace
}  // namespace warpcheck::device::test
