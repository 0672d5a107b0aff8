// Asynchronous reductions in the shared memory of a cluster: red.async (PTX ISA 9.7.13.7) and
// cp.reduce.async.bulk (9.7.9.25.4.2).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kClusterBarrier = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";

/// Two blocks of 32 threads. Block 0 has 64 words `cells`, which are `first` at the start, and an
/// object that expects `bytes`. %r3 is the address of the cells of block 0, %r9 of its object. %p1:
/// block 0, %p2: thread 0. After `body`, block 0 waits, and its threads store their cell.
Result run_reduction(const std::string& body, const std::string& bytes,
                     const std::string& first = "10", std::uint64_t seed = 0,
                     const std::string& wait = "") {
  std::string text = entry(
      "mov.u32 %r0, %cluster_ctarank; mov.u32 %r1, cells; mov.u32 %r8, object;"
      "mapa.shared::cluster.u32 %r3, %r1, 0; mapa.shared::cluster.u32 %r9, %r8, 0;"
      "mad.lo.u32 %r4, %me, 4, %r1; setp.eq.u32 %p1, %r0, 0; setp.eq.u32 %p2, %me, 0;"
      "st.shared.u32 [%r4], " +
          first +
          "; @!%p2 bra READY; mbarrier.init.shared.b64 [object], 1;"
          "mbarrier.arrive.expect_tx.shared.b64 _, [object], " +
          bytes + ";READY:" + kClusterBarrier + body + "@!%p1 bra END;" +
          (wait.empty() ? "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p4, [object], 0;"
                          "@!%p4 bra WAIT;"
                        : wait) +
          "ld.shared.u32 %r7, [%r4]; st.global.u32 [%own], %r7; END: " + kClusterBarrier,
      ".shared .align 16 .b32 cells[64]; .shared .b64 object;");
  const std::string parameters = ".param .u64 out_parameter)";
  text.insert(text.find(parameters) + parameters.size(), " .reqnctapercluster 2, 1, 1");
  return run_module(text, {}, std::size_t{8} * 64, {.grid = {2, 1, 1}, .seed = seed});
}

std::string red_async(const std::string& operation, const std::string& value) {
  return "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." + operation +
         " [%r3], " + value + ", [%r9];";
}

TEST(AsyncReduction, SumsOfAllThreadsAddUp) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Result result = run_reduction(red_async("add.u32", "%me"), "256", "10", seed);
    EXPECT_EQ(result.finding(), "");
    EXPECT_EQ(result.at<std::uint64_t>(0), 10U + 2 * 31 * 32 / 2);
    EXPECT_EQ(result.at<std::uint64_t>(1), 10U);
  }
}

TEST(AsyncReduction, OperationsFollowTheirNames) {
  const auto value = [](const std::string& operation, const std::string& operand) {
    const Result result = run_reduction("@%p2 " + red_async(operation, operand), "8");
    EXPECT_EQ(result.finding(), "") << operation;
    return result.at<std::uint32_t>(0);
  };
  EXPECT_EQ(value("add.s32", "-1"), 8U);
  EXPECT_EQ(value("min.s32", "-3"), ~0U - 2);
  EXPECT_EQ(value("min.u32", "-3"), 10U);
  EXPECT_EQ(value("max.s32", "12"), 12U);
  EXPECT_EQ(value("inc.u32", "10"), 1U);  // wraps after 10
  EXPECT_EQ(value("dec.u32", "20"), 8U);
  EXPECT_EQ(value("and.b32", "3"), 2U);
  EXPECT_EQ(value("or.b32", "5"), 15U);
  EXPECT_EQ(value("xor.b32", "3"), 10U);  // twice
}

TEST(AsyncReduction, WordOf64BitsCounts8Bytes) {
  const std::string body =
      "mov.u64 %d1, 4294967295; @%p2 "
      "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%r3], %d1, "
      "[%r9];";
  const Result result = run_reduction(body, "16", "0");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(0), ~0U - 1);
  EXPECT_EQ(result.at<std::uint64_t>(1), 1U);
}

TEST(AsyncReduction, MissingBytesAreADeadlock) {
  EXPECT_THAT(run_reduction("@%p2 " + red_async("add.u32", "1"), "12").finding(),
              StartsWith("deadlock"));
}

