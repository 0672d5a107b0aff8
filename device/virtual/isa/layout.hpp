// The layout of a module's variables in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/core/program.hpp"
#include "ptx/module.hpp"

namespace warpcheck::isa {

[[nodiscard]] constexpr std::size_t round_up(std::size_t value, std::size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// The window for addresses of functions, which is outside all memory.
inline constexpr std::uint64_t kFunctionWindow = 0x0400'0000'0000;
[[nodiscard]] constexpr std::uint64_t function_address(unsigned index) {
  return kFunctionWindow + index;
}

/// Places a shared variable at or after `end`, and sets `end` to its end. Variables keep a
/// distance, so that an access beyond one of them does not reach the next.
std::uint64_t place_shared(const ptx::Variable& variable, std::uint64_t& end,
                           std::vector<machine::PlacedVariable>& placed);

/// True for a variable of .global or .const memory.
[[nodiscard]] inline bool is_global(const ptx::Variable& variable) {
  return variable.space == ptx::StateSpace::global || variable.space == ptx::StateSpace::const_;
}

/// Addresses for the global variables of a module.
struct GlobalPlaces {
  std::uint64_t next_slot = 0;  // slot of the next global allocation
  // Places of the managed variables, in order; empty: slots.
  std::span<const std::uint64_t> managed = {};
};

/// Places the variables of a module and sets the global variables of the program.
[[nodiscard]] Layout lay_out(const ptx::Module& module, GlobalPlaces places,
                             machine::Program& program);

}  // namespace warpcheck::isa
