// A store to global memory and its report, which form one step.
#pragma once

#include <mutex>

#include "device/virtual/machine/block/observe.hpp"
#include "device/virtual/machine/family/grid_family.hpp"

namespace warpcheck::machine {

/// Takes a turn, before a store to memory that other blocks may access. The value that the store
/// replaces is then that of the last reported store, regardless of other host threads.
[[nodiscard]] inline std::unique_lock<std::mutex> take_store_turn(const Warp& warp,
                                                                  const ResolvedAccess& resolved) {
  const Block& block = warp.block();
  if (!block.looks_for_races() || !may_race(resolved)) return {};
  return std::unique_lock(block.launch().family->store_mutex());
}

}  // namespace warpcheck::machine
