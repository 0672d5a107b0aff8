// Kernels in PTX whose properties are known.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "proof/proof.hpp"

namespace warpcheck::proof {
namespace {

constexpr const char* kContract = R"toml([[variant]]
name = "product"
kernel = "product"
operation = "gemm"
layout = "row"
types = {{ a = "f32", b = "f32", c = "f32", accumulate = "f32" }}
arguments = ["a", "b", "c", "m", "n", "k", "ldc"]
block = [64]
grid = ["ceil_div(n, 64)"]
{}
)toml";

/// Each thread has a column: %r5 is its number, %r2 is n, %r6 is ldc, %d3 is the address of C.
/// `body` follows.
contract::Variant kernel(const std::string& body, const std::string& more_of_contract = "") {
  contract::Variant variant;
  variant.contract =
      contract::parse_contracts(fmt::format(kContract, more_of_contract), {"product.toml", 1, 1})
          .at(0);
  auto compiled = std::make_shared<contract::Compiled>();
  compiled->source_file = "product.cu";
  compiled->ptx_file = "product.ptx";
  compiled->ptx = fmt::format(R"(.version 9.0
.target sm_80
.address_size 64
.visible .entry product(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 m, .param .u32 n,
                        .param .u32 k, .param .u32 ldc)
{{
  .reg .pred %p<9>;
  .reg .b16 %h<9>;
  .reg .b32 %r<32>;
  .reg .b64 %d<16>;
  .reg .f32 %f<9>;
  .shared .align 4 .b8 tile[256];
  ld.param.u64 %d3, [c];
  ld.param.u32 %r1, [m];
  ld.param.u32 %r2, [n];
  ld.param.u32 %r3, [k];
  ld.param.u32 %r6, [ldc];
  mov.u32 %r4, %ctaid.x;
  mov.u32 %r7, %tid.x;
  mad.lo.s32 %r5, %r4, 64, %r7;
  mov.f32 %f1, 0f00000000;
  mov.u32 %r8, tile;
  mad.lo.s32 %r9, %r7, 4, %r8;
  {}
  ret;
}}
)",
                              body);
  variant.compiled = compiled;
  variant.entries = {{"product", {{8}, {8}, {8}, {4}, {4}, {4}, {4}}}};
  return variant;
}

bool is_proved(const contract::Variant& variant, Property property) {
  const Proof proof = prove(variant, {.only = {property}});
  return proof.properties.size() == 1 && proof.properties.front().is_proved;
}

class PropertiesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_solver()) GTEST_SKIP() << "the build has no solver";
  }
};

constexpr const char* kStoresFirstRow = R"(
  setp.{} %p1, %r5, %r2;
  @%p1 ret;
  setp.lt.s32 %p2, %r1, 1;
  @%p2 ret;
  mul.wide.s32 %d5, %r5, 4;
  add.s64 %d6, %d3, %d5;
  st.global.f32 [%d6], %f1;
)";

TEST_F(PropertiesTest, GuardedStoreIsInBounds) {
  EXPECT_TRUE(is_proved(kernel(fmt::format(kStoresFirstRow, "ge.s32")), Property::bounds));
}

TEST_F(PropertiesTest, GuardThatIsOffByOneIsNotProved) {
  EXPECT_FALSE(is_proved(kernel(fmt::format(kStoresFirstRow, "gt.s32")), Property::bounds));
}

TEST_F(PropertiesTest, StoreIntoThePaddingIsNotProved) {
  const std::string padding = R"(
  setp.ge.s32 %p1, %r5, %r6;
  @%p1 ret;
  mul.wide.s32 %d5, %r5, 4;
  add.s64 %d6, %d3, %d5;
  st.global.f32 [%d6], %f1;
)";
  EXPECT_FALSE(is_proved(kernel(padding), Property::bounds));
}

TEST_F(PropertiesTest, VectorStoreNeedsItsAlignment) {
  const std::string vectors = R"(
  setp.gt.s32 %p1, %r2, 3;
  @!%p1 ret;
  st.global.v4.f32 [%d3], {%f1, %f1, %f1, %f1};
)";
  EXPECT_FALSE(is_proved(kernel(vectors), Property::alignment));
  EXPECT_TRUE(is_proved(kernel(vectors, "requires = [\"aligned(c, 16)\"]"), Property::alignment));
}

TEST_F(PropertiesTest, AlignmentUnderAnAlternativeIsNotAssumed) {
  const std::string vectors = "  st.global.v4.f32 [%d3], {%f1, %f1, %f1, %f1};\n";
  EXPECT_FALSE(
      is_proved(kernel(vectors, "requires = [\"aligned(c, 16) or m == 5\"]"), Property::alignment));
}

TEST_F(PropertiesTest, RowTimesStrideOverflows32Bits) {
  const std::string product = R"(
  mul.lo.s32 %r10, %r5, %r6;
  mul.wide.s32 %d5, %r10, 4;
)";
  EXPECT_FALSE(is_proved(kernel(product), Property::overflow));
  EXPECT_TRUE(is_proved(kernel(product, "requires = [\"ldc <= 8\"]"), Property::overflow));
}

constexpr const char* kNeighbour = R"(
  st.shared.f32 [%r9], %f1;
  {}
  xor.b32 %r10, %r7, 1;
  mad.lo.s32 %r11, %r10, 4, %r8;
  ld.shared.f32 %f2, [%r11];
)";

TEST_F(PropertiesTest, BarrierOrdersSharedMemory) {
  EXPECT_TRUE(is_proved(kernel(fmt::format(kNeighbour, "bar.sync 0;")), Property::races));
  EXPECT_FALSE(is_proved(kernel(fmt::format(kNeighbour, "")), Property::races));
}

TEST_F(PropertiesTest, BarrierOfSomeThreadsIsNotCovered) {
  EXPECT_FALSE(is_proved(kernel(fmt::format(kNeighbour, "bar.sync 0, 32;")), Property::races));
}

/// A thread reads the element of the thread whose number differs in the bits of the second mask.
constexpr const char* kOtherLane = R"(
  st.shared.f32 [%r9], %f1;
  bar.warp.sync {};
  xor.b32 %r10, %r7, {};
  mad.lo.s32 %r11, %r10, 4, %r8;
  ld.shared.f32 %f2, [%r11];
)";

TEST_F(PropertiesTest, BarrierOfAWarpOrdersItsLanes) {
  EXPECT_TRUE(is_proved(kernel(fmt::format(kOtherLane, -1, 5)), Property::races));
  EXPECT_FALSE(is_proved(kernel(fmt::format(kOtherLane, -1, 32)), Property::races));
}

TEST_F(PropertiesTest, BarrierOfSomeLanesOrdersNothing) {
  EXPECT_FALSE(is_proved(kernel(fmt::format(kOtherLane, 65535, 5)), Property::races));
  EXPECT_FALSE(is_proved(kernel(fmt::format(kOtherLane, "%r1", 5)), Property::races));
}

TEST_F(PropertiesTest, BarrierOfAWarpThatSomeLanesReachIsNotProved) {
  constexpr const char* kBranch = R"(
  setp.ge.s32 %p1, %r7, {};
  @%p1 bra DONE;
  bar.warp.sync -1;
DONE:
)";
  EXPECT_TRUE(is_proved(kernel(fmt::format(kBranch, 32)), Property::barriers));
  EXPECT_FALSE(is_proved(kernel(fmt::format(kBranch, 31)), Property::barriers));
}

