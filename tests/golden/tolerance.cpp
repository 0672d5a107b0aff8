#include "tests/golden/tolerance.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace warpcheck::golden {
namespace {

struct Bound {
  std::string_view mnemonic;  // what the form's name begins with
  double relative;
  double absolute;
};

/// PTX ISA 8.5, at each instruction. The first row that fits counts.
const std::array kBounds = {
    Bound{"rcp.approx.ftz.f64", 0x1p-20, 0},
    Bound{"rsqrt.approx.ftz.f64", 0x1p-20, 0},
    Bound{"rsqrt.approx.f64", 0x1p-20, 0},
    Bound{"rcp.approx", 0x1p-23, 0},
    Bound{"rsqrt.approx", 0x1.13p-23, 0},  // 2^-22.9
    Bound{"sqrt.approx", 0x1p-23, 0},
    Bound{"div.", 0x1p-22, 0},  // 2 ulp
    Bound{"lg2.approx", 0x1p-22, 0x1p-22},
    Bound{"ex2.approx.f32", 0x1p-22, 0},
    Bound{"ex2.approx.ftz.f32", 0x1p-22, 0},
    Bound{"ex2.approx.f16", 0x1.13p-10, 0},  // 2^-9.9
    Bound{"ex2.approx.ftz.bf16", 0x1p-7, 0},
    Bound{"tanh.approx.f32", 0x1p-11, 0},
    Bound{"tanh.approx.f16", 0, 0x1.03p-11},  // 2^-10.987
    Bound{"tanh.approx.bf16", 0, 0x1p-8},
    Bound{"sin.approx", 0, 0x1.6bp-21},  // 2^-20.5 within pi
    Bound{"cos.approx", 0, 0x1.6bp-21},
};

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

/// Half the distance between the values around zero: nothing can come closer than that.
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
  for (const Bound& bound : kBounds) {
    if (!form.name.starts_with(bound.mnemonic)) continue;
    double absolute = bound.absolute;
    const bool periodic = form.name.starts_with("sin.") || form.name.starts_with("cos.");
    if (periodic && std::fabs(input) > 100 * std::numbers::pi) return true;
    if (periodic && std::fabs(input) > std::numbers::pi) absolute = 0x1.3bp-15;  // 2^-14.7
    return std::fabs(actual - expected) <=
           2 * (bound.relative * std::fabs(expected) + absolute + least(type));
  }
  throw std::logic_error("no error bound for " + form.name);
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
