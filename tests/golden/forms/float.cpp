// f32 and f64 arithmetic (PTX ISA, "Floating Point Instructions").
#include "tests/golden/forms/form.hpp"

namespace warpcheck::golden {

void add_float_forms(std::vector<Form>& forms) {
  Family single(forms, "f32");
  single.plain("{add|sub|mul}{|.rn|.rz|.rm|.rp}{|.ftz}{|.sat}.f32", "f32", "f32 f32")
      .plain("fma{.rn|.rz|.rm|.rp}{|.ftz}{|.sat}.f32", "f32", "f32 f32 f32")
      .plain("mad{.rn|.rz|.rm|.rp}{|.ftz}{|.sat}.f32", "f32", "f32 f32 f32")
      .plain("div{.rn|.rz|.rm|.rp}{|.ftz}.f32", "f32", "f32 f32")
      .plain("{rcp|sqrt}{.rn|.rz|.rm|.rp}{|.ftz}.f32", "f32", "f32")
      .plain("{abs|neg}{|.ftz}.f32", "f32", "f32")
      .plain("{min|max}{|.ftz}{|.NaN}{|.xorsign.abs}.f32", "f32", "f32 f32")
      .plain("copysign.f32", "f32", "f32 f32")
      .text(
          "testp{.finite|.infinite|.number|.notanumber|.normal|.subnormal}.f32 %p0, %a0; "
          "selp.u32 %d0, 1, 0, %p0;",
          "pred", "f32");

  Family twice(forms, "f64");
  twice.plain("{add|sub|mul}{|.rn|.rz|.rm|.rp}.f64", "f64", "f64 f64")
      .plain("{fma|mad}{.rn|.rz|.rm|.rp}.f64", "f64", "f64 f64 f64")
      .plain("div{.rn|.rz|.rm|.rp}.f64", "f64", "f64 f64")
      .plain("{rcp|sqrt}{.rn|.rz|.rm|.rp}.f64", "f64", "f64")
      .plain("{abs|neg}.f64", "f64", "f64")
      .plain("{min|max}.f64", "f64", "f64 f64")
      .plain("copysign.f64", "f64", "f64 f64")
      .text(
          "testp{.finite|.infinite|.number|.notanumber|.normal|.subnormal}.f64 %p0, %a0; "
          "selp.u32 %d0, 1, 0, %p0;",
          "pred", "f64");

  Family(forms, "approximate")
      .plain("{rcp|rsqrt|sqrt|sin|cos|lg2|ex2}.approx{|.ftz}.f32", "f32", "f32")
      .approximate()
      .plain("div{.approx|.full}{|.ftz}.f32", "f32", "f32 f32")
      .approximate()
      .plain("tanh.approx.f32", "f32", "f32")
      .approximate()
      .plain("{rcp|rsqrt}.approx.ftz.f64", "f64", "f64")
      .approximate()
      .plain("rsqrt.approx.f64", "f64", "f64")
      .approximate()
      .plain("tanh.approx.$", "$", "$", "f16 f16x2 bf16 bf16x2")
      .approximate()
      .plain("ex2.approx.$", "$", "$", "f16 f16x2")
      .approximate()
      .plain("ex2.approx.ftz.$", "$", "$", "bf16 bf16x2")
      .approximate();
}

}  // namespace warpcheck::golden