TEST_F(PropertiesTest, BarrierOfAWarpDoesNotWaitForCopies) {
  constexpr const char* kCopy = R"(
  setp.lt.s32 %p1, %r2, 64;
  @%p1 ret;
  setp.lt.s32 %p1, %r1, 1;
  @%p1 ret;
  mul.wide.s32 %d5, %r7, 4;
  add.s64 %d6, %d3, %d5;
  cp.async.ca.shared.global [%r9], [%d6], 4;
  cp.async.commit_group;
  {}
  bar.warp.sync -1;
  xor.b32 %r10, %r7, 1;
  mad.lo.s32 %r11, %r10, 4, %r8;
  ld.shared.f32 %f2, [%r11];
)";
  EXPECT_FALSE(is_proved(kernel(fmt::format(kCopy, "")), Property::races));
}

TEST_F(PropertiesTest, LocalArrayHasItsBounds) {
  constexpr const char* kLocal = R"(
  .local .align 8 .b8 depot[64];
  .reg .b64 %SP;
  .reg .b64 %SPL;
  mov.u64 %SPL, depot;
  cvta.local.u64 %SP, %SPL;
  and.b32 %r10, %r7, {};
  mul.wide.u32 %d5, %r10, 4;
  add.u64 %d6, {}, %d5;
  st.{}f32 [%d6], %f1;
  ld.{}f32 %f2, [%d6];
)";
  const auto with = [&](int mask, const char* base, const char* space) {
    return kernel(fmt::format(kLocal, mask, base, space, space));
  };
  for (const Property property : {Property::bounds, Property::alignment, Property::races}) {
    EXPECT_TRUE(is_proved(with(15, "%SPL", "local."), property));
    EXPECT_TRUE(is_proved(with(15, "%SP", ""), property));
    EXPECT_FALSE(is_proved(with(15, "%SP", "local."), property));
    EXPECT_FALSE(is_proved(with(15, "%SPL", ""), property));
    EXPECT_FALSE(is_proved(with(15, "%SPL", "shared."), property));
  }
  EXPECT_FALSE(is_proved(with(31, "%SPL", "local."), Property::bounds));
}

TEST_F(PropertiesTest, SharedArrayHasAGenericAddress) {
  constexpr const char* kGeneric = R"(
  cvt.u64.u32 %d5, %r9;
  {}
  st.f32 [%d5], %f1;
)";
  EXPECT_TRUE(
      is_proved(kernel(fmt::format(kGeneric, "cvta.shared.u64 %d5, %d5;")), Property::bounds));
  EXPECT_FALSE(is_proved(kernel(fmt::format(kGeneric, "")), Property::bounds));
  EXPECT_FALSE(
      is_proved(kernel(fmt::format(kGeneric, "cvta.local.u64 %d5, %d5;")), Property::bounds));
}

TEST_F(PropertiesTest, ConversionOfDataIsNoOverflow) {
  constexpr const char* kNarrow = R"(
  ld.shared.u32 %r10, [%r9];
  {}
  cvt.u16.u32 %h1, %r10;
  cvt.s16.s8 %h2, %h1;
  cvt.s32.s16 %r11, %h2;
)";
  EXPECT_TRUE(is_proved(kernel(fmt::format(kNarrow, "")), Property::overflow));
  EXPECT_FALSE(is_proved(kernel(fmt::format(kNarrow, "mov.b32 %r10, %r5;")), Property::overflow));
  EXPECT_FALSE(
      is_proved(kernel(fmt::format(kNarrow, "add.s32 %r10, %r10, %r5;")), Property::overflow));
}

TEST_F(PropertiesTest, NarrowDataStaysInItsRange) {
  constexpr const char* kIndex = R"(
  ld.shared.u32 %r10, [%r9];
  prmt.b32 %r10, %r10, %r10, 291;
  shr.u32 %r10, %r10, {};
  mad.lo.s32 %r11, %r10, 4, %r8;
  ld.shared.f32 %f2, [%r11];
)";
  EXPECT_TRUE(is_proved(kernel(fmt::format(kIndex, 26)), Property::bounds));
  EXPECT_FALSE(is_proved(kernel(fmt::format(kIndex, 25)), Property::bounds));
}

TEST_F(PropertiesTest, RegisterConsistsOfItsParts) {
  constexpr const char* kParts = R"(
  {}.b32 %r10, %r7, {};
  mul.lo.s32 %r10, %r10, 65537;
  mov.b32 {{%h1, %h2}}, %r10;
  mov.b32 %r12, {{%h2, %h1}};
  shr.u32 %r12, %r12, 16;
  mad.lo.s32 %r11, %r12, 4, %r8;
  ld.shared.f32 %f2, [%r11];
)";
  EXPECT_TRUE(is_proved(kernel(fmt::format(kParts, "and", 63)), Property::bounds));
  EXPECT_TRUE(is_proved(kernel(fmt::format(kParts, "and", "%r1")), Property::bounds));
  EXPECT_FALSE(is_proved(kernel(fmt::format(kParts, "or", "%r1")), Property::bounds));
}

/// %r12 is x mod 3 if the reciprocal is that of 3.
constexpr const char* kModulo = R"(
  mul.hi.s32 %r11, {0}, {1};
  shr.u32 %r12, %r11, 31;
  add.s32 %r11, %r11, %r12;
  mul.lo.s32 %r11, %r11, 3;
  sub.s32 %r12, {0}, %r11;
)";

TEST_F(PropertiesTest, ReciprocalDividesByAConstant) {
  constexpr const char* kStore = R"(
  and.b32 %r10, %r5, 1023;
  {}
  mad.lo.s32 %r12, %r12, {}, %r8;
  st.shared.f32 [%r12], %f1;
)";
  const std::string modulo = fmt::format(kModulo, "%r10", 1431655766);
  EXPECT_TRUE(is_proved(kernel(fmt::format(kStore, modulo, 124)), Property::bounds));
  EXPECT_FALSE(is_proved(kernel(fmt::format(kStore, modulo, 128)), Property::bounds));
  const std::string wrong = fmt::format(kModulo, "%r10", 1431655760 - 8388608);
  EXPECT_FALSE(is_proved(kernel(fmt::format(kStore, wrong, 124)), Property::bounds));
}

TEST_F(PropertiesTest, NumberOfAStageRunsInACycle) {
  constexpr const char* kRing = R"(
  mov.u32 %r10, 0;
  mov.u32 %r13, {};
LOOP:
  mad.lo.s32 %r14, %r13, {}, %r8;
  st.shared.f32 [%r14], %f1;
  add.s32 %r15, %r13, 1;
  {}
  mov.u32 %r13, %r12;
  add.s32 %r10, %r10, 1;
  setp.lt.s32 %p1, %r10, %r3;
  @%p1 bra LOOP;
)";
  const std::string modulo = fmt::format(kModulo, "%r15", 1431655766);
  EXPECT_TRUE(is_proved(kernel(fmt::format(kRing, 0, 124, modulo)), Property::bounds));
  EXPECT_FALSE(is_proved(kernel(fmt::format(kRing, 0, 128, modulo)), Property::bounds));
  EXPECT_FALSE(is_proved(kernel(fmt::format(kRing, 3, 124, modulo)), Property::bounds));
}

