// Exchanges between lanes (PTX ISA, "shfl.sync", "vote.sync", "match.sync", "redux.sync",
// "activemask", "elect.sync", "barrier.red").
#include <string>

#include "tests/golden/forms/form.hpp"

namespace warpcheck::golden {

void add_warp_forms(std::vector<Form>& forms) {
  Family family(forms, "warp");
  const std::string predicate_out = " selp.u32 %d1, 1, 0, %p0;";
  const std::string even_lanes =
      "mov.u32 %t0, %laneid; and.b32 %t0, %t0, 1; setp.eq.u32 %p1, %t0, 0; mov.b32 %d0, 7; @%p1 ";

  // Clamp and segment mask: a whole warp, segments of 16, 8, 4 and 1, clamps below the last lane.
  for (const std::string clamp : {"0x1f", "0", "0x100f", "0x1807", "0x1c03", "0x1f00", "0x0b"}) {
    family.text("shfl.sync{.up|.down|.bfly|.idx}.b32 %d0|%p0, %a0, {0|1|2|5|16|31}, " + clamp +
                    ", 0xffffffff;" + predicate_out,
                "b32 pred", "b32");
  }
  family
      .text(
          "shfl.sync{.up|.down|.bfly|.idx}.b32 %d0|%p0, %a0, %a1, %a2, 0xffffffff;" + predicate_out,
          "b32 pred", "b32 b32 b32")
      .text(even_lanes + "shfl.sync.bfly.b32 %d0, %a0, 2, 0x1f, 0x55555555;", "b32", "b32");

  family
      .text(
          "setp.lt.s32 %p1, %a0, %a1; vote.sync{.all|.any|.uni}.pred %p0, {|!}%p1, 0xffffffff; "
          "selp.u32 %d0, 1, 0, %p0;",
          "pred", "s32 s32")
      .text(
          "mov.u32 %t0, %laneid; setp.ne.u32 %p1, %t0, 40; vote.sync{.all|.any|.uni}.pred %p0, "
          "{|!}%p1, 0xffffffff; "
          "add.u32 %d0, %a0, 0; selp.u32 %d0, 1, 0, %p0;",
          "pred", "s32")
      .text("setp.lt.s32 %p1, %a0, %a1; vote.sync.ballot.b32 %d0, {|!}%p1, 0xffffffff;", "b32",
            "s32 s32");

  family.text("match.any.sync.$ %d0, %a0, 0xffffffff;", "b32", "$", "b32 b64")
      .text("and.$ %a0, %a0, 3; match.any.sync.$ %d0, %a0, 0xffffffff;", "b32", "$", "b32 b64")
      .text("and.$ %a0, %a0, {0|1}; match.all.sync.$ %d0|%p0, %a0, 0xffffffff;" + predicate_out,
            "b32 pred", "$", "b32 b64");

  family.text("redux.sync{.add|.min|.max}.$ %d0, %a0, 0xffffffff;", "$", "$", "u32 s32")
      .text("redux.sync{.and|.or|.xor}.b32 %d0, %a0, 0xffffffff;", "b32", "b32")
      .text(even_lanes + "redux.sync{.add|.min|.max}.$ %d0, %a0, 0x55555555;", "$", "$", "u32 s32");

  family.text("activemask.b32 %d0;", "b32", "b32")
      .text("elect.sync %d0|%p0, 0xffffffff;" + predicate_out, "b32 pred", "b32");

  family
      .text("setp.lt.s32 %p1, %a0, %a1; barrier.sync 0; barrier.red.popc.u32 %d0, 0, {|!}%p1;",
            "u32", "s32 s32")
      .text(
          "setp.lt.s32 %p1, %a0, %a1; barrier.red{.and|.or}.pred %p0, 1, {|!}%p1; "
          "selp.u32 %d0, 1, 0, %p0;",
          "pred", "s32 s32");
}

}  // namespace warpcheck::golden
