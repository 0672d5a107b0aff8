// Definedness: the results of undefined operands, and the uses of undefined values that are
// findings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// %r2 and %d2 are undefined, %r3 and %d3 are 0.
std::string finding_of(const std::string& body) {
  return run("ld.global.u32 %r2, [%in]; ld.global.u64 %d2, [%in]; mov.u32 %r3, 0; mov.u64 %d3, 0;" +
                 body,
             {1, 2}, {.block = {1, 1, 1}, .in_initialized = false})
      .finding();
}
bool defined(const std::string& computation) {
  const std::string found = finding_of(computation + " st.global.u32 [%own], %r1;");
  EXPECT_TRUE(found.empty() || found.starts_with("uninitialized-read")) << found;
  return found.empty();
}

TEST(Definedness, LoadOfAnUndefinedValueIsNoFinding) { EXPECT_EQ(finding_of(""), ""); }

TEST(Definedness, ArithmeticOnItIsNoFinding) {
  EXPECT_EQ(finding_of("add.u32 %r1, %r2, 1; mul.lo.u32 %r1, %r1, %r1; cvt.rn.f32.u32 %f1, %r1;"),
            "");
}

TEST(Definedness, StoreToGlobalMemoryIsAFinding) {
  EXPECT_EQ(finding_of("st.global.u32 [%own], %r2;"),
            "uninitialized-read: an undefined value is stored to byte 0 of out");
}

TEST(Definedness, StoreToSharedOrLocalMemoryIsNoFinding) {
  EXPECT_EQ(finding_of(".shared .b32 cell; .local .b32 own_cell; st.shared.u32 [cell], %r2;"
                       "st.local.u32 [own_cell], %r2; ld.shared.u32 %r4, [cell];"
                       "ld.local.u32 %r5, [own_cell];"),
            "");
  EXPECT_THAT(finding_of(".shared .b32 cell; st.shared.u32 [cell], %r2; ld.shared.u32 %r1, [cell];"
                         "st.global.u32 [%own], %r1;"),
              StartsWith("uninitialized-read"));
}

TEST(Definedness, UndefinedAddressIsAFinding) {
  EXPECT_THAT(finding_of("ld.global.u32 %r1, [%d2];"), HasSubstr("the address is undefined"));
  EXPECT_THAT(finding_of("st.shared.u32 [%r2], %r3;"), HasSubstr("the address is undefined"));
}

TEST(Definedness, UndefinedBranchConditionIsAFinding) {
  EXPECT_THAT(finding_of("setp.eq.u32 %p1, %r2, 0; @%p1 bra end;\n end:"),
              HasSubstr("the predicate of the branch is undefined"));
  EXPECT_THAT(finding_of("setp.eq.u32 %p1, %r2, 0; @%p1 add.u32 %r1, %r3, 1;"),
              HasSubstr("the predicate that guards the instruction is undefined"));
  EXPECT_THAT(finding_of("table: .branchtargets end;\n brx.idx %r2, table;\n end:"),
              HasSubstr("the index of the branch is undefined"));
}

TEST(Definedness, DefinedOperandMayDetermineLogic) {
  EXPECT_TRUE(defined("and.b32 %r1, %r2, 0;"));
  EXPECT_TRUE(defined("or.b32 %r1, %r2, 0xffffffff;"));
  EXPECT_FALSE(defined("and.b32 %r1, %r2, 1;"));
  EXPECT_FALSE(defined("or.b32 %r1, %r2, 0xfffffffe;"));
  EXPECT_FALSE(defined("xor.b32 %r1, %r2, %r2;"));
}

TEST(Definedness, ShiftsMoveUndefinedBits) {
  EXPECT_TRUE(defined("and.b32 %r4, %r2, 0xff; shr.u32 %r1, %r4, 8;"));
  EXPECT_FALSE(defined("and.b32 %r4, %r2, 0x1ff; shr.u32 %r1, %r4, 8;"));
  EXPECT_TRUE(defined("shl.b32 %r4, %r2, 16; and.b32 %r1, %r4, 0xffff;"));
  EXPECT_FALSE(defined("shl.b32 %r1, 1, %r2;"));
  EXPECT_TRUE(defined("and.b32 %r4, %r2, 0xff; bfe.u32 %r1, %r4, 8, 8;"));
  EXPECT_FALSE(defined("and.b32 %r4, %r2, 0xff; bfe.u32 %r1, %r4, 7, 8;"));
}

TEST(Definedness, SumIsUndefinedFromTheLowestUndefinedBit) {
  EXPECT_TRUE(defined("shl.b32 %r4, %r2, 16; add.u32 %r4, %r4, 5; and.b32 %r1, %r4, 0xffff;"));
  EXPECT_FALSE(defined("and.b32 %r4, %r2, 1; add.u32 %r4, %r4, 5; shr.u32 %r1, %r4, 16;"));
}

TEST(Definedness, SelectionHasTheDefinednessOfItsChoice) {
  EXPECT_TRUE(defined("setp.eq.u32 %p1, %r3, 0; selp.b32 %r1, %r3, %r2, %p1;"));
  EXPECT_FALSE(defined("setp.eq.u32 %p1, %r3, 0; selp.b32 %r1, %r2, %r3, %p1;"));
  EXPECT_FALSE(defined("setp.eq.u32 %p1, %r2, 0; selp.b32 %r1, %r3, %r3, %p1;"));
}

TEST(Definedness, PartsOfARegisterAreIndependent) {
  EXPECT_TRUE(defined("mov.b64 %d4, {%r3, %r2}; mov.b64 {%r1, %r5}, %d4;"));
  EXPECT_FALSE(defined("mov.b64 %d4, {%r3, %r2}; mov.b64 {%r5, %r1}, %d4;"));
  EXPECT_TRUE(defined("prmt.b32 %r1, %r3, %r2, 0x3210;"));
  EXPECT_FALSE(defined("prmt.b32 %r1, %r3, %r2, 0x3214;"));
}

TEST(Definedness, LanesAreIndependent) {
  const Result result = run(
      "mov.u32 %r1, 3; setp.eq.u32 %p1, %me, 7; @%p1 ld.global.u32 %r1, [%in]; add.u32 %r1, %r1, 1;"
      "@!%p1 st.global.u32 [%own], %r1;",
      {1}, {.in_initialized = false});
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(8), 4U);
}

TEST(Definedness, UnwrittenRegisterIsUndefined) {
  EXPECT_THAT(run("st.global.u32 [%own], %r9;").finding(), StartsWith("uninitialized-read"));
}

TEST(Definedness, SharedMemoryStartsUndefined) {
  EXPECT_THAT(
      run(".shared .b32 cell; ld.shared.u32 %r1, [cell]; st.global.u32 [%own], %r1;").finding(),
      StartsWith("uninitialized-read"));
}

TEST(Definedness, BytesOfAWordAreIndependent) {
  EXPECT_TRUE(
      defined(".shared .align 4 .b8 cell[4]; mov.b16 %h1, 5; st.shared.u8 [cell+2], %h1;"
              "ld.shared.u32 %r4, [cell]; bfe.u32 %r1, %r4, 16, 8;"));
  EXPECT_FALSE(
      defined(".shared .align 4 .b8 cell[4]; mov.b16 %h1, 5; st.shared.u8 [cell+2], %h1;"
              "ld.shared.u32 %r4, [cell]; bfe.u32 %r1, %r4, 8, 8;"));
}

}  // namespace
}  // namespace warpcheck::isa::test
