// cvt (PTX ISA 9.7.9.21): its rows, their decoding, and the definedness of results.
#include "device/virtual/isa/convert/convert.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace warpcheck::isa {
namespace {

using machine::Flow;
using machine::LaneSources;
using machine::Op;
using machine::Warp;
using semantics::Rounding;

/// Converts integers to integers without .sat: two extensions, which vectorise.
Flow convert_integers(Warp& warp, const Op& op) {
  const auto conversion = std::bit_cast<Conversion>(op.immediate);
  return by_lane(warp, op, 1, [&](std::uint64_t a, std::uint64_t, std::uint64_t) {
    return extend(extend(a, conversion.from), conversion.to);
  });
}

// Definedness.

/// Rule of an integer conversion: undefined bits are converted like the value.
template <Type from, Type to>
std::uint64_t converted_integer(const LaneSources& s) {
  return extend(extend(s.undefined[0], from), to);
}
template <Type from>
machine::DefinednessRule integer_rule(Type to) {
  switch (to) {
    case Type::u8:
      return converted_integer<from, Type::u8>;
    case Type::s8:
      return converted_integer<from, Type::s8>;
    case Type::u16:
      return converted_integer<from, Type::u16>;
    case Type::s16:
      return converted_integer<from, Type::s16>;
    case Type::u32:
      return converted_integer<from, Type::u32>;
    case Type::s32:
      return converted_integer<from, Type::s32>;
    default:
      return converted_integer<from, Type::u64>;
  }
}
machine::DefinednessRule integer_rule(Type from, Type to) {
  switch (from) {
    case Type::u8:
      return integer_rule<Type::u8>(to);
    case Type::s8:
      return integer_rule<Type::s8>(to);
    case Type::u16:
      return integer_rule<Type::u16>(to);
    case Type::s16:
      return integer_rule<Type::s16>(to);
    case Type::u32:
      return integer_rule<Type::u32>(to);
    case Type::s32:
      return integer_rule<Type::s32>(to);
    default:
      return integer_rule<Type::u64>(to);
  }
}

/// Rule of a wider source register: bits above the type have no effect.
template <unsigned bits>
std::uint64_t low_bits_matter(const LaneSources& s) {
  return (s.undefined[0] & ((std::uint64_t{1} << bits) - 1)) != 0 ? ~std::uint64_t{0} : 0;
}

/// Rule of a pair: a determines the upper half of `half` bits, b the lower half.
template <unsigned half>
std::uint64_t pair_rule(const LaneSources& s) {
  constexpr std::uint64_t kHalf = (std::uint64_t{1} << half) - 1;
  return (s.undefined[0] != 0 ? kHalf << half : 0) | (s.undefined[1] != 0 ? kHalf : 0);
}

/// Rule of a packed conversion: each half of the source determines the same half of the result.
template <unsigned from_half, unsigned to_half>
std::uint64_t packed_rule(const LaneSources& s) {
  constexpr std::uint64_t kFrom = (std::uint64_t{1} << from_half) - 1;
  constexpr std::uint64_t kTo = (std::uint64_t{1} << to_half) - 1;
  return ((s.undefined[0] >> from_half & kFrom) != 0 ? kTo << to_half : 0) |
         ((s.undefined[0] & kFrom) != 0 ? kTo : 0);
}

// Lowering.

Conversion conversion_of(const Selection& s) {
  Conversion c;
  c.to = s.type(0);
  c.from = s.type(1);
  c.to_integral = s.has("rni") || s.has("rzi") || s.has("rmi") || s.has("rpi");
  if (s.has("rz") || s.has("rzi")) c.rounding = Rounding::rz;
  if (s.has("rm") || s.has("rmi")) c.rounding = Rounding::rm;
  if (s.has("rp") || s.has("rpi")) c.rounding = Rounding::rp;
  if (s.has("rna")) c.rounding = Rounding::rna;
  c.ftz = s.has("ftz");
  c.sat = s.has("sat");
  c.relu = s.has("relu");
  c.satfinite = s.has("satfinite");
  return c;
}

/// The register's width, or the type's for a constant.
std::uint8_t width(const Lowering& lowering, std::size_t operand, Type type) {
  const unsigned bits = lowering.register_bits(lowering.instruction.operands[operand]);
  return static_cast<std::uint8_t>(bits == 0 ? bits_of(type) : bits);
}

/// Lowers a cvt. Registers may be wider than their types (PTX ISA 9.4.1).
void lower_cvt(Lowering& lowering) {
  lowering.expect_operands(2);
  const auto& operands = lowering.instruction.operands;
  const Conversion c = conversion_of(lowering.selection);
  Op& op = lowering.result;
  op.operand[0] = lowering.destination(operands[0], c.to, true);
  op.operand[1] = lowering.source(operands[1], c.from, true);
  op.bits[0] = width(lowering, 0, c.to);
  op.bits[1] = width(lowering, 1, c.from);
  op.sources = 1;
  op.immediate = std::bit_cast<std::int64_t>(c);
  const bool integers = !ptx::is_float(c.from) && !ptx::is_float(c.to);
  if (integers && !c.sat) {
    op.rule = integer_rule(c.from, c.to);
  } else if (op.bits[1] > bits_of(c.from)) {
    op.rule = bits_of(c.from) == 8    ? low_bits_matter<8>
              : bits_of(c.from) == 16 ? low_bits_matter<16>
                                      : low_bits_matter<32>;
  }
  op.run = fast_handler(c, op.bits[1], op.bits[0]);
  if (op.run == nullptr) op.run = integers && !c.sat ? convert_integers : convert_any;
}

/// Lowers an integer cvt.sat. PTX has .sat only if the destination cannot represent every source
/// value.
void lower_saturating_integers(Lowering& lowering) {
  const Type to = lowering.selection.type(0);
  const Type from = lowering.selection.type(1);
  const bool fits = ptx::is_signed(to) == ptx::is_signed(from)
                        ? bits_of(to) >= bits_of(from)
                        : ptx::is_signed(to) && bits_of(to) > bits_of(from);
  if (fits)
    throw DecodeError("the destination represents every value of the source: .sat is illegal");
  lower_cvt(lowering);
}

void lower_pair(Lowering& lowering) {
  lowering.plain_operands();
  const Conversion c = conversion_of(lowering.selection);
  Op& op = lowering.result;
  op.immediate = std::bit_cast<std::int64_t>(c);
  op.rule = bits_of(c.to) == 16 ? pair_rule<8> : pair_rule<16>;
  op.run = fast_pair_handler(c);
  if (op.run == nullptr) op.run = convert_pair;
}

void lower_packed(Lowering& lowering) {
  lowering.plain_operands();
  Op& op = lowering.result;
  op.immediate = std::bit_cast<std::int64_t>(conversion_of(lowering.selection));
  op.rule = op.bits[0] == 16 ? packed_rule<16, 8> : packed_rule<8, 16>;
  op.run = convert_packed;
}

constexpr std::string_view kIntegers =
    "u8.u8 u8.s8 u8.u16 u8.s16 u8.u32 u8.s32 u8.u64 u8.s64 "
    "s8.u8 s8.s8 s8.u16 s8.s16 s8.u32 s8.s32 s8.u64 s8.s64 "
    "u16.u8 u16.s8 u16.u16 u16.s16 u16.u32 u16.s32 u16.u64 u16.s64 "
    "s16.u8 s16.s8 s16.u16 s16.s16 s16.u32 s16.s32 s16.u64 s16.s64 "
    "u32.u8 u32.s8 u32.u16 u32.s16 u32.u32 u32.s32 u32.u64 u32.s64 "
    "s32.u8 s32.s8 s32.u16 s32.s16 s32.u32 s32.s32 s32.u64 s32.s64 "
    "u64.u8 u64.s8 u64.u16 u64.s16 u64.u32 u64.s32 u64.u64 u64.s64 "
    "s64.u8 s64.s8 s64.u16 s64.s16 s64.u32 s64.s32 s64.u64 s64.s64";
constexpr std::string_view kSingleFromInteger =
    "f32.u8 f32.s8 f32.u16 f32.s16 f32.u32 f32.s32 f32.u64 f32.s64";
constexpr std::string_view kFloatFromInteger =
    "f16.u8 f16.s8 f16.u16 f16.s16 f16.u32 f16.s32 f16.u64 f16.s64 "
    "f64.u8 f64.s8 f64.u16 f64.s16 f64.u32 f64.s32 f64.u64 f64.s64";
constexpr std::string_view kBrainFromInteger =
    "bf16.u8 bf16.s8 bf16.u16 bf16.s16 bf16.u32 bf16.s32 bf16.u64 bf16.s64";
constexpr std::string_view kIntegerFromSingle =
    "u8.f32 s8.f32 u16.f32 s16.f32 u32.f32 s32.f32 u64.f32 s64.f32";
constexpr std::string_view kIntegerFromFloat =
    "u8.f16 s8.f16 u16.f16 s16.f16 u32.f16 s32.f16 u64.f16 s64.f16 "
    "u8.f64 s8.f64 u16.f64 s16.f64 u32.f64 s32.f64 u64.f64 s64.f64";
constexpr std::string_view kIntegerFromBrain =
    "u8.bf16 s8.bf16 u16.bf16 s16.bf16 u32.bf16 s32.bf16 u64.bf16 s64.bf16";

constexpr std::string_view kSection = "9.7.9.21";
constexpr Form cvt(std::string_view modifiers, std::string_view types) {
  return {"cvt", modifiers, types, "", kSection, nullptr, nullptr, lower_cvt};
}

constexpr std::array kForms = {
    cvt("", kIntegers),
    Form{"cvt", "sat", kIntegers, "", kSection, nullptr, nullptr, lower_saturating_integers},
    cvt("rn|rz|rm|rp [ftz] [sat]", kSingleFromInteger),
    cvt("rn|rz|rm|rp [sat]", kFloatFromInteger),
    cvt("rn|rz|rm|rp", kBrainFromInteger),
    cvt("rni|rzi|rmi|rpi [ftz] [sat]", kIntegerFromSingle),
    cvt("rni|rzi|rmi|rpi [sat]", kIntegerFromFloat),
    cvt("rni|rzi|rmi|rpi", kIntegerFromBrain),
    // Conversions to a wider or the same format.
    cvt("[ftz] [sat]", "f32.f16 f64.f32"),
    cvt("[ftz]", "f32.bf16"),
    cvt("[sat]", "f64.f16"),
    cvt("", "f64.bf16"),
    cvt("[rni|rzi|rmi|rpi] [ftz] [sat]", "f32.f32"),
    cvt("[rni|rzi|rmi|rpi] [sat]", "f16.f16 f64.f64"),
    cvt("rni|rzi|rmi|rpi", "bf16.bf16"),
    // Conversions to a narrower format.
    cvt("rn|rz|rm|rp [ftz] [sat]", "f16.f32 f32.f64"),
    cvt("rn|rz|rm|rp [sat]", "f16.f64"),
    cvt("rn|rz|rm|rp [ftz]", "bf16.f32"),
    cvt("rn|rz|rm|rp", "bf16.f64 bf16.f16 f16.bf16"),
    cvt("rn|rz relu [satfinite]", "f16.f32 bf16.f32"),
    cvt("rn|rz satfinite", "f16.f32 bf16.f32"),
    cvt("rn|rz [relu] [satfinite]", "tf32.f32"),
    cvt("rna [satfinite]", "tf32.f32"),
    Form{"cvt", "rn|rz [relu] [satfinite]", "f16x2.f32 bf16x2.f32", "=b32 f32 f32", kSection,
         nullptr, nullptr, lower_pair},
    Form{"cvt", "rn satfinite [relu]", "e4m3x2.f32 e5m2x2.f32", "=b16 f32 f32", kSection, nullptr,
         nullptr, lower_pair},
    Form{"cvt", "rn satfinite [relu]", "e4m3x2.f16x2 e5m2x2.f16x2", "=b16 b32", kSection, nullptr,
         nullptr, lower_packed},
    Form{"cvt", "rn [relu]", "f16x2.e4m3x2 f16x2.e5m2x2", "=b32 b16", kSection, nullptr, nullptr,
         lower_packed},
};

}  // namespace

std::span<const Form> convert_forms() { return kForms; }

}  // namespace warpcheck::isa
