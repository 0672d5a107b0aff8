// Conversions in the inner loops of kernels, for registers of the widths of the types.
#include <bit>
#include <cstdint>
#include <type_traits>

#include "device/virtual/isa/convert/convert.hpp"

namespace warpcheck::isa {
namespace {

using semantics::bf16;
using semantics::f16;
using semantics::IntegerRounding;
using semantics::Rounding;

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
    if constexpr (std::is_same_v<H, bf16>) return semantics::widen(value);  // NaNs stay unchanged
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

}  // namespace

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

Handler fast_pair_handler(const Conversion& c) {
  if (c.rounding != Rounding::rn || c.relu || c.satfinite) return nullptr;
  using W = std::uint32_t;
  if (c.to == Type::f16x2) return machine::lanewise<ToHalves<f16>, W, float, float>;
  if (c.to == Type::bf16x2) return machine::lanewise<ToHalves<bf16>, W, float, float>;
  return nullptr;
}

}  // namespace warpcheck::isa
