// cvt.pack (PTX ISA 9.7.9.22): two integers, limited to the fields of a register.
#include <array>
#include <cstdint>

#include "device/virtual/isa/bind.hpp"
#include "device/virtual/isa/form.hpp"
#include "device/virtual/semantics/convert.hpp"

namespace warpcheck::isa {
namespace {

template <int bits, bool is_signed>
struct Pack {
  static std::uint32_t apply(std::int32_t a, std::int32_t b) {
    return semantics::convert_pack<bits, is_signed>(a, b);
  }
  static std::uint32_t apply(std::int32_t a, std::int32_t b, std::uint32_t c) {
    return semantics::convert_pack<bits, is_signed>(a, b, c);
  }
};
template <bool is_signed, class... C>
Handler pack_of(unsigned bits) {
  using machine::lanewise;
  using W = std::uint32_t;
  using S = std::int32_t;
  switch (bits) {
    case 2:
      return lanewise<Pack<2, is_signed>, W, S, S, C...>;
    case 4:
      return lanewise<Pack<4, is_signed>, W, S, S, C...>;
    default:
      return lanewise<Pack<8, is_signed>, W, S, S, C...>;
  }
}
/// cvt.pack.sat.u16.s32 and s16: two halves, no third operand.
Handler bind_pack(const Selection& s) {
  using machine::lanewise;
  return s.type() == Type::s16
             ? lanewise<Pack<16, true>, std::uint32_t, std::int32_t, std::int32_t>
             : lanewise<Pack<16, false>, std::uint32_t, std::int32_t, std::int32_t>;
}
/// The narrower ones: their types s2 and u2 count as modifiers, being no types of a value.
Handler bind_pack_bytes(const Selection& s) {
  return s.type() == Type::s8 ? pack_of<true, std::uint32_t>(8) : pack_of<false, std::uint32_t>(8);
}
Handler bind_pack_bits(const Selection& s) {
  if (s.type() == Type::s4) return pack_of<true, std::uint32_t>(4);
  if (s.type() == Type::u4) return pack_of<false, std::uint32_t>(4);
  if (s.has("s2")) return pack_of<true, std::uint32_t>(2);
  return pack_of<false, std::uint32_t>(2);
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
