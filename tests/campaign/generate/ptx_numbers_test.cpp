#include "campaign/generate/sampling/ptx_numbers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ptx/parser.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign::generate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Returns the numbers of a kernel with parameters m, n and k in %r1, %r2 and %r3.
std::vector<PtxNumbers> numbers_of(const std::string& body) {
  const contract::Variant variant = testing::variant_of(R"t([[variant]]
name = "numbers"
kernel = "numbers"
operation = "gemm"
arguments = ["m", "n", "k", "a", "b", "c"]
block = [16, 16]
grid = ["ceil_div(n, 16)", "ceil_div(m, 16)"]
)t");
  const std::string text = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry numbers(.param .u32 p_0, .param .u32 p_1, .param .u32 p_2, .param .u64 p_3,
                        .param .u64 p_4, .param .u64 p_5)
{
.reg .pred %p<9>;
.reg .b32 %r<40>;
ld.param.u32 %r1, [p_0];
ld.param.u32 %r2, [p_1];
ld.param.u32 %r3, [p_2];
)" + body + "ret;\n}\n";
  const ptx::Module module = ptx::parse(text, "numbers.ptx");
  std::vector<CaseField> extents = case_fields(variant.contract);
  std::erase_if(extents,
                [](const CaseField& field) { return field.kind != CaseField::Kind::extent; });
  return ptx_numbers(*module.find_function("numbers"), variant.contract.launches.at(0), extents);
}

TEST(PtxNumbers, ComparisonBelongsToTheParameterItDependsOn) {
  const auto numbers = numbers_of(R"(setp.gt.s32 %p1, %r2, 2048;
add.s32 %r4, %r1, 5;
min.s32 %r5, %r4, 300;
)");
  EXPECT_THAT(numbers[0].elements, ElementsAre(300));
  EXPECT_THAT(numbers[1].elements, ElementsAre(2048));
  EXPECT_THAT(numbers[1].tiles, IsEmpty());
  EXPECT_THAT(numbers[2].elements, IsEmpty());
}

TEST(PtxNumbers, QuotientOfAnExtentCountsTiles) {
  const auto numbers = numbers_of(R"(shr.u32 %r4, %r3, 5;
setp.eq.s32 %p1, %r4, 7;
)");
  EXPECT_THAT(numbers[2].tiles, ElementsAre(7));
}

TEST(PtxNumbers, BlockIndexCountsTilesOfItsAxis) {
  const auto numbers = numbers_of(R"(mov.u32 %r4, %ctaid.x;
and.b32 %r5, %r4, 15;
mov.u32 %r6, %nctaid.y;
setp.lt.u32 %p1, %r6, 40;
)");
  EXPECT_THAT(numbers[1].tiles, ElementsAre(16));
  EXPECT_THAT(numbers[0].tiles, ElementsAre(40, 41));
}

TEST(PtxNumbers, RowOfAThreadCountsElements) {
  const auto numbers = numbers_of(R"(mov.u32 %r4, %ctaid.y;
mov.u32 %r5, %tid.y;
mad.lo.s32 %r6, %r4, 16, %r5;
setp.gt.s32 %p1, %r6, 3333;
)");
  EXPECT_THAT(numbers[0].elements, ElementsAre(3333));
  EXPECT_THAT(numbers[0].tiles, IsEmpty());
}

TEST(PtxNumbers, LoopCounterCountsStepsAlongK) {
  const auto numbers = numbers_of(R"(mov.u32 %r4, 0;
loop:
setp.eq.s32 %p1, %r4, 5;
add.s32 %r4, %r4, 1;
setp.lt.s32 %p2, %r4, %r3;
@%p2 bra loop;
)");
  EXPECT_THAT(numbers[2].tiles, ElementsAre(5));
}

TEST(PtxNumbers, ThreadIndexAloneIsLeftOut) {
  const auto numbers = numbers_of(R"(mov.u32 %r4, %tid.x;
setp.gt.u32 %p1, %r4, 127;
ld.global.u32 %r5, [%r1];
setp.gt.u32 %p2, %r5, 99;
)");
  for (const PtxNumbers& each : numbers) {
    EXPECT_THAT(each.elements, IsEmpty());
    EXPECT_THAT(each.tiles, IsEmpty());
  }
}

}  // namespace
}  // namespace warpcheck::campaign::generate
