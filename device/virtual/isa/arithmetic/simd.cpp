// Integer instructions on the parts of a register: two halves (PTX ISA 9.7.1), four bytes (9.7.18).
#include <array>
#include <cstdint>

#include "device/virtual/isa/bind.hpp"
#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/semantics/half.hpp"
#include "device/virtual/semantics/integer.hpp"

namespace warpcheck::isa {
namespace {

using W = std::uint32_t;
using machine::LaneSources;

/// An undefined bit of a source in one half makes that half of the result undefined.
std::uint64_t by_halves(const LaneSources& s) {
  const std::uint64_t any = s.undefined[0] | s.undefined[1];
  return ((any & 0xffff) != 0 ? 0xffffU : 0U) | ((any & 0xffff'0000) != 0 ? 0xffff'0000U : 0U);
}

/// Applies the function to both halves.
template <class T, auto function>
W on_halves(W a, W b) {
  return semantics::packed<T>([](T x, T y) { return function(x, y); }, a, b);
}

// Families: <T>, of minimum and maximum <T, relu>; T is the type of a half.
constexpr auto kAdd = []<class T>() { return on_halves<T, semantics::add<T>>; };
constexpr auto kMin = []<class T, bool relu>() { return on_halves<T, semantics::min<relu, T>>; };
constexpr auto kMax = []<class T, bool relu>() { return on_halves<T, semantics::max<relu, T>>; };

/// The absolute differences of the four bytes: each is a byte or, with `sum`, all are added to c. T
/// is the type of a byte of the operands.
template <class T, bool sum>
W absolute_difference_4(W a, W b, W c) {
  W bytes = 0;
  W total = c;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    const auto x = int{static_cast<T>(a >> shift)};
    const auto y = int{static_cast<T>(b >> shift)};
    const W difference = static_cast<W>(x < y ? y - x : x - y);
    bytes |= (difference & 0xff) << shift;
    total += difference;
  }
  return sum ? total : bytes;
}

Handler bind_add(const Selection& s) {
  return s.type() == Type::s16x2 ? handler_of<kAdd.operator()<std::int16_t>()>()
                                 : handler_of<kAdd.operator()<std::uint16_t>()>();
}
template <auto family>
Handler bind_extremum(const Selection& s) {
  if (s.type() == Type::u16x2)
    return handler_of<family.template operator()<std::uint16_t, false>()>();
  return s.has("relu") ? handler_of<family.template operator()<std::int16_t, true>()>()
                       : handler_of<family.template operator()<std::int16_t, false>()>();
}
template <bool sum>
Handler bind_difference(const Selection& s) {
  return s.type(1) == Type::s32 ? handler_of<absolute_difference_4<std::int8_t, sum>>()
                                : handler_of<absolute_difference_4<std::uint8_t, sum>>();
}

constexpr std::array kForms = {
    Form{"add", "", "u16x2 s16x2", "=b32 b32 b32", "9.7.1.1", bind_add, by_halves},
    Form{"min", "", "u16x2 s16x2", "=b32 b32 b32", "9.7.1.12", bind_extremum<kMin>, by_halves},
    Form{"min", "relu", "s16x2", "=b32 b32 b32", "9.7.1.12", bind_extremum<kMin>, by_halves},
    Form{"max", "", "u16x2 s16x2", "=b32 b32 b32", "9.7.1.13", bind_extremum<kMax>, by_halves},
    Form{"max", "relu", "s16x2", "=b32 b32 b32", "9.7.1.13", bind_extremum<kMax>, by_halves},
    Form{"vabsdiff4", "", "u32.u32.u32 u32.s32.s32", "=b32 b32 b32 b32", "9.7.18.3",
         bind_difference<false>},
    Form{"vabsdiff4", "add", "u32.u32.u32 u32.s32.s32", "=b32 b32 b32 b32", "9.7.18.3",
         bind_difference<true>},
};

}  // namespace

std::span<const Form> simd_forms() { return kForms; }

}  // namespace warpcheck::isa
