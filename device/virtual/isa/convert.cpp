// cvt and cvt.pack (PTX ISA 9.7.9.21, 9.7.9.22).
//
// The conversions that kernels do in their inner loops have handlers of their own. All others share
// one: lanes are brought to 64 bits, converted by a description that the op carries, and put back.
#include "device/virtual/semantics/convert.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "device/virtual/isa/bind.hpp"
#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"

namespace warpcheck::isa {
namespace {

using machine::Flow;
using machine::for_lanes;
using machine::kLanes;
using machine::LaneSources;
using machine::Mask;
using machine::Op;
using machine::Slot;
using machine::Warp;
using semantics::bf16;
using semantics::e4m3;
using semantics::e5m2;
using semantics::f16;
using semantics::IntegerRounding;
using semantics::Rounding;
using semantics::tf32;

/// What an op converts: it travels in Op::immediate.
struct Conversion {
  Type to = Type::none;
  Type from = Type::none;
  Rounding rounding = Rounding::rn;
  bool to_integral = false;  // .rni, .rzi, .rmi, .rpi: `rounding` is to an integer
  bool ftz = false;
  bool sat = false;
  bool relu = false;
  bool satfinite = false;
};
static_assert(sizeof(Conversion) == sizeof(std::int64_t));

/// The low bits of a type's width, sign- or zero-extended to 64.
std::uint64_t extend(std::uint64_t value, Type type) {
  const unsigned unused = 64 - bits_of(type);
  value <<= unused;
  return ptx::is_signed(type)
             ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> unused)
             : value >> unused;
}

/// f(std::type_identity<T>) for the integer type T that a PTX type names.
template <class F>
auto with_integer(Type type, F f) {
  switch (type) {
    case Type::u8:
      return f(std::type_identity<std::uint8_t>());
    case Type::s8:
      return f(std::type_identity<std::int8_t>());
    case Type::u16:
      return f(std::type_identity<std::uint16_t>());
    case Type::s16:
      return f(std::type_identity<std::int16_t>());
    case Type::u32:
      return f(std::type_identity<std::uint32_t>());
    case Type::s32:
      return f(std::type_identity<std::int32_t>());
    case Type::u64:
      return f(std::type_identity<std::uint64_t>());
    default:
      return f(std::type_identity<std::int64_t>());
  }
}

std::uint64_t saturated_integer(std::uint64_t extended, Type from, Type to) {
  return with_integer(to, [&](auto target) {
    using D = typename decltype(target)::type;
    return static_cast<std::uint64_t>(
        ptx::is_signed(from)
            ? semantics::convert_integer<D, true>(static_cast<std::int64_t>(extended))
            : semantics::convert_integer<D, true>(extended));
  });
}

template <class D, class S>
D from_integer_rounded(S value, Rounding rounding) {
  switch (rounding) {
    case Rounding::rz:
      return semantics::from_integer<D, Rounding::rz>(value);
    case Rounding::rm:
      return semantics::from_integer<D, Rounding::rm>(value);
    case Rounding::rp:
      return semantics::from_integer<D, Rounding::rp>(value);
    default:
      return semantics::from_integer<D, Rounding::rn>(value);
  }
}

template <class D>
std::uint64_t from_integer(std::uint64_t extended, const Conversion& c) {
  const D result = ptx::is_signed(c.from)
                       ? from_integer_rounded<D>(static_cast<std::int64_t>(extended), c.rounding)
                       : from_integer_rounded<D>(extended, c.rounding);
  return semantics::to_bits(c.sat ? semantics::saturate(result) : result);
}

std::uint64_t integer_to_float(std::uint64_t extended, const Conversion& c) {
  switch (c.to) {
    case Type::f16:
      return from_integer<f16>(extended, c);
    case Type::bf16:
      return from_integer<bf16>(extended, c);
    case Type::f32:
      return from_integer<float>(extended, c);
    default:
      return from_integer<double>(extended, c);
  }
}

/// The integral value nearest to `value` in the op's direction.
template <class T>
T integral(T value, Rounding rounding) {
  switch (rounding) {
    case Rounding::rz:
      return semantics::to_integral<IntegerRounding::rzi>(value);
    case Rounding::rm:
      return semantics::to_integral<IntegerRounding::rmi>(value);
    case Rounding::rp:
      return semantics::to_integral<IntegerRounding::rpi>(value);
    default:
      return semantics::to_integral<IntegerRounding::rni>(value);
  }
}

template <class S>
std::uint64_t float_to_integer(S value, const Conversion& c) {
  const S whole = integral(value, c.rounding);
  return with_integer(c.to, [&](auto target) {
    using D = typename decltype(target)::type;
    return static_cast<std::uint64_t>(semantics::to_integer<D, IntegerRounding::rzi>(whole));
  });
}

template <class D>
D rounded(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::rz:
      return semantics::convert<D, Rounding::rz>(value);
    case Rounding::rm:
      return semantics::convert<D, Rounding::rm>(value);
    case Rounding::rp:
      return semantics::convert<D, Rounding::rp>(value);
    default:
      return semantics::convert<D, Rounding::rn>(value);
  }
}

