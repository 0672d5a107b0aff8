// Copies of whole objects. nvcc compiles `*to = *from` to loads and stores of words, which copy the
// padding between and behind the members, too.
#pragma once

#include <cstddef>
#include <optional>

#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::machine {

/// True for a store of one of several consecutive words of one object, at one place of the source,
/// whose element `value` was loaded, and not computed.
[[nodiscard]] bool is_object_copy(const Program& program, const FunctionCode& code, const Op& store,
                                  std::size_t value);

/// The number of bytes that another store of the object writes just before the bytes of `store`; 0:
/// it is the first.
[[nodiscard]] std::size_t bytes_ahead(const Program& program, const FunctionCode& code,
                                      const Op& store);

}  // namespace warpcheck::machine