TEST_F(PropertiesTest, NumberOfAStageRunsOnOverTiles) {
  constexpr const char* kRing = R"(
  mov.u32 %r10, 0;
  mov.u32 %r13, {};
OUTER:
  mov.u32 %r11, 0;
LOOP:
  mad.lo.s32 %r14, %r13, {}, %r8;
  st.shared.f32 [%r14], %f1;
  add.s32 %r15, %r13, 1;
  setp.lt.s32 %p2, %r13, {};
  selp.b32 %r13, %r15, 0, %p2;
  add.s32 %r11, %r11, 1;
  setp.lt.s32 %p1, %r11, %r3;
  @%p1 bra LOOP;
  add.s32 %r10, %r10, 1;
  setp.lt.s32 %p1, %r10, %r2;
  @%p1 bra OUTER;
)";
  const auto ring = [&](int first, int bytes, int last) {
    return kernel(fmt::format(kRing, first, bytes, last));
  };
  EXPECT_TRUE(is_proved(ring(0, 84, 3), Property::bounds));
  EXPECT_FALSE(is_proved(ring(0, 85, 3), Property::bounds));  // the last byte is behind the array
  EXPECT_FALSE(is_proved(ring(4, 84, 3), Property::bounds));  // no stage is number 4
  EXPECT_FALSE(is_proved(ring(0, 84, 4), Property::bounds));
  EXPECT_FALSE(is_proved(ring(-1, 84, 3), Property::bounds));
}

TEST_F(PropertiesTest, SwizzleOfSmallNumbersHasItsBounds) {
  constexpr const char* kSwizzle = R"(
  shr.u32 %r10, %r7, 4;
  and.b32 %r10, %r10, 1;
  shr.u32 %r11, %r7, 5;
  mad.lo.s32 %r10, %r11, 4, %r10;
  and.b32 %r11, %r7, 7;
  xor.b32 %r12, %r10, %r11;
  mad.lo.s32 %r12, %r12, {}, %r8;
  ld.shared.f32 %f2, [%r12];
)";
  EXPECT_TRUE(is_proved(kernel(fmt::format(kSwizzle, 36)), Property::bounds));
  EXPECT_FALSE(is_proved(kernel(fmt::format(kSwizzle, 40)), Property::bounds));
}

TEST_F(PropertiesTest, FieldOfBitsIsInserted) {
  constexpr const char* kField = R"(
  and.b32 %r10, %r7, 7;
  bfi.b32 %r12, %r10, %r7, {}, {};
  shr.u32 %r12, %r12, 1;
  mad.lo.s32 %r11, %r12, 4, %r8;
  ld.shared.f32 %f2, [%r11];
)";
  EXPECT_TRUE(is_proved(kernel(fmt::format(kField, 4, 28)), Property::bounds));
  EXPECT_FALSE(is_proved(kernel(fmt::format(kField, 5, 27)), Property::bounds));
}

/// Lane l states the address of 16 bytes of its warp's 512.
constexpr const char* kRows = R"(
  .shared .align 16 .b8 rows[{}];
  mov.u32 %r10, rows;
  shl.b32 %r11, %r7, 4;
  add.s32 %r12, %r10, %r11;
  st.shared.v4.f32 [%r12], {{%f1, %f1, %f1, %f1}};
  {}
  ldmatrix.sync.aligned.m8n8.{}.shared.b16 {}, [%r12];
)";

contract::Variant rows(int bytes, const char* barrier, bool has_four = true) {
  return kernel(fmt::format(kRows, bytes, barrier, has_four ? "x4" : "x1",
                            has_four ? "{%r13, %r14, %r15, %r16}" : "{%r13}"));
}

TEST_F(PropertiesTest, MatrixOfRowsHasItsBounds) {
  EXPECT_TRUE(is_proved(rows(1024, "bar.sync 0;"), Property::bounds));
  EXPECT_FALSE(is_proved(rows(1008, "bar.sync 0;"), Property::bounds));
  EXPECT_TRUE(is_proved(rows(1024, "bar.sync 0;"), Property::alignment));
  EXPECT_FALSE(is_proved(rows(1024, "add.s32 %r12, %r10, 8;"), Property::alignment));
}

TEST_F(PropertiesTest, AnyLaneReadsTheRowsOfAMatrix) {
  EXPECT_TRUE(is_proved(rows(1024, "bar.sync 0;"), Property::races));
  EXPECT_TRUE(is_proved(rows(1024, "bar.warp.sync -1;"), Property::races));
  EXPECT_FALSE(is_proved(rows(1024, ""), Property::races));
  EXPECT_FALSE(is_proved(rows(1024, "", false), Property::races));
}

TEST_F(PropertiesTest, LanesThatStateNoRowMayHaveAnyAddress) {
  constexpr const char* kFirstLanes = R"(
  .shared .align 16 .b8 rows[512];
  mov.u32 %r10, rows;
  shl.b32 %r11, %r7, 4;
  and.b32 %r11, %r11, 511;
  {}
  add.s32 %r12, %r10, %r11;
  ldmatrix.sync.aligned.m8n8.x2.shared.b16 {{%r13, %r14}}, [%r12];
)";
  EXPECT_TRUE(
      is_proved(kernel(fmt::format(kFirstLanes, "add.s32 %r11, %r11, 256;")), Property::bounds));
  EXPECT_FALSE(
      is_proved(kernel(fmt::format(kFirstLanes, "add.s32 %r11, %r11, 272;")), Property::bounds));
}

TEST_F(PropertiesTest, ProductInADivergentBranchIsNotProved) {
  constexpr const char* kBranch = R"(
  setp.ge.s32 %p1, %r7, {};
  @%p1 bra DONE;
  mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {{%x1, %x2}}, {{%x1}}, {{%x1}}, {{%x1, %x2}};
DONE:
)";
  const std::string registers = "  .reg .f64 %x<4>;\n";
  EXPECT_TRUE(is_proved(kernel(registers + fmt::format(kBranch, 32)), Property::barriers));
  EXPECT_FALSE(is_proved(kernel(registers + fmt::format(kBranch, 16)), Property::barriers));
}

/// Each warp stores 16 rows of 16 f32, `stride` elements apart.
constexpr const char* kTile = R"(
  .shared .align 32 .b8 tiles[{}];
  mov.u32 %r10, tiles;
  shr.u32 %r11, %r7, {};
  mad.lo.s32 %r12, %r11, 1024, %r10;
  mov.u32 %r13, {};
  wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%r12],
      {{%f1, %f1, %f1, %f1, %f1, %f1, %f1, %f1}}, %r13;
  {}
  and.b32 %r14, %r7, 31;
  mad.lo.s32 %r15, %r14, 4, %r12;
  ld.shared.f32 %f2, [%r15];
)";

contract::Variant tile(int bytes, int stride = 16, const char* barrier = "bar.warp.sync -1;",
                       int lane_bits = 5) {
  return kernel(fmt::format(kTile, bytes, lane_bits, stride, barrier));
}

TEST_F(PropertiesTest, TileOfAWarpHasItsBounds) {
  EXPECT_TRUE(is_proved(tile(2048), Property::bounds));
  EXPECT_FALSE(is_proved(tile(2032), Property::bounds));
  EXPECT_FALSE(is_proved(tile(2048, 20), Property::bounds));
}

TEST_F(PropertiesTest, TileOfAWarpHasItsAlignment) {
  EXPECT_TRUE(is_proved(tile(4096), Property::alignment));
  EXPECT_TRUE(is_proved(tile(4096, 20), Property::alignment));
  EXPECT_FALSE(is_proved(tile(4096, 18), Property::alignment));
}

TEST_F(PropertiesTest, TileOfAWarpNeedsItsBarrier) {
  EXPECT_TRUE(is_proved(tile(2048), Property::races));
  EXPECT_TRUE(is_proved(tile(2048, 16, "bar.sync 0;"), Property::races));
  EXPECT_FALSE(is_proved(tile(2048, 16, ""), Property::races));
}

TEST_F(PropertiesTest, TilesOfTwoWarpsMustNotOverlap) {
  EXPECT_FALSE(is_proved(tile(4096, 20), Property::races));
}

TEST_F(PropertiesTest, LanesMustStateTheSameTile) {
  EXPECT_TRUE(is_proved(tile(4096), Property::barriers));
  EXPECT_FALSE(is_proved(tile(4096, 16, "bar.sync 0;", 4), Property::barriers));
}

