#include "ptx/scan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace warpcheck::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::size_t> bytes_of(const EntryPoint& entry) {
  std::vector<std::size_t> bytes;
  for (const EntryParameter& parameter : entry.parameters) bytes.push_back(parameter.bytes);
  return bytes;
}

TEST(EntryPoints, SizesFollowTheDeclaredTypes) {
  const auto entries = entry_points(R"(
.version 9.0
.target sm_80
.visible .entry f(
	.param .u64 .ptr .global .align 16 f_param_0,
	.param .u32 f_param_1,
	.param .f32 f_param_2,
	.param .f64 f_param_3,
	.param .u8 f_param_4,
	.param .align 2 .b8 f_param_5[2],
	.param .align 8 .b8 f_param_6[24],
	.param .s16 f_param_7
)
.maxntid 256, 1, 1
{ ret; }
)");
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].name, "f");
  EXPECT_THAT(bytes_of(entries[0]), ElementsAre(8, 4, 4, 8, 1, 2, 24, 2));
  EXPECT_FALSE(entries[0].parameters[1].floating);
  EXPECT_TRUE(entries[0].parameters[2].floating);
  EXPECT_TRUE(entries[0].parameters[3].floating);
}

// The bits of a .b32 are what the first load makes them.
TEST(EntryPoints, LoadsShowTheTypesOfBits) {
  const auto entries = entry_points(R"(
.visible .entry f(.param .b32 p, .param .b32 q, .param .b64 r, .param .u32 s, .param .align 4 .b8 t[4])
{ ld.param.f32 %f1, [p]; { ld.param.u32 %r1, [q]; } ld.param.b64 %d1, [r]; ld.param.f32 %f2, [t]; ret; }
.visible .entry g(.param .b32 p) { ld.param.b32 %r1, [p]; })");
  ASSERT_EQ(entries.size(), 2U);
  const std::vector<EntryParameter>& all = entries[0].parameters;
  ASSERT_EQ(all.size(), 5U);
  EXPECT_TRUE(all[0].floating && !all[0].untyped);
  EXPECT_TRUE(!all[1].floating && !all[1].untyped);
  EXPECT_TRUE(!all[2].floating && all[2].untyped);
  EXPECT_TRUE(!all[3].floating && !all[3].untyped);
  EXPECT_TRUE(!all[4].floating && all[4].untyped) << "an array of bytes";
  EXPECT_TRUE(entries[1].parameters.at(0).untyped);
}

TEST(EntryPoints, AnyLinkageIsFoundAndCommentsAreNot) {
  const auto entries = entry_points(
      "// .entry comment(\n/* .entry comment2( */\n.entry f()\n{\n}\n.weak .entry _Z1gv(){}\n"
      ".func (.param .b32 r) h(.param .b64 p){}\n.visible .entry i{}");
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].name, "f");
  EXPECT_THAT(entries[0].parameters, IsEmpty());
  EXPECT_EQ(entries[1].name, "_Z1gv");
  EXPECT_EQ(entries[2].name, "i");
}

TEST(EntryPoints, TruncatedTextGivesAtMostTheOneEntry) {
  const std::string text =
      ".visible .entry f(.param .align 8 .b8 p[24], .param .u32 q) { ret; } /* x */";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    EXPECT_LE(entry_points(std::string_view(text).substr(0, size)).size(), 1U);
  }
}

TEST(TargetArchitecture, IsTheFirstWordOfTheDirective) {
  EXPECT_EQ(target_architecture(".version 8.5\n.target sm_90a, debug\n"), "sm_90a");
  EXPECT_EQ(target_architecture("// .target sm_70\n.version 8.5\n"), "");
  EXPECT_EQ(target_architecture(""), "");
}

TEST(ModuleIdentifiersContaining, KeepTheOrderOfTheText) {
  EXPECT_THAT(module_identifiers_containing(
                  ".global .u8 _Zb_key; // c_key\n.extern .global .u8 a_key;", "_key"),
              ElementsAre("_Zb_key", "a_key"));
}

