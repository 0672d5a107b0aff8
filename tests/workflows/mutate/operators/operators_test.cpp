// Each operator is tested on hand-written PTX.
#include <gmock/gmock.h>

#include "tests/workflows/mutate/operators/planting.hpp"

namespace warpcheck::workflows::mutate::operators::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(BarrierDropped, RemovesBarriersAndFences) {
  EXPECT_THAT(planted("barrier-dropped",
                      "bar.sync 0; bar.warp.sync -1; membar.gl; "
                      "fence.acq_rel.gpu; barrier.sync 1, 64;"),
              ElementsAre("", "", "", "", ""));
}

TEST(BarrierDropped, KeepsABarrierThatHasAResult) {
  EXPECT_THAT(planted("barrier-dropped", "bar.red.popc.u32 %r1, 0, %p1;"), IsEmpty());
}

TEST(WaitChanged, LeavesOneMoreGroupOfCopiesInFlight) {
  EXPECT_THAT(planted("wait-changed", "cp.async.wait_group 0; cp.async.wait_group 3;"),
              ElementsAre("cp.async.wait_group 1", "cp.async.wait_group 4"));
}

TEST(WaitChanged, DropsAWaitForAllCopies) {
  EXPECT_THAT(planted("wait-changed", "cp.async.wait_all;"), ElementsAre(""));
}

TEST(WaitChanged, DoesNotWaitForThePhaseOfAnMbarrier) {
  EXPECT_THAT(planted("wait-changed",
                      "mbarrier.try_wait.parity.shared.b64 %p1, [%r1], %r2;"
                      "mbarrier.arrive.shared.b64 %d1, [%r1];"),
              ElementsAre("setp.eq.u32 %p1, 0, 0"));
}

TEST(ComparisonWeakened, ExchangesStrictAndWeakOrder) {
  EXPECT_THAT(
      planted("comparison-weakened",
              "setp.lt.s32 %p1, %r1, %r2; setp.ge.u32 %p1, %r1, 4; setp.hi.u64 %p1, %d1, %d2;"
              "setp.gt.and.f32 %p1, %f1, %f2, %p2; setp.eq.s32 %p1, %r1, 0;"),
      ElementsAre("setp.le.s32 %p1, %r1, %r2", "setp.gt.u32 %p1, %r1, 4",
                  "setp.hs.u64 %p1, %d1, %d2", "setp.ge.and.f32 %p1, %f1, %f2, %p2"));
}

TEST(ComparisonShifted, MovesAConstantAgainstTheWeakening) {
  EXPECT_THAT(planted("comparison-shifted",
                      "setp.lt.s32 %p1, %r1, 1; setp.gt.s32 %p1, %r1, 0; setp.lt.s32 %p1, %r1, %r2;"
                      "setp.eq.f32 %p1, %f1, 0f00000000;"),
              ElementsAre("setp.lt.s32 %p1, %r1, 0", "setp.gt.s32 %p1, %r1, 1"));
}

TEST(ComparisonShifted, MovesAConstantOfAnEqualityBothWays) {
  EXPECT_THAT(planted("comparison-shifted", "setp.ne.s32 %p1, %r1, 0;"),
              ElementsAre("setp.ne.s32 %p1, %r1, 1", "setp.ne.s32 %p1, %r1, -1"));
}

TEST(PredicateDropped, MakesAGuardedInstructionUnconditional) {
  EXPECT_THAT(planted("predicate-dropped", "@%p1 bra L; @!%p2 st.global.f32 [%d1], %f1; L: ret;"),
              ElementsAre("bra L", "st.global.f32 [%d1], %f1"));
}

TEST(PredicateNegated, NegatesTheGuard) {
  EXPECT_THAT(planted("predicate-negated", "@%p1 bra L; @!%p2 st.global.f32 [%d1], %f1; L: ret;"),
              ElementsAre("@!%p1 bra L", "@%p2 st.global.f32 [%d1], %f1"));
}

TEST(AddressShifted, MovesOneElementOrVectorInBothDirections) {
  EXPECT_THAT(planted("address-shifted",
                      "ld.global.f32 %f1, [%d1+8]; st.shared.v4.f32 [%r1], {%f1, %f2, "
                      "%f3, %f4}; ld.param.u64 %d1, [p];"),
              ElementsAre("ld.global.f32 %f1, [%d1+12]", "ld.global.f32 %f1, [%d1+4]",
                          "st.shared.v4.f32 [%r1+16], {%f1, %f2, %f3, %f4}",
                          "st.shared.v4.f32 [%r1+-16], {%f1, %f2, %f3, %f4}"));
}

TEST(AddressShifted, MovesEitherEndOfAnAsynchronousCopy) {
  EXPECT_THAT(planted("address-shifted", "cp.async.cg.shared.global [%r1], [%d1], 16;"),
              ElementsAre("cp.async.cg.shared.global [%r1+16], [%d1], 16",
                          "cp.async.cg.shared.global [%r1+-16], [%d1], 16",
                          "cp.async.cg.shared.global [%r1], [%d1+16], 16",
                          "cp.async.cg.shared.global [%r1], [%d1+-16], 16"));
}

