// Computes floating-point arithmetic, comparison and conversion as defined in
// sections 9.7.3, 9.7.4, 9.7.6 and 9.7.9.21 of the PTX ISA; MPFR rounds.
#include <algorithm>
#include <array>
#include <cmath>

#include "fuzz/numbers.hpp"
#include "fuzz/oracle.hpp"
#include "tests/device/virtual/semantics/exact.hpp"

namespace warpcheck::fuzz {
namespace {

using semantics::Rounding;
using semantics::testing::exactly;
using semantics::testing::Operation;
using Bits = std::optional<std::uint64_t>;

constexpr std::array<std::string_view, 14> kModifiers{"rn",   "rz",  "rm",  "rp",     "rni",
                                                      "rzi",  "rmi", "rpi", "ftz",    "sat",
                                                      "relu", "NaN", "abs", "xorsign"};

bool only_known_modifiers(const Spelling& spelling, std::size_t types) {
  return std::all_of(spelling.parts.begin() + 1, spelling.parts.end() - static_cast<int>(types),
                     [](const std::string& part) {
                       return std::find(kModifiers.begin(), kModifiers.end(), part) !=
                              kModifiers.end();
                     });
}

Rounding rounding_of(const Spelling& spelling) {
  if (spelling.has("rz")) return Rounding::rz;
  if (spelling.has("rm")) return Rounding::rm;
  return spelling.has("rp") ? Rounding::rp : Rounding::rn;
}

/// Applies .ftz, .sat and .relu to a result. The bits of a NaN result are undefined.
struct Finish {
  FloatFormat format;
  bool flush = false;
  bool saturate = false;
  bool relu = false;

  [[nodiscard]] Bits operator()(double value) const {
    if (saturate) {
      if (std::isnan(value) || std::signbit(value)) return format.write(0.0);
      value = std::min(value, 1.0);
    }
    if (std::isnan(value)) return std::nullopt;
    if (flush) value = format.flushed(value);
    if (relu && std::signbit(value)) value = 0.0;
    return format.write(value);
  }
};

struct Arithmetic {
  std::string_view mnemonic;
  Operation operation;
};
constexpr std::array kArithmetic{
    Arithmetic{"add", Operation::add}, Arithmetic{"sub", Operation::sub},
    Arithmetic{"mul", Operation::mul}, Arithmetic{"fma", Operation::fma},
    Arithmetic{"mad", Operation::fma}, Arithmetic{"div", Operation::div},
    Arithmetic{"rcp", Operation::div}, Arithmetic{"sqrt", Operation::sqrt}};

/// Computes min or max: -0 is below +0; of a NaN and a number it is the number, except with .NaN.
double extremum(bool maximum, bool nan, double a, double b) {
  if (nan && (std::isnan(a) || std::isnan(b))) return std::nan("");
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) == maximum ? b : a;
  return (a > b) == maximum ? a : b;
}

/// Rounds to an integer as defined by .rni, .rzi, .rmi and .rpi.
double integral(const Spelling& spelling, double value) {
  if (spelling.has("rzi")) return std::trunc(value);
  if (spelling.has("rmi")) return std::floor(value);
  if (spelling.has("rpi")) return std::ceil(value);
  if (!spelling.has("rni")) return value;
  const double down = std::floor(value);
  const double over = value - down;  // exact: below 2^53 both are multiples of value's last bit
  const bool up = over > 0.5 || (over == 0.5 && std::fmod(down, 2.0) != 0.0);
  return std::copysign(up ? down + 1.0 : down, value);
}

Oracle to_integer(const Spelling& spelling, const IntegerFormat& to, const FloatFormat& from) {
  const bool flush = spelling.has("ftz");
  return [=](std::span<const std::uint64_t> in) -> Bits {
    double value = from.read(in[0]);
    if (std::isnan(value)) return std::nullopt;
    value = integral(spelling, flush ? from.flushed(value) : value);
    if (value >= 0x1p64) return to.write(to.most());
    if (value <= -0x1p64) return to.write(to.least());
    return to.write(to.clamped(static_cast<Int>(value)));
  };
}

Oracle from_integer(const Finish& finish, Rounding rounding, const IntegerFormat& from) {
  return [=](std::span<const std::uint64_t> in) -> Bits {
    const Int number = from.read(in[0]);
    const auto magnitude = static_cast<std::uint64_t>(number < 0 ? -number : number);
    return finish(exactly(magnitude, number < 0, rounding, finish.format.exponent_bits,
                          finish.format.fraction_bits));
  };
}

}  // namespace

