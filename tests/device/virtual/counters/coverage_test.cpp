// Coverage of small kernels, with edges and conditions counted by hand.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "device/virtual/virtual_device.hpp"
#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using device::CoveredCondition;
using device::CoveredEdge;

Conditions covered(Dim3 grid = {1, 1, 1}, Dim3 block = {32, 1, 1}, unsigned host_threads = 1) {
  Conditions conditions;
  conditions.grid = grid;
  conditions.block = block;
  conditions.cover = true;
  conditions.host_threads = host_threads;
  return conditions;
}

bool begins(const Result& result, std::uint32_t instruction, const std::string& beginning) {
  if (instruction == device::kEntry) return beginning == "entry";
  const std::string text = result.program->place(instruction).instruction;
  return text.find(beginning) == (text.starts_with('@') ? text.find(' ') + 1 : 0);
}

/// The one edge between instructions whose texts have these beginnings.
CoveredEdge edge(const Result& result, const std::string& from, const std::string& to) {
  EXPECT_TRUE(result.completed()) << result.finding();
  std::vector<CoveredEdge> found;
  for (const CoveredEdge& edge : result.outcome.coverage.edges) {
    if (begins(result, edge.from, from) && begins(result, edge.to, to)) found.push_back(edge);
  }
  EXPECT_EQ(found.size(), 1U) << from << " to " << to;
  return found.empty() ? CoveredEdge{} : found.front();
}

/// The one condition at an instruction whose text has this beginning.
CoveredCondition condition(const Result& result, const std::string& at) {
  EXPECT_TRUE(result.completed()) << result.finding();
  std::vector<CoveredCondition> found;
  for (const CoveredCondition& condition : result.outcome.coverage.conditions) {
    if (begins(result, condition.at, at)) found.push_back(condition);
  }
  EXPECT_EQ(found.size(), 1U) << at;
  return found.empty() ? CoveredCondition{} : found.front();
}

constexpr const char* kLoop = R"(
    mov.u32 %r0, 0;
  AGAIN:
    add.u32 %r0, %r0, 1;
    setp.lt.u32 %p0, %r0, 7;
    @%p0 bra AGAIN;
    xor.b32 %r1, %r0, 1;)";

constexpr const char* kSplit = R"(
    setp.ge.u32 %p0, %me, 8;
    @%p0 bra DONE;
    add.u32 %r0, %me, 1;
  DONE:
    xor.b32 %r1, %me, 1;)";

TEST(Coverage, IsEmptyUnlessRequested) {
  const Result result = run(kLoop);
  EXPECT_TRUE(result.outcome.coverage.edges.empty());
  EXPECT_TRUE(result.outcome.coverage.conditions.empty());
}

TEST(Coverage, CountsEachIterationOfALoop) {
  const Result result = run(kLoop, {}, covered());
  EXPECT_EQ(edge(result, "entry", "ld.param").warps, 1U);
  EXPECT_EQ(edge(result, "mov.u32 %r0", "add").warps, 1U);
  EXPECT_EQ(edge(result, "bra", "add").warps, 6U);
  EXPECT_EQ(edge(result, "bra", "xor").warps, 1U);
  EXPECT_EQ(result.outcome.coverage.edges.size(), 4U);
}

TEST(Coverage, DistinguishesDivergentFromUniformEdges) {
  // Two warps: the first diverges at thread 8, the second skips the addition with all threads.
  const Result result = run(kSplit, {}, covered({1, 1, 1}, {64, 1, 1}));
  const CoveredEdge taken = edge(result, "bra", "xor");
  EXPECT_EQ(taken.warps, 2U);
  EXPECT_EQ(taken.divergent, 1U);
  const CoveredEdge not_taken = edge(result, "bra", "add");
  EXPECT_EQ(not_taken.warps, 1U);
  EXPECT_EQ(not_taken.divergent, 1U);
  EXPECT_EQ(edge(result, "add", "xor").warps, 1U);
}

TEST(Coverage, CountsABlockOnceAfterReconvergence) {
  const Result result = run(kSplit, {}, covered({1, 1, 1}, {64, 1, 1}));
  std::vector<std::uint64_t> warps;
  for (const device::CoveredBlock& block : result.outcome.coverage.blocks) {
    if (begins(result, block.first, "xor")) warps.push_back(block.warps);
  }
  EXPECT_THAT(warps, testing::ElementsAre(2U)) << "three edges lead there";
}

TEST(Coverage, HasEveryInstructionInOneBlock) {
  const Result result = run(kLoop, {}, covered());
  std::uint32_t next = 0;
  for (const device::CoveredBlock& block : result.outcome.coverage.blocks) {
    EXPECT_EQ(block.first, next);
    next += block.instructions;
  }
  const auto functions = result.program->functions_by_number();
  ASSERT_EQ(functions.size(), 1U);
  EXPECT_TRUE(functions[0].is_kernel);
  EXPECT_EQ(next, functions[0].instructions);
}

