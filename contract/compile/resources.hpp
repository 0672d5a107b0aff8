// What a kernel takes of a GPU's multiprocessor, as the assembler settles it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "contract/compile/variant.hpp"

namespace warpcheck::contract {

struct Resources {
  unsigned registers = 0;        // per thread
  std::size_t shared_bytes = 0;  // per block, static
  std::size_t spill_bytes = 0;   // per thread, stored to local memory for want of registers
};

/// Reads the part of `ptxas -v`'s output that speaks of an entry (its mangled name); empty where
/// there is none.
[[nodiscard]] std::optional<Resources> read_resources(std::string_view output,
                                                      std::string_view entry);

/// What `ptxas -v` says of all kernels of a PTX text, assembled for an architecture such as "sm_80"
/// by the ptxas that lies beside nvcc. Throws EnvironmentError where there is none or it refuses
/// the PTX.
[[nodiscard]] std::string assemble(const Compiled& compiled, const std::string& architecture);

}  // namespace warpcheck::contract
