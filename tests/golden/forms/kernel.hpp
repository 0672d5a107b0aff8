// The kernel around one instruction form.
#pragma once

#include <span>
#include <string>

#include "tests/golden/forms/form.hpp"

namespace warpcheck::golden {

/// Threads of a block; the number of threads in all is a multiple of it.
inline constexpr unsigned kBlock = 128;
/// Distance from one operand of a thread to the next, in both buffers.
inline constexpr std::size_t kSlotBytes = 8;
inline constexpr const char* kPtxVersion = "8.5";
inline constexpr const char* kPtxTarget = "sm_90";

/// A module whose entry "f(in, out)" gives thread i the operands at in + 8 (i inputs + j), executes
/// the form's body, and stores the results at out + 8 (i outputs + j). Besides %a and %d the body
/// has predicates %p0 to %p3, 32-bit %t0 to %t3, and 8 bytes of the thread's own at %cell (global,
/// its last result's slot) and %shared_cell.
[[nodiscard]] std::string module_of(const Form& form);

/// All forms in one module, entries f0, f1 ..., for an assembler to look at.
[[nodiscard]] std::string module_of(std::span<const Form> forms);

}  // namespace warpcheck::golden
