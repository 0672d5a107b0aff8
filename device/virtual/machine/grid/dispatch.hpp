// The order in which the blocks of a grid become resident.
#pragma once

#include <cstdint>

#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::machine {

/// True if a block of the kernel may wait for another one: it reads, in a loop, memory that other
/// blocks may change.
[[nodiscard]] bool may_wait_for_blocks(const Program& program, const FunctionCode& kernel);

/// True if the next kernel of the stream may begin before this one ends.
[[nodiscard]] bool launches_dependents(const Program& program, const FunctionCode& kernel);

/// True if the program launches grids. Threads of each of its kernels may then do so.
[[nodiscard]] bool may_launch_grids(const Program& program);

/// True if the kernel may observe the order of its threads: it uses the result of an atomic, or
/// reads memory by a strong load.
[[nodiscard]] bool may_observe_order(const Program& program, const FunctionCode& kernel);

/// True if the kernel has a barrier for a number of threads. If more threads come to it, their
/// order determines which of them meet.
[[nodiscard]] bool has_counted_barrier(const Program& program, const FunctionCode& kernel);

/// True if the kernel has instructions that depend on which lanes of a warp execute them together,
/// in their result or in their permission to run: `.aligned` instructions except barriers,
/// activemask.
[[nodiscard]] bool depends_on_convergence(const Program& program, const FunctionCode& kernel);

/// The order of a grid's blocks, which CUDA leaves open. If no block can wait for another, the seed
/// determines it (seed 0: by number). Otherwise blocks are in order of their numbers, as in
/// hardware, because many kernels rely on it.
class DispatchOrder {
 public:
  DispatchOrder(std::uint64_t blocks, std::uint64_t seed, bool by_number);

  /// The block at position `place` in the order.
  [[nodiscard]] std::uint64_t block(std::uint64_t place) const;

 private:
  std::uint64_t blocks_;
  std::uint64_t first_ = 0;
  std::uint64_t step_ = 1;  // coprime to the number of blocks
};

}  // namespace warpcheck::machine