TEST_F(PropertiesTest, LinesOfATileMustNotOverlap) {
  for (const Property property : all_properties())
    EXPECT_FALSE(is_proved(tile(4096, 12), property));
}

TEST_F(PropertiesTest, BarrierInADivergentBranchIsNotProved) {
  const std::string body = R"(
  setp.ge.s32 %p1, %r5, %r2;
  @%p1 bra DONE;
  bar.sync 0;
DONE:
)";
  EXPECT_FALSE(is_proved(kernel(body), Property::barriers));
}

TEST_F(PropertiesTest, LoopOverDataMayLeaveABarrierOut) {
  constexpr const char* kLoopOverData = R"(
LOOP:
  {}
  ld.shared.u32 %r10, [%r9];
  setp.ne.s32 %p1, %r10, 0;
  @%p1 bra LOOP;
)";
  EXPECT_TRUE(is_proved(kernel(fmt::format(kLoopOverData, "")), Property::barriers));
  for (const char* const barrier : {"bar.sync 0;", "bar.warp.sync -1;"}) {
    EXPECT_FALSE(is_proved(kernel(fmt::format(kLoopOverData, barrier)), Property::barriers));
  }
}

TEST_F(PropertiesTest, ThreadThatReturnsInALoopMissesABarrier) {
  constexpr const char* kReturn = R"(
  mov.u32 %r10, 0;
LOOP:
  bar.sync 0;
  {}
  add.s32 %r10, %r10, 1;
  setp.lt.s32 %p1, %r10, 7;
  @%p1 bra LOOP;
)";
  EXPECT_TRUE(is_proved(kernel(fmt::format(kReturn, "")), Property::barriers));
  const std::string early = "setp.eq.s32 %p2, %r7, 5;\n  @%p2 ret;";
  EXPECT_FALSE(is_proved(kernel(fmt::format(kReturn, early)), Property::barriers));
}

/// Iteration i writes element `step` * i + the thread's number of the shared array.
constexpr const char* kLoop = R"(
  mov.u32 %r10, 0;
LOOP:
  mad.lo.s32 %r11, %r10, {}, %r9;
  st.shared.f32 [%r11], %f1;
  {}
  add.s32 %r10, %r10, 1;
  setp.lt.s32 %p1, %r10, {};
  @%p1 bra LOOP;
)";

TEST_F(PropertiesTest, LoopKeepsWithinItsArray) {
  EXPECT_TRUE(is_proved(kernel(fmt::format(kLoop, 0, "", 7)), Property::bounds));
  EXPECT_TRUE(is_proved(kernel(fmt::format(kLoop, 4, "", 1)), Property::bounds));
  EXPECT_FALSE(is_proved(kernel(fmt::format(kLoop, 4, "", 2)), Property::bounds));
}

/// Some threads of the block leave the loop before others, or never.
TEST_F(PropertiesTest, BarrierInALoopThatThreadsLeaveIsNotProved) {
  constexpr const char* kLeft = R"(
  mov.u32 %r10, 0;
LOOP:
  bar.sync 0;
  add.s32 %r10, %r10, 1;
  {}
DONE:
)";
  const auto holds = [&](const char* end) {
    return is_proved(kernel(fmt::format(kLeft, end)), Property::barriers);
  };
  EXPECT_TRUE(holds("setp.lt.s32 %p1, %r10, %r3; @%p1 bra LOOP;"));
  EXPECT_FALSE(holds("ld.global.u32 %r11, [%d3]; setp.ne.s32 %p1, %r11, 0; @%p1 bra LOOP;"));
  EXPECT_FALSE(holds("setp.lt.s32 %p1, %r10, %r7; @%p1 bra LOOP;"));
  EXPECT_FALSE(holds(
      "setp.lt.s32 %p1, %r10, %r7; @%p1 bra LOOP; setp.lt.s32 %p2, %r10, %r5; @%p2 bra LOOP;"));
  EXPECT_FALSE(
      holds("setp.eq.s32 %p1, %r10, %r7; @%p1 ret; setp.lt.s32 %p2, %r10, %r3; @%p2 bra LOOP;"));
  EXPECT_FALSE(
      holds("setp.eq.s32 %p1, %r10, %r7; @%p1 bra DONE; setp.lt.s32 %p2, %r10, %r3; @%p2 bra "
            "LOOP;"));
}

TEST_F(PropertiesTest, BlockIndexIsTruncatedTo16Bits) {
  const std::string body = R"(
  cvt.u16.u32 %h1, %r4;
  cvt.u32.u16 %r10, %h1;
  mad.lo.s32 %r11, %r10, 64, %r7;
  setp.ge.s32 %p1, %r11, %r2;
  @%p1 ret;
)";
  EXPECT_FALSE(is_proved(kernel(body), Property::overflow));
}

TEST_F(PropertiesTest, GridOfManyMinimaIsNotCovered) {
  contract::Variant variant = kernel(fmt::format(kStoresFirstRow, "ge.s32"));
  EXPECT_TRUE(prove(variant, {.only = {Property::bounds}}).properties.front().is_proved);
  std::string contract = fmt::format(kContract, "");
  const std::string grid = "ceil_div(n, 64)";
  contract.replace(
      contract.find(grid), grid.size(),
      "min(m + 1, 9) + min(n + 1, 9) + min(k + 1, 9) + min(m + n + 1, 9) + min(ldc, 9)");
  variant.contract = contract::parse_contracts(contract, {"product.toml", 1, 1}).at(0);
  EXPECT_FALSE(is_proved(variant, Property::overflow));
}

TEST_F(PropertiesTest, ConstantShiftCountHas32Bits) {
  const std::string body = R"(
  mov.u32 %r10, 65536;
  mul.lo.s32 %r10, %r10, %r10;
  mov.u32 %r11, 1;
  shl.b32 %r11, %r11, %r10;
  mad.lo.s32 %r12, %r11, 252, %r8;
  ld.shared.v2.u32 {%r13, %r14}, [%r12];
)";
  EXPECT_FALSE(is_proved(kernel(body), Property::bounds));
}

TEST_F(PropertiesTest, MinimumWithReluIsNotNegative) {
  const std::string body = R"(
  sub.s32 %r10, %r7, 64;
  min.relu.s32 %r10, %r10, 5;
  add.s32 %r10, %r10, 64;
  mad.lo.s32 %r11, %r10, 4, %r8;
  ld.shared.u32 %r12, [%r11];
)";
  EXPECT_FALSE(is_proved(kernel(body), Property::bounds));
}

TEST_F(PropertiesTest, NarrowLoadOfAParameterIsTruncated) {
  const std::string body = R"(
  ld.param.u8 %h1, [n];
  cvt.u32.u16 %r10, %h1;
  setp.lt.u32 %p1, %r10, 300;
)";
  EXPECT_FALSE(is_proved(kernel(body, "requires = [\"n <= 400\"]"), Property::overflow));
}

TEST_F(PropertiesTest, ThreadThatSkipsABarrierIsNotProved) {
  const std::string body = R"(
  mov.u32 %r10, 0;
LOOP:
  add.s32 %r10, %r10, 1;
  setp.lt.s32 %p1, %r7, 4;
  @%p1 bra MEET;
  setp.ne.s32 %p2, %r10, %r7;
  @%p2 bra MEET;
  setp.lt.s32 %p3, %r10, 100;
  @%p3 bra LOOP;
MEET:
  bar.sync 0;
  setp.lt.s32 %p4, %r10, 100;
  @%p4 bra LOOP;
)";
  EXPECT_FALSE(is_proved(kernel(body), Property::barriers));
}

