// The C++ types of a kernel's parameters, as its mangled name contains them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/scalar_type.hpp"

namespace warpcheck::contract {

/// Returns the types of the parameters, "float const*", "int", without qualifiers at their end;
/// empty for a name without types, as that of an extern "C" function.
[[nodiscard]] std::vector<std::string> parameter_types(const std::string& name);

/// Returns the format of a floating-point type of C++, also of one of PyTorch or CUTLASS; empty for
/// any other type.
[[nodiscard]] std::optional<ScalarType> floating_type(std::string_view type);

/// Returns the type of the elements that a pointer addresses: f16 for "__half const*" and for
/// "__half2*". Empty for types that are also used for the bits of other types (void, integers
/// except int, structures), and for what is not a pointer.
[[nodiscard]] std::optional<ScalarType> element_type(std::string_view parameter);

}  // namespace warpcheck::contract
