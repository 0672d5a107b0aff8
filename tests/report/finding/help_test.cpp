#include "report/finding/help.hpp"

#include <gmock/gmock.h>

#include "report/finding/wrapped.hpp"
#include "tests/report/events.hpp"

namespace warpcheck::report {
namespace {

using campaign::Advice;
using campaign::FindingReport;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A load of B[10, 0] by thread (0, 10, 0), with m = n = k = 1.
FindingReport load_beyond_k() {
  FindingReport report = misaligned_load();
  report.finding.kind = FindingClass::out_of_bounds;
  report.finding.message = "4-byte load from byte 40 of B, which has 4 bytes";
  report.finding.thread = ThreadPlace{{0, 0, 0}, {0, 10, 0}};
  report.finding.memory = MemoryPlace{"B", 40, 4, false};
  report.element = "B[10, 0]: row 10 of 1 row, 37 bytes past the end of B";
  report.index_outside = 10;
  report.smallest = campaign::parse_case("sgemm_float4 m=1 n=1 k=1");
  return report;
}

TEST(Help, NamesTheIndexThatNoGuardStops) {
  EXPECT_THAT(help_texts(load_beyond_k()),
              ElementsAre("guard the load at line 12: thread (0, 10, 0) uses its index 10, which "
                          "is not below m = 1, n = 1, k = 1"));
}

TEST(Help, NoGuardIsMissingIfTheThreadHasAnElement) {
  FindingReport report = load_beyond_k();
  report.index_outside.reset();  // an output has a row 10
  EXPECT_THAT(help_texts(report), IsEmpty());
}

TEST(Help, NoGuardIsMissingIfTheIndexIsNotTheThreads) {
  FindingReport report = load_beyond_k();
  report.index_outside = 20;
  EXPECT_THAT(help_texts(report), IsEmpty());
}

TEST(Help, ContractUnderWhichTheKernelIsCorrectIsTheOnlyHelp) {
  FindingReport report = load_beyond_k();
  report.advice = {Advice::Kind::correct_with, "the arguments m and n exchanged", 4};
  EXPECT_THAT(help_texts(report),
              ElementsAre("the kernel is correct with the arguments m and n exchanged, in all 4 "
                          "cases tried"));
}

TEST(Help, GuardOfAVectorMustHoldForItsLastElement) {
  FindingReport report = load_beyond_k();
  report.finding.source.facts.vector = 4;
  report.finding.memory = MemoryPlace{"A", 0, 16, false, 4};
  EXPECT_THAT(help_texts(report),
              ElementsAre(HasSubstr("the guard at line 12 must hold for the last element")));
}

TEST(Help, NegativeOffsetOfA32BitIndexIsAnOverflow) {
  FindingReport report = load_beyond_k();
  report.finding.memory = MemoryPlace{"A", -8589933136, 4, false, 8589936052};
  EXPECT_THAT(
      help_texts(report),
      ElementsAre(HasSubstr("a 32-bit index overflows at line 12: without the overflow, the "
                            "load is at byte 8589936048, inside of A")));
  report.finding.memory->extent = 8589936048;
  EXPECT_THAT(help_texts(report), IsEmpty());
}

/// A race of blocks that add to one element.
FindingReport race_of_blocks() {
  FindingReport report = benign_race();
  report.finding.missing = MissingOrder{MissingOrder::Kind::release};
  report.finding.source.line = 12;
  report.finding.memory = MemoryPlace{"workspace", 0, 4, false};
  report.excerpt.lines[2] = "  sums[element] += sum;";
  return report;
}

TEST(Help, SumsOfBlocksNeedAtomics) {
  EXPECT_THAT(help_texts(race_of_blocks()),
              ElementsAre(HasSubstr("line 12 reads and writes in separate steps: use atomicAdd")));
}

TEST(Help, BlocksAreOrderedByReleaseAndAcquire) {
  FindingReport report = race_of_blocks();
  report.excerpt.lines[2] = "  sums[element] = sums[other];";
  EXPECT_THAT(help_texts(report), ElementsAre(HasSubstr("with a release and an acquire")));
}

TEST(Help, NoBarrierIsMissingBetweenTwoWritesOfOneElement) {
  FindingReport report = benign_race();
  report.finding.missing = MissingOrder{MissingOrder::Kind::barrier};
  report.finding.memory = MemoryPlace{"tile", 0, 4, true};
  EXPECT_THAT(help_texts(report), IsEmpty());
}

TEST(Help, BarrierOfTheWarpComesFirstForARaceWithinOneWarp) {
  FindingReport report = race_of_blocks();
  report.finding.other->source.line = 9;
  report.finding.missing = MissingOrder{MissingOrder::Kind::barrier};
  report.finding.missing->within_warp = true;
  report.finding.memory = MemoryPlace{"tile", 0, 4, false};
  report.excerpt.lines.back() = "  __syncwarp();";
  report.finding.other->write = true;
  EXPECT_THAT(help_texts(report), ElementsAre(HasSubstr(": __syncwarp(), or __syncthreads() if")));
  report.excerpt.lines.back() = "  __syncthreads();";
  EXPECT_THAT(help_texts(report), ElementsAre(HasSubstr(": __syncthreads(), or __syncwarp() if")));
  report.excerpt.lines.back() = "  __syncwarp();";
  report.finding.missing->within_warp = false;
  EXPECT_THAT(help_texts(report), ElementsAre(HasSubstr(": __syncthreads(), or __syncwarp() if")));
}

/// A race of a store and a load, of different lines, that lack a barrier.
FindingReport race_without_barrier(MissingOrder missing) {
  FindingReport report = race_of_blocks();
  report.finding.other->source.line = 9;
  report.finding.other->write = true;
  report.finding.missing = std::move(missing);
  report.finding.memory = MemoryPlace{"y", 0, 4, false};
  return report;
}

TEST(Help, BarrierIsMissingInGlobalMemoryToo) {
  EXPECT_THAT(help_texts(race_without_barrier({MissingOrder::Kind::barrier})),
              ElementsAre("a barrier is missing between line 9 and line 12: __syncthreads(), or "
                          "__syncwarp() if only one warp uses y"));
}

TEST(Help, BarrierIsMissingBetweenAStoreAndAnAtomic) {
  FindingReport report = race_without_barrier({MissingOrder::Kind::barrier});
  report.finding.source.facts.kind = device::InstructionKind::atomic;
  report.finding.memory->write = true;
  EXPECT_THAT(help_texts(report), ElementsAre(HasSubstr("missing between line 9 and line 12")));
}

TEST(Help, LanesOfAWarpAreNotInLockstep) {
  FindingReport report = race_without_barrier({MissingOrder::Kind::barrier});
  report.finding.missing->within_warp = true;
  report.excerpt.lines.back() = "";
  EXPECT_THAT(help_texts(report), ElementsAre(HasSubstr("do not run in lockstep")));
  report.finding.other->source.line = 12;
  report.excerpt.lines[2] = "  s[t] += s[t + 16];";
  EXPECT_THAT(help_texts(report),
              ElementsAre(HasSubstr("line 12 needs __syncwarp() between its loads and its store")));
  report.excerpt.lines[2] = "  s[0] += x[t];";
  EXPECT_THAT(help_texts(report), ElementsAre(HasSubstr("use atomicAdd, or let one thread add")));
}

TEST(Help, BarrierIsMissingBeforeTheTicketOfABlock) {
  const SourcePlace ticket{.file = "", .line = 10};
  FindingReport report =
      race_without_barrier({.kind = MissingOrder::Kind::barrier_before_release, .at = {ticket}});
  report.finding.missing->at.front().file = report.finding.source.file;
  EXPECT_THAT(help_texts(report),
              ElementsAre(HasSubstr("__syncthreads() is missing between line 9 and line 10")));
  report.finding.missing->kind = MissingOrder::Kind::barrier_after_acquire;
  EXPECT_THAT(help_texts(report),
              ElementsAre("__syncthreads() is missing between line 10 and line 12"));
}

TEST(Help, ThreadsMustReachTheSameBarrier) {
  FindingReport report = race_without_barrier({MissingOrder::Kind::different_barriers});
  EXPECT_THAT(help_texts(report), IsEmpty());
  SourcePlace barrier = report.finding.source;
  barrier.line = 7;
  report.finding.missing->at = {barrier};
  EXPECT_THAT(
      help_texts(report),
      ElementsAre("only some threads of the block reach the __syncthreads() at line 7: move "
                  "it out of the conditional code, so that all of them wait there"));
  barrier.line = 8;
  report.finding.missing->at.push_back(barrier);
  EXPECT_THAT(help_texts(report), ElementsAre(HasSubstr("move those at line 7 and line 8 out of")));
}

TEST(Help, OverflowIsNamedAtTheInstructionThatWraps) {
  FindingReport report = load_beyond_k();
  report.finding.memory = MemoryPlace{"A", 16, 4, false, 8589936052};
  report.finding.overflow = IndexOverflow{
      report.finding.source, 16, false, report.finding.source, *report.finding.memory, 262160};
  report.finding.overflow->source.line = 11;
  EXPECT_THAT(help_texts(report),
              ElementsAre("a 16-bit unsigned index overflows at line 11: without the overflow, the "
                          "load is at byte 262160, inside of A; compute the index as size_t"));
}

TEST(Help, AsynchronousCopyIsWaitedForBeforeItsUse) {
  FindingReport report = race_of_blocks();
  report.finding.other->source.facts.completion = device::Completion::copy_group;
  report.finding.other->source.line = 9;
  report.finding.missing = MissingOrder{MissingOrder::Kind::wait};
  EXPECT_THAT(help_texts(report), ElementsAre(HasSubstr("wait for the copy of line 9 before line "
                                                        "12")));
}

TEST(Help, ReadOnlyLoadOfWrittenMemoryBecomesAnOrdinaryLoad) {
  FindingReport report = race_of_blocks();
  report.finding.missing.reset();
  report.finding.source.facts.read_only = true;
  EXPECT_THAT(help_texts(report),
              ElementsAre(HasSubstr("load the value of line 12 without __ldg()")));
  report.finding.source.facts.read_only = false;
  EXPECT_THAT(help_texts(report), IsEmpty());
}

TEST(Help, CIsLoadedOnlyIfBetaIsNotZero) {
  FindingReport report = wrong_result();
  report.property = "beta-zero-ignores-c";
  report.advice = {Advice::Kind::if_intended, "beta_zero = \"reads\"", 0};
  EXPECT_THAT(help_texts(report),
              ElementsAre("C is read although beta is 0: load it only if beta is not 0",
                          "if this is intended, add beta_zero = \"reads\" to the contract"));
}

TEST(Help, AMaskedTermCanBeLeftOutOfTheDefinition) {
  FindingReport report = wrong_result();
  report.smallest.operation = "depthwise";
  report.mismatch = campaign::judge::Mismatch{.got = -4.0, .expected = std::nan("")};
  EXPECT_THAT(help_texts(report), ElementsAre(HasSubstr("leave it out of the definition")));
  report.mismatch->got = std::nan("");
  EXPECT_THAT(help_texts(report), IsEmpty());
  report.mismatch->got = -4.0;
  report.smallest.operation = campaign::kDefaultOperation;
  EXPECT_THAT(help_texts(report), IsEmpty())
      << "a product of matrices is not defined by a contract";
}

TEST(Wrapped, BreaksAtBlanksAndKeepsLongWords) {
  EXPECT_THAT(wrapped("one two three", 7, 5), ElementsAre("one", "two", "three"));
  EXPECT_THAT(wrapped("one two three", 9, 9), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("abcdefghijkl x", 5, 5), ElementsAre("abcdefghijkl", "x"));
  EXPECT_THAT(wrapped("", 5, 5), ElementsAre(""));
  EXPECT_THAT(wrapped("\xc3\xa9\xc3\xa9 \xc3\xa9", 4, 4), ElementsAre("\xc3\xa9\xc3\xa9 \xc3\xa9"));
}

}  // namespace
}  // namespace warpcheck::report
