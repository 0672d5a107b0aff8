// The two ways after a conditional branch, up to the instruction where they meet.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ptx/module.hpp"

namespace warpcheck::ptx::analysis {

/// The instructions of both ways. Empty if the ways have conditional branches before they meet, or
/// are long.
[[nodiscard]] std::optional<std::vector<std::size_t>> sides_of_branch(const Function& function,
                                                                      std::size_t branch);

}  // namespace warpcheck::ptx::analysis
