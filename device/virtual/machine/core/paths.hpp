// Paths through a function that execute no barrier. They show in which order a program has two
// instructions that race.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::machine {

enum class Path : std::uint8_t {
  none,
  forward,         // the path stays within one iteration of every loop that contains both ops
  next_iteration,  // every path passes the end of a loop's iteration
};

/// The path from one op of a function to another that executes no barrier in between. With
/// `within_warp`, barriers of a warp count too.
[[nodiscard]] Path path_without_barrier(const FunctionCode& code, const Op& from, const Op& to,
                                        bool within_warp);

/// The op at a line of the PTX; null: the function has none.
[[nodiscard]] const Op* op_at(const FunctionCode& code, unsigned ptx_line);

/// For each op: true if a path leads from it to `to`.
[[nodiscard]] std::vector<bool> ops_that_reach(const FunctionCode& code, const Op& to);

/// The barriers of the block on paths from one op to another.
[[nodiscard]] std::vector<const Op*> barriers_between(const FunctionCode& code, const Op& from,
                                                      const Op& to);

enum class Direction : std::uint8_t { forward, backward };

/// The first op that may be an access to a flag of global memory on the shortest path from an op;
/// null: there is none.
[[nodiscard]] const Op* nearest_flag(const FunctionCode& code, const Op& from, Direction direction);

/// Two ops of one function that race.
struct RacingPair {
  const Op* one = nullptr;
  const Op* other = nullptr;
};

/// True if one barrier of the block, at a single place of the function, would be on every path
/// between the ops of each pair, in both directions.
[[nodiscard]] bool one_barrier_orders(const FunctionCode& code, std::span<const RacingPair> pairs);

}  // namespace warpcheck::machine
