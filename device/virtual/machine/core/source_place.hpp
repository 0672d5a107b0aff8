// Where an instruction is in the source.
#pragma once

#include <cstdint>
#include <string>

#include "device/finding.hpp"
#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::machine {

/// The `.cu` line and PTX text of an op of a function.
[[nodiscard]] SourcePlace source_place(const Program& program, const FunctionCode& function,
                                       const Op& op);

/// The same by the number of the op in the program.
[[nodiscard]] SourcePlace source_place(const Program& program, std::uint32_t op);

/// "line 41"; the line of the PTX where that of the `.cu` is unknown.
[[nodiscard]] std::string line_of(const SourcePlace& place);

}  // namespace warpcheck::machine
