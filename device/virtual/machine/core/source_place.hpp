// The place of an instruction in the source.
#pragma once

#include <cstdint>
#include <string>

#include "device/finding.hpp"
#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::machine {

/// The `.cu` line and PTX text of an op of a function.
[[nodiscard]] SourcePlace source_place(const Program& program, const FunctionCode& function,
                                       const Op& op);

/// The place of the op with this number in the program.
[[nodiscard]] SourcePlace source_place(const Program& program, std::uint32_t op);

}  // namespace warpcheck::machine
