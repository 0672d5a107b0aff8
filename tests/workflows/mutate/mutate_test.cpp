// The mutants of a hand-written product have known fates.
#include "workflows/mutate/mutate.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "base/diagnostic.hpp"

namespace warpcheck::workflows::mutate {
namespace {

using testing::ElementsAre;

constexpr const char* kContract = R"toml([[variant]]
name = "product"
kernel = "product"
operation = "gemm"
layout = "row"
types = { a = "f32", b = "f32", c = "f32", accumulate = "f32" }
arguments = ["a", "b", "c", "m", "n", "k"]
block = [8, 8]
grid = ["ceil_div(n, 8) * ceil_div(m, 8)"]
)toml";

/// Each thread computes one element: %r10 is its column, %r11 its row, %d6 its address in C, and
/// %r3 is k. `more` is inserted where k is at least 1 and %d8 is the address of the first element
/// of the row of A.
contract::Variant product(std::string_view more, std::string_view end_of_sum = "%r3") {
  const std::string ptx = fmt::format(R"(.version 9.0
.target sm_80
.address_size 64
.visible .entry product(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 m, .param .u32 n,
                        .param .u32 k)
{{
  .reg .pred %p<9>;
  .reg .b32 %r<32>;
  .reg .b64 %d<16>;
  .reg .f32 %f<9>;
  ld.param.u64 %d1, [a];
  ld.param.u64 %d2, [b];
  ld.param.u64 %d3, [c];
  ld.param.u32 %r1, [m];
  ld.param.u32 %r2, [n];
  ld.param.u32 %r3, [k];
  add.s32 %r4, %r2, 7;
  shr.u32 %r4, %r4, 3;
  mov.u32 %r5, %ctaid.x;
  rem.u32 %r6, %r5, %r4;
  div.u32 %r7, %r5, %r4;
  mov.u32 %r8, %tid.x;
  mov.u32 %r9, %tid.y;
  mad.lo.s32 %r10, %r6, 8, %r8;
  mad.lo.s32 %r11, %r7, 8, %r9;
  setp.ge.s32 %p1, %r11, %r1;
  setp.ge.or.s32 %p2, %r10, %r2, %p1;
  @%p2 ret;
  mul.wide.s32 %d4, %r11, %r2;
  cvt.s64.s32 %d5, %r10;
  add.s64 %d4, %d4, %d5;
  shl.b64 %d4, %d4, 2;
  add.s64 %d6, %d3, %d4;
  mov.f32 %f1, 0f00000000;
  setp.lt.s32 %p3, %r3, 1;
  @%p3 bra STORE;
  mul.wide.s32 %d7, %r11, %r3;
  shl.b64 %d7, %d7, 2;
  add.s64 %d8, %d1, %d7;
  mul.wide.s32 %d9, %r10, 4;
  add.s64 %d9, %d2, %d9;
  mul.wide.s32 %d10, %r2, 4;
  mov.u32 %r12, 0;
  {}
LOOP:
  ld.global.f32 %f2, [%d8];
  ld.global.f32 %f3, [%d9];
  fma.rn.f32 %f1, %f2, %f3, %f1;
  add.s64 %d8, %d8, 4;
  add.s64 %d9, %d9, %d10;
  add.s32 %r12, %r12, 1;
  setp.lt.s32 %p4, %r12, {};
  @%p4 bra LOOP;
STORE:
  st.global.f32 [%d6], %f1;
  ret;
}}
)",
                                      more, end_of_sum);
  contract::Variant variant;
  variant.contract = contract::parse_contracts(kContract, {"product.toml", 1, 1}).at(0);
  auto compiled = std::make_shared<contract::Compiled>();
  compiled->source_file = "product.cu";
  compiled->ptx_file = "product.ptx";
  compiled->ptx = ptx;
  variant.compiled = compiled;
  variant.entries = {{"product", {{8}, {8}, {8}, {4}, {4}, {4}}}};
  return variant;
}

MutationReport mutated(const contract::Variant& variant, unsigned jobs = 1) {
  MutationOptions options;
  options.cases = 40;
  options.mutants = 1000;
  options.jobs = jobs;
  return mutate(variant, options);
}

/// Returns the mutants of the instructions that begin with this text.
std::vector<MutantReport> mutants_of(const MutationReport& report, std::string_view instruction) {
  std::vector<MutantReport> found;
  for (const MutantReport& mutant : report.mutants) {
    if (mutant.place.instruction.starts_with(instruction)) found.push_back(mutant);
  }
  return found;
}

std::vector<Fate> fates_of(const MutationReport& report, std::string_view instruction) {
  std::vector<Fate> fates;
  for (const MutantReport& mutant : mutants_of(report, instruction)) fates.push_back(mutant.fate);
  return fates;
}

TEST(Mutate, KillsADroppedStoreOnTheFirstCaseThatReachesIt) {
  const std::vector<MutantReport> mutants = mutants_of(mutated(product("")), "st.global");
  ASSERT_EQ(mutants.size(), 3U);
  const MutantReport& dropped = mutants.back();
  EXPECT_EQ(dropped.planted, "store-dropped");
  EXPECT_EQ(dropped.after, "");
  ASSERT_EQ(dropped.fate, Fate::killed);
  EXPECT_EQ(dropped.reached, 1);
  EXPECT_EQ(dropped.kill->kind, FindingClass::wrong_result);
}