TEST_F(PropertiesTest, BarrierAfterALoopInWhichThreadsEndIsNotProved) {
  const std::string none_in_the_first_thread = R"(
  mov.u32 %r10, 0;
LOOP:
  setp.ge.s32 %p1, %r10, %r7;
  @%p1 bra DONE;
  setp.lt.s32 %p2, %r2, 6;
  @%p2 ret;
  add.s32 %r10, %r10, 2;
  bra LOOP;
DONE:
  bar.sync 0;
)";
  EXPECT_FALSE(is_proved(kernel(none_in_the_first_thread), Property::barriers));
  const std::string body = R"(
  mov.u32 %r10, 0;
LOOP:
  ld.shared.u32 %r11, [%r9];
  setp.eq.s32 %p1, %r11, 0;
  @%p1 ret;
  add.s32 %r10, %r10, 1;
  setp.lt.s32 %p2, %r10, 5;
  @%p2 bra LOOP;
  bar.sync 0;
)";
  EXPECT_FALSE(is_proved(kernel(body), Property::barriers));
}

constexpr const char* kGather = R"toml([[operation]]
name = "gather"
extents = ["n"]
inputs.at = {{ shape = ["n"], integer = true }}
inputs.x = {{ shape = ["n"], range = [2, 3] }}
outputs.y = {{ shape = ["n"] }}
define = "y[i] = x[at[i]]"

[[variant]]
name = "gather"
operation = "gather"
kernel = "gather"
types = {{ at = "{}" }}
arguments = ["at", "x", "y", "n"]
block = [64]
grid = ["ceil_div(n, 64)"]
)toml";

/// Each thread loads an integer from an element and adds it to the address of a shared array.
contract::Variant gather(const std::string& type, const std::string& load) {
  contract::Variant variant;
  variant.contract =
      contract::parse_contracts(fmt::format(kGather, type), {"gather.toml", 1, 1}).at(0);
  auto compiled = std::make_shared<contract::Compiled>();
  compiled->source_file = "gather.cu";
  compiled->ptx_file = "gather.ptx";
  compiled->ptx = fmt::format(R"(.version 9.0
.target sm_80
.address_size 64
.visible .entry gather(.param .u64 at, .param .u64 x, .param .u64 y, .param .u32 n)
{{
  .reg .pred %p<9>;
  .reg .b32 %r<32>;
  .reg .b64 %d<16>;
  ld.param.u64 %d1, [at];
  ld.param.u64 %d2, [x];
  ld.param.u64 %d3, [y];
  ld.param.u32 %r2, [n];
  mov.u32 %r4, %ctaid.x;
  mov.u32 %r7, %tid.x;
  mad.lo.s32 %r5, %r4, 64, %r7;
  setp.ge.s32 %p1, %r5, %r2;
  @%p1 ret;
  cvt.u64.u32 %d4, %r5;
  mad.lo.s64 %d5, %d4, {}, %d1;
  shl.b64 %d6, %d4, 2;
  add.s64 %d6, %d6, %d2;
  {}
  mad.lo.s64 %d8, %d7, 4, %d3;
  st.global.u32 [%d8], %r2;
  ret;
}}
)",
                              type == "s32" ? 4 : 8, load);
  variant.compiled = compiled;
  variant.entries = {{"gather", {{8}, {8}, {8}, {4}}}};
  return variant;
}

TEST_F(PropertiesTest, LimitsAreThoseOfWholeIntegers) {
  const auto holds = [](const char* type, const char* load) {
    return is_proved(gather(type, load), Property::bounds);
  };
  EXPECT_TRUE(holds("s32", "ld.global.s32 %r10, [%d5]; cvt.s64.s32 %d7, %r10;"));
  EXPECT_TRUE(holds("s64", "ld.global.s64 %d7, [%d5];"));
  EXPECT_FALSE(holds("s32", "ld.global.s16 %r10, [%d5]; cvt.s64.s32 %d7, %r10;"));
  EXPECT_FALSE(
      holds("s32", "st.global.s32 [%d5], %r2; ld.global.s32 %r10, [%d5]; cvt.s64.s32 %d7, %r10;"));
  EXPECT_FALSE(holds("s32",
                     "ld.global.u32 %r10, [%d6]; sub.s32 %r10, %r10, 2; setp.ge.s32 %p2, %r10, "
                     "%r2; @%p2 ret; cvt.s64.s32 %d7, %r10;"));
}

/// The conversion makes 2^32 - 1 of -1, so that the third iteration leaves the array.
TEST_F(PropertiesTest, CounterThatBecomesNegativeIsNotFollowed) {
  const std::string body = R"(
  mov.u64 %d5, 2;
  mov.u32 %r10, 0;
  cvt.u64.u32 %d7, %r8;
LOOP:
  shl.b64 %d6, %d5, 2;
  add.s64 %d6, %d6, %d7;
  ld.shared.f32 %f2, [%d6+16];
  cvt.u32.u64 %r11, %d5;
  sub.s32 %r11, %r11, 1;
  cvt.u64.u32 %d5, %r11;
  add.s32 %r10, %r10, 1;
  setp.lt.s32 %p1, %r10, 5;
  @%p1 bra LOOP;
)";
  EXPECT_FALSE(is_proved(kernel(body), Property::bounds));
}

/// The loop ends at once: 2^32 - 3 is above its limit.
TEST_F(PropertiesTest, LoopWithANegativeCounterEndsAtOnce) {
  const std::string body = R"(
  mov.u32 %r10, -3;
LOOP:
  setp.ge.u32 %p1, %r10, 5;
  @%p1 bra DONE;
  add.s32 %r10, %r10, 1;
  bra LOOP;
DONE:
  mad.lo.s32 %r11, %r10, 4, %r8;
  ld.shared.f32 %f2, [%r11];
)";
  EXPECT_FALSE(is_proved(kernel(body), Property::bounds));
}

/// Iteration t writes one of two buffers, which threads read after a barrier. The next iteration
/// writes the other one.
TEST_F(PropertiesTest, BufferOfTheNextIterationRaces) {
  constexpr const char* kBuffers = R"(
  setp.lt.s32 %p2, %r7, 32;
  mov.u32 %r10, 0;
LOOP:
  and.b32 %r11, %r10, 1;
  mad.lo.s32 %r12, %r7, 8, %r8;
  mad.lo.s32 %r12, %r11, 4, %r12;
  @%p2 st.shared.f32 [%r12], %f1;
  bar.sync 0;
  add.s32 %r13, %r10, {};
  and.b32 %r13, %r13, 1;
  xor.b32 %r14, %r7, 1;
  mad.lo.s32 %r15, %r14, 8, %r8;
  mad.lo.s32 %r15, %r13, 4, %r15;
  @%p2 ld.shared.f32 %f2, [%r15];
  add.s32 %r10, %r10, 1;
  setp.lt.s32 %p1, %r10, %r3;
  @%p1 bra LOOP;
)";
  EXPECT_TRUE(is_proved(kernel(fmt::format(kBuffers, 0)), Property::races));
  EXPECT_FALSE(is_proved(kernel(fmt::format(kBuffers, 1)), Property::races));
}

