// Peak rates of arithmetic.
#pragma once

#include "contract/contract.hpp"

namespace warpcheck::workflows::bench {

/// Operations (a multiply-add is two) of one multiprocessor in one clock cycle, for the types of
/// the contract, on tensor cores if it states them: NVIDIA H100 and A100 Tensor Core GPU
/// Architecture (white papers). 0 for other architectures. `compute_capability`: 90 for 9.0.
[[nodiscard]] double operations_per_clock(const contract::Contract& contract,
                                          int compute_capability);

}  // namespace warpcheck::workflows::bench
