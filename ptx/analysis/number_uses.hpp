// The numbers with which a kernel compares or divides values that depend on its parameters or on
// the position of a thread.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.hpp"

namespace warpcheck::ptx::analysis {

/// The parameters and indices on which a value depends.
struct Origin {
  std::uint64_t parameters = 0;  // bit i: parameter i of the first 64
  unsigned block_axes = 0;       // bit i: the block index, or the number of blocks, along axis i
  bool thread = false;           // the thread or lane index
  bool quotient = false;         // the value, or a part of it, was divided or shifted right
  bool counter = false;          // the register depends on itself

  Origin& operator|=(const Origin& other);
  friend bool operator==(const Origin&, const Origin&) = default;
};

/// An immediate operand and the origin of the register to which it applies.
struct NumberUse {
  std::int64_t number = 0;
  bool compares = false;
  Origin other;
};

/// The immediate operands from `least` to `most` of comparisons, minima, maxima, divisions,
/// remainders, masks and shifts to the right, in the order of the instructions: 32 for a shift by 5
/// and for a mask of 31. Predicates and values from memory have no origin.
[[nodiscard]] std::vector<NumberUse> number_uses(const Function& kernel, std::int64_t least,
                                                 std::int64_t most);

}  // namespace warpcheck::ptx::analysis
