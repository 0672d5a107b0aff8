// cvt between all types (PTX ISA, "Data Movement and Conversion Instructions: cvt").
#include <string>

#include "tests/golden/forms/form.hpp"

namespace warpcheck::golden {
namespace {

constexpr const char* kIntegers[] = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};

/// True if every value of `from` is one of `to`; PTX then has no .sat.
bool holds(const std::string& to, const std::string& from) {
  const int to_bits = std::stoi(to.substr(1));
  const int from_bits = std::stoi(from.substr(1));
  if (to[0] == from[0]) return to_bits >= from_bits;
  return to[0] == 's' && to_bits > from_bits;
}

void add_integer_conversions(Family& family) {
  for (const std::string to : kIntegers) {
    for (const std::string from : kIntegers) {
      family.plain((holds(to, from) ? "cvt." : "cvt{|.sat}.") + to + "." + from, to, from);
    }
  }
}

void add_mixed_conversions(Family& family) {
  for (const std::string integer : kIntegers) {
    for (const std::string real : {"f16", "f32", "f64"}) {
      family.plain("cvt{.rn|.rz|.rm|.rp}." + real + "." + integer, real, integer);
      const std::string flush = real == "f32" ? "{|.ftz}" : "";
      family.plain("cvt{.rni|.rzi|.rmi|.rpi}" + flush + "." + integer + "." + real, integer, real);
      family.plain("cvt.rzi.sat." + integer + "." + real, integer, real);
    }
    family.plain("cvt.rn.sat.f32." + integer, "f32", integer);
    if (facts(type_named(integer)).bits == 8) continue;  // not with bf16
    family.plain("cvt{.rn|.rz|.rm|.rp}.bf16." + integer, "bf16", integer);
    family.plain("cvt{.rni|.rzi|.rmi|.rpi}." + integer + ".bf16", integer, "bf16");
  }
}

}  // namespace

void add_convert_forms(std::vector<Form>& forms) {
  Family integers(forms, "convert-integer");
  add_integer_conversions(integers);
  Family mixed(forms, "convert-mixed");
  add_mixed_conversions(mixed);

  Family reals(forms, "convert-real");
  reals.plain("cvt{|.ftz}{|.sat}.f32.f16", "f32", "f16")
      .plain("cvt{|.sat}.f64.f16", "f64", "f16")
      .plain("cvt{|.ftz}{|.sat}.f64.f32", "f64", "f32")
      .plain("cvt{.rn|.rz|.rm|.rp}{|.ftz}{|.sat}.f16.f32", "f16", "f32")
      .plain("cvt{.rn|.rz|.rm|.rp}{|.sat}.f16.f64", "f16", "f64")
      .plain("cvt{.rn|.rz|.rm|.rp}{|.ftz}{|.sat}.f32.f64", "f32", "f64")
      .plain("cvt{|.rni|.rzi|.rmi|.rpi}{|.sat}.f16.f16", "f16", "f16")
      .plain("cvt{|.rni|.rzi|.rmi|.rpi}{|.ftz}{|.sat}.f32.f32", "f32", "f32")
      .plain("cvt{|.rni|.rzi|.rmi|.rpi}{|.sat}.f64.f64", "f64", "f64")
      .plain("cvt{.rn|.rz}.relu.{f16|bf16}.f32", "b16", "f32")
      .plain("cvt{.rn|.rz}.bf16.f32", "bf16", "f32")
      .plain("cvt{.rn|.rz}{|.relu}.{f16x2|bf16x2}.f32", "b32", "f32 f32")
      .plain("cvt{.rn|.rz}{|.relu}.tf32.f32", "tf32", "f32")
      .plain("cvt.rna.tf32.f32", "tf32", "f32")
      .plain("cvt{|.ftz}.f32.bf16", "f32", "bf16")
      .plain("cvt.f64.bf16", "f64", "bf16")
      .plain("cvt{.rn|.rz|.rm|.rp}.bf16.f64", "bf16", "f64")
      .plain("cvt{.rn|.rz|.rm|.rp}.bf16.f16", "bf16", "f16")
      .plain("cvt{.rn|.rz|.rm|.rp}.f16.bf16", "f16", "bf16")
      .plain("cvt{.rni|.rzi|.rmi|.rpi}.bf16.bf16", "bf16", "bf16");

  Family(forms, "fp8")
      .plain("cvt.rn.satfinite{|.relu}.{e4m3x2|e5m2x2}.f32", "b16", "f32 f32")
      .plain("cvt.rn.satfinite{|.relu}.{e4m3x2|e5m2x2}.f16x2", "b16", "f16x2")
      .plain("cvt.rn{|.relu}.f16x2.$", "f16x2", "$", "e4m3x2 e5m2x2");
}

}  // namespace warpcheck::golden