template <class D, Rounding rounding>
std::uint64_t downcast(double value, const Conversion& c) {
  const D plain = c.satfinite ? semantics::narrow<D, rounding, true>(value)
                              : semantics::narrow<D, rounding, false>(value);
  return semantics::to_bits(c.relu ? semantics::relu(plain) : plain);
}

/// The type's own rounding modes: nearest or toward zero, with .relu and .satfinite.
template <class D>
std::uint64_t downcast_to(double value, const Conversion& c) {
  switch (c.rounding) {
    case Rounding::rz:
      return downcast<D, Rounding::rz>(value, c);
    case Rounding::rna:
      return downcast<D, Rounding::rna>(value, c);
    default:
      return downcast<D, Rounding::rn>(value, c);
  }
}

template <class D>
std::uint64_t narrowed(double value, const Conversion& c) {
  D result = rounded<D>(value, c.rounding);
  if constexpr (std::is_same_v<D, float>) {
    if (c.ftz) result = semantics::flush(result);
  }
  return semantics::to_bits(c.sat ? semantics::saturate(result) : result);
}

/// S: float or double, which hold every value of the narrower formats.
template <class S>
std::uint64_t float_to_float(S value, const Conversion& c) {
  if (c.to_integral) value = integral(value, c.rounding);
  switch (c.to) {
    case Type::f16:
      return c.relu || c.satfinite ? downcast_to<f16>(value, c) : narrowed<f16>(value, c);
    case Type::bf16:
      return c.relu || c.satfinite ? downcast_to<bf16>(value, c) : narrowed<bf16>(value, c);
    case Type::tf32:
      return downcast_to<tf32>(value, c);
    case Type::f32:
      return narrowed<float>(value, c);
    default: {
      const double wide = semantics::convert<double>(value);
      return semantics::to_bits(c.sat ? semantics::saturate(wide) : wide);
    }
  }
}

float single_of(std::uint64_t bits, const Conversion& c) {
  switch (c.from) {
    case Type::f16:
      return semantics::widen(f16{static_cast<std::uint16_t>(bits)});
    case Type::bf16:
      return semantics::widen(bf16{static_cast<std::uint16_t>(bits)});
    default: {
      // .ftz leaves the operands of conversions to f16 and bf16 alone, on an H200.
      const bool flushes = c.ftz && c.to != Type::f16 && c.to != Type::bf16;
      const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      return flushes ? semantics::flush(value) : value;
    }
  }
}

/// A narrower type's quiet NaN with the sign and the upper payload of a f64 NaN.
template <class D>
constexpr std::uint64_t narrowed_nan(std::uint64_t bits) {
  using F = semantics::Format<D>;
  constexpr unsigned lost = 52 - F::fraction_bits;
  constexpr std::uint64_t fraction = (std::uint64_t{1} << F::fraction_bits) - 1;
  constexpr std::uint64_t quiet = std::uint64_t{1} << (F::fraction_bits - 1);
  return (bits >> 63 != 0 ? F::sign : 0U) | F::infinity | quiet | (bits >> lost & fraction);
}

