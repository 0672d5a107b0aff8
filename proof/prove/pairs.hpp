// Two accesses to the same place.
#pragma once

#include <cstdint>
#include <vector>

#include "proof/prove/kernel.hpp"

namespace warpcheck::proof {

/// An offset in bytes, and a formula about the symbols in it.
struct GroupOffset {
  Polynomial offset;
  Formula condition = kTrue;
};

/// The places from `first` on and those from `second` on have one in common.
[[nodiscard]] Formula meet(Terms& terms, const Polynomial& first, const Polynomial& first_count,
                           const Polynomial& second, const Polynomial& second_count);

/// The offset of any member of a group.
[[nodiscard]] GroupOffset group_offset(Terms& terms, const AccessGroup& group);

/// The bytes of the first execution and those of the second one overlap.
[[nodiscard]] std::vector<Formula> overlap(Terms& terms, const GroupOffset& first,
                                           std::int64_t first_bytes, SecondExecution& second,
                                           const GroupOffset& other, std::int64_t other_bytes);

enum class PairKind : std::uint8_t {
  two_threads,  // conflicting accesses of two threads of the grid
  two_writers,  // writes of two threads of the grid
  same_thread,  // two writes of one thread, at two accesses or in two iterations
};

/// Pairs of accesses to the same element of a matrix in global memory.
[[nodiscard]] Gaps global_pairs(const Kernel& kernel, PairKind kind);

}  // namespace warpcheck::proof