Oracle float_oracle(const Spelling& spelling) {
  const auto format = float_format(spelling.from_last(0));
  if (!format || spelling.immediate || !only_known_modifiers(spelling, 1)) return nullptr;
  const std::string& mnemonic = spelling.mnemonic();
  const FloatFormat type = *format;
  const bool flush = spelling.has("ftz");
  const Finish finish{type, flush, spelling.has("sat"), spelling.has("relu")};
  const auto operand = [=](std::uint64_t bits) {
    const double value = type.read(bits);
    return flush ? type.flushed(value) : value;
  };
  if (mnemonic == "copysign") {
    return [=](std::span<const std::uint64_t> in) -> Bits {
      return (in[0] & type.sign()) | (in[1] & ~type.sign());
    };
  }
  if (mnemonic == "abs" || mnemonic == "neg") {
    return [=](std::span<const std::uint64_t> in) -> Bits {
      const double value = operand(in[0]);
      return finish(mnemonic == "abs" ? std::fabs(value) : -value);
    };
  }
  if (mnemonic == "min" || mnemonic == "max") {
    const bool by_sign = spelling.has("xorsign");
    return [=, nan = spelling.has("NaN")](std::span<const std::uint64_t> in) -> Bits {
      double a = operand(in[0]);
      double b = operand(in[1]);
      if (!by_sign) return finish(extremum(mnemonic == "max", nan, a, b));
      if (std::isnan(a) || std::isnan(b)) return std::nullopt;
      const double sign = std::signbit(a) != std::signbit(b) ? -1.0 : 1.0;
      const double chosen = extremum(mnemonic == "max", nan, std::fabs(a), std::fabs(b));
      return finish(std::copysign(chosen, sign));
    };
  }
  const auto row =
      std::find_if(kArithmetic.begin(), kArithmetic.end(),
                   [&](const Arithmetic& entry) { return entry.mnemonic == mnemonic; });
  if (row == kArithmetic.end()) return nullptr;
  return [=, operation = row->operation,
          rounding = rounding_of(spelling)](std::span<const std::uint64_t> in) -> Bits {
    std::array<double, 3> x{};
    for (std::size_t i = 0; i < in.size(); ++i) x[i] = operand(in[i]);
    if (mnemonic == "rcp") x = {1.0, x[0], 0.0};
    return finish(
        exactly(operation, rounding, type.exponent_bits, type.fraction_bits, x[0], x[1], x[2]));
  };
}

Oracle convert_oracle(const Spelling& spelling) {
  if (spelling.mnemonic() != "cvt" || spelling.parts.size() < 3) return nullptr;
  if (!only_known_modifiers(spelling, 2)) return nullptr;
  const auto to_int = integer_format(spelling.from_last(1));
  const auto from_int = integer_format(spelling.from_last(0));
  const auto to_float = float_format(spelling.from_last(1));
  const auto from_float = float_format(spelling.from_last(0));
  if (to_int && from_int) {
    return [=, to = *to_int, from = *from_int,
            saturates = spelling.has("sat")](std::span<const std::uint64_t> in) -> Bits {
      const Int value = from.read(in[0]);
      return to.write(saturates ? to.clamped(value) : value);
    };
  }
  if (to_int && from_float) return to_integer(spelling, *to_int, *from_float);
  if (!to_float) return nullptr;
  // .ftz applies to f32 only, on either side; on an H200 it does not flush the source of an f16
  // result.
  const bool flush = spelling.has("ftz");
  const Finish finish{*to_float, flush && spelling.from_last(1) == "f32", spelling.has("sat"),
                      spelling.has("relu")};
  if (from_int) return from_integer(finish, rounding_of(spelling), *from_int);
  if (!from_float) return nullptr;
  return [=, from = *from_float, rounding = rounding_of(spelling),
          flush_source = flush && spelling.from_last(0) == "f32" && spelling.from_last(1) != "f16"](
             std::span<const std::uint64_t> in) -> Bits {
    double value = from.read(in[0]);
    if (flush_source) value = from.flushed(value);
    return finish(exactly(Operation::assign, rounding, finish.format.exponent_bits,
                          finish.format.fraction_bits, integral(spelling, value)));
  };
}

Oracle compare_oracle(const Spelling& spelling) {
  const auto holds = [comparison = spelling.parts.at(1)](auto a, auto b, bool unordered) {
    std::string name = comparison;
    if (name == "num") return !unordered;
    if (name == "nan") return unordered;
    if (unordered) return name.size() == 3;  // equ, neu, ltu, leu, gtu, geu
    name.resize(2);
    if (name == "eq") return a == b;
    if (name == "ne") return a != b;
    if (name == "lt" || name == "lo") return a < b;
    if (name == "le" || name == "ls") return a <= b;
    if (name == "gt" || name == "hi") return a > b;
    return a >= b;
  };
  const auto integer = integer_format(spelling.from_last(0));
  if (integer && spelling.parts.size() == 3) {
    return [=, type = *integer](std::span<const std::uint64_t> in) -> Bits {
      return holds(type.read(in[0]), type.read(in[1]), false) ? 1 : 0;
    };
  }
  const auto format = float_format(spelling.from_last(0));
  const bool flush = spelling.has("ftz");
  if (!format || spelling.parts.size() != (flush ? 4U : 3U)) return nullptr;
  return [=, type = *format](std::span<const std::uint64_t> in) -> Bits {
    std::array<double, 2> x{type.read(in[0]), type.read(in[1])};
    if (flush) x = {type.flushed(x[0]), type.flushed(x[1])};
    return holds(x[0], x[1], std::isnan(x[0]) || std::isnan(x[1])) ? 1 : 0;
  };
}

}  // namespace warpcheck::fuzz
