// The result of an integer instruction whose operand values are known.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ptx/module.hpp"

namespace warpcheck::ptx::analysis {

/// The bits of a register; a predicate is 0 or 1. Empty: not known.
using Value = std::optional<std::uint64_t>;

/// `sources` are the values of the operands after the destination. The result is empty if it
/// depends on an unknown operand, or if the instruction is not supported.
[[nodiscard]] Value integer_value(const Instruction& instruction,
                                  const std::vector<Value>& sources);

}  // namespace warpcheck::ptx::analysis
