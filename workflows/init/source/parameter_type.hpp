// The type of a kernel's parameter, as far as a contract depends on it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/scalar_type.hpp"

namespace warpcheck::workflows::init {

struct ParameterType {
  enum class Kind { buffer, floating, integer, other };
  Kind kind = Kind::other;
  bool constant = false;              // the kernel does not write the buffer
  std::optional<ScalarType> element;  // element type of a buffer; empty: void, a struct or unknown
  std::string text;
};

/// Reads a type as C++ or a demangled name writes it: "const half* __restrict__", "__half const*".
[[nodiscard]] ParameterType parameter_type(std::string_view text);

/// The parameter types in a demangled name: "void f<8>(float const*, int)".
[[nodiscard]] std::vector<std::string> parameters_of(std::string_view demangled);

}  // namespace warpcheck::workflows::init
