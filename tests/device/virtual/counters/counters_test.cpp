// Counts of small kernels, known from their text.
#include <gtest/gtest.h>

#include <algorithm>

#include "device/virtual/virtual_device.hpp"
#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using device::InstructionCounts;

Conditions counted(Dim3 grid = {1, 1, 1}, Dim3 block = {32, 1, 1}) {
  Conditions conditions;
  conditions.grid = grid;
  conditions.block = block;
  conditions.count = true;
  return conditions;
}

/// The counts of the one instruction whose text, without its guard, has this beginning.
InstructionCounts of(const Result& result, const std::string& beginning) {
  EXPECT_TRUE(result.completed()) << result.finding();
  const auto begins = [&](const InstructionCounts& counts) {
    const std::string& text = counts.source.instruction;
    return text.find(beginning) == (text.starts_with('@') ? text.find(' ') + 1 : 0);
  };
  const auto& counts = result.outcome.counts;
  EXPECT_EQ(std::count_if(counts.begin(), counts.end(), begins), 1) << beginning;
  const auto found = std::find_if(counts.begin(), counts.end(), begins);
  return found == counts.end() ? InstructionCounts{} : *found;
}

TEST(Counters, AreEmptyUnlessRequested) {
  EXPECT_TRUE(run("add.u32 %r0, %me, %me;").outcome.counts.empty());
}

TEST(Counters, CountEveryWarpOfEveryBlock) {
  // 3 blocks of 40 threads: a warp of 32 lanes and one of 8 each.
  const Result result = run("add.u32 %r0, %me, %me;", {}, counted({3, 1, 1}, {40, 1, 1}));
  const InstructionCounts add = of(result, "add.u32");
  EXPECT_EQ(add.warps, 6U);
  EXPECT_EQ(add.threads, 120U);
  EXPECT_EQ(add.predicated_on, 120U);
  EXPECT_EQ(add.source.facts.kind, device::InstructionKind::integer);
}

TEST(Counters, CountLanesThatAGuardPredicatesOff) {
  const Result result = run(R"(
    setp.lt.u32 %p0, %me, 5;
    setp.lt.u32 %p1, %me, 0;
    @%p0 add.u32 %r0, %me, 1;
    @%p1 sub.u32 %r1, %me, 1;)",
                            {}, counted());
  EXPECT_EQ(of(result, "add.u32").threads, 32U);
  EXPECT_EQ(of(result, "add.u32").predicated_on, 5U);
  EXPECT_EQ(of(result, "sub.u32").warps, 1U) << "executed, though no lane takes part";
  EXPECT_EQ(of(result, "sub.u32").predicated_on, 0U);
}

TEST(Counters, DistinguishDivergentFromUniformBranches) {
  // Two warps; the first splits at 8, the second skips the addition as one.
  const Result result = run(R"(
    setp.ge.u32 %p0, %me, 8;
    @%p0 bra DONE;
    add.u32 %r0, %me, 1;
  DONE:)",
                            {}, counted({1, 1, 1}, {64, 1, 1}));
  const InstructionCounts branch = of(result, "bra");
  EXPECT_TRUE(branch.conditional);
  EXPECT_EQ(branch.warps, 2U);
  EXPECT_EQ(branch.taken, 2U);
  EXPECT_EQ(branch.not_taken, 1U);
  EXPECT_EQ(branch.divergent, 1U);
  EXPECT_EQ(of(result, "add.u32").warps, 1U);
  EXPECT_EQ(of(result, "add.u32").threads, 8U);
}

TEST(Counters, CountEachIterationOfALoop) {
  const Result result = run(R"(
    mov.u32 %r0, 0;
  AGAIN:
    add.u32 %r0, %r0, 1;
    setp.lt.u32 %p0, %r0, 7;
    @%p0 bra AGAIN;)",
                            {}, counted());
  EXPECT_EQ(of(result, "add.u32").warps, 7U);
  EXPECT_EQ(of(result, "bra").taken, 6U);
  EXPECT_EQ(of(result, "bra").not_taken, 1U);
  EXPECT_EQ(of(result, "bra").divergent, 0U);
}

TEST(Counters, IncludeInstructionsThatWereNeverExecuted) {
  const Result result = run(R"(
    setp.ge.u32 %p0, %me, 0;
    @%p0 bra DONE;
    add.u32 %r0, %me, 1;
  DONE:)",
                            {}, counted());
  EXPECT_EQ(of(result, "add.u32").warps, 0U);
}

