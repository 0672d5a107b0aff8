// Decodes a PTX module to a program.
#pragma once

#include <cstdint>
#include <memory>

#include "device/virtual/machine/core/program.hpp"
#include "ptx/module.hpp"

namespace warpcheck::isa {

/// Decodes every function of a module. An instruction that no row of the table accepts, or that has
/// wrong operands, becomes an op that ends the launch as unsupported when it is executed; code that
/// never runs blocks no kernel. The variables of the module are the global allocations from number
/// `first_slot` on.
[[nodiscard]] std::shared_ptr<const machine::Program> decode(ptx::Module module,
                                                             std::uint64_t first_slot = 0);

/// True if the machine cannot execute the op; its detail has form, reason and section.
[[nodiscard]] bool is_unsupported(const machine::Op& op);

}  // namespace warpcheck::isa
