// The paths through these kernels are determined by hand.
#include "ptx/analysis/reachable.hpp"

#include <gmock/gmock.h>

#include "ptx/analysis/integer_value.hpp"
#include "ptx/printer.hpp"
#include "tests/ptx/analysis/small_kernel.hpp"

namespace warpcheck::ptx::analysis::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Returns the instructions of a body that no thread of a 32 x 2 block can reach.
std::vector<std::string> unreachable(std::string_view body, Value parameter = {}) {
  const Module module = module_of(body);
  const Function& kernel = module.functions.front();
  const std::vector<bool> reached = may_be_reached(kernel, {LaunchForm{{32, 2, 1}, {parameter}}});
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (!reached[i]) texts.push_back(to_text(module, kernel, kernel.body[i]));
  }
  return texts;
}

TEST(Unreachable, IncludesCodeThatNoThreadIndexReaches) {
  const auto behind = [](const std::string& limit) {
    return unreachable(
        "mov.u32 %r1, %tid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.y; "
        "mad.lo.s32 %r4, %r3, %r2, %r1; setp.lt.u32 %p1, %r4, " +
        limit + "; @%p1 bra END; bar.sync 1; END:");
  };
  EXPECT_THAT(behind("64"), ElementsAre("bar.sync 1"));
  EXPECT_THAT(behind("63"), IsEmpty());
}

TEST(Unreachable, ExcludesBranchesOnParametersOrMemory) {
  EXPECT_THAT(unreachable("ld.param.u64 %d1, [p]; setp.eq.s64 %p1, %d1, 0; @%p1 bra END; "
                          "bar.sync 1; END:"),
              IsEmpty());
  EXPECT_THAT(unreachable("mov.u32 %r1, %ctaid.x; setp.lt.u32 %p1, %r1, 5; @%p1 bra END; "
                          "bar.sync 1; END:"),
              IsEmpty());
}

TEST(Unreachable, IncludesCodeThatAConstantParameterSkips) {
  const std::string rest =
      "ld.param.u64 %d1, [p]; and.b64 %d2, %d1, 3; setp.eq.s64 %p1, %d2, 0; @%p1 bra END; "
      "bar.sync 1; END:";
  EXPECT_THAT(unreachable(rest, 4), ElementsAre("bar.sync 1"));
  EXPECT_THAT(unreachable(rest, 5), IsEmpty());
  const std::string half =
      "ld.param.u32 %r1, [p+4]; setp.eq.s32 %p1, %r1, 0; @%p1 bra END; bar.sync 1; END:";
  EXPECT_THAT(unreachable(half, 4), IsEmpty());
}

TEST(Unreachable, ExcludesCodeAfterALoopOfUnknownLength) {
  EXPECT_THAT(unreachable("mov.u32 %r1, 0; AGAIN: add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 3; "
                          "@%p1 bra AGAIN; bar.sync 1;"),
              IsEmpty());
}

TEST(Unreachable, UsesARegisterValueOnlyIfAllPathsAgree) {
  const auto behind = [](const std::string& other) {
    return unreachable(
        "mov.u32 %r1, 4; ld.param.u64 %d1, [p]; setp.eq.s64 %p1, %d1, 0; @%p1 bra JOIN; "
        "mov.u32 %r1, " +
        other + "; JOIN: setp.eq.s32 %p2, %r1, 4; @%p2 bra END; bar.sync 1; END:");
  };
  EXPECT_THAT(behind("4"), ElementsAre("bar.sync 1"));
  EXPECT_THAT(behind("5"), IsEmpty());
}

TEST(Unreachable, AGuardedWriteMayOrMayNotOccur) {
  EXPECT_THAT(
      unreachable("mov.u32 %r1, 4; ld.param.u64 %d1, [p]; setp.eq.s64 %p1, %d1, 0; @%p1 "
                  "mov.u32 %r1, 5; setp.eq.s32 %p2, %r1, 4; @%p2 bra END; bar.sync 1; END:"),
      IsEmpty());
}

TEST(Unreachable, IsDecidedByOneSideOfADisjunction) {
  EXPECT_THAT(unreachable("mov.u32 %r1, %tid.y; setp.lt.u32 %p1, %r1, 2; ld.param.u64 %d1, [p]; "
                          "setp.eq.s64 %p2, %d1, 0; or.pred %p3, %p2, %p1; @%p3 bra END; "
                          "bar.sync 1; END:"),
              ElementsAre("bar.sync 1"));
}

/// Returns the value that an instruction computes from these operands.
Value value(std::string_view text, const std::vector<Value>& sources) {
  return integer_value(module_of(text).functions.front().body.front(), sources);
}

TEST(IntegerValue, WrapsAndExtendsAsTheTypesRequire) {
  EXPECT_EQ(value("add.s32 %r1, %r2, %r3;", {0xffffffffU, 2}), 1U);
  EXPECT_EQ(value("sub.s32 %r1, %r2, %r3;", {1, 2}), 0xffffffffU);
  EXPECT_EQ(value("mul.wide.s32 %d1, %r2, %r3;", {0xffffffffU, 2}), ~std::uint64_t{1});
  EXPECT_EQ(value("mul.wide.u32 %d1, %r2, %r3;", {0xffffffffU, 2}), 0x1fffffffeU);
  EXPECT_EQ(value("cvt.s64.s32 %d1, %r2;", {0x80000000U}), 0xffffffff80000000U);
  EXPECT_EQ(value("cvt.u64.u32 %d1, %r2;", {0x80000000U}), 0x80000000U);
  EXPECT_EQ(value("shr.s32 %r1, %r2, %r3;", {0x80000000U, 31}), 0xffffffffU);
  EXPECT_EQ(value("shr.u32 %r1, %r2, %r3;", {0x80000000U, 31}), 1U);
  EXPECT_EQ(value("shl.b32 %r1, %r2, %r3;", {3, 40}), 0U);
  EXPECT_EQ(value("mad.lo.s32 %r1, %r2, %r3, %r4;", {3, 5, 7}), 22U);
  EXPECT_EQ(value("rem.u32 %r1, %r2, %r3;", {17, 5}), 2U);
}

TEST(IntegerValue, ComparesWithAndWithoutSign) {
  EXPECT_EQ(value("setp.lt.s32 %p1, %r2, %r3;", {0xffffffffU, 0}), 1U);
  EXPECT_EQ(value("setp.lt.u32 %p1, %r2, %r3;", {0xffffffffU, 0}), 0U);
  EXPECT_EQ(value("setp.ge.s64 %p1, %d2, %d3;", {5, 5}), 1U);
  EXPECT_EQ(value("max.s32 %r1, %r2, %r3;", {0xffffffffU, 0}), 0U);
  EXPECT_EQ(value("max.u32 %r1, %r2, %r3;", {0xffffffffU, 0}), 0xffffffffU);
}

TEST(IntegerValue, IsUnknownForUnsupportedInstructions) {
  EXPECT_FALSE(value("add.s32 %r1, %r2, %r3;", {1, std::nullopt}));
  EXPECT_FALSE(value("add.f32 %f1, %f2, %f3;", {1, 2}));
  EXPECT_FALSE(value("mul.hi.s32 %r1, %r2, %r3;", {1, 2}));
  EXPECT_FALSE(value("div.u32 %r1, %r2, %r3;", {1, 0}));
  EXPECT_FALSE(value("setp.lt.and.s32 %p1, %r2, %r3, %p2;", {1, 2, 1}));
}

}  // namespace
}  // namespace warpcheck::ptx::analysis::test
