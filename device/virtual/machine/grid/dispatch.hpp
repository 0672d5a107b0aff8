// In which order the blocks of a grid become resident.
#pragma once

#include <cstdint>

#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::machine {

/// Whether a block of the kernel may wait for another: whether it looks, in a loop, at memory that
/// others may change while it looks.
[[nodiscard]] bool may_wait_for_blocks(const Program& program, const FunctionCode& kernel);

/// CUDA leaves the order of blocks open. Where none can wait for another it is drawn from the seed
/// (seed 0: by number); where one may, it is that of the hardware, by number, on which many kernels
/// rely.
class DispatchOrder {
 public:
  DispatchOrder(std::uint64_t blocks, std::uint64_t seed, bool by_number);

  /// The block that comes at place `place` of the order.
  [[nodiscard]] std::uint64_t block(std::uint64_t place) const;

 private:
  std::uint64_t blocks_;
  std::uint64_t first_ = 0;
  std::uint64_t step_ = 1;  // has no divisor in common with the number of blocks
};

}  // namespace warpcheck::machine
