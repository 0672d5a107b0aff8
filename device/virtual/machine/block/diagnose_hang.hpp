// Why blocks can go no further: who waits where, and for whom.
#pragma once

#include <cstdint>
#include <span>

#include "device/finding.hpp"
#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::machine {

class Block;
class Warp;
struct ResolvedAccess;

/// Of blocks of which no thread will get anywhere, though not all have ended. Their threads wait,
/// or do the same for ever and have been traced while they did (progress.hpp).
///  - barrier-divergence: nothing runs, and threads wait at a barrier for the whole block that
///    others have left behind by ending or by waiting for lanes of their warp.
///  - timeout: a loop that looks at no memory repeats itself.
///  - deadlock: all else.
/// `not_resident` blocks of the grid have not begun.
[[nodiscard]] Finding diagnose_hang(std::span<const Block* const> blocks,
                                    std::uint64_t not_resident = 0);

/// Notes what lanes look at while their block is traced.
void note_poll(Warp& warp, const Op& op, const ResolvedAccess& reach, Mask lanes,
               std::size_t bytes);

}  // namespace warpcheck::machine