/// The bits that a NaN becomes, where they are not the canonical NaN's. The manual leaves them
/// open: these are what an H200 makes of them.
std::optional<std::uint64_t> converted_nan(std::uint64_t bits, const Conversion& c) {
  const bool plain = !c.to_integral && !c.sat && !c.relu;
  if (c.to == Type::tf32) {
    return c.rounding == Rounding::rna ? bits & 0xffff'e000 : std::uint64_t{0x7fff'e000};
  }
  if (!plain) return std::nullopt;
  if (c.from == c.to && !c.ftz && c.from != Type::f16) return bits;
  if (c.from == Type::f64 && c.to == Type::f32) return narrowed_nan<float>(bits);
  if (c.from == Type::f64 && c.to == Type::f16) return narrowed_nan<f16>(bits);
  if (c.from == Type::f64 && c.to == Type::bf16) return narrowed_nan<bf16>(bits);
  if (c.from == Type::f32 && c.to == Type::f64 && c.ftz) return 0x7fff'ffff'e000'0000;
  if (c.from == Type::bf16 && c.to == Type::f32 && !c.ftz) return bits << 16;
  return std::nullopt;
}

bool is_nan(std::uint64_t bits, const Conversion& c) {
  return c.from == Type::f64 ? semantics::is_nan(std::bit_cast<double>(bits))
                             : semantics::is_nan(single_of(bits, c));
}

std::uint64_t convert_value(std::uint64_t bits, const Conversion& c) {
  if (ptx::is_float(c.from) && ptx::is_float(c.to) && is_nan(bits, c)) {
    if (const auto nan = converted_nan(bits, c)) return *nan;
  }
  if (!ptx::is_float(c.from)) {
    const std::uint64_t extended = extend(bits, c.from);
    if (ptx::is_float(c.to)) return integer_to_float(extended, c);
    return c.sat ? saturated_integer(extended, c.from, c.to) : extend(extended, c.to);
  }
  if (c.from == Type::f64) {
    const auto value = std::bit_cast<double>(bits);
    return ptx::is_float(c.to) ? float_to_float(value, c) : float_to_integer(value, c);
  }
  const float value = single_of(bits, c);
  return ptx::is_float(c.to) ? float_to_float(value, c) : float_to_integer(value, c);
}

using WideLanes = std::array<std::uint64_t, kLanes>;

void read_wide(const Warp& warp, const Op& op, unsigned operand, WideLanes& lanes) {
  const Slot slot = op.operand[operand];
  const auto read = [&]<class T>(std::type_identity<T>) {
    const T* values = warp.lanes<T>(slot);
    for_lanes([&](unsigned lane) { lanes[lane] = values[lane]; });
  };
  switch (op.bits[operand]) {
    case 8:
      return read(std::type_identity<std::uint8_t>());
    case 16:
      return read(std::type_identity<std::uint16_t>());
    case 32:
      return read(std::type_identity<std::uint32_t>());
    default:
      return read(std::type_identity<std::uint64_t>());
  }
}

void write_wide(const Warp& warp, const Op& op, const WideLanes& lanes) {
  const Slot slot = op.operand[0];
  const auto write = [&]<class T>(std::type_identity<T>) {
    machine::write_lanes<T>(warp, slot, [&](unsigned lane) { return static_cast<T>(lanes[lane]); });
  };
  switch (op.bits[0]) {
    case 8:
      return write(std::type_identity<std::uint8_t>());
    case 16:
      return write(std::type_identity<std::uint16_t>());
    case 32:
      return write(std::type_identity<std::uint32_t>());
    default:
      return write(std::type_identity<std::uint64_t>());
  }
}

/// The handler of any op whose lanes compute(sources of one lane) gives.
template <class F>
Flow by_lane(Warp& warp, const Op& op, unsigned sources, F compute) {
  const Mask active = warp.active();
  Mask defined = machine::kAllLanes;
  std::array<WideLanes, 3> lanes;
  for (unsigned i = 0; i < sources; ++i) {
    defined &= warp.defined(op.operand[i + 1]);
    read_wide(warp, op, i + 1, lanes[i]);
  }
  const Mask unknown = active & ~defined;
  const Mask known =
      unknown == 0 ? machine::kAllLanes : machine::settle_undefined(warp, op, unknown);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    lanes[0][lane] = compute(lanes[0][lane], lanes[1][lane], lanes[2][lane]);
  }
  write_wide(warp, op, lanes[0]);
  warp.set_defined(op.operand[0], active, known);
  return Flow::next;
}

