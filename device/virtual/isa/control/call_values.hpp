// The arguments and results of calls of functions that the driver provides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "device/virtual/machine/block/warp.hpp"
#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::isa {

/// Copies argument number `index` of the call `op` to `into`; zeros if it is missing.
void read_argument(machine::Warp& warp, const machine::Op& op, unsigned lane, std::size_t index,
                   std::span<std::byte> into);

/// Returns argument number `index`, an integer of `size` bytes, at most 8.
[[nodiscard]] std::uint64_t argument(machine::Warp& warp, const machine::Op& op, unsigned lane,
                                     std::size_t index, std::size_t size);

/// Writes result number `index`, of `size` bytes. Results follow the arguments.
void write_result(machine::Warp& warp, const machine::Op& op, unsigned lane, std::size_t index,
                  std::uint64_t value, std::size_t size);

}  // namespace warpcheck::isa