TEST_F(PropertiesTest, AsynchronousCopyIsActiveUntilItsWait) {
  constexpr const char* kCopy = R"(
  mul.wide.s32 %d5, %r5, 4;
  add.s64 %d6, %d3, %d5;
  xor.b32 %r10, %r7, 1;
  mad.lo.s32 %r11, %r10, 4, %r8;
  cp.async.ca.shared.global [%r9], [%d6], 4;
  cp.async.commit_group;
  {}
)";
  const auto holds = [&](const char* rest) {
    return is_proved(kernel(fmt::format(kCopy, rest), "requires = [\"m >= 1 and n % 64 == 0\"]"),
                     Property::races);
  };
  EXPECT_TRUE(holds("cp.async.wait_group 0; bar.sync 0; ld.shared.f32 %f2, [%r11];"));
  EXPECT_TRUE(holds("cp.async.wait_group 0; ld.shared.f32 %f2, [%r9];"));
  EXPECT_TRUE(holds("cp.async.commit_group; cp.async.wait_group 1; ld.shared.f32 %f2, [%r9];"));
  EXPECT_FALSE(holds("ld.shared.f32 %f2, [%r9];"));
  EXPECT_FALSE(holds("cp.async.wait_group 1; ld.shared.f32 %f2, [%r9];"));
  EXPECT_FALSE(holds("bar.sync 0; ld.shared.f32 %f2, [%r11]; cp.async.wait_group 0;"));
  EXPECT_FALSE(holds("bar.sync 0; cp.async.wait_group 0; ld.shared.f32 %f2, [%r11];"));
  EXPECT_FALSE(holds("cp.async.wait_group 0; ld.shared.f32 %f2, [%r11];"));
}

TEST_F(PropertiesTest, ShuffleOfAPartOfTheWarpIsNotProved) {
  const auto holds = [](const char* body) { return is_proved(kernel(body), Property::barriers); };
  EXPECT_TRUE(holds("shfl.sync.bfly.b32 %r10, %r7, 1, 31, -1;"));
  EXPECT_TRUE(holds("setp.lt.s32 %p1, %r7, 32; @%p1 shfl.sync.bfly.b32 %r10, %r7, 1, 31, -1;"));
  EXPECT_FALSE(holds("setp.lt.s32 %p1, %r7, 33; @%p1 shfl.sync.bfly.b32 %r10, %r7, 1, 31, -1;"));
  EXPECT_FALSE(holds("setp.lt.s32 %p1, %r5, %r2; @!%p1 ret; bar.warp.sync -1;"));
  EXPECT_FALSE(holds("shfl.sync.bfly.b32 %r10, %r7, 1, 31, 0;"));
  EXPECT_FALSE(holds(R"(
LOOP:
  vote.sync.any.pred %p2, %p1, -1;
  ld.shared.u32 %r11, [%r9];
  setp.ne.s32 %p1, %r11, 0;
  @%p1 bra LOOP;
)"));
}

TEST_F(PropertiesTest, OnlyStoreOfALoopWritesAnElementTwice) {
  const std::string body = R"(
  setp.ge.s32 %p1, %r5, %r2;
  @%p1 ret;
  setp.lt.s32 %p2, %r1, 1;
  @%p2 ret;
  mul.wide.s32 %d5, %r5, 4;
  add.s64 %d6, %d3, %d5;
  mov.u32 %r10, 0;
LOOP:
  st.global.f32 [%d6], %f1;
  add.s32 %r10, %r10, 1;
  setp.lt.s32 %p1, %r10, %r3;
  @%p1 bra LOOP;
)";
  EXPECT_FALSE(is_proved(kernel(body), Property::written_once));
}

TEST_F(PropertiesTest, PlaceBeforeOrBehindOthersIsOutOfBounds) {
  const std::string before = fmt::format(kStoresFirstRow, "ge.s32") + R"(
  st.global.f32 [%d6+-4], %f1;
)";
  EXPECT_FALSE(is_proved(kernel(before), Property::bounds));
  EXPECT_TRUE(is_proved(kernel("  st.shared.f32 [%r9], %f1;\n"), Property::bounds));
  EXPECT_FALSE(is_proved(kernel("  st.shared.f32 [%r9], %f1;\n  st.shared.f32 [%r9+4], %f1;\n"),
                         Property::bounds));
}

TEST_F(PropertiesTest, LoopThatNeverEndsIsCovered) {
  // %r10 has no upper limit: the second iteration already leaves the array.
  EXPECT_FALSE(is_proved(kernel(fmt::format(kLoop, 4, "bar.sync 0;", "%r2")), Property::bounds));
}

TEST_F(PropertiesTest, RaceBetweenIterationsIsNotProved) {
  constexpr const char* kMoving = R"(
  mov.u32 %r10, 0;
LOOP:
  add.s32 %r12, %r7, %r10;
  and.b32 %r12, %r12, 63;
  mad.lo.s32 %r11, %r12, 4, %r8;
  st.shared.f32 [%r11], %f1;
  {}
  add.s32 %r10, %r10, 1;
  setp.lt.s32 %p1, %r10, %r3;
  @%p1 bra LOOP;
)";
  EXPECT_FALSE(is_proved(kernel(fmt::format(kMoving, "")), Property::races));
  EXPECT_TRUE(is_proved(kernel(fmt::format(kMoving, "bar.sync 0;")), Property::races));
}

TEST_F(PropertiesTest, StoreOfTwoThreadsToOneElementIsNotProved) {
  const std::string half = R"(
  shr.u32 %r10, %r5, 1;
  setp.ge.s32 %p1, %r10, %r2;
  @%p1 ret;
  setp.lt.s32 %p2, %r1, 1;
  @%p2 ret;
  mul.wide.s32 %d5, %r10, 4;
  add.s64 %d6, %d3, %d5;
  st.global.f32 [%d6], %f1;
)";
  EXPECT_TRUE(is_proved(kernel(half), Property::bounds));
  EXPECT_FALSE(is_proved(kernel(half), Property::races));
  EXPECT_TRUE(is_proved(kernel(fmt::format(kStoresFirstRow, "ge.s32")), Property::races));
}

TEST_F(PropertiesTest, StoreInALoopWritesAnElementTwice) {
  const std::string twice = fmt::format(kStoresFirstRow, "ge.s32") + R"(
  mov.u32 %r10, 0;
LOOP:
  st.global.f32 [%d6], %f1;
  add.s32 %r10, %r10, 1;
  setp.lt.s32 %p1, %r10, %r3;
  @%p1 bra LOOP;
)";
  EXPECT_TRUE(is_proved(kernel(twice), Property::races));
  EXPECT_FALSE(is_proved(kernel(twice), Property::written_once));
}

constexpr const char* kOneRow = "requires = [\"m == 1\"]";

TEST_F(PropertiesTest, ElementWithoutAStoreIsNotCovered) {
  const std::string all = fmt::format(kStoresFirstRow, "ge.s32");
  EXPECT_TRUE(is_proved(kernel(all, kOneRow), Property::covered));
  EXPECT_FALSE(is_proved(kernel(all), Property::covered));
  const std::string all_but_one = "  sub.s32 %r2, %r2, 1;\n" + all;
  EXPECT_FALSE(is_proved(kernel(all_but_one, kOneRow), Property::covered));
}

/// Stores if %p3 holds, and something else if it does not.
constexpr const char* kBranches = R"(
  setp.ge.s32 %p1, %r5, %r2;
  @%p1 ret;
  mul.wide.s32 %d5, %r5, 4;
  add.s64 %d6, %d3, %d5;
  {}
  @%p3 st.global.f32 [%d6], %f1;
  {}
)";

TEST_F(PropertiesTest, ElementIsCoveredInEitherBranch) {
  for (const char* const condition : {"and.b64 %d7, %d6, 15; setp.eq.s64 %p3, %d7, 0;",
                                      "ld.global.u32 %r10, [%d6]; setp.eq.s32 %p3, %r10, 0;"}) {
    const std::string both = fmt::format(kBranches, condition, "@!%p3 st.global.f32 [%d6], %f1;");
    EXPECT_TRUE(is_proved(kernel(both, kOneRow), Property::covered)) << condition;
    const std::string one = fmt::format(kBranches, condition, "");
    EXPECT_FALSE(is_proved(kernel(one, kOneRow), Property::covered)) << condition;
  }
}

