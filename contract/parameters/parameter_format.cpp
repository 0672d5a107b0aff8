#include "contract/parameters/parameter_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <vector>

#include "contract/parameters/parameter_types.hpp"

namespace warpcheck::contract {
namespace {

using Kind = ParameterFormat::Kind;

/// An integer type of C++ on Linux, where `char` is signed and `long` has 64 bits.
struct IntegerType {
  std::string_view name;
  std::size_t bytes;
  bool is_signed;
};

constexpr std::array<IntegerType, 11> kIntegers = {{{"int", 4, true},
                                                    {"unsigned int", 4, false},
                                                    {"long", 8, true},
                                                    {"unsigned long", 8, false},
                                                    {"long long", 8, true},
                                                    {"unsigned long long", 8, false},
                                                    {"short", 2, true},
                                                    {"unsigned short", 2, false},
                                                    {"char", 1, true},
                                                    {"signed char", 1, true},
                                                    {"unsigned char", 1, false}}};

/// Magnitudes from the first one on become infinite, and up to the second one 0.
struct FloatLimits {
  long double infinite;
  long double zero;
};

FloatLimits limits_of(ScalarType type) {
  switch (type) {
    case ScalarType::f16:
      return {65520.0L, 0x1p-25L};
    case ScalarType::bf16:
      return {0x1.FFp127L, 0x1p-134L};
    case ScalarType::f64:
      return {0x1.FFFFFFFFFFFFF8p1023L, 0x1p-1075L};
    case ScalarType::e4m3:
      return {464.0L, 0x1p-10L};
    case ScalarType::e5m2:
      return {61440.0L, 0x1p-17L};
    default:
      return {0x1.FFFFFFp127L, 0x1p-150L};
  }
}

void set_integer(ParameterFormat& format, bool may_be_signed, bool may_be_unsigned) {
  const int bits = 8 * static_cast<int>(format.bytes);
  format.kind = Kind::integer;
  format.lowest = may_be_signed ? -std::ldexp(1.0L, bits - 1) : 0.0L;
  format.highest = std::ldexp(1.0L, may_be_unsigned ? bits : bits - 1) - 1.0L;
}

/// Sets what a type of C++ shows. An enumeration is an integer, as PTX declares it.
void set_from_type(ParameterFormat& format, std::string_view type, bool is_declared_integer) {
  format.name = type;
  if (type.ends_with('*') || type.ends_with('&')) {
    format.kind = Kind::address;
  } else if (const auto found = floating_type(type)) {
    format.kind = Kind::floating;
    format.type = *found;
  } else if (type == "bool") {
    format.kind = Kind::integer;
    format.highest = 1.0L;
  } else if (const auto* const integer =
                 std::find_if(kIntegers.begin(), kIntegers.end(),
                              [&](const IntegerType& one) { return one.name == type; });
             integer != kIntegers.end() && integer->bytes == format.bytes) {
    set_integer(format, integer->is_signed, !integer->is_signed);
  } else if (is_declared_integer) {
    set_integer(format, true, true);
  } else {
    format.kind = Kind::structure;
  }
}

bool holds_integer(const ParameterFormat& format, long double value) {
  return value == std::trunc(value) && value >= format.lowest && value <= format.highest;
}

bool holds_float(const ParameterFormat& format, long double value) {
  const FloatLimits limits = limits_of(format.type);
  const long double magnitude = std::abs(value);
  return !std::isfinite(value) || (magnitude < limits.infinite && magnitude > limits.zero);
}

void set_from_ptx(ParameterFormat& format, const ptx::EntryParameter& declared, bool is_number) {
  format.name =
      fmt::format("{} bytes of PTX{}", declared.bytes, declared.untyped ? " without a type" : "");
  if (declared.floating) {
    format.kind = Kind::floating;
    format.type = declared.bytes == 2   ? ScalarType::f16
                  : declared.bytes == 8 ? ScalarType::f64
                                        : ScalarType::f32;
  } else if (is_number) {
    set_integer(format, true, true);
  }
}

}  // namespace

std::vector<ParameterFormat> parameter_formats(const ptx::EntryPoint& entry) {
  const std::vector<std::string> types =
      parameter_types(entry.signature.empty() ? entry.name : entry.signature);
  const bool has_types = types.size() == entry.parameters.size();
  std::vector<ParameterFormat> formats;
  for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
    const ptx::EntryParameter& declared = entry.parameters[i];
    const bool is_number = !declared.untyped && declared.bytes <= sizeof(std::uint64_t);
    ParameterFormat& format = formats.emplace_back();
    format.bytes = declared.bytes;
    if (has_types) {
      set_from_type(format, types[i], is_number && !declared.floating);
    } else {
      set_from_ptx(format, declared, is_number);
    }
  }
  return formats;
}

long double literal_value(std::string_view literal) {
  long double value = 0.0L;
  std::from_chars(literal.data(), literal.data() + literal.size(), value);
  return value;
}

std::string misfit(std::string_view literal, const ParameterFormat& format) {
  const long double value = literal_value(literal);
  if (value == 0.0L) return {};
  switch (format.kind) {
    case Kind::integer:
      if (holds_integer(format, value)) return {};
      return fmt::format("expected an integer from {:.0f} to {:.0f}", format.lowest,
                         format.highest);
    case Kind::floating:
      if (holds_float(format, value)) return {};
      return fmt::format("expected a value of {}", warpcheck::name(format.type));
    case Kind::address:
      return "expected 0, or a word of a buffer";
    case Kind::structure:
      return "expected a type of one number, or 0";
    case Kind::unknown:
      break;
  }
  return "expected a parameter that C++ or PTX shows to be an integer or a float, or 0";
}

}  // namespace warpcheck::contract