TEST(Coverage, IncludesEdgesThatWereNotTaken) {
  const Result result = run(kSplit, {}, covered({1, 1, 1}, {8, 1, 1}));
  EXPECT_EQ(edge(result, "bra", "xor").warps, 0U);
  EXPECT_EQ(edge(result, "bra", "add").warps, 1U);
}

TEST(Coverage, CountsTheValuesOfPredicates) {
  const Result result = run(R"(
    setp.lt.u32 %p0, %me, 5;
    setp.lt.u32 %p1, %me, 100;
    and.pred %p2, %p0, %p1;
    @!%p0 add.u32 %r0, %me, 1;
    @!%p1 sub.u32 %r1, %me, 1;)",
                            {}, covered({3, 1, 1}));
  const CoveredCondition splits = condition(result, "setp.lt.u32 %p0");
  EXPECT_EQ(splits.held, 3U);
  EXPECT_EQ(splits.failed, 3U);
  const CoveredCondition holds = condition(result, "setp.lt.u32 %p1");
  EXPECT_EQ(holds.held, 3U);
  EXPECT_EQ(holds.failed, 0U);
  EXPECT_EQ(condition(result, "and.pred").failed, 3U);
  EXPECT_EQ(condition(result, "add.u32").held, 3U);
  EXPECT_EQ(condition(result, "sub.u32").held, 0U) << "the guard, its complement undone";
  EXPECT_EQ(condition(result, "sub.u32").failed, 3U);
}

TEST(Coverage, CountsTheTargetsOfABranchByATable) {
  // The even threads of a warp branch to A, which is in two entries of the table, the others to B.
  const Result result = run(R"(
    and.b32 %r0, %me, 3;
  TARGETS: .branchtargets A, B, A, B, C;
    brx.idx %r0, TARGETS;
  A: add.u32 %r1, %me, 1;
    bra DONE;
  B: sub.u32 %r1, %me, 1;
    bra DONE;
  C: xor.b32 %r1, %me, 1;
  DONE: not.b32 %r2, %me;)",
                            {}, covered());
  EXPECT_EQ(edge(result, "brx", "add").warps, 1U);
  EXPECT_EQ(edge(result, "brx", "add").divergent, 1U);
  EXPECT_EQ(edge(result, "brx", "sub").warps, 1U);
  EXPECT_EQ(edge(result, "brx", "xor").warps, 0U);
}

TEST(Coverage, DoesNotDependOnTheNumberOfHostThreads) {
  const Result alone = run(kSplit, {}, covered({50, 1, 1}));
  const Result together = run(kSplit, {}, covered({50, 1, 1}, {32, 1, 1}, 4));
  EXPECT_EQ(edge(alone, "bra", "xor").warps, 50U);
  EXPECT_EQ(alone.outcome.coverage.edges, together.outcome.coverage.edges);
  EXPECT_EQ(alone.outcome.coverage.conditions, together.outcome.coverage.conditions);
}

TEST(Coverage, IncludesAllBlocksThatAreResidentTogether) {
  const Result result = run(R"(
    atom.global.add.u32 %r0, [%out], 1;
    setp.ge.u32 %p0, %r0, 10000;
    @%p0 bra DONE;
    add.u32 %r0, %me, 1;
  DONE:)",
                            {}, covered({300, 1, 1}, {1, 1, 1}));
  EXPECT_EQ(edge(result, "entry", "ld.param").warps, 300U);
  EXPECT_EQ(edge(result, "bra", "add").warps, 300U);
}

TEST(Coverage, CountsAnEntryForEachCall) {
  const Result result = run(R"(
    {
      .param .b32 argument;
      st.param.b32 [argument], %me;
      call.uni twice, (argument);
      call.uni twice, (argument);
    })",
                            {}, covered({1, 1, 1}, {64, 1, 1}), R"(
.func twice(.param .b32 given)
{
  .reg .b32 %n;
  ld.param.b32 %n, [given];
  mul.lo.u32 %n, %n, 2;
  ret;
})");
  EXPECT_EQ(edge(result, "entry", "ld.param.b32").warps, 4U);
}

TEST(Coverage, IsEmptyIfALaunchFaulted) {
  const Result result = run("ld.global.u32 %r0, [%in+400];", {1}, covered());
  EXPECT_FALSE(result.completed());
  EXPECT_TRUE(result.outcome.coverage.edges.empty());
}

}  // namespace
}  // namespace warpcheck::isa::test