TEST(Mutate, ProvesAMutantOfAnUnusedValueEquivalent) {
  const MutationReport report = mutated(product("xor.b32 %r20, %r10, 5;"));
  EXPECT_THAT(fates_of(report, "xor"), ElementsAre(Fate::equivalent, Fate::equivalent));
}

TEST(Mutate, AMutantWithAnExtraReadIsNotEquivalent) {
  // The read is in bounds and its value is unused, so dropping the guard changes no bit of the
  // result.
  const MutationReport report =
      mutated(product("setp.eq.s32 %p7, %r10, 0; @%p7 ld.global.f32 %f7, [%d8];"));
  const std::vector<MutantReport> mutants = mutants_of(report, "@%p7 ld.global");
  const auto dropped = std::find_if(mutants.begin(), mutants.end(), [](const MutantReport& mutant) {
    return mutant.planted == "predicate-dropped";
  });
  ASSERT_NE(dropped, mutants.end());
  EXPECT_EQ(dropped->fate, Fate::survived);
}

TEST(Mutate, ReportsMutantsThatNoCaseReached) {
  const MutationReport report = mutated(
      product("setp.lt.s32 %p6, %r3, 1000000; @%p6 bra SKIP; sub.s32 %r21, %r10, %r11; SKIP:"));
  EXPECT_THAT(fates_of(report, "sub"), ElementsAre(Fate::not_reached));
  EXPECT_GT(report.score.not_reached, 0U);
}

TEST(Mutate, ProvesAMutantUnreachableForTheBlocksThreads) {
  // The block is 8 x 8 in every case.
  const MutationReport report =
      mutated(product("setp.lt.u32 %p6, %r8, 8; @%p6 bra SKIP; sub.s32 %r21, %r10, %r11; SKIP:"));
  EXPECT_THAT(fates_of(report, "sub"), ElementsAre(Fate::unreachable));
  EXPECT_EQ(report.score.not_reached, 0U);
}

TEST(Mutate, ProvesAPathWithReorderedReadsEquivalent) {
  // Without the guard or with its negation, threads take the other path, which reads the same
  // bytes.
  const MutationReport report = mutated(product(
      "setp.gt.s32 %p7, %r10, 3; @%p7 bra SLOW; ld.global.u8 %r24, [%d8]; ld.global.u8 %r24, "
      "[%d8+1]; bra AWAY; SLOW: ld.global.u8 %r24, [%d8+1]; ld.global.u8 %r24, [%d8]; AWAY:"));
  EXPECT_THAT(fates_of(report, "@%p7 bra"), ElementsAre(Fate::equivalent, Fate::equivalent));
}

TEST(Mutate, KillsAMutantThatDoesNotEnd) {
  const MutationReport report = mutated(product(
      "mov.u32 %r22, 0; SPIN: add.s32 %r22, %r22, 1; setp.lt.s32 %p5, %r22, 3; @%p5 bra SPIN;"));
  const std::vector<MutantReport> mutants = mutants_of(report, "@%p5 bra");
  ASSERT_EQ(mutants.front().planted, "predicate-dropped");
  ASSERT_EQ(mutants.front().fate, Fate::killed);
  EXPECT_EQ(mutants.front().kill->kind, FindingClass::timeout);
}

TEST(Mutate, TheReportDoesNotDependOnTheNumberOfThreads) {
  const auto report_lines = [](const MutationReport& report) {
    std::vector<std::tuple<std::string, std::string, Fate, std::int64_t, std::string>> lines;
    for (const MutantReport& mutant : report.mutants) {
      lines.emplace_back(mutant.place.instruction, mutant.after, mutant.fate, mutant.reached,
                         mutant.kill ? campaign::to_line(mutant.kill->problem) : "");
    }
    return lines;
  };
  EXPECT_EQ(report_lines(mutated(product(""), 1)), report_lines(mutated(product(""), 3)));
}

TEST(Mutate, RejectsAKernelThatFailsWithoutMutation) {
  EXPECT_THROW((void)mutated(product("sub.s32 %r23, %r3, 1; max.s32 %r23, %r23, 1;", "%r23")),
               InputError);
}

TEST(Score, MutantsWithinTheBoundCountInTheLeastShareOnly) {
  Score score;
  score.killed = 6;
  score.survived = 2;
  score.within_bound = 4;
  EXPECT_EQ(score.run(), 12U);
  EXPECT_DOUBLE_EQ(score.share(), 0.75);
  EXPECT_DOUBLE_EQ(score.least_share(), 0.5);
}

TEST(Score, IsTheShareOfKilledNonequivalentMutants) {
  Score score;
  score.killed = 18;
  score.survived = 1;
  score.not_reached = 1;
  score.equivalent = 30;
  EXPECT_DOUBLE_EQ(score.share(), 0.9);
}

}  // namespace
}  // namespace warpcheck::workflows::mutate