TEST(VectorMoved, MovesOneElementForward) {
  EXPECT_THAT(planted("vector-moved",
                      "ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%d1]; "
                      "ld.global.v2.f64 {%e1, %e2}, [%d1]; ld.global.f32 %f1, "
                      "[%d1];"),
              ElementsAre("ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%d1+4]",
                          "ld.global.v2.f64 {%e1, %e2}, [%d1+8]"));
}

TEST(ConstantShifted, MovesConstantsOfIntegerArithmeticOnly) {
  EXPECT_THAT(
      planted("constant-shifted",
              "shl.b32 %r1, %r2, 2; mov.u32 %r1, 0; mad.lo.s32 %r1, "
              "%r2, 5, %r3; mov.f32 %f1, 0f00000000; bar.sync 0;"),
      ElementsAre("shl.b32 %r1, %r2, 3", "shl.b32 %r1, %r2, 1", "mov.u32 %r1, 1", "mov.u32 %r1, -1",
                  "mad.lo.s32 %r1, %r2, 6, %r3", "mad.lo.s32 %r1, %r2, 4, %r3"));
}

TEST(OperandsSwapped, SwapsOperandsThatDoNotCommute) {
  EXPECT_THAT(
      planted("operands-swapped",
              "sub.s32 %r1, %r2, %r3; div.s32 %r1, %r2, 4; setp.lt.s32 %p1, %r1, %r2; "
              "selp.f32 %f1, %f2, %f3, %p1; fma.rn.f32 %f1, %f2, %f3, %f4;"),
      ElementsAre("sub.s32 %r1, %r3, %r2", "div.s32 %r1, 4, %r2", "setp.lt.s32 %p1, %r2, %r1",
                  "selp.f32 %f1, %f3, %f2, %p1", "fma.rn.f32 %f1, %f2, %f4, %f3"));
}

TEST(OperandsSwapped, KeepsCommutativeOrEqualOperands) {
  EXPECT_THAT(planted("operands-swapped",
                      "add.s32 %r1, %r2, %r3; sub.s32 %r1, %r2, %r2; "
                      "setp.eq.s32 %p1, %r1, %r2; mad.wide.s32 %d1, %r1, %r2, "
                      "%d2; mul.f32 %f1, %f2, %f3;"),
              IsEmpty());
}

TEST(FmaToMul, RemovesTheAddition) {
  EXPECT_THAT(planted("fma-to-mul",
                      "fma.rn.f32 %f1, %f2, %f3, %f4; mad.lo.s32 %r1, %r2, %r3, %r4; "
                      "mul.f32 %f1, %f2, %f3;"),
              ElementsAre("mul.rn.f32 %f1, %f2, %f3", "mul.lo.s32 %r1, %r2, %r3"));
}

TEST(RoundingChanged, RoundsTowardsZero) {
  EXPECT_THAT(
      planted("rounding-changed",
              "fma.rn.f32 %f1, %f2, %f3, %f4; mul.f32 %f1, %f2, %f3; add.ftz.f32 %f1, %f2, %f3;"
              "cvt.rn.f16.f32 %h1, %f1; cvt.rni.s32.f32 %r1, %f1; add.s32 %r1, %r2, %r3; "
              "cvt.u64.u32 %d1, %r1; fma.rn.f16 %h1, %h2, %h3, %h4; mul.rz.f32 %f1, %f2, %f3;"),
      ElementsAre("fma.rz.f32 %f1, %f2, %f3, %f4", "mul.rz.f32 %f1, %f2, %f3",
                  "add.rz.ftz.f32 %f1, %f2, %f3", "cvt.rz.f16.f32 %h1, %f1",
                  "cvt.rzi.s32.f32 %r1, %f1"));
}

/// The other direction has `satfinite`.
TEST(RoundingChanged, KeepsConversionsOfFloatsOf8Bits) {
  EXPECT_THAT(planted("rounding-changed",
                      "cvt.rn.f16x2.e4m3x2 %r1, %h1; cvt.rn.relu.f16x2.e5m2x2 %r1, %h1; "
                      "cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2;"),
              ElementsAre());
}

TEST(StoreDropped, RemovesStoresReductionsAndCopies) {
  EXPECT_THAT(planted("store-dropped",
                      "@%p1 st.global.f32 [%d1], %f1; red.global.add.f32 [%d1], %f1; "
                      "cp.async.ca.shared.global [%r1], [%d1], 4; cp.async.commit_group; "
                      "ld.global.f32 %f1, [%d1];"),
              ElementsAre("", "", ""));
}

}  // namespace
}  // namespace warpcheck::workflows::mutate::operators::test
