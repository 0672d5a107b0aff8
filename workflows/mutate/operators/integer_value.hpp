// What an integer instruction makes of operands whose values are known.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ptx/module.hpp"

namespace warpcheck::workflows::mutate::operators {

/// The bits of a register; a predicate is 0 or 1. Empty: not known.
using Value = std::optional<std::uint64_t>;

/// `sources` are the values of the operands behind the destination. Empty where one that counts is
/// not known, or the instruction is none of the few that are worked out.
[[nodiscard]] Value integer_value(const ptx::Instruction& instruction,
                                  const std::vector<Value>& sources);

}  // namespace warpcheck::workflows::mutate::operators
