// What the race detector is told of memory accesses.
#pragma once

#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/block/diagnose_hang.hpp"
#include "device/virtual/machine/memory/resolved_access.hpp"

namespace warpcheck::machine {

void observe_shared_read(Warp& warp, const Op& op, const ResolvedAccess& reach, Mask lanes,
                         std::size_t bytes);
void observe_shared_write(Warp& warp, const Op& op, const ResolvedAccess& reach, Mask lanes,
                          std::size_t bytes, Mask rewrites);
void observe_global(Warp& warp, const Op& op, const ResolvedAccess& reach, Mask lanes,
                    std::size_t bytes, bool write, Mask rewrites);
void observe_flag(Warp& warp, const Op& op, const ResolvedAccess& reach, Mask lanes, bool read,
                  bool write);

/// Whether an access meets an asynchronous copy whose bytes have not landed.
void observe_async_copies(Warp& warp, const Op& op, const ResolvedAccess& reach, Mask lanes,
                          std::size_t bytes, bool writes);

/// What the digest is told of an access, where there is one.
void digest_access(Warp& warp, const ResolvedAccess& reach, Mask lanes, std::size_t bytes,
                   checks::Act act);

/// Global memory that a kernel may write. In the rest there are no races, and a store to it is a
/// finding of its own.
inline bool may_race(const ResolvedAccess& reach) {
  return reach.container->allocation != nullptr && !reach.container->allocation->read_only;
}

/// A load of `bytes` by each of the lanes.
inline void observe_read(Warp& warp, const Op& op, const ResolvedAccess& reach, Mask lanes,
                         std::size_t bytes) {
  if (warp.block().tracing()) note_poll(warp, op, reach, lanes, bytes);
  if (warp.block().digests()) {
    digest_access(warp, reach, lanes, bytes, op.strong ? checks::Act::poll : checks::Act::read);
  }
  if (!warp.block().looks_for_races()) return;
  if (reach.container->space == Space::shared) {
    if (warp.block().copy_tracker().any()) {
      observe_async_copies(warp, op, reach, lanes, bytes, false);
    }
    observe_shared_read(warp, op, reach, lanes, bytes);
  } else if (may_race(reach)) {
    observe_global(warp, op, reach, lanes, bytes, false, 0);
  }
  if (op.strong) observe_flag(warp, op, reach, lanes, true, false);
}

/// A store; `rewrites` names the lanes that stored what was there already.
inline void observe_write(Warp& warp, const Op& op, const ResolvedAccess& reach, Mask lanes,
                          std::size_t bytes, Mask rewrites) {
  if (rewrites != lanes) warp.block().note_change();
  if (warp.block().digests()) digest_access(warp, reach, lanes, bytes, checks::Act::write);
  if (!warp.block().looks_for_races()) return;
  if (reach.container->space == Space::shared) {
    if (warp.block().copy_tracker().any()) {
      observe_async_copies(warp, op, reach, lanes, bytes, true);
    }
    observe_shared_write(warp, op, reach, lanes, bytes, rewrites);
  } else if (may_race(reach)) {
    observe_global(warp, op, reach, lanes, bytes, true, rewrites);
  }
  if (op.strong) observe_flag(warp, op, reach, lanes, false, true);
}

/// An atomic update.
inline void observe_update(Warp& warp, const Op& op, const ResolvedAccess& reach, Mask lanes,
                           std::size_t bytes) {
  if (warp.block().tracing()) note_poll(warp, op, reach, lanes, bytes);
  if (warp.block().digests()) digest_access(warp, reach, lanes, bytes, checks::Act::update);
  if (!warp.block().looks_for_races()) return;
  if (reach.container->space == Space::shared) {
    if (warp.block().copy_tracker().any()) {
      observe_async_copies(warp, op, reach, lanes, bytes, true);
    }
    observe_shared_write(warp, op, reach, lanes, bytes, 0);
  } else if (may_race(reach)) {
    observe_global(warp, op, reach, lanes, bytes, true, 0);
  }
  observe_flag(warp, op, reach, lanes, true, true);
}

}  // namespace warpcheck::machine