TEST(ModuleIdentifiersContaining, SkipBodiesAndInitializers) {
  EXPECT_THAT(module_identifiers_containing(
                  ".func f { /* } */ { ld.u8 r, [in_key]; } \"}\" }\n"
                  ".global .u64 g[1] = {of_key};\n.global .u8 z_key;\n.func h { x_key",
                  "_key"),
              ElementsAre("z_key"));
}

TEST(IntegerOperands, AreThoseOfTheEntryAndInstructions) {
  constexpr std::array<std::string_view, 3> kPrefixes = {"setp.", "mul.lo.", "and.b"};
  constexpr std::string_view kEntries = R"(
.visible .entry other(.param .u32 n) { setp.lt.s32 %p1, %r1, 77; }
.visible .entry mine(.param .u32 n)
{
$L__BB0_2:
  .loc 1 20 5
  setp.eq.s32 %p1, %r1, 56;
  @%p1 bra $L__BB0_2;
  mov.b64 {%r4, %r5}, %rd1;
  mul.lo.s32 %r2, %r1, 104;
  { // a block
    and.b32 %r3, %r2, 31;
  }
  add.s32 %r4, %r3, 1000;
  setp.lt.s32 %p2, %r1, -8;
  setp.lt.s32 %p2, %r1, 3+4;
  @!%p2 setp.gt.s32 %p3, %r1, 5000;
}
)";
  EXPECT_THAT(integer_operands(kEntries, "mine", kPrefixes), ElementsAre(31, 56, 104, 5000));
  EXPECT_THAT(integer_operands(kEntries, "other", kPrefixes), ElementsAre(77));
  EXPECT_THAT(integer_operands(kEntries, "absent", kPrefixes), IsEmpty());
}

TEST(UsesGlobalVariables, IsTrueForAVariableThatIsUsed) {
  EXPECT_TRUE(uses_global_variables(".version 8.5\n.global .u32 counter;\nld.u32 %r1, [counter];"));
  EXPECT_TRUE(
      uses_global_variables(".visible .global .align 4 .b8 table[16];\nmov.u64 %rd1, table;\n"));
  EXPECT_TRUE(uses_global_variables(".global .u32 a = 1;\n.global .u64 b = a;\n"));
  EXPECT_TRUE(uses_global_variables(".global .u8 tab;\nst.u8 [tab], 1;"));
}

TEST(UsesGlobalVariables, IsTrueForADeclarationOfSeveral) {
  EXPECT_TRUE(uses_global_variables(".target sm_80\n.global .u32 a, b;"));
}

TEST(UsesGlobalVariables, IsFalseForAnUnusedVariable) {
  EXPECT_FALSE(uses_global_variables(".global .align 1 .u8 _Z5entryILi0EE;\nmov.u32 %r1, %r2;"));
  EXPECT_FALSE(uses_global_variables(".global .align 4 .b8 table[4] = {1, 2, 3, 4};\n"));
  EXPECT_FALSE(uses_global_variables(".global .u8 tab;\n.global .u8 table;\n.global .u8 a.tab$;"));
}

TEST(UsesGlobalVariables, IsFalseForAccessesAndPointers) {
  EXPECT_FALSE(uses_global_variables("ld.global.f32 %f1, [%rd1];\n st.global.u32 [%rd1], %r1;"));
  EXPECT_FALSE(uses_global_variables(
      ".entry f(.param .u64 .ptr .global .align 1 p, .param .u64 q) { ld.param.u64 %rd1, [p]; }"));
}

TEST(CooperativeEntries, ReadAnEnvregRegister) {
  constexpr std::string_view kBarriers =
      ".visible .entry plain(\n\t.param .u64 p\n)\n{\n\tmov.u32 %r1, %tid.x;\n\tret;\n}\n"
      ".visible .entry meets(\n\t.param .u64 p\n)\n{\n\tmov.u32 %r1, %envreg2;\n\tret;\n}\n"
      ".visible .entry last()\n{\n\tret;\n}\n";
  EXPECT_EQ(cooperative_entries(kBarriers), (std::set<std::string, std::less<>>{"meets"}));
}

}  // namespace
}  // namespace warpcheck::ptx
