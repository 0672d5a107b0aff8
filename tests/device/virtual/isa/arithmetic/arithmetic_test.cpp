// Integer instructions on the device: carry chains, wide products, bits, parts of words.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

/// The 64-bit result in %d1 of thread 0.
std::uint64_t wide(std::string_view body) {
  const Result result = run(std::string(body) + " st.global.u64 [%own], %d1;");
  EXPECT_EQ(result.finding(), "");
  return result.at<std::uint64_t>(0);
}
/// The 32-bit result in %r1 of thread 0.
std::uint32_t word(std::string_view body) {
  const Result result = run(std::string(body) + " st.global.u32 [%own], %r1;");
  EXPECT_EQ(result.finding(), "");
  return result.at<std::uint32_t>(0);
}

TEST(Arithmetic, CarriesPassThroughAChain) {
  // 0x00000001'ffffffff'ffffffff + 1 in three words
  EXPECT_EQ(wide("add.cc.u32 %r1, 0xffffffff, 1; addc.cc.u32 %r2, 0xffffffff, 0;"
                 "addc.u32 %r3, 1, 0; mov.b64 %d1, {%r2, %r3};"),
            0x00000002'00000000U);
  EXPECT_EQ(wide("sub.cc.u32 %r1, 0, 1; subc.cc.u32 %r2, 0, 0; subc.u32 %r3, 5, 0;"
                 "mov.b64 %d1, {%r2, %r3};"),
            0x00000004'ffffffffU);
}

TEST(Arithmetic, CarryStaysUntilTheNextCcInstruction) {
  EXPECT_EQ(word("add.cc.u32 %r2, 0xffffffff, 1; add.u32 %r3, 1, 1; addc.u32 %r1, 5, 0;"), 6U);
}

TEST(Arithmetic, LanesHaveSeparateCarries) {
  const Result result =
      run("setp.lt.u32 %p1, %me, 16; selp.u32 %r1, 0xffffffff, 0, %p1;"
          "add.cc.u32 %r2, %r1, 1; addc.u32 %r3, 0, 0; st.global.u32 [%own], %r3;");
  EXPECT_EQ(result.at<std::uint64_t>(15), 1U);
  EXPECT_EQ(result.at<std::uint64_t>(16), 0U);
}

TEST(Arithmetic, MultiplyAddChainComputesALongProduct) {
  // 0xffffffff * 0xffffffff + 0xffffffff'00000000 = 0xfffffffe'00000001 + that: low 64 bits
  // fffffffd'00000001, carry 1
  EXPECT_EQ(wide("mad.lo.cc.u32 %r1, 0xffffffff, 0xffffffff, 0;"
                 "madc.hi.cc.u32 %r2, 0xffffffff, 0xffffffff, 0xffffffff; addc.u32 %r3, 0, 0;"
                 "mov.b64 %d1, {%r2, %r3};"),
            0x00000001'fffffffdU);
}

TEST(Arithmetic, WideAndHighProducts) {
  EXPECT_EQ(wide("mul.wide.s32 %d1, -3, 0x7fffffff;"), static_cast<std::uint64_t>(-6442450941LL));
  EXPECT_EQ(word("mul.hi.u32 %r1, 0x80000000, 6;"), 3U);
  EXPECT_EQ(wide("mul.hi.u64 %d1, 0x8000000000000000, 6;"), 3U);
  EXPECT_EQ(wide("mad.wide.u16 %r1, 0xffff, 0xffff, 1; cvt.u64.u32 %d1, %r1;"
                 ""),
            0xfffe0002U);
}

TEST(Arithmetic, BitsAreCountedFoundAndMoved) {
  EXPECT_EQ(word("popc.b32 %r1, 0xf0f0;"), 8U);
  EXPECT_EQ(word("clz.b32 %r1, 0x00010000;"), 15U);
  EXPECT_EQ(word("brev.b32 %r1, 1;"), 0x80000000U);
  EXPECT_EQ(word("bfe.s32 %r1, 0xf0, 4, 4;"), 0xffffffffU);
  EXPECT_EQ(word("bfi.b32 %r1, 0xab, 0, 8, 8;"), 0xab00U);
  EXPECT_EQ(word("prmt.b32 %r1, 0x33221100, 0x77665544, 0x7531;"), 0x77553311U);
  EXPECT_EQ(word("shf.l.wrap.b32 %r1, 0x80000000, 1, 4;"), 0x18U);
  EXPECT_EQ(word("lop3.b32 %r1, 0xcc, 0xaa, 0xf0, 0xe8;"), 0xe8U);  // majority
}

TEST(Arithmetic, Lop3CombinesANonzeroResultWithAPredicate) {
  const std::string flags = " selp.u32 %r2, 1, 0, %p1; shl.b32 %r2, %r2, 8; or.b32 %r1, %r1, %r2;";
  const std::string yes = "setp.eq.u32 %p2, 0, 0;";
  EXPECT_EQ(word(yes + "lop3.and.b32 %r1|%p1, 0xc, 0xa, 0xff, 0x80, %p2;" + flags), 0x108U);
  EXPECT_EQ(word(yes + "lop3.and.b32 %r1|%p1, 0xc, 0xa, 0xff, 0x80, !%p2;" + flags), 0x008U);
  EXPECT_EQ(word(yes + "lop3.and.b32 %r1|%p1, 0xc, 0x3, 0xff, 0x80, %p2;" + flags), 0x000U);
  EXPECT_EQ(word(yes + "lop3.or.b32 %r1|%p1, 0xc, 0x3, 0xff, 0x80, %p2;" + flags), 0x100U);
  EXPECT_EQ(word(yes + "mov.u32 %r1, 0; lop3.or.b32 _|%p1, 12, 3, 0xff, 0x80, !%p2;" + flags), 0U);
}

TEST(Arithmetic, PartsOfAWordAreIndependent) {
  EXPECT_EQ(word("add.u16x2 %r1, 0x0001ffff, 0x00020002;"), 0x00030001U);
  EXPECT_EQ(word("min.s16x2 %r1, 0xffff0003, 0x00010002;"), 0xffff0002U);
  EXPECT_EQ(word("min.u16x2 %r1, 0xffff0003, 0x00010002;"), 0x00010002U);
  EXPECT_EQ(word("max.relu.s16x2 %r1, 0xffff8000, 0xfffe0005;"), 0x00000005U);
  EXPECT_EQ(word("vabsdiff4.u32.u32.u32 %r1, 0x01ff0510, 0x02000a10, 0;"), 0x01ff0500U);
  EXPECT_EQ(word("vabsdiff4.u32.u32.u32.add %r1, 0x01ff0510, 0x02000a10, 1000;"), 1261U);
  EXPECT_EQ(word("vabsdiff4.u32.s32.s32 %r1, 0x000000ff, 0x00000001, 0;"), 2U);
}

TEST(Arithmetic, DotProductsUseBytesOfTheSecondOperand) {
  EXPECT_EQ(word("dp4a.s32.s32 %r1, 0x01ff0203, 0x05060708, 100;"), 137U);  // 5 - 6 + 14 + 24
  EXPECT_EQ(word("dp2a.lo.u32.u32 %r1, 1, 0x84acefa1, 0;"), 0xa1U);
  EXPECT_EQ(word("dp2a.hi.s32.s32 %r1, 0x0002ffff, 0x03fe0000, 10;"), 18U);  // 6 + 2
}

TEST(Arithmetic, GuardKeepsTheResultsOfOtherLanes) {
  const Result result =
      run("and.b32 %r2, %me, 1; setp.ne.u32 %p1, %r2, 0; mov.u32 %r1, 5;"
          "@%p1 add.u32 %r1, %me, 100; @!%p1 add.u32 %r1, %r1, 2; st.global.u32 [%own], %r1;");
  EXPECT_EQ(result.at<std::uint64_t>(6), 7U);
  EXPECT_EQ(result.at<std::uint64_t>(7), 107U);
}

TEST(Arithmetic, CarryOfASubtractionIsNotItsBorrow) {
  // ptxas 13.0 folds these constants to the same values.
  EXPECT_EQ(word("sub.cc.u32 %r2, 5, 7; addc.u32 %r1, 0x12340000, 0x5671;"), 0x12345671U);
  EXPECT_EQ(word("sub.cc.u32 %r2, 7, 5; addc.u32 %r1, 0x12340000, 0x5671;"), 0x12345672U);
  EXPECT_EQ(word("add.cc.u32 %r2, 5, 7; subc.u32 %r1, 0x12345673, 0;"), 0x12345672U);
  EXPECT_EQ(word("add.cc.u32 %r2, 5, 0xffffffff; subc.u32 %r1, 0x12345673, 0;"), 0x12345673U);
  EXPECT_EQ(word("sub.cc.u32 %r2, 5, 7; madc.lo.u32 %r1, 3, 4, 5;"), 17U);
}

TEST(Arithmetic, VectorsMoveAtOnce) {
  EXPECT_EQ(wide("mov.u16 %h0, 1; mov.u16 %h1, 2; mov.u16 %h2, 3; mov.u16 %h3, 4;"
                 "mov.v4.u16 {%h0, %h1, %h2, %h3}, {%h3, %h2, %h1, %h0};"
                 "mov.b64 %d1, {%h0, %h1, %h2, %h3};"),
            0x0001'0002'0003'0004U);
  EXPECT_EQ(word("mov.u32 %r2, 7; mov.v2.b32 {%r1, _}, {%r2, 9};"), 7U);
}

TEST(Arithmetic, RegistersOf128BitsArePackedAndCopied) {
  const std::string_view begin = ".reg .b128 %q<3>; mov.u64 %d2, 5; mov.u64 %d3, 9;";
  EXPECT_EQ(wide(std::string(begin) + "mov.b128 %q1, {%d2, %d3}; mov.b128 %q2, %q1;"
                                      "mov.b128 {_, %d1}, %q2;"),
            9U);
  EXPECT_EQ(run(std::string(begin) + "mov.b128 %q1, {%d2, %d4}; mov.b128 {%d1, %d5}, %q1;"
                                     "st.global.u64 [%own], %d1;")
                .finding(),
            "");
}

TEST(Arithmetic, UndefinedHalfOf128BitsStaysUndefined) {
  EXPECT_EQ(run(".reg .b128 %q<3>; mov.u64 %d2, 5; mov.b128 %q1, {%d2, %d4};"
                "mov.b128 {%d1, %d5}, %q1; st.global.u64 [%own], %d5;")
                .finding()
                .substr(0, 18),
            "uninitialized-read");
}

TEST(Arithmetic, CachePolicyHasNoEffect) {
  EXPECT_EQ(
      word("createpolicy.fractional.L2::evict_last.b64 %d1;"
           "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %d2, 0f3F000000;"
           "createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %d3, [%out], 64, 128;"
           "createpolicy.cvt.L2.b64 %d4, %d1; mov.u32 %r2, 3;"
           "st.global.L2::cache_hint.u32 [%own], %r2, %d1;"
           "ld.global.L2::cache_hint.u32 %r1, [%own], %d4;"),
      3U);
}

}  // namespace
}  // namespace warpcheck::isa::test
