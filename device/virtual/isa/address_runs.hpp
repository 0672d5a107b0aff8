// Finds accesses to memory whose address register an earlier access has resolved.
#pragma once

#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::isa {

/// The handler of a load that repeats an address; `load` if there is no such handler.
[[nodiscard]] machine::Handler repeated_load(machine::Handler load);

/// Sets Op::known_address and Op::repeats_address. The leaders must be known.
void number_addresses(machine::FunctionCode& code);

}  // namespace warpcheck::isa
