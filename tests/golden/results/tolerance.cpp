#include "tests/golden/results/tolerance.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace warpcheck::golden {
namespace {

/// The largest error, relative or absolute.
struct Bound {
  std::string_view mnemonic;  // prefix of the name of the form
  double relative;
  double absolute;
};

/// The bounds of PTX ISA 8.5 at each instruction, ulps as relative errors of a power of two. The
/// first matching row applies. The manual has no bounds for f64 forms: here the last of the 20 bits
/// of .ftz may differ, and rsqrt.approx.f64 must be equal.
const std::array kBounds = {
    Bound{"rcp.approx.ftz.f64", 0x1p-20, 0},
    Bound{"rsqrt.approx.ftz.f64", 0x1p-20, 0},
    Bound{"rsqrt.approx.f64", 0, 0},
    Bound{"rcp.approx", 0x1p-23, 0},        // 1 ulp
    Bound{"rsqrt.approx", 0x1.125p-23, 0},  // 2^-22.9
    Bound{"sqrt.approx", 0x1p-23, 0},
    Bound{"div.", 0x1p-22, 0},            // 2 ulp
    Bound{"lg2.approx", 0x1p-22, 0},      // absolute in (0.5, 2)
    Bound{"ex2.approx.f32", 0x1p-22, 0},  // 2 ulp
    Bound{"ex2.approx.ftz.f32", 0x1p-22, 0},
    Bound{"ex2.approx.f16", 0x1.125p-10, 0},  // 2^-9.9
    Bound{"ex2.approx.ftz.bf16", 0x1p-7, 0},
    Bound{"tanh.approx.f32", 0x1p-11, 0},
    Bound{"tanh.approx.f16", 0, 0x1.025p-11},  // 2^-10.987
    Bound{"tanh.approx.bf16", 0, 0x1p-8},
    Bound{"sin.approx", 0, 0x1.6ap-21},  // 2^-20.5 within 2 pi
    Bound{"cos.approx", 0, 0x1.6ap-21},
};

Bound bound_of(const Form& form, double input) {
  for (Bound bound : kBounds) {
    if (!form.name.starts_with(bound.mnemonic)) continue;
    if (form.name.starts_with("lg2.") && input > 0.5 && input < 2) {
      std::swap(bound.relative, bound.absolute);
    }
    if (form.name.starts_with("sin.") || form.name.starts_with("cos.")) {
      if (std::fabs(input) > 2 * std::numbers::pi) bound.absolute = 0x1.3bp-15;  // 2^-14.7
      if (std::fabs(input) > 100 * std::numbers::pi) bound.absolute = 2;         // none
    }
    return bound;
  }
  throw std::logic_error("no error bound for " + form.name);
}

double half_value(std::uint64_t bits, int exponent_bits, int fraction_bits) {
  const auto fraction = static_cast<double>(bits & ((1U << fraction_bits) - 1));
  const int top = (1 << exponent_bits) - 1;
  const int exponent = static_cast<int>(bits >> fraction_bits) & top;
  const double sign = (bits >> (exponent_bits + fraction_bits) & 1) != 0 ? -1.0 : 1.0;
  const int bias = top >> 1;
  if (exponent == top) return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
  return sign * std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
}

double value(Type type, std::uint64_t bits) {
  switch (type) {
    case Type::f64:
      return std::bit_cast<double>(bits);
    case Type::f32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case Type::f16:
      return half_value(bits & 0xFFFF, 5, 10);
    case Type::bf16:
      return half_value(bits & 0xFFFF, 8, 7);
    default:
      throw std::logic_error("no approximate instruction has this type");
  }
}

/// The distance of the smallest value from zero.
double least(Type type) {
  switch (type) {
    case Type::f64:
      return 0x1p-1074;
    case Type::f32:
      return 0x1p-149;
    case Type::f16:
      return 0x1p-24;
    default:
      return 0x1p-133;
  }
}

bool agrees(const Form& form, Type type, double input, std::uint64_t recorded,
            std::uint64_t found) {
  const double expected = value(type, recorded);
  const double actual = value(type, found);
  if (std::isnan(expected) || std::isnan(actual)) return std::isnan(expected) == std::isnan(actual);
  if (std::isinf(expected) || std::isinf(actual)) return expected == actual;
  const Bound bound = bound_of(form, input);
  return std::fabs(actual - expected) <=
         bound.relative * std::fabs(expected) + bound.absolute + least(type);
}

}  // namespace

bool agrees(const Form& form, const std::vector<std::uint64_t>& inputs, std::uint64_t recorded,
            std::uint64_t found) {
  const Type type = form.outputs.front();
  if (type == Type::f16x2 || type == Type::bf16x2) {
    const Type half = type == Type::f16x2 ? Type::f16 : Type::bf16;
    return agrees(form, half, 0.0, recorded & 0xFFFF, found & 0xFFFF) &&
           agrees(form, half, 0.0, recorded >> 16, found >> 16);
  }
  return agrees(form, type, value(type, inputs.front()), recorded, found);
}

}  // namespace warpcheck::golden