Flow convert_any(Warp& warp, const Op& op) {
  const auto conversion = std::bit_cast<Conversion>(op.immediate);
  return by_lane(warp, op, 1, [&](std::uint64_t a, std::uint64_t, std::uint64_t) {
    return convert_value(a, conversion);
  });
}

/// Integers to integers without .sat: two extensions, which vectorise.
Flow convert_integers(Warp& warp, const Op& op) {
  const auto conversion = std::bit_cast<Conversion>(op.immediate);
  return by_lane(warp, op, 1, [&](std::uint64_t a, std::uint64_t, std::uint64_t) {
    return extend(extend(a, conversion.from), conversion.to);
  });
}

/// Two values into the halves of one: a into the upper, b into the lower.
Flow convert_pair(Warp& warp, const Op& op) {
  const auto conversion = std::bit_cast<Conversion>(op.immediate);
  const unsigned half = bits_of(conversion.to) / 2;
  const auto one = [&](std::uint64_t bits) -> std::uint64_t {
    const double value = single_of(bits, conversion);
    switch (conversion.to) {
      case Type::f16x2:
        return downcast_to<f16>(value, conversion);
      case Type::bf16x2:
        return downcast_to<bf16>(value, conversion);
      case Type::e4m3x2:
        return downcast<e4m3, Rounding::rn>(value, conversion);
      default:
        return downcast<e5m2, Rounding::rn>(value, conversion);
    }
  };
  return by_lane(warp, op, 2, [&](std::uint64_t a, std::uint64_t b, std::uint64_t) {
    return one(a) << half | one(b);
  });
}

/// Both halves of one register.
Flow convert_packed(Warp& warp, const Op& op) {
  const auto c = std::bit_cast<Conversion>(op.immediate);
  return by_lane(warp, op, 1, [&](std::uint64_t a, std::uint64_t, std::uint64_t) -> std::uint64_t {
    const auto pair = static_cast<std::uint16_t>(a);
    if (c.from == Type::e4m3x2) {
      return c.relu ? semantics::upcast2<e4m3, true>(pair) : semantics::upcast2<e4m3>(pair);
    }
    if (c.from == Type::e5m2x2) {
      return c.relu ? semantics::upcast2<e5m2, true>(pair) : semantics::upcast2<e5m2>(pair);
    }
    const auto word = static_cast<std::uint32_t>(a);
    if (c.to == Type::e4m3x2) {
      return c.relu ? semantics::downcast2<e4m3, true>(word) : semantics::downcast2<e4m3>(word);
    }
    return c.relu ? semantics::downcast2<e5m2, true>(word) : semantics::downcast2<e5m2>(word);
  });
}

// Definedness.

/// An integer conversion does to the undefined bits what it does to the value.
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

/// Bits of a wider source register that the type leaves out do not matter.
template <unsigned bits>
std::uint64_t low_bits_matter(const LaneSources& s) {
  return (s.undefined[0] & ((std::uint64_t{1} << bits) - 1)) != 0 ? ~std::uint64_t{0} : 0;
}

/// a decides the upper half of `half` bits, b the lower.
template <unsigned half>
std::uint64_t pair_rule(const LaneSources& s) {
  constexpr std::uint64_t kHalf = (std::uint64_t{1} << half) - 1;
  return (s.undefined[0] != 0 ? kHalf << half : 0) | (s.undefined[1] != 0 ? kHalf : 0);
}

/// Each half of the source decides that half of the result.
template <unsigned from_half, unsigned to_half>
std::uint64_t packed_rule(const LaneSources& s) {
  constexpr std::uint64_t kFrom = (std::uint64_t{1} << from_half) - 1;
  constexpr std::uint64_t kTo = (std::uint64_t{1} << to_half) - 1;
  return ((s.undefined[0] >> from_half & kFrom) != 0 ? kTo << to_half : 0) |
         ((s.undefined[0] & kFrom) != 0 ? kTo : 0);
}

