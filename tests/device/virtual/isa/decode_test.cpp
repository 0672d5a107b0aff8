// Instructions that the decoder refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// The finding of a kernel with one instruction.
std::string refusal(std::string_view instruction) { return run(instruction).finding(); }

TEST(Decode, UnknownMnemonicIsUnsupportedWhereItRuns) {
  const Result result = run("frobnicate.u32 %r1, %r2;");
  EXPECT_THAT(result.finding(), StartsWith("unsupported frobnicate.u32: "));
  ASSERT_TRUE(result.outcome.unsupported.has_value());
  EXPECT_TRUE(result.outcome.findings.empty());
  EXPECT_EQ(result.outcome.unsupported->source.instruction, "frobnicate.u32 %r1, %r2");
  EXPECT_GT(result.outcome.unsupported->source.ptx_line, 0U);
}

TEST(Decode, UnknownFormNamesTheSectionOfTheManual) {
  EXPECT_THAT(refusal("add.sat.u32 %r1, %r2, %r3;"),
              testing::AllOf(StartsWith("unsupported add.sat.u32: "), HasSubstr("9.7.1.1")));
}

TEST(Decode, UnknownFamilyNamesItsSectionOfTheManual) {
  EXPECT_THAT(refusal("tcgen05.fence::before_thread_sync;"),
              testing::AllOf(StartsWith("unsupported tcgen05.fence::before_thread_sync: "),
                             HasSubstr("(PTX ISA 9.7.16)")));
  EXPECT_THAT(refusal("txq.width.b32 %r1, [%d1];"), HasSubstr("(PTX ISA 9.7.10)"));
}

TEST(Decode, UnsupportedSpecialRegisterIsNamed) {
  EXPECT_THAT(refusal("mov.u64 %d1, %pm0_64;"), StartsWith("unsupported mov.u64 %pm0_64: "));
}

TEST(Decode, FindingsBeforeAnUnsupportedFormAreKept) {
  // All threads write one word, without order; then the form is reached.
  const Result result = run("st.global.u32 [%out], %me; bar.sync 0; frobnicate.u32 %r1, %r2;", {},
                            {.block = {64, 1, 1}});
  EXPECT_THAT(result.finding(), StartsWith("race"));
  ASSERT_TRUE(result.outcome.unsupported.has_value());
  EXPECT_EQ(result.outcome.unsupported->form, "frobnicate.u32");
}

TEST(Decode, CodeThatNeverRunsBlocksNoKernel) {
  const Result result =
      run("setp.gt.u32 %p1, %me, 1000; @%p1 bra bad; st.global.u32 [%own], 7; ret;\n"
          "bad: frobnicate.u32 %r1, %r2; add.u32 %r1, %r2; add.u64 %d1, %r1, %d2;");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(0), 7U);
}

TEST(Decode, InstructionWithAFalseGuardDoesNotRun) {
  EXPECT_EQ(refusal("setp.gt.u32 %p1, %me, 1000; @%p1 frobnicate.u32 %r1;"), "");
}

TEST(Decode, NumberOfOperandsIsChecked) {
  EXPECT_THAT(refusal("add.u32 %r1, %r2;"), HasSubstr("an operand is missing"));
  EXPECT_THAT(refusal("add.u32 %r1, %r2, 3, 4;"), HasSubstr("4 operands are given, 3 expected"));
  EXPECT_THAT(refusal("cvt.u32.u16 %r1, %h1, %h2;"), HasSubstr("3 operands are given, 2 expected"));
  EXPECT_THAT(refusal("atom.global.add.u32 %r1, [%own];"), StartsWith("unsupported "));
}

TEST(Decode, RegistersMustHaveTheWidthOfTheType) {
  EXPECT_THAT(refusal("add.u64 %d1, %r1, %d2;"), HasSubstr("register %r1 is .b32, where .u64"));
  EXPECT_THAT(refusal("add.u32 %d1, 1, 2;"), HasSubstr("register %d1 is .b64, where .u32"));
  EXPECT_THAT(refusal("cvt.u64.u32 %r1, 1;"), HasSubstr("register %r1 is .b32, where .u64"));
  EXPECT_THAT(refusal("add.f16 %r1, %h1, %h2;"), HasSubstr("register %r1 is .b32, where .f16"));
  EXPECT_THAT(refusal("setp.eq.u32 %r1, 1, 2;"), StartsWith("unsupported "));
}

TEST(Decode, IllegalCombinationsOfModifiersAreRefused) {
  EXPECT_THAT(refusal("cvt.sat.u32.u16 %r1, %h1;"), HasSubstr(".sat is illegal"));
  EXPECT_THAT(refusal("cvt.f16.f32 %h1, %f1;"), StartsWith("unsupported "));
  EXPECT_THAT(refusal("cvt.rn.rz.f16.f32 %h1, %f1;"), StartsWith("unsupported "));
  EXPECT_THAT(refusal("fma.f16 %h1, %h1, %h1, %h1;"), StartsWith("unsupported "));
  EXPECT_THAT(refusal("fma.rn.sat.relu.f16 %h1, %h1, %h1, %h1;"), StartsWith("unsupported "));
  EXPECT_THAT(refusal("setp.lt.f16 %p1|%p2, %h1, %h2;"), StartsWith("unsupported "));
  EXPECT_THAT(refusal("setp.lo.f32 %p1, %f1, %f2;"), StartsWith("unsupported "));
  EXPECT_THAT(refusal("red.global.exch.b32 [%own], 1;"), StartsWith("unsupported "));
  EXPECT_THAT(refusal("atom.global.add.s64 %d1, [%own], 1;"), StartsWith("unsupported "));
  EXPECT_THAT(refusal("min.xorsign.f16 %h1, %h1, %h2;"), StartsWith("unsupported "));
}

TEST(Decode, OnlySomeResultsMayBeDiscarded) {
  EXPECT_THAT(refusal("add.u32 _, 1, 2;"), StartsWith("unsupported "));
  EXPECT_THAT(refusal("cvt.u64.u32 _, 1;"), StartsWith("unsupported "));
  EXPECT_EQ(refusal("atom.global.add.u32 _, [%own], 1;"), "");
}

TEST(Decode, StoreToAKernelParameterIsRefused) {
  EXPECT_THAT(refusal("st.param.u64 [in_parameter], %d1;"), StartsWith("unsupported "));
}

}  // namespace
}  // namespace warpcheck::isa::test
