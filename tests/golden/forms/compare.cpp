// Comparison and selection (PTX ISA, "Comparison and Selection Instructions", "Half Precision
// Comparison Instructions").
#include "tests/golden/forms/form.hpp"

namespace warpcheck::golden {
namespace {

constexpr const char* kReal = "{.eq|.ne|.lt|.le|.gt|.ge|.equ|.neu|.ltu|.leu|.gtu|.geu|.num|.nan}";
constexpr const char* kSigned = "{.eq|.ne|.lt|.le|.gt|.ge}";
constexpr const char* kUnsigned = "{.eq|.ne|.lt|.le|.gt|.ge|.lo|.ls|.hi|.hs}";

std::string setp(const std::string& comparison, const std::string& type) {
  return "setp" + comparison + "." + type + " %p0, %a0, %a1; selp.u32 %d0, 1, 0, %p0;";
}

}  // namespace

void add_compare_forms(std::vector<Form>& forms) {
  Family family(forms, "compare");
  const std::string real = kReal;
  family.text(setp("{.eq|.ne}", "$"), "pred", "$ $", "b16 b32 b64")
      .text(setp(kSigned, "$"), "pred", "$ $", "s16 s32 s64")
      .text(setp(kUnsigned, "$"), "pred", "$ $", "u16 u32 u64")
      .text(setp(real + "{|.ftz}", "$"), "pred", "$ $", "f32 f16")
      .text(setp(real, "$"), "pred", "$ $", "f64 bf16")
      .text("setp" + real +
                "{|.ftz}.f16x2 %p0|%p1, %a0, %a1; selp.u32 %d0, 1, 0, %p0; "
                "selp.u32 %d1, 1, 0, %p1;",
            "pred pred", "f16x2 f16x2")
      .text("setp" + real +
                ".bf16x2 %p0|%p1, %a0, %a1; selp.u32 %d0, 1, 0, %p0; "
                "selp.u32 %d1, 1, 0, %p1;",
            "pred pred", "bf16x2 bf16x2")
      .text(
          "setp.ne.u32 %p2, %a2, 0; setp.lt{.and|.or|.xor}.$ %p0|%p1, %a0, %a1, {|!}%p2; "
          "selp.u32 %d0, 1, 0, %p0; selp.u32 %d1, 1, 0, %p1;",
          "pred pred", "$ $ u32", "s32 f32 f64");

  family.plain("set.lt.{u32|s32}.$", "u32", "$ $", "u16 s16 u32 s32 u64 s64")
      .plain("set{.eq|.ne}.{u32|s32}.$", "u32", "$ $", "b16 b32 b64")
      .plain("set{.lt|.neu|.nan}{|.ftz}.{u32|s32}.f32", "u32", "f32 f32")
      .plain("set{.gt|.equ|.num}.{u32|s32}.f64", "u32", "f64 f64")
      .plain("set{.le|.ne}.f32.$", "f32", "$ $", "s32 u64 f64")
      .plain("set.ge{|.ftz}.f32.f32", "f32", "f32 f32")
      .plain("set{.lt|.geu|.num}{|.ftz}.{f16|u16|s16}.f16", "b16", "f16 f16")
      .plain("set{.lt|.geu}.{u32|s32}.f16", "u32", "f16 f16")
      .plain("set{.lt|.geu|.nan}{|.ftz}.f16x2.f16x2", "f16x2", "f16x2 f16x2")
      .plain("set{.lt|.geu|.nan}.{bf16|u16|s16}.bf16", "b16", "bf16 bf16")
      .plain("set{.lt|.geu}.bf16x2.bf16x2", "bf16x2", "bf16x2 bf16x2")
      .text("setp.ne.u32 %p2, %a2, 0; set.lt{.and|.or|.xor}.u32.s32 %d0, %a0, %a1, %p2;", "u32",
            "s32 s32 u32");

  family
      .text("setp.ne.u32 %p0, %a2, 0; selp.$ %d0, %a0, %a1, %p0;", "$", "$ $ u32",
            "b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64")
      .plain("slct.$.s32", "$", "$ $ s32", "b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64")
      .plain("slct{|.ftz}.$.f32", "$", "$ $ f32", "b32 f32 b64 f64");

  // Logic on predicates, and predicated execution.
  family
      .text(
          "setp.lt.s32 %p0, %a0, 0; setp.lt.s32 %p1, %a1, 0; {and|or|xor}.pred %p2, %p0, %p1; "
          "selp.u32 %d0, 1, 0, %p2;",
          "pred", "s32 s32")
      .text("setp.lt.s32 %p0, %a0, 0; not.pred %p1, %p0; selp.u32 %d0, 1, 0, %p1;", "pred", "s32")
      .text("setp.lt.s32 %p0, %a0, %a1; mov.b32 %d0, 5; @{|!}%p0 add.s32 %d0, %a0, %a1;", "s32",
            "s32 s32");
}

}  // namespace warpcheck::golden
