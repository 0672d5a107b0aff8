// Integer arithmetic, carry chains, bit operations (PTX ISA, "Integer Arithmetic Instructions",
// "Extended-Precision Integer Arithmetic Instructions", "Logic and Shift Instructions").
#include "tests/golden/forms/form.hpp"

namespace warpcheck::golden {

void add_integer_forms(std::vector<Form>& forms) {
  constexpr const char* kInt = "u16 s16 u32 s32 u64 s64";
  constexpr const char* kWide = "u32 s32 u64 s64";
  Family family(forms, "integer");
  family.plain("{add|sub|min|max|mul.lo|mul.hi}.$", "$", "$ $", kInt)
      .plain("{add|sub}.sat.s32", "s32", "s32 s32")
      .plain("{add|min|max}.$", "$", "$ $", "u16x2 s16x2")
      .plain("{min|max}.relu.$", "$", "$ $", "s32 s16x2")
      .plain("mul.wide.$", "$$", "$ $", "u16 s16 u32 s32")
      .plain("mad{.lo|.hi}.$", "$", "$ $ $", kInt)
      .plain("mad.wide.$", "$$", "$ $ $$", "u16 s16 u32 s32")
      .plain("mad.hi.sat.s32", "s32", "s32 s32 s32")
      .plain("mul24{.lo|.hi}.$", "$", "$ $", "u32 s32")
      .plain("mad24{.lo|.hi}.$", "$", "$ $ $", "u32 s32")
      .plain("mad24.hi.sat.s32", "s32", "s32 s32 s32")
      .plain("sad.$", "$", "$ $ $", kInt)
      .plain("{abs|neg}.$", "$", "$", "s16 s32 s64");
  family.plain("{div|rem}.$", "$", "$ $", kInt).nonzero_divisor();
  family.plain("dp4a.u32.u32", "u32", "u32 u32 u32")
      .plain("dp4a{.s32.s32|.u32.s32|.s32.u32}", "s32", "b32 b32 s32")
      .plain("dp2a{.lo|.hi}.u32.u32", "u32", "u32 u32 u32")
      .plain("dp2a{.lo|.hi}{.s32.s32|.u32.s32|.s32.u32}", "s32", "b32 b32 s32");

  family
      .text("add.cc.$ %d0, %a0, %a1; addc.cc.$ %d1, %a2, %a3; addc.$ %d2, 0, 0;", "$ $ $",
            "$ $ $ $", kWide)
      .text("sub.cc.$ %d0, %a0, %a1; subc.cc.$ %d1, %a2, %a3; subc.$ %d2, 0, 0;", "$ $ $",
            "$ $ $ $", kWide)
      .text(
          "mad{.lo|.hi}.cc.$ %d0, %a0, %a1, %a2; madc{.lo|.hi}.cc.$ %d1, %a0, %a1, %a3; "
          "addc.$ %d2, 0, 0;",
          "$ $ $", "$ $ $ $", kWide);

  family.plain("{and|or|xor}.$", "$", "$ $", "b16 b32 b64")
      .plain("{not|cnot}.$", "$", "$", "b16 b32 b64")
      .plain("shl.$", "$", "$ u32", "b16 b32 b64")
      .plain("shr.$", "$", "$ u32", "b16 b32 b64 u16 u32 u64 s16 s32 s64")
      .plain("shf{.l|.r}{.wrap|.clamp}.b32", "b32", "b32 b32 u32")
      .plain("popc.$", "u32", "$", "b32 b64")
      .plain("clz.$", "u32", "$", "b32 b64")
      .plain("brev.$", "$", "$", "b32 b64")
      .plain("bfind{|.shiftamt}.$", "u32", "$", kWide)
      .plain("bfe.$", "$", "$ u32 u32", kWide)
      .plain("bfi.$", "$", "$ $ u32 u32", "b32 b64")
      .plain("szext{.wrap|.clamp}.$", "$", "$ u32", "u32 s32")
      .plain("bmsk{.wrap|.clamp}.b32", "b32", "u32 u32")
      .plain("prmt.b32{|.f4e|.b4e|.rc8|.ecl|.ecr|.rc16}", "b32", "b32 b32 b32")
      .text("fns.b32 %d0, %a0, %t0, %t1;", "b32", "b32 u32 s32");
  // fns has a base of 0 to 31 and a signed offset.
  forms.back().body = "and.b32 %t0, %a1, 31; rem.s32 %t1, %a2, 33; fns.b32 %d0, %a0, %t0, %t1;";

  for (const char* lut :
       {"0x00", "0x01", "0x17", "0x2a", "0x3c", "0x40", "0x5a", "0x6a", "0x78", "0x80", "0x96",
        "0xac", "0xca", "0xd8", "0xe2", "0xe8", "0xea", "0xf0", "0xf8", "0xfe", "0xff"}) {
    family.plain("lop3.b32", "b32", std::string("b32 b32 b32 ") + lut);
  }
  family.text(
      "setp.ne.u32 %p1, %a3, 0; lop3{.or|.and}.b32 %d0|%p0, %a0, %a1, %a2, {0x96|0xca}, "
      "%p1; selp.u32 %d1, 1, 0, %p0;",
      "b32 pred", "b32 b32 b32 u32");
}

}  // namespace warpcheck::golden
