// cvt (PTX ISA 9.7.9.21) for all types: extends lanes to 64 bits, converts them as the op
// describes, and writes them back.
#include <bit>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "device/virtual/isa/convert/convert.hpp"

namespace warpcheck::isa {
namespace {

using machine::Flow;
using machine::Op;
using machine::Warp;
using semantics::bf16;
using semantics::e4m3;
using semantics::e5m2;
using semantics::f16;
using semantics::IntegerRounding;
using semantics::Rounding;
using semantics::tf32;

/// Calls f(std::type_identity<T>) for the integer type T that a PTX type names.
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

/// The integral value nearest to `value` in the rounding direction.
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

/// Converts with the rounding modes of the type: nearest or toward zero, with .relu and .satfinite.
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

/// Converts a value of S, which is float or double: these represent every value of the narrower
/// formats.
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
      // On an H200, .ftz does not apply to the operands of conversions to f16 and bf16.
      const bool flushes = c.ftz && c.to != Type::f16 && c.to != Type::bf16;
      const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      return flushes ? semantics::flush(value) : value;
    }
  }
}

/// The bits of a converted NaN, if they differ from the canonical NaN. The manual does not define
/// them: these are the results of an H200.
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

}  // namespace

Flow convert_any(Warp& warp, const Op& op) {
  const auto conversion = std::bit_cast<Conversion>(op.immediate);
  return by_lane(warp, op, 1, [&](std::uint64_t a, std::uint64_t, std::uint64_t) {
    return convert_value(a, conversion);
  });
}

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

}  // namespace warpcheck::isa
