// The kind of a PTX instruction, from its mnemonic and types.
#pragma once

#include "device/counters.hpp"
#include "ptx/module.hpp"

namespace warpcheck::counters {

[[nodiscard]] device::InstructionKind kind_of(const ptx::Instruction& instruction);

/// The floating-point operations of one thread that executes the instruction: additions and
/// multiplications, as in the roofline of Nsight Compute. A fused multiply-add counts as 2, on
/// packed halves as 4.
[[nodiscard]] unsigned operations_of(const ptx::Instruction& instruction);

}  // namespace warpcheck::counters
