// Decodes a PTX module to a program.
#pragma once

#include <cstdint>
#include <memory>

#include "device/virtual/isa/layout.hpp"
#include "device/virtual/machine/core/program.hpp"
#include "ptx/module.hpp"

namespace warpcheck::isa {

/// Decodes every function of a module. An instruction that no row of the table accepts, or that has
/// wrong operands, becomes an op that ends the launch as unsupported when it is executed: code that
/// never runs does not prevent a launch. The variables of the module have the given places; by
/// default, they are the first global allocations.
[[nodiscard]] std::shared_ptr<const machine::Program> decode(ptx::Module module,
                                                             const GlobalPlaces& places = {});

/// True if the machine cannot execute the op. Its detail then has form, reason and section.
[[nodiscard]] bool is_unsupported(const machine::Op& op);

}  // namespace warpcheck::isa
