// Loads whose value only seeds the loop of a compare-and-swap, and wrong twins of them.
#include "ptx/analysis/compare_and_swap_seed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "ptx/parser.hpp"

namespace warpcheck::ptx::analysis {
namespace {

/// The verdict on the first load from global memory of a kernel with this body.
bool only_seeds(const std::string& body) {
  const std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry f(.param .u64 f_param_0)\n{\n"
      ".reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<16>; .reg .b64 %d<16>; .reg .f32 %f<8>;\n"
      "ld.param.u64 %d1, [f_param_0];\n" +
      body + "}\n";
  const Module module = parse(text, "seed.ptx");
  const Function& function = module.functions.front();
  const auto load = std::find_if(function.body.begin(), function.body.end(), [](const auto& one) {
    return one.parts[0] == "ld" && one.parts[1] == "global";
  });
  return only_seeds_compare_and_swap(function,
                                     static_cast<std::size_t>(load - function.body.begin()));
}

const std::string kLoop =
    "ld.global.u32 %r7, [%d1];\n"
    "L1:\n"
    "add.u32 %r6, %r7, 1;\n"
    "atom.global.cas.b32 %r4, [%d1], %r7, %r6;\n"
    "setp.ne.s32 %p2, %r7, %r4;\n";

// The loop as nvcc 13 compiles it, without and with a use of the old value.
TEST(CompareAndSwapSeed, LoopThatRetriesUsesNoStaleValue) {
  EXPECT_TRUE(only_seeds(kLoop + "mov.u32 %r7, %r4;\n@%p2 bra L1;\nret;\n"));
  EXPECT_TRUE(
      only_seeds("ld.global.u16 %h4, [%d1];\n"
                 "L1:\nmov.u16 %h3, %h4;\nadd.u16 %h6, %h3, %h1;\n"
                 "atom.global.cas.b16 %h4, [%d1], %h3, %h6;\n"
                 "setp.ne.s16 %p1, %h3, %h4;\n@%p1 bra L1;\n"
                 "st.global.u16 [%d1+8], %h3;\nret;\n"));
  EXPECT_TRUE(
      only_seeds("ld.global.u32 %r7, [%d1];\n"
                 "L1:\nmov.b32 %f2, %r7;\nmax.f32 %f3, %f1, %f2;\nmov.b32 %r6, %f3;\n"
                 "atom.global.cas.b32 %r4, [%d1], %r7, %r6;\n"
                 "setp.eq.b32 %p2, %r4, %r7;\nmov.u32 %r7, %r4;\n@!%p2 bra L1;\nret;\n"));
}

// A compiler may take the first turn out of the loop.
TEST(CompareAndSwapSeed, PeeledLoopUsesNoStaleValue) {
  EXPECT_TRUE(only_seeds(kLoop + "@!%p2 bra L3;\n"
                                 "L2:\nmov.u32 %r8, %r4;\nadd.u32 %r9, %r8, 1;\n"
                                 "atom.global.cas.b32 %r4, [%d1], %r8, %r9;\n"
                                 "setp.ne.s32 %p3, %r8, %r4;\n@%p3 bra L2;\nL3:\nret;\n"));
}

TEST(CompareAndSwapSeed, ValueThatIsStoredElsewhereIsUsed) {
  EXPECT_FALSE(only_seeds("ld.global.u32 %r7, [%d1];\nst.global.u32 [%d1], %r7;\nret;\n"));
  EXPECT_FALSE(only_seeds(
      "ld.global.u32 %r7, [%d1];\nadd.u32 %r8, %r7, 1;\nst.global.u32 [%d1], %r8;\nret;\n"));
  EXPECT_FALSE(only_seeds("ld.global.u32 %r7, [%d1];\nst.global.u32 [%d1+8], %r7;\nL1:\n" +
                          kLoop.substr(kLoop.find("add")) +
                          "mov.u32 %r7, %r4;\n@%p2 bra L1;\nret;\n"));
}

// The first value is kept although the loop may have succeeded with another one.
TEST(CompareAndSwapSeed, FirstGuessBehindTheLoopIsUsed) {
  EXPECT_FALSE(only_seeds("ld.global.u32 %r7, [%d1];\nmov.u32 %r10, %r7;\nL1:\n" +
                          kLoop.substr(kLoop.find("add")) +
                          "mov.u32 %r7, %r4;\n@%p2 bra L1;\nst.global.u32 [%d1+8], %r10;\nret;\n"));
}

TEST(CompareAndSwapSeed, SwapThatNothingChecksUsesTheGuess) {
  EXPECT_FALSE(
      only_seeds("ld.global.u32 %r7, [%d1];\nadd.u32 %r6, %r7, 1;\n"
                 "atom.global.cas.b32 %r4, [%d1], %r7, %r6;\nret;\n"));
  EXPECT_FALSE(only_seeds(kLoop + "@%p2 bra L2;\nst.global.u32 [%d1+8], %r6;\nL2:\nret;\n"));
  EXPECT_FALSE(only_seeds(kLoop + "@!%p2 bra L2;\nred.global.add.u32 [%d1+8], 1;\nL2:\nret;\n"));
  // -0 equals +0, so that the loop ends although the swap has failed.
  EXPECT_FALSE(
      only_seeds("ld.global.u32 %r7, [%d1];\n"
                 "L1:\nadd.u32 %r6, %r7, 1;\natom.global.cas.b32 %r4, [%d1], %r7, %r6;\n"
                 "mov.b32 %f1, %r7;\nmov.b32 %f2, %r4;\nsetp.neu.f32 %p2, %f1, %f2;\n"
                 "mov.u32 %r7, %r4;\n@%p2 bra L1;\nret;\n"));
}

TEST(CompareAndSwapSeed, GuessThatIsAnAddressOrDecidesIsUsed) {
  // The next node of a stack, which another thread may have removed and pushed again.
  EXPECT_FALSE(
      only_seeds("ld.global.u64 %d7, [%d1];\n"
                 "L1:\nld.global.u64 %d6, [%d7];\natom.global.cas.b64 %d4, [%d1], %d7, %d6;\n"
                 "setp.ne.s64 %p2, %d7, %d4;\nmov.u64 %d7, %d4;\n@%p2 bra L1;\nret;\n"));
  EXPECT_FALSE(
      only_seeds("ld.global.u32 %r7, [%d1];\nL1:\nsetp.gt.s32 %p1, %r7, 5;\n@%p1 bra L2;\n" +
                 kLoop.substr(kLoop.find("add")) + "mov.u32 %r7, %r4;\n@%p2 bra L1;\nL2:\nret;\n"));
  // The new value comes from another load than the compared one.
  EXPECT_FALSE(
      only_seeds("ld.global.u32 %r7, [%d1];\nld.volatile.global.u32 %r8, [%d1];\n"
                 "L1:\nadd.u32 %r6, %r7, 1;\natom.global.cas.b32 %r4, [%d1], %r8, %r6;\n"
                 "setp.ne.s32 %p2, %r8, %r4;\nmov.u32 %r8, %r4;\n@%p2 bra L1;\nret;\n"));
}

}  // namespace
}  // namespace warpcheck::ptx::analysis