TEST(Counters, CountSectorsOfGlobalAccesses) {
  // Neighbouring words: 128 bytes. A column of 8-byte slots: 256 bytes.
  const Result result = run(R"(
    mad.wide.u32 %d0, %me, 4, %in;
    ld.global.u32 %r0, [%d0];
    st.global.u32 [%own], %r0;)",
                            std::vector<std::uint32_t>(32, 1), counted());
  EXPECT_EQ(of(result, "ld.global").global_requests, 1U);
  EXPECT_EQ(of(result, "ld.global").global_sectors, 4U);
  EXPECT_EQ(of(result, "st.global").global_requests, 1U);
  EXPECT_EQ(of(result, "st.global").global_sectors, 8U);
  EXPECT_EQ(of(result, "st.global").shared_requests, 0U);
}

TEST(Counters, CountVectorsAsOneRequest) {
  const Result result = run(R"(
    mad.wide.u32 %d0, %me, 16, %in;
    ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%d0];)",
                            std::vector<std::uint32_t>(128, 1), counted());
  EXPECT_EQ(of(result, "ld.global").global_requests, 1U);
  EXPECT_EQ(of(result, "ld.global").global_sectors, 16U);
}

TEST(Counters, CountNoRequestWithoutAnActiveLane) {
  const Result result = run(R"(
    setp.lt.u32 %p0, %me, 0;
    @%p0 ld.global.u32 %r0, [%in];)",
                            {1}, counted());
  EXPECT_EQ(of(result, "ld.global").warps, 1U);
  EXPECT_EQ(of(result, "ld.global").global_requests, 0U);
}

TEST(Counters, CountWavefrontsOfSharedAccesses) {
  // A row of 32 words without conflict, then a column of the same tile: 32 words of one bank.
  const Result result = run(R"(
    mov.u32 %r0, tile;
    mad.lo.u32 %r1, %me, 4, %r0;
    mad.lo.u32 %r2, %me, 128, %r0;
    st.shared.u32 [%r1], %me;
    bar.warp.sync 0xffffffff;
    st.shared.v2.u32 [%r2], {%me, %me};)",
                            {}, counted(), ".shared .align 16 .b8 tile[4096];");
  const InstructionCounts row = of(result, "st.shared.u32");
  EXPECT_EQ(row.shared_requests, 1U);
  EXPECT_EQ(row.shared_wavefronts, 1U);
  EXPECT_EQ(row.shared_ideal, 1U);
  const InstructionCounts column = of(result, "st.shared.v2");
  EXPECT_EQ(column.shared_wavefronts, 32U) << "two half-warps, 16 words of a bank in each";
  EXPECT_EQ(column.shared_ideal, 2U);
}

TEST(Counters, CountBothSidesOfAnAsynchronousCopy) {
  // 32 x 16 bytes in a row read, written as a column of quads. The second copy reads nothing in the
  // upper half-warp, and half of its bytes in the lower: 16 places 16 bytes apart are 8 sectors.
  const Result result =
      run(R"(
    mad.wide.u32 %d0, %me, 16, %in;
    mov.u32 %r0, tile;
    mad.lo.u32 %r1, %me, 128, %r0;
    cp.async.cg.shared.global [%r1], [%d0], 16;
    setp.lt.u32 %p0, %me, 16;
    selp.u32 %r2, 4, 0, %p0;
    mad.lo.u32 %r3, %me, 8, %r0;
    cp.async.wait_all;
    bar.sync 0;
    cp.async.ca.shared.global [%r3], [%d0], 8, %r2;
    cp.async.wait_all;)",
          std::vector<std::uint32_t>(128, 1), counted(), ".shared .align 16 .b8 tile[4096];");
  const InstructionCounts whole = of(result, "cp.async.cg");
  EXPECT_EQ(whole.warps, 1U);
  EXPECT_EQ(whole.source.facts.kind, device::InstructionKind::copy);
  EXPECT_EQ(whole.global_requests, 1U);
  EXPECT_EQ(whole.global_sectors, 16U);
  EXPECT_EQ(whole.shared_requests, 1U);
  EXPECT_EQ(whole.shared_wavefronts, 32U);
  EXPECT_EQ(whole.shared_ideal, 4U);
  const InstructionCounts part = of(result, "cp.async.ca.shared.global [%r3]");
  EXPECT_EQ(part.global_sectors, 8U);
  EXPECT_EQ(part.shared_wavefronts, 2U);
}