// Handlers of their own, for registers of exactly the types' widths.

struct Copy {
  template <class S>
  static S apply(S a) {
    return a;
  }
};
struct LowHalf {
  static std::uint32_t apply(std::uint64_t a) { return static_cast<std::uint32_t>(a); }
};
struct ToSingle {
  static float apply(std::int32_t a) { return semantics::from_integer<float, Rounding::rn>(a); }
  static float apply(std::uint32_t a) { return semantics::from_integer<float, Rounding::rn>(a); }
  static float apply(double a) {
    const auto bits = std::bit_cast<std::uint64_t>(a);
    const auto nan = std::bit_cast<float>(static_cast<std::uint32_t>(narrowed_nan<float>(bits)));
    return semantics::is_nan(a) ? nan : semantics::convert<float>(a);
  }
};
struct Truncate {
  static std::int32_t apply(float a) {
    return semantics::to_integer<std::int32_t, IntegerRounding::rzi>(a);
  }
};
struct ToDouble {
  static double apply(float a) { return semantics::convert<double>(a); }
};
template <class H>
struct FromHalf {
  static float apply(std::uint16_t a) {
    const H value = std::bit_cast<H>(a);
    if constexpr (std::is_same_v<H, bf16>) return semantics::widen(value);  // NaNs as they are
    return semantics::convert<float>(value);
  }
};
template <class H>
struct ToHalf {
  static std::uint16_t apply(float a) { return semantics::convert<H>(a).bits; }
};
template <class H>
struct ToHalves {
  static std::uint32_t apply(float a, float b) {
    return semantics::downcast2<H, Rounding::rn>(a, b);
  }
};

