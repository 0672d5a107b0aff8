// Loads of threads that hold a copy of an element and store nothing, and wrong twins of them.
#include "ptx/analysis/unused_value.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/ptx/analysis/small_kernel.hpp"

namespace warpcheck::ptx::analysis {
namespace {

/// The verdict on the first load from global memory of a kernel with this body.
bool is_unused(const std::string& body, unsigned thread) {
  const Module module = test::module_of("ld.param.u64 %d1, [p];\n" + body);
  const Function& function = module.functions.front();
  const auto load = std::find_if(function.body.begin(), function.body.end(), [](const auto& one) {
    return one.parts.size() > 1 && one.parts[0] == "ld" && one.parts[1] == "global";
  });
  return is_value_unused(function, static_cast<std::size_t>(load - function.body.begin()), thread);
}

const std::string kLoad =
    "mov.u32 %r1, %tid.x;\n"
    "and.b32 %r2, %r1, 63;\n"
    "setp.lt.u32 %p1, %r1, 64;\n"
    "mad.wide.u32 %d2, %r2, 4, %d1;\n"
    "ld.global.b32 %r3, [%d2];\n"
    "add.s32 %r4, %r3, 1;\n";

// The element-wise kernel as Triton compiles it: 128 threads, 64 elements.
TEST(UnusedValue, ThreadsThatDoNotStoreDoNotUseIt) {
  const std::string body = kLoad + "@%p1 st.global.b32 [%d2], %r4;\n";
  EXPECT_FALSE(is_unused(body, 0));
  EXPECT_FALSE(is_unused(body, 63));
  EXPECT_TRUE(is_unused(body, 64));
  EXPECT_TRUE(is_unused(body, 127));
}

TEST(UnusedValue, GuardMayHaveAnUnknownPart) {
  const std::string body = kLoad +
                           "ld.global.b32 %r5, [%d1+512];\n"
                           "setp.lt.s32 %p2, %r2, %r5;\n"
                           "and.pred %p3, %p1, %p2;\n"
                           "@%p3 st.global.b32 [%d2], %r4;\n";
  EXPECT_FALSE(is_unused(body, 3));
  EXPECT_TRUE(is_unused(body, 70));
  EXPECT_FALSE(is_unused(kLoad + "ld.global.b32 %r5, [%d1+512];\n"
                                 "setp.lt.s32 %p2, %r2, %r5;\n"
                                 "or.pred %p3, %p1, %p2;\n"
                                 "@%p3 st.global.b32 [%d2], %r4;\n",
                         70));
}

TEST(UnusedValue, NegatedGuard) {
  const std::string body = kLoad +
                           "setp.ge.u32 %p4, %r1, 64;\n"
                           "@!%p4 st.global.b32 [%d2], %r4;\n";
  EXPECT_FALSE(is_unused(body, 1));
  EXPECT_TRUE(is_unused(body, 64));
}

TEST(UnusedValue, StoreWithoutAGuardUsesIt) {
  EXPECT_FALSE(is_unused(kLoad + "st.global.b32 [%d2], %r4;\n", 64));
  EXPECT_FALSE(
      is_unused(kLoad + "@%p1 st.global.b32 [%d2], %r4;\nst.global.b32 [%d1], %r3;\n", 64));
}

// As in a sum of a few elements, of which each warp has copies.
TEST(UnusedValue, LanesOfTheWarpMayUseIt) {
  const std::string exchange = kLoad + "shfl.sync.bfly.b32 %r5, %r4, 1, 31, -1;\n";
  const std::string stored = exchange + "@%p1 st.global.b32 [%d2], %r5;\n";
  EXPECT_FALSE(is_unused(stored, 0));
  EXPECT_TRUE(is_unused(stored, 64));
  const std::string stored_by_last_lane =
      exchange + "setp.eq.u32 %p2, %r1, 127;\n@%p2 st.global.b32 [%d2], %r5;\n";
  EXPECT_TRUE(is_unused(stored_by_last_lane, 64));
  EXPECT_FALSE(is_unused(stored_by_last_lane, 96));
  EXPECT_FALSE(is_unused(exchange + "st.shared.b32 [%d2], %r5;\n", 64));
}

// As in a logarithm, which has a branch for infinity and NaN.
TEST(UnusedValue, ItMayDecideHowAResultIsComputed) {
  const std::string branch = kLoad + "setp.eq.s32 %p2, %r4, 0;\n@%p2 bra L;\n";
  const std::string store = "@%p1 st.global.b32 [%d2], %r6;\n";
  const std::string one_side = branch + "mov.b32 %r6, 7;\nL:\n" + store;
  EXPECT_FALSE(is_unused(one_side, 0));
  EXPECT_TRUE(is_unused(one_side, 64));
  const std::string side_behind =
      "bra.uni B;\nL:\n" + store + "ret;\nB:\n" + branch + "mov.b32 %r6, 7;\nbra.uni L;\n";
  EXPECT_TRUE(is_unused(side_behind, 64));
  EXPECT_FALSE(is_unused(branch + "st.global.b32 [%d1], %r1;\nL:\n", 64));
  // The number of iterations depends on it.
  EXPECT_FALSE(is_unused("L:\n" + kLoad + "setp.eq.s32 %p2, %r4, 0;\n@%p2 bra L;\n", 64));
  // Only a thread that takes one side stores.
  EXPECT_FALSE(is_unused(
      branch + "mov.b32 %r6, 7;\nL:\nsetp.eq.s32 %p3, %r6, 7;\n@%p3 st.global.b32 [%d1], %r1;\n",
      64));
}

TEST(UnusedValue, AddressAndConditionUseIt) {
  EXPECT_FALSE(is_unused(kLoad + "cvt.u64.u32 %d3, %r4;\nld.global.b32 %r5, [%d3];\n", 64));
  EXPECT_FALSE(is_unused(
      kLoad + "setp.eq.s32 %p2, %r4, 0;\n@%p2 bra L;\nst.global.b32 [%d1], %r1;\nL:\n", 64));
  EXPECT_FALSE(is_unused(kLoad + "setp.eq.s32 %p2, %r4, 0;\n@%p2 st.global.b32 [%d1], %r1;\n", 64));
  EXPECT_FALSE(is_unused(kLoad + "red.global.add.u32 [%d1], %r4;\n", 64));
}

TEST(UnusedValue, ValueThatALoopCarriesIsUsed) {
  EXPECT_FALSE(is_unused("mov.b32 %r6, 0;\nL:\n" + kLoad +
                             "add.s32 %r6, %r6, %r4;\nsetp.lt.s32 %p2, %r1, 9;\n@%p2 bra L;\n"
                             "st.global.b32 [%d1], %r6;\n",
                         64));
}

// As where a loop with one iteration is a branch.
TEST(UnusedValue, TwoInstructionsMaySetAGuardToOneValue) {
  const std::string body = kLoad +
                           "setp.lt.u32 %p2, %r1, 1;\n@%p2 bra L;\n"
                           "setp.lt.u32 %p1, %r1, 64;\nL:\n"
                           "@%p1 st.global.b32 [%d2], %r4;\n";
  EXPECT_FALSE(is_unused(body, 1));
  EXPECT_TRUE(is_unused(body, 64));
}

TEST(UnusedValue, GuardThatTwoInstructionsSetIsUnknown) {
  EXPECT_FALSE(
      is_unused(kLoad + "setp.lt.u32 %p1, %r1, 200;\n@%p1 st.global.b32 [%d2], %r4;\n", 64));
}

}  // namespace
}  // namespace warpcheck::ptx::analysis