TEST(Counters, ResolveGenericAddresses) {
  const Result result = run(R"(
    mov.u32 %r0, tile;
    cvt.u64.u32 %d0, %r0;
    cvta.shared.u64 %d0, %d0;
    mad.wide.u32 %d1, %me, 128, %d0;
    st.u32 [%d1], %me;
    ld.u32 %r1, [%in];)",
                            {1}, counted(), ".shared .align 16 .b8 tile[4096];");
  EXPECT_EQ(of(result, "st.u32").shared_wavefronts, 32U);
  EXPECT_EQ(of(result, "st.u32").global_requests, 0U);
  EXPECT_EQ(of(result, "ld.u32").global_sectors, 1U);
}

TEST(Counters, BulkCopiesCountTheirBytesOnce) {
  const Result result = run(R"(
    setp.ne.u32 %p0, %me, 0;
    @%p0 bra DONE;
    mov.u32 %r1, tile;
    mov.u32 %r2, object;
    mbarrier.init.shared.b64 [%r2], 1;
    mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 96;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%in], 96, [%r2];
    WAIT:
    mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0;
    @!%p1 bra WAIT;
    cp.async.bulk.global.shared::cta.bulk_group [%out], [%r1], 32;
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 0;
    DONE:)",
                            std::vector<std::uint32_t>(24), counted(),
                            ".shared .align 16 .b8 tile[96]; .shared .align 8 .b64 object;");
  ASSERT_EQ(result.finding(), "");
  const InstructionCounts& load = of(result, "cp.async.bulk.shared");
  EXPECT_EQ(load.global_requests, 1U);
  EXPECT_EQ(load.global_sectors, 3U);
  EXPECT_EQ(load.shared_requests, 0U);
  EXPECT_EQ(of(result, "cp.async.bulk.global").global_sectors, 1U);
}

TEST(Counters, DoNotDependOnTheNumberOfHostThreads) {
  const auto counts = [](unsigned host_threads) {
    Conditions conditions = counted({64, 1, 1}, {64, 1, 1});
    conditions.host_threads = host_threads;
    const Result result = run(R"(
      setp.ge.u32 %p0, %me, 8;
      @%p0 bra DONE;
      st.global.u32 [%own], %me;
    DONE:)",
                              {}, conditions);
    std::vector<std::uint64_t> numbers;
    for (const InstructionCounts& of : result.outcome.counts) {
      numbers.insert(numbers.end(), {of.warps, of.threads, of.global_sectors, of.divergent});
    }
    return numbers;
  };
  EXPECT_FALSE(counts(1).empty());
  EXPECT_EQ(counts(1), counts(3));
}

TEST(Counters, AreEmptyIfALaunchDidNotComplete) {
  const Result result = run("ld.global.u32 %r0, [%in+4];", {1}, counted());
  EXPECT_FALSE(result.completed());
  EXPECT_TRUE(result.outcome.counts.empty());
}

TEST(Counters, CountOneRequestForEachMatrix) {
  // Four matrices of rows 16 bytes apart: no two rows of one meet in a bank. Rows 128 bytes apart
  // all begin in bank 0.
  const auto counts = [](const std::string& apart, const std::string& load) {
    const Result result =
        run("mov.u32 %r10, tile; mad.lo.u32 %r10, %me, " + apart + ", %r10;" + load, {}, counted(),
            ".shared .align 16 .b8 tile[4096];");
    return of(result, load.substr(0, 8));
  };
  const std::string load = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [%r10];";
  EXPECT_EQ(counts("16", load).shared_requests, 1U);
  EXPECT_EQ(counts("16", load).shared_wavefronts, 4U);
  EXPECT_EQ(counts("16", load).shared_ideal, 4U);
  EXPECT_EQ(counts("128", load).shared_wavefronts, 32U);
  EXPECT_EQ(counts("128", load).shared_ideal, 4U);
  // For one matrix, the addresses of lanes 8 to 31 do not count.
  const std::string store = "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r10], {%me};";
  EXPECT_EQ(counts("128", store).shared_wavefronts, 8U);
  EXPECT_EQ(counts("128", store).shared_ideal, 1U);
}

TEST(Counters, CountTheElementsOfFragments) {
  // A of 16 x 16 halves, row by row: four registers of pairs, each 8 rows of 16 bytes.
  const std::string load =
      "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, "
      "[%in], 16;";
  const InstructionCounts counts =
      of(run(load, std::vector<std::uint32_t>(128), counted()), "wmma.load");
  EXPECT_EQ(counts.global_requests, 4U);
  EXPECT_EQ(counts.global_sectors, 32U);
  EXPECT_EQ(counts.global_ideal, 16U);
}

}  // namespace
}  // namespace warpcheck::isa::test
