// Paths through a function that execute no barrier. They show in which order a program has two
// instructions that race.
#pragma once

#include <cstdint>

#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::machine {

enum class Path : std::uint8_t {
  none,
  forward,         // within one iteration of every loop that contains both ops
  next_iteration,  // only through the end of a loop's iteration
};

/// The path from one op of a function to another that executes no barrier in between. With
/// `within_warp`, barriers of a warp count too.
[[nodiscard]] Path path_without_barrier(const FunctionCode& code, const Op& from, const Op& to,
                                        bool within_warp);

}  // namespace warpcheck::machine
