// Module to program.
#pragma once

#include <memory>

#include "device/virtual/machine/core/program.hpp"
#include "ptx/module.hpp"

namespace warpcheck::isa {

/// Decodes every function of a module. An instruction that no row of the table accepts, or whose
/// operands do not fit, decodes to one that ends the launch with an illegal-instruction finding if
/// it is ever executed: code that never runs harms nobody.
[[nodiscard]] std::shared_ptr<const machine::Program> decode(ptx::Module module);

/// Whether executing the op is an illegal-instruction finding; its detail says why.
[[nodiscard]] bool is_illegal(const machine::Op& op);

}  // namespace warpcheck::isa
