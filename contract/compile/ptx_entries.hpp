// The kernels of a PTX text, as far as a contract needs to know them: names and parameters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "contract/compile/variant.hpp"

namespace warpcheck::contract {

/// Every `.entry` in the order of the text (PTX ISA, "Kernel and Function Directives: .entry").
[[nodiscard]] std::vector<Entry> entries_of(std::string_view ptx);

/// As C++ writes it: "void ns::sgemm<128>(float const*, int)". A name that is not mangled stays.
[[nodiscard]] std::string demangle(const std::string& name);

}  // namespace warpcheck::contract