/// A thread stores its element in iteration 2, unless it has ended before.
constexpr const char* kThirdIteration = R"(
  setp.ge.s32 %p1, %r5, %r2;
  @%p1 ret;
  mul.wide.s32 %d5, %r5, 4;
  add.s64 %d6, %d3, %d5;
  mov.u32 %r10, 0;
LOOP:
  setp.ge.s32 %p4, %r10, 4;
  @%p4 bra DONE;
  setp.eq.s32 %p2, %r10, 2;
  @%p2 st.global.f32 [%d6], %f1;
  mad.lo.s32 %r11, %r10, 64, %r7;
  setp.eq.s32 %p3, %r11, {};
  @%p3 ret;
  add.s32 %r10, %r10, 1;
  bra LOOP;
DONE:
)";

TEST_F(PropertiesTest, ThreadThatHasEndedWritesNoElement) {
  const auto holds = [](int iteration) {
    const std::string body = fmt::format(kThirdIteration, 64 * iteration + 5);
    return is_proved(kernel(body, kOneRow), Property::covered);
  };
  EXPECT_TRUE(holds(9));
  EXPECT_FALSE(holds(0));
  EXPECT_FALSE(holds(1));
}

bool is_initialized(const std::string& body, const char* more_of_contract = "") {
  return is_proved(kernel(body, more_of_contract), Property::initialized);
}

TEST_F(PropertiesTest, ReadFollowsTheWriteOfAnotherThread) {
  EXPECT_TRUE(is_initialized(fmt::format(kNeighbour, "bar.sync 0;")));
  EXPECT_FALSE(is_initialized(fmt::format(kNeighbour, "")));
  constexpr const char* kSomeThreads = R"(
  setp.lt.s32 %p1, %r7, {};
  @%p1 st.shared.f32 [%r9], %f1;
  bar.sync 0;
  setp.lt.s32 %p2, %r7, {};
  sub.s32 %r10, 63, %r7;
  mad.lo.s32 %r11, %r10, 4, %r8;
  @%p2 ld.shared.f32 %f2, [%r11];
)";
  EXPECT_TRUE(is_initialized(fmt::format(kSomeThreads, 64, 64)));
  EXPECT_FALSE(is_initialized(fmt::format(kSomeThreads, 63, 64)));
  EXPECT_FALSE(is_initialized(fmt::format(kSomeThreads, 32, 33)));
  EXPECT_FALSE(is_initialized(fmt::format(kSomeThreads, "%r3", 64)));
}

TEST_F(PropertiesTest, ReadOfAPartOfTheElementsNeedsThese) {
  constexpr const char* kPart = R"(
  add.s32 %r10, %r7, {};
  and.b32 %r10, %r10, 63;
  mad.lo.s32 %r11, %r10, 4, %r8;
  st.shared.{} [%r11], {};
  bar.sync 0;
  ld.shared.f32 %f2, [%r9];
)";
  EXPECT_TRUE(is_initialized(fmt::format(kPart, 0, "f32", "%f1")));
  EXPECT_TRUE(is_initialized(fmt::format(kPart, 5, "f32", "%f1")));
  EXPECT_FALSE(is_initialized(fmt::format(kPart, 0, "u16", "%h1")));
}

TEST_F(PropertiesTest, ReadPrecedesTheWrite) {
  EXPECT_FALSE(
      is_initialized("  ld.shared.f32 %f2, [%r9];\n  bar.sync 0;\n  st.shared.f32 [%r9], %f1;\n"));
  EXPECT_TRUE(is_initialized("  st.shared.f32 [%r9], %f1;\n  ld.shared.f32 %f2, [%r9];\n"));
}

/// Iteration i reads what iteration i - 1 has written, and the first one what precedes the loop.
TEST_F(PropertiesTest, ReadFollowsTheWriteOfTheIterationBefore) {
  constexpr const char* kBuffers = R"(
  shl.b32 %r12, %r7, 2;
  and.b32 %r12, %r12, 127;
  add.s32 %r12, %r12, %r8;
  setp.lt.s32 %p2, %r7, 32;
  {}
  mov.u32 %r10, 0;
LOOP:
  bar.sync 0;
  and.b32 %r11, %r10, 1;
  mad.lo.s32 %r13, %r11, 128, %r12;
  ld.shared.f32 %f2, [%r13];
  add.s32 %r14, %r10, {};
  and.b32 %r14, %r14, 1;
  mad.lo.s32 %r15, %r14, 128, %r12;
  @%p2 st.shared.f32 [%r15], %f1;
  add.s32 %r10, %r10, 1;
  setp.lt.s32 %p1, %r10, %r3;
  @%p1 bra LOOP;
)";
  const char* const first = "@%p2 st.shared.f32 [%r12], %f1;";
  EXPECT_TRUE(is_initialized(fmt::format(kBuffers, first, 1)));
  EXPECT_FALSE(is_initialized(fmt::format(kBuffers, "", 1)));
  EXPECT_FALSE(is_initialized(fmt::format(kBuffers, "@%p2 st.shared.f32 [%r12+128], %f1;", 1)));
  EXPECT_FALSE(is_initialized(fmt::format(kBuffers, first, 0)));
}

TEST_F(PropertiesTest, ReadAfterALoopNeedsItsIterations) {
  constexpr const char* kFill = R"(
  mov.u32 %r10, 0;
  mov.u32 %r12, %r8;
LOOP:
  setp.eq.s32 %p2, %r7, %r10;
  {}
  st.shared.f32 [%r12], %f1;
  add.s32 %r12, %r12, 4;
  add.s32 %r10, %r10, 1;
  setp.lt.s32 %p1, %r10, {};
  @%p1 bra LOOP;
DONE:
  ld.shared.f32 %f2, [%r9];
)";
  // One thread fills the array, so that the stores do not race.
  const auto holds = [&](const char* leave, int iterations) {
    return is_initialized("  setp.ne.s32 %p3, %r7, 0; @%p3 ret;\n" +
                          fmt::format(kFill, leave, iterations));
  };
  EXPECT_TRUE(holds("", 64));
  EXPECT_TRUE(holds("", 1));
  EXPECT_FALSE(holds("@%p2 bra DONE;", 64));
}

/// The thread that reads has not passed the barrier of the loop that others may not enter.
TEST_F(PropertiesTest, IterationOfAnotherThreadNeedsABarrier) {
  constexpr const char* kWhile = R"(
  mov.u32 %r10, 0;
LOOP:
  st.shared.f32 [%r9], %f1;
  {}
  xor.b32 %r11, %r7, 1;
  mad.lo.s32 %r12, %r11, 4, %r8;
  ld.shared.u32 %r13, [%r12];
  bar.sync 0;
  add.s32 %r10, %r10, 1;
  setp.lt.s32 %p1, %r10, %r3;
  @%p1 bra LOOP;
)";
  EXPECT_TRUE(is_initialized(fmt::format(kWhile, "bar.sync 0;")));
  EXPECT_FALSE(is_initialized(fmt::format(kWhile, "")));
}

TEST_F(PropertiesTest, CopyFillsAllItsBytes) {
  constexpr const char* kCopy = R"(
  ld.param.u64 %d4, [b];
  mul.wide.s32 %d5, %r5, 4;
  add.s64 %d6, %d4, %d5;
  setp.lt.s32 %p1, %r5, %r2;
  selp.b32 %r10, 4, 0, %p1;
  xor.b32 %r11, %r7, 1;
  mad.lo.s32 %r12, %r11, 4, %r8;
  {} cp.async.ca.shared.global [%r9], [%d6], 4{};
  cp.async.commit_group;
  cp.async.wait_group {};
  bar.sync 0;
  ld.shared.f32 %f2, [%r12];
)";
  const auto holds = [&](const char* guard, const char* size, int groups) {
    return is_initialized(fmt::format(kCopy, guard, size, groups), "requires = [\"k >= 1\"]");
  };
  EXPECT_TRUE(holds("", ", %r10", 0));
  EXPECT_FALSE(holds("", ", %r10", 1));
  EXPECT_FALSE(holds("@%p1", "", 0));
}

