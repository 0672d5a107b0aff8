// The number formats of kernels, with their names in contracts.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace warpcheck {

enum class ScalarType { f16, bf16, tf32, f32, f64, s8, u8, s32, s64, e4m3, e5m2 };

/// The name in a contract: "f32", "bf16" ...
[[nodiscard]] std::string_view name(ScalarType type);

/// The inverse of name(); empty if no format has this name.
[[nodiscard]] std::optional<ScalarType> scalar_type(std::string_view name);

/// Bytes of one element in memory (tf32 is stored as 4 bytes).
[[nodiscard]] std::size_t size_of(ScalarType type);

/// Unit roundoff of rounding to nearest: half the distance from 1 to the next value, 2^-24 for f32.
/// Zero for the integer formats, which do not round.
[[nodiscard]] double unit_roundoff(ScalarType type);

[[nodiscard]] inline bool is_integer(ScalarType type) { return unit_roundoff(type) == 0.0; }

}  // namespace warpcheck