TEST(AsyncReduction, ReadBeforeTheWaitIsARace) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Result result =
        run_reduction(red_async("add.u32", "%me"), "256", "10", seed, kClusterBarrier);
    EXPECT_THAT(result.finding(), StartsWith("race: ")) << seed;
  }
}

TEST(AsyncReduction, PlainStoreIsARace) {
  EXPECT_THAT(
      run_reduction("@%p2 st.shared::cluster.u32 [%r3], 1;" + red_async("add.u32", "%me"), "256")
          .finding(),
      StartsWith("race: "));
  EXPECT_THAT(
      run_reduction(red_async("add.u32", "%me") + "@%p2 st.shared::cluster.u32 [%r3], 1;", "256")
          .finding(),
      StartsWith("race: "));
}

TEST(AsyncReduction, DifferentReductionsRace) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Result result =
        run_reduction("@%p1 " + red_async("add.u32", "1") + "@!%p1 " + red_async("max.u32", "1"),
                      "256", "10", seed);
    EXPECT_THAT(result.finding(), StartsWith("race: ")) << seed;
    EXPECT_THAT(result.finding(), HasSubstr("asynchronous reduction")) << seed;
  }
}

TEST(AsyncReduction, UndefinedOperandMakesTheWordUndefined) {
  EXPECT_THAT(run_reduction("@%p2 " + red_async("add.u32", "%r15"), "8").finding(),
              StartsWith("uninitialized-read"));
}

std::string bulk_reduction(const std::string& operation, const std::string& to = "%r3") {
  return "@%p2 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." +
         operation + " [" + to + "], [%r1+128], 128, [%r9];";
}
const std::string kReductionSource = "add.u32 %r5, %r0, 1; st.shared.u32 [%r4+128], %r5;";
const std::string kProxyFence = "fence.proxy.async;";

TEST(BulkReduction, ArraysOfBothBlocksAddUp) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Result result =
        run_reduction(kReductionSource + kProxyFence + kClusterBarrier + bulk_reduction("add.u32"),
                      "256", "%me", seed);
    EXPECT_EQ(result.finding(), "");
    EXPECT_EQ(result.at<std::uint64_t>(0), 3U);
    EXPECT_EQ(result.at<std::uint64_t>(31), 34U);
  }
}

TEST(BulkReduction, NeedsAFenceAfterGenericWrites) {
  EXPECT_THAT(
      run_reduction(kReductionSource + "bar.sync 0;" + bulk_reduction("add.u32"), "256").finding(),
      HasSubstr("no fence.proxy.async follows the write"));
  // The source is fenced, the destination is not.
  EXPECT_THAT(
      run_reduction(kReductionSource + kProxyFence + "bar.sync 0; @%p1 st.shared.u32 [%r4], 7;" +
                        kClusterBarrier + bulk_reduction("add.u32"),
                    "256")
          .finding(),
      HasSubstr("no fence.proxy.async follows the write"));
}

TEST(BulkReduction, ReadBeforeTheWaitIsARace) {
  EXPECT_THAT(
      run_reduction(kReductionSource + kProxyFence + kClusterBarrier + bulk_reduction("add.u32"),
                    "256", "%me", 0, kClusterBarrier)
          .finding(),
      StartsWith("race: "));
}

TEST(BulkReduction, DifferentReductionsRace) {
  EXPECT_THAT(run_reduction(kReductionSource + kProxyFence + kClusterBarrier + "@%p1 bra ONE;" +
                                bulk_reduction("min.s32") +
                                "bra BOTH; ONE: " + bulk_reduction("min.u32") + "BOTH:",
                            "256")
                  .finding(),
              HasSubstr("asynchronous reduction"));
}

TEST(BulkReduction, RequiresMultiplesOf16) {
  EXPECT_THAT(run_reduction(kReductionSource + kProxyFence + kClusterBarrier +
                                bulk_reduction("add.u32", "%r3+4"),
                            "256")
                  .finding(),
              StartsWith("misaligned"));
}

}  // namespace
}  // namespace warpcheck::isa::test
