// Cases with element offsets that overflow a 32-bit integer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/case/operand.hpp"
#include "campaign/generate/sampling/solver.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

/// Returns the matrices with a leading dimension or a batch stride that the kernel takes as an
/// argument: A, B, and C or D.
[[nodiscard]] std::vector<Operand> int32_overflow_operands(const contract::Contract& contract);

/// Returns a case with a few short lines of one matrix, or if the kernel takes its batch stride a
/// few matrices. The last one ends 2^31 elements or more after the start of the first, and the
/// stride itself is below 2^31. Empty if the domain does not allow it, if the matrix takes more
/// bytes than a packed buffer may, or if the grid or a workspace grows with the stride.
[[nodiscard]] std::optional<Case> int32_overflow_strides(const contract::Contract& contract,
                                                         const Solver& solver, Operand matrix,
                                                         std::uint64_t seed);

}  // namespace warpcheck::campaign::generate
