// Decodes a PTX module to a program.
#pragma once

#include <memory>

#include "device/virtual/machine/core/program.hpp"
#include "ptx/module.hpp"

namespace warpcheck::isa {

/// Decodes every function of a module. An instruction that no row of the table accepts, or that has
/// wrong operands, becomes an op that ends the launch with an illegal-instruction finding when it
/// is executed; code that never runs is no finding.
[[nodiscard]] std::shared_ptr<const machine::Program> decode(ptx::Module module);

/// True if executing the op is an illegal-instruction finding; its detail has the reason.
[[nodiscard]] bool is_illegal(const machine::Op& op);

}  // namespace warpcheck::isa
