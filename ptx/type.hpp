// The state spaces and fundamental types of PTX (PTX ISA, sections 5.1 and 5.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warpcheck::ptx {

/// PTX ISA 5.1. `generic` is not a separate space: a generic address is in the window of const,
/// global, local, shared or a kernel's param space.
enum class StateSpace : std::uint8_t {
  reg,
  sreg,
  const_,
  global,
  local,
  param,
  shared,
  generic,
};

enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f32,
  f64,
  bf16,
  tf32,
  e4m3,
  e5m2,
  u16x2,
  s16x2,
  f16x2,
  bf16x2,
  e4m3x2,
  e5m2x2,
  texref,
  samplerref,
  surfref,
  b1,
  u4,
  s4,
};

/// "const", "global" ... as PTX writes it after the dot.
[[nodiscard]] std::string_view name(StateSpace space);
[[nodiscard]] std::optional<StateSpace> state_space(std::string_view name);

/// "b32", "f16x2" ... as PTX writes it after the dot; "" for Type::none.
[[nodiscard]] std::string_view name(Type type);
/// The inverse of name(); empty if no type has this name.
[[nodiscard]] std::optional<Type> type(std::string_view name);

/// Bytes of one element in memory: 1 for pred, which is never in memory; 8 for the opaque
/// references; 0 for `none` and for types smaller than a byte.
[[nodiscard]] std::size_t bytes(Type type);

/// Floating point, including the packed and alternate formats.
[[nodiscard]] bool is_float(Type type);
/// A signed integer, packed or not.
[[nodiscard]] bool is_signed(Type type);
/// A signed or unsigned integer, packed or not; not the untyped bits.
[[nodiscard]] bool is_integer(Type type);
/// Untyped bits: b8 to b128.
[[nodiscard]] bool is_bits(Type type);

}  // namespace warpcheck::ptx