/// The handler that is made for this conversion; null where there is none.
Handler fast_handler(const Conversion& c, unsigned from_bits, unsigned to_bits) {
  using machine::lanewise;
  using std::int16_t, std::int32_t, std::int64_t, std::uint16_t, std::uint32_t, std::uint64_t;
  if (from_bits != bits_of(c.from) || to_bits != bits_of(c.to)) return nullptr;
  if (c.ftz || c.sat || c.relu || c.satfinite) return nullptr;
  const bool is_signed = ptx::is_signed(c.from);
  if (!ptx::is_float(c.from) && !ptx::is_float(c.to)) {
    if (from_bits == 32 && to_bits == 64) {
      return is_signed ? lanewise<Copy, int64_t, int32_t> : lanewise<Copy, uint64_t, uint32_t>;
    }
    if (from_bits == 16 && to_bits == 32) {
      return is_signed ? lanewise<Copy, int32_t, int16_t> : lanewise<Copy, uint32_t, uint16_t>;
    }
    if (from_bits == 64 && to_bits == 32) return lanewise<LowHalf, uint32_t, uint64_t>;
    return nullptr;
  }
  const bool nearest = c.rounding == Rounding::rn && !c.to_integral;
  if (c.to == Type::f32 && nearest) {
    switch (c.from) {
      case Type::s32:
        return lanewise<ToSingle, float, int32_t>;
      case Type::u32:
        return lanewise<ToSingle, float, uint32_t>;
      case Type::f64:
        return lanewise<ToSingle, float, double>;
      case Type::f16:
        return lanewise<FromHalf<f16>, float, uint16_t>;
      case Type::bf16:
        return lanewise<FromHalf<bf16>, float, uint16_t>;
      default:
        return nullptr;
    }
  }
  if (c.from != Type::f32) return nullptr;
  if (c.to == Type::f64) return lanewise<ToDouble, double, float>;
  if (c.to == Type::f16 && nearest) return lanewise<ToHalf<f16>, uint16_t, float>;
  if (c.to == Type::bf16 && nearest) return lanewise<ToHalf<bf16>, uint16_t, float>;
  if (c.rounding == Rounding::rz && c.to == Type::s32) return lanewise<Truncate, int32_t, float>;
  return nullptr;
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

void expect_operands(const Lowering& lowering, std::size_t count) {
  if (lowering.operand_count() != count) {
    throw Unfit(fmt::format("{} operands are given, {} expected", lowering.operand_count(), count));
  }
}

/// The register's width, or the type's for a constant.
std::uint8_t width(const Lowering& lowering, std::size_t operand, Type type) {
  const unsigned bits = lowering.register_bits(lowering.instruction.operands[operand]);
  return static_cast<std::uint8_t>(bits == 0 ? bits_of(type) : bits);
}

/// Registers may be wider than their types (PTX ISA 9.4.1).
void lower_cvt(Lowering& lowering) {
  expect_operands(lowering, 2);
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

/// PTX has .sat only where there is something to limit.
void lower_saturating_integers(Lowering& lowering) {
  const Type to = lowering.selection.type(0);
  const Type from = lowering.selection.type(1);
  const bool fits = ptx::is_signed(to) == ptx::is_signed(from)
                        ? bits_of(to) >= bits_of(from)
                        : ptx::is_signed(to) && bits_of(to) > bits_of(from);
  if (fits) throw Unfit("every value of the source is one of the destination: .sat is illegal");
  lower_cvt(lowering);
}

void lower_pair(Lowering& lowering) {
  lowering.plain_operands();
  const Conversion c = conversion_of(lowering.selection);
  Op& op = lowering.result;
  op.immediate = std::bit_cast<std::int64_t>(c);
  op.rule = bits_of(c.to) == 16 ? pair_rule<8> : pair_rule<16>;
  op.run = convert_pair;
  const bool plain = c.rounding == Rounding::rn && !c.relu && !c.satfinite;
  using W = std::uint32_t;
  if (plain && c.to == Type::f16x2) op.run = machine::lanewise<ToHalves<f16>, W, float, float>;
  if (plain && c.to == Type::bf16x2) op.run = machine::lanewise<ToHalves<bf16>, W, float, float>;
}

void lower_packed(Lowering& lowering) {
  lowering.plain_operands();
  Op& op = lowering.result;
  op.immediate = std::bit_cast<std::int64_t>(conversion_of(lowering.selection));
  op.rule = op.bits[0] == 16 ? packed_rule<16, 8> : packed_rule<8, 16>;
  op.run = convert_packed;
}

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
    "bf16.u16 bf16.s16 bf16.u32 bf16.s32 bf16.u64 bf16.s64";
constexpr std::string_view kIntegerFromSingle =
    "u8.f32 s8.f32 u16.f32 s16.f32 u32.f32 s32.f32 u64.f32 s64.f32";
constexpr std::string_view kIntegerFromFloat =
    "u8.f16 s8.f16 u16.f16 s16.f16 u32.f16 s32.f16 u64.f16 s64.f16 "
    "u8.f64 s8.f64 u16.f64 s16.f64 u32.f64 s32.f64 u64.f64 s64.f64";
constexpr std::string_view kIntegerFromBrain =
    "u16.bf16 s16.bf16 u32.bf16 s32.bf16 u64.bf16 s64.bf16";

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
    // To a wider format, or the same one.
    cvt("[ftz] [sat]", "f32.f16 f64.f32"),
    cvt("[ftz]", "f32.bf16"),
    cvt("[sat]", "f64.f16"),
    cvt("", "f64.bf16"),
    cvt("[rni|rzi|rmi|rpi] [ftz] [sat]", "f32.f32"),
    cvt("[rni|rzi|rmi|rpi] [sat]", "f16.f16 f64.f64"),
    cvt("rni|rzi|rmi|rpi", "bf16.bf16"),
    // To a narrower one.
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
    Form{"cvt", "pack sat", "u16.s32 s16.s32", "=b32 s32 s32", "9.7.9.22", bind_pack},
    Form{"cvt", "pack sat", "u8.s32.b32 s8.s32.b32", "=b32 s32 s32 b32", "9.7.9.22",
         bind_pack_bytes},
    Form{"cvt", "pack sat", "s4.s32.b32 u4.s32.b32", "=b32 s32 s32 b32", "9.7.9.22",
         bind_pack_bits},
    Form{"cvt", "pack sat s2|u2", "s32.b32", "=b32 s32 s32 b32", "9.7.9.22", bind_pack_bits},
};

}  // namespace

std::span<const Form> convert_forms() { return kForms; }

}  // namespace warpcheck::isa
