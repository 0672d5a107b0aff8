// cvt.pack (PTX ISA 9.7.9.22): two integers, saturated to the fields of a register.
#include <array>
#include <cstdint>

#include "device/virtual/isa/bind.hpp"
#include "device/virtual/isa/form.hpp"
#include "device/virtual/semantics/convert.hpp"

namespace warpcheck::isa {
namespace {

using W = std::uint32_t;
using S = std::int32_t;

/// cvt.pack.sat.u16.s32 and s16: the result has two halves, and there is no third operand.
template <bool is_signed>
W pack_halves(S a, S b) {
  return semantics::convert_pack<16, is_signed>(a, b);
}
Handler bind_pack(const Selection& s) {
  return s.type() == Type::s16 ? handler_of<pack_halves<true>>() : handler_of<pack_halves<false>>();
}

/// cvt.pack.sat to the narrower types: the third operand moves to the higher bits.
template <int bits, bool is_signed>
Handler pack_parts() {
  return handler_of<semantics::convert_pack<bits, is_signed>>();
}
Handler bind_pack_bytes(const Selection& s) {
  return s.type() == Type::s8 ? pack_parts<8, true>() : pack_parts<8, false>();
}
/// Binds s2 and u2, which are modifiers in the row because no value has these types.
Handler bind_pack_bits(const Selection& s) {
  if (s.type() == Type::s4) return pack_parts<4, true>();
  if (s.type() == Type::u4) return pack_parts<4, false>();
  return s.has("s2") ? pack_parts<2, true>() : pack_parts<2, false>();
}

constexpr std::array kForms = {
    Form{"cvt", "pack sat", "u16.s32 s16.s32", "=b32 s32 s32", "9.7.9.22", bind_pack},
    Form{"cvt", "pack sat", "u8.s32.b32 s8.s32.b32", "=b32 s32 s32 b32", "9.7.9.22",
         bind_pack_bytes},
    Form{"cvt", "pack sat", "s4.s32.b32 u4.s32.b32", "=b32 s32 s32 b32", "9.7.9.22",
         bind_pack_bits},
    Form{"cvt", "pack sat s2|u2", "s32.b32", "=b32 s32 s32 b32", "9.7.9.22", bind_pack_bits},
};

}  // namespace

std::span<const Form> convert_pack_forms() { return kForms; }

}  // namespace warpcheck::isa
