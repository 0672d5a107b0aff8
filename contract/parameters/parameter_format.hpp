// The formats in which kernels take numbers as parameters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/scalar_type.hpp"
#include "ptx/scan.hpp"

namespace warpcheck::contract {

/// The C++ type of a parameter decides, if it is known; otherwise its type in PTX.
struct ParameterFormat {
  enum class Kind {
    integer,
    floating,
    address,
    structure,  // any other type of C++
    unknown,    // bits: neither C++ nor PTX shows whether they are an integer or a float
  };
  Kind kind = Kind::unknown;
  std::size_t bytes = 0;
  ScalarType type = ScalarType::f32;  // type of a floating-point number
  /// Limits of an integer. Without a C++ type, PTX does not show its sign: they are those of both.
  long double lowest = 0.0L;
  long double highest = 0.0L;
  std::string name;  // "float", "4 bytes of PTX without a type"
};

[[nodiscard]] std::vector<ParameterFormat> parameter_formats(const ptx::EntryPoint& entry);

/// The value of a literal: 2, 2.0 and 2e0 are the same number. Every integer of 64 bits is exact.
[[nodiscard]] long double literal_value(std::string_view literal);

/// The reason that the parameter cannot hold the literal; empty if it can. Zero is all bytes 0 in
/// every format.
[[nodiscard]] std::string misfit(std::string_view literal, const ParameterFormat& format);

}  // namespace warpcheck::contract
