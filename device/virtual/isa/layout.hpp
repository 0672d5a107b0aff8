// Where a module's variables lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/core/program.hpp"
#include "ptx/module.hpp"

namespace warpcheck::isa {

[[nodiscard]] constexpr std::size_t round_up(std::size_t value, std::size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// What taking a function's address gives: no memory lies there.
inline constexpr std::uint64_t kFunctionWindow = 0x0400'0000'0000;
[[nodiscard]] constexpr std::uint64_t function_address(unsigned index) {
  return kFunctionWindow + index;
}

/// Places a shared variable at or after `end`, which moves behind it. Variables keep a distance, so
/// that running past one of them does not land in the next.
std::uint64_t place_shared(const ptx::Variable& variable, std::uint64_t& end,
                           std::vector<machine::PlacedVariable>& placed);

/// Lays out a module and fills in the program's global variables.
[[nodiscard]] Layout lay_out(const ptx::Module& module, machine::Program& program);

}  // namespace warpcheck::isa
