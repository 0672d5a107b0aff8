// Diagnosis of hangs: the places where threads wait, and the events that they wait for.
#pragma once

#include <cstdint>
#include <span>

#include "device/finding.hpp"
#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::machine {

class Block;
class Warp;
struct ResolvedAccess;

/// The finding for blocks that make no progress: their threads wait, or repeat the same
/// instructions for ever, and were traced meanwhile (progress.hpp). The class is
///  - barrier-divergence: no thread runs, and threads wait at a barrier for the whole block that
///    other threads cannot reach, because they have exited or wait for lanes of their warp.
///  - timeout: a loop that reads no memory repeats itself.
///  - deadlock: all other hangs.
/// `not_resident` blocks of the grid have not started.
[[nodiscard]] Finding diagnose_hang(std::span<const Block* const> blocks,
                                    std::uint64_t not_resident = 0);

/// Records an access of lanes while their block is traced.
void note_poll(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
               std::size_t bytes);

}  // namespace warpcheck::machine
