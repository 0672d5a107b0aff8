// The kind of a PTX instruction and other facts about it, from its mnemonic, modifiers and types.
#pragma once

#include "device/instruction_facts.hpp"
#include "ptx/module.hpp"

namespace warpcheck::machine {

[[nodiscard]] device::InstructionKind kind_of(const ptx::Instruction& instruction);

/// The floating-point operations of one thread that executes the instruction: additions and
/// multiplications, as in the roofline of Nsight Compute. A fused multiply-add counts as 2, on
/// packed halves as 4.
[[nodiscard]] unsigned operations_of(const ptx::Instruction& instruction);

[[nodiscard]] device::InstructionFacts facts_of(const ptx::Module& module,
                                                const ptx::Instruction& instruction);

}  // namespace warpcheck::machine
