// The resources of a multiprocessor that a kernel uses, which the assembler determines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "contract/compile/variant.hpp"

namespace warpcheck::contract {

struct Resources {
  unsigned registers = 0;        // registers per thread
  std::size_t shared_bytes = 0;  // static shared memory per block
  std::size_t spill_bytes = 0;   // local memory per thread: stores of spilled registers
};

/// Reads the part of the output of `ptxas -v` for an entry (its mangled name); empty if there is
/// none.
[[nodiscard]] std::optional<Resources> read_resources(std::string_view output,
                                                      std::string_view entry);

/// The output of `ptxas -v`, from the folder of nvcc, for a PTX text and an architecture such as
/// "sm_80". Throws EnvironmentError if there is no ptxas or if it rejects the PTX.
[[nodiscard]] std::string assemble(const Compiled& compiled, const std::string& architecture);

}  // namespace warpcheck::contract
