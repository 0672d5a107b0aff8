// What the race detector is told of memory accesses.
#pragma once

#include "device/virtual/machine/access.hpp"
#include "device/virtual/machine/stuck.hpp"

namespace warpcheck::machine {

void observe_shared_read(Warp& warp, const Op& op, const Reach& reach, Mask lanes,
                         std::size_t bytes);
void observe_shared_write(Warp& warp, const Op& op, const Reach& reach, Mask lanes,
                          std::size_t bytes, Mask rewrites);
void observe_flag(Warp& warp, const Op& op, const Reach& reach, Mask lanes, bool read, bool write);

/// A load of `bytes` by each of the lanes.
inline void observe_read(Warp& warp, const Op& op, const Reach& reach, Mask lanes,
                         std::size_t bytes) {
  if (warp.block().tracing()) note_poll(warp, op, reach, lanes, bytes);
  if (!warp.block().looks_for_races()) return;
  if (reach.container->space == Space::shared) observe_shared_read(warp, op, reach, lanes, bytes);
  if (op.strong) observe_flag(warp, op, reach, lanes, true, false);
}

/// A store; `rewrites` names the lanes that stored what was there already.
inline void observe_write(Warp& warp, const Op& op, const Reach& reach, Mask lanes,
                          std::size_t bytes, Mask rewrites) {
  if (rewrites != lanes) warp.block().note_change();
  if (!warp.block().looks_for_races()) return;
  if (reach.container->space == Space::shared) {
    observe_shared_write(warp, op, reach, lanes, bytes, rewrites);
  }
  if (op.strong) observe_flag(warp, op, reach, lanes, false, true);
}

/// An atomic update.
inline void observe_update(Warp& warp, const Op& op, const Reach& reach, Mask lanes,
                           std::size_t bytes) {
  if (warp.block().tracing()) note_poll(warp, op, reach, lanes, bytes);
  if (!warp.block().looks_for_races()) return;
  if (reach.container->space == Space::shared) {
    observe_shared_write(warp, op, reach, lanes, bytes, 0);
  }
  observe_flag(warp, op, reach, lanes, true, true);
}

}  // namespace warpcheck::machine