TEST_F(PropertiesTest, RowsOfAMatrixAreWrittenBeforeTheyAreRead) {
  EXPECT_TRUE(is_proved(rows(1024, "bar.sync 0;"), Property::initialized));
  constexpr const char* kFew = "bar.sync 0; add.s32 %r12, %r12, 16;";
  EXPECT_FALSE(is_proved(rows(1040, kFew), Property::initialized));
}

TEST_F(PropertiesTest, BranchesWriteAnElementInEitherCase) {
  constexpr const char* kEither = R"(
  and.b64 %d5, %d3, 15;
  setp.eq.s64 %p1, %d5, 0;
  @%p1 st.shared.f32 [%r9], %f1;
  {}
  bar.sync 0;
  xor.b32 %r11, %r7, 1;
  mad.lo.s32 %r12, %r11, 4, %r8;
  ld.shared.f32 %f2, [%r12];
)";
  EXPECT_TRUE(is_initialized(fmt::format(kEither, "@!%p1 st.shared.f32 [%r9], %f1;")));
  EXPECT_FALSE(is_initialized(fmt::format(kEither, "")));
}

TEST_F(PropertiesTest, LocalArrayIsWrittenByItsThread) {
  constexpr const char* kLocal = R"(
  .local .align 4 .b8 depot[64];
  mov.u32 %r10, depot;
  mov.u32 %r11, 0;
LOOP:
  mad.lo.s32 %r12, %r11, 4, %r10;
  st.local.f32 [%r12], %f1;
  add.s32 %r11, %r11, 1;
  setp.lt.s32 %p1, %r11, {};
  @%p1 bra LOOP;
  and.b32 %r13, %r7, 15;
  mad.lo.s32 %r14, %r13, 4, %r10;
  ld.local.f32 %f2, [%r14];
)";
  EXPECT_TRUE(is_initialized(fmt::format(kLocal, 16)));
  EXPECT_FALSE(is_initialized(fmt::format(kLocal, 15)));
}

TEST_F(PropertiesTest, OutputHasNoValuesBeforeTheLaunch) {
  const std::string guarded = fmt::format(kStoresFirstRow, "ge.s32");
  EXPECT_TRUE(is_initialized(guarded));
  EXPECT_FALSE(is_initialized(guarded + "  ld.global.f32 %f2, [%d6];\n"));
  EXPECT_TRUE(is_initialized(guarded + R"(
  setp.lt.s32 %p2, %r3, 1;
  @%p2 ret;
  ld.param.u64 %d4, [b];
  add.s64 %d6, %d4, %d5;
  ld.global.f32 %f2, [%d6];
)"));
}

TEST_F(PropertiesTest, RegisterWithoutAValueIsNotInitialized) {
  EXPECT_TRUE(is_initialized("  add.s32 %r10, %r7, 1;\n"));
  EXPECT_FALSE(is_initialized("  add.s32 %r10, %r11, 1;\n"));
  EXPECT_FALSE(
      is_initialized("  setp.eq.s32 %p1, %r7, 1;\n  @%p1 mov.u32 %r11, 1;\n"
                     "  add.s32 %r10, %r11, 1;\n"));
}

TEST_F(PropertiesTest, LoopThatDataEndsMayNotEnd) {
  EXPECT_TRUE(is_proved(kernel(fmt::format(kLoop, 0, "", "%r3")), Property::ends));
  constexpr const char* kWaiting = R"(
LOOP:
  ld.global.u32 %r10, [%d3];
  setp.eq.s32 %p1, %r10, 0;
  @%p1 bra LOOP;
)";
  EXPECT_FALSE(is_proved(kernel(kWaiting), Property::ends));
}

/// Each thread updates element 0 of C, if there is one.
constexpr const char* kUpdate = R"(
  setp.lt.s32 %p1, %r1, 1;
  @%p1 ret;
  setp.lt.s32 %p1, %r2, 2;
  @%p1 ret;
  mov.b64 %d6, 0;
  {}
)";

TEST_F(PropertiesTest, AtomicOperationsDoNotRace) {
  const auto races = [](const char* body) {
    return is_proved(kernel(fmt::format(kUpdate, body)), Property::races);
  };
  EXPECT_TRUE(races("red.global.add.f32 [%d3], %f1;"));
  EXPECT_TRUE(races("atom.global.add.f32 %f2, [%d3], %f1;"));
  EXPECT_FALSE(races("st.global.f32 [%d3], %f1;"));
  EXPECT_FALSE(races("red.global.add.f32 [%d3], %f1;\n  ld.global.f32 %f2, [%d3];"));
  EXPECT_FALSE(races("red.global.cta.add.f32 [%d3], %f1;"));
  EXPECT_FALSE(races("red.global.add.u32 [%d3], %r1;\n  red.global.add.u64 [%d3], %d6;"));
}

TEST_F(PropertiesTest, AtomicUpdateOfAnOutputIsNotWrittenOnce) {
  const std::string body = fmt::format(kUpdate, "red.global.add.f32 [%d3], %f1;");
  EXPECT_FALSE(is_proved(kernel(body), Property::written_once));
}

TEST_F(PropertiesTest, ConstantArrayHasItsBounds) {
  constexpr const char* kTable = R"(
  .const .align 4 .b8 table[64];
  mov.u64 %d5, table;
  and.b32 %r10, %r7, {};
  mul.wide.u32 %d6, %r10, 4;
  add.s64 %d7, %d5, %d6;
  ld.{}f32 %f2, [%d7];
)";
  EXPECT_TRUE(is_proved(kernel(fmt::format(kTable, 15, "const.")), Property::bounds));
  EXPECT_FALSE(is_proved(kernel(fmt::format(kTable, 31, "const.")), Property::bounds));
  EXPECT_FALSE(is_proved(kernel(fmt::format(kTable, 15, "")), Property::bounds));
}

TEST_F(PropertiesTest, PrecedingKernelIsNotCovered) {
  const std::string body = fmt::format(kStoresFirstRow, "ge.s32");
  EXPECT_TRUE(is_proved(kernel(body), Property::races));
  EXPECT_FALSE(is_proved(kernel(body, "predecessor = { writes = [\"a\"] }"), Property::races));
}

TEST_F(PropertiesTest, InstructionWithoutARuleProvesNothing) {
  const Proof proof = prove(kernel("  setmaxnreg.inc.sync.aligned.u32 64;\n"));
  for (const PropertyProof& one : proof.properties) {
    EXPECT_FALSE(one.is_proved);
    EXPECT_FALSE(one.reason.empty());
  }
}

TEST_F(PropertiesTest, AnswersAreTheSameEachTime) {
  const contract::Variant variant = kernel(fmt::format(kStoresFirstRow, "ge.s32"));
  const Proof once = prove(variant);
  const Proof again = prove(variant);
  EXPECT_EQ(once.queries, again.queries);
  for (std::size_t i = 0; i < once.properties.size(); ++i) {
    EXPECT_EQ(once.properties[i].is_proved, again.properties[i].is_proved);
    EXPECT_EQ(once.properties[i].reason, again.properties[i].reason);
  }
}

}  // namespace
}  // namespace warpcheck::proof
