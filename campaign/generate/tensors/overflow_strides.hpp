// Cases of operations of the language with element offsets that overflow a 32-bit integer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

inline constexpr std::int64_t kBeyondInt32 = std::int64_t{1} << 31;
inline constexpr std::int64_t kBeyondUint32 = std::int64_t{1} << 32;

/// Returns the longest stride of each tensor that the kernel takes: "batch_stride_x", "stride_y".
[[nodiscard]] std::vector<std::string> overflow_fields(const contract::Contract& contract);

/// Returns the case with few elements along this stride, the last of which is `beyond` elements or
/// more from the first: 2^31 or 2^32. The stride itself is below 2^31. Empty if the domain does not
/// allow it, if the tensor would exceed the largest buffer, or if a grid or a workspace grows with
/// the stride.
[[nodiscard]] std::optional<Case> with_overflow_stride(const contract::Contract& contract,
                                                       Case small, const std::string& field,
                                                       std::int64_t beyond, std::uint64_t seed);

}  // namespace warpcheck::campaign::generate
