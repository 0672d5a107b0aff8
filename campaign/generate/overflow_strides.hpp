// Cases with element offsets that overflow a 32-bit integer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/generate/sampling/solver.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

inline constexpr std::int64_t kBeyondInt32 = std::int64_t{1} << 31;
inline constexpr std::int64_t kBeyondUint32 = std::int64_t{1} << 32;

/// An operand whose elements are to be far apart.
struct OverflowStride {
  std::size_t operand = 0;  // its number in the schema
  std::size_t stride = 0;   // the number of its stride
  std::int64_t beyond = 0;  // elements from the first one to the last one: 2^31 or 2^32
};

/// Returns the strides that may be the longest of an operand and that the kernel takes as an
/// argument, first with offsets beyond 2^31, then beyond 2^32.
[[nodiscard]] std::vector<OverflowStride> overflow_strides(const CaseSchema& schema);

/// Returns a case with a few short lines of one operand, or if the kernel takes its batch stride a
/// few matrices. The last one ends `beyond` elements or more after the start of the first, and the
/// stride itself is below 2^31. Empty if the domain does not allow it, if the operand takes more
/// bytes than a packed buffer may, or if the grid or a workspace grows with the stride.
[[nodiscard]] std::optional<Case> with_overflow_stride(const contract::Contract& contract,
                                                       const Solver& solver,
                                                       const OverflowStride& overflow,
                                                       std::uint64_t seed);

}  // namespace warpcheck::campaign::generate
