// What sort of work a PTX instruction is, as its text says.
#pragma once

#include "device/counters.hpp"
#include "ptx/module.hpp"

namespace warpcheck::counters {

[[nodiscard]] device::InstructionKind kind_of(const ptx::Instruction& instruction);

/// Floating-point operations of one thread that executes it: additions and multiplications, as
/// Nsight Compute's roofline counts them; 2 for a fused multiply-add, twice that on packed halves.
[[nodiscard]] unsigned operations_of(const ptx::Instruction& instruction);

}  // namespace warpcheck::counters
