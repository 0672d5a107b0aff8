// The kernel around one instruction form.
#pragma once

#include <span>
#include <string>

#include "tests/golden/forms/form.hpp"

namespace warpcheck::golden {

/// Threads of a block; the total number of threads is a multiple of it.
inline constexpr unsigned kBlock = 128;
/// The distance between two operands of a thread, in both buffers.
inline constexpr std::size_t kSlotBytes = 8;
inline constexpr const char* kPtxVersion = "8.5";
inline constexpr const char* kPtxTarget = "sm_90";

/// A module with the entry "f(in, out)": thread i loads the operands at in + 8 (i inputs + j),
/// executes the body of the form, and stores the results at out + 8 (i outputs + j). Besides %a and
/// %d the body has predicates %p0 to %p3, 32-bit %t0 to %t3, and 8 bytes per thread at %cell (in
/// global memory, the slot of its last result) and %shared_cell.
[[nodiscard]] std::string module_of(const Form& form);

/// All forms in one module with entries f0, f1 ..., to check them with an assembler.
[[nodiscard]] std::string module_of(std::span<const Form> forms);

}  // namespace warpcheck::golden
