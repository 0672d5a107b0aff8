// The tensor maps of matrices.
#pragma once

#include <cstdint>
#include <span>

#include "campaign/run/problem.hpp"
#include "contract/contract.hpp"
#include "device/tensor_map.hpp"

namespace warpcheck::campaign::run {

/// The map of the operand's matrix, or of its batch of matrices, without an address.
[[nodiscard]] device::TensorMap tensor_map_of(const Problem& problem,
                                              const contract::TensorMapArgument& described,
                                              std::span<const std::uint32_t> box);

}  // namespace warpcheck::campaign::run
