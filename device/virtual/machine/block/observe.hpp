// Reports of memory accesses to the checks: races, the digest, the tracker of asynchronous copies.
#pragma once

#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/block/diagnose_hang.hpp"
#include "device/virtual/machine/memory/resolved_access.hpp"

namespace warpcheck::machine {

/// True for an atomic whose result the thread uses.
[[nodiscard]] bool observes(const Op& atomic);

/// The bytes of each scalar that an access consists of, for checks::Event.
[[nodiscard]] std::uint8_t scalar_bytes(const Block& block, const Op& op, std::size_t bytes);

/// The block whose shared memory is accessed.
[[nodiscard]] inline const Block& owner_of(const Warp& warp, const ResolvedAccess& resolved) {
  const Block* const other = resolved.container->owner;
  return other != nullptr ? *other : warp.block();
}

void observe_shared_read(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                         std::size_t bytes);
/// Reports a read with which no later write conflicts: another check tracks its end.
void observe_shared_look(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                         std::size_t bytes);
void observe_shared_write(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                          std::size_t bytes, Mask rewrites, const LaneOrder* atomic = nullptr);
void observe_global(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                    std::size_t bytes, bool write, Mask rewrites,
                    const LaneOrder* atomic = nullptr);
/// `atomic` is the order of the lanes if they update the flag.
void observe_flag(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                  std::size_t bytes, bool read, bool write, const LaneOrder* atomic = nullptr);

/// Reports the change of an mbarrier object when a copy of a lane completes. It is a strong write,
/// regardless of the op: changes do not race with each other, but with the initialisation.
void observe_completion(Warp& warp, const Op& op, const ResolvedAccess& object, Mask lane,
                        std::size_t bytes);

/// Reports conflicts of an access with asynchronous copies that have not completed.
void observe_async_copies(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                          std::size_t bytes, bool writes);

/// Reports conflicts of an access to global memory with bulk copies in flight that write there.
void observe_bulk_stores(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                         std::size_t bytes, bool writes);

/// Adds an access to the digest of the block, which must exist.
void digest_access(Warp& warp, const ResolvedAccess& resolved, Mask lanes, std::size_t bytes,
                   checks::Act act);

/// Reports stores to read-only buffers and to the padding between rows of global memory, and
/// records the writer of a watched byte.
void inspect_store(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                   std::size_t displacement, std::size_t bytes);

/// Reports that an undefined value is stored to global memory.
void report_undefined_store(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                            std::size_t displacement, std::size_t bytes);

/// Records a write through the generic proxy to shared memory, for bulk copies that read it.
void note_proxy_write(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                      std::size_t bytes);
/// Reports that a bulk copy reads bytes that no fence makes visible to the async proxy.
void check_proxy_writes(Warp& warp, const Op& op, const Container& container, std::uint64_t offset,
                        std::size_t bytes, unsigned lane);

/// False if observe_async_copies() has nothing to report about an access to shared memory.
inline bool may_meet_async_copies(const Warp& warp, const ResolvedAccess& resolved) {
  return warp.block().copy_tracker().any() || resolved.container->owner != nullptr;
}

/// True for global memory that a kernel may write. A store to other global memory is a finding, so
/// that races cannot occur there.
inline bool may_race(const ResolvedAccess& resolved) {
  return resolved.container->allocation != nullptr && !resolved.container->allocation->constant;
}

/// Reports a load of `bytes` by each of the lanes.
inline void observe_read(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                         std::size_t bytes) {
  if (op.strong) warp.count_poll();
  if (warp.block().tracing()) note_poll(warp, op, resolved, lanes, bytes);
  if (warp.block().digests()) {
    digest_access(warp, resolved, lanes, bytes, op.strong ? checks::Act::poll : checks::Act::read);
  }
  if (!warp.block().looks_for_races()) return;
  if (resolved.container->space == Space::shared) {
    if (may_meet_async_copies(warp, resolved)) {
      observe_async_copies(warp, op, resolved, lanes, bytes, false);
    }
    observe_shared_read(warp, op, resolved, lanes, bytes);
  } else if (may_race(resolved)) {
    observe_global(warp, op, resolved, lanes, bytes, false, 0);
  }
  if (warp.block().is_strong(op)) observe_flag(warp, op, resolved, lanes, bytes, true, false);
}

/// Reports a store; `rewrites` are the lanes whose store did not change the value.
inline void observe_write(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                          std::size_t bytes, Mask rewrites) {
  if (rewrites != lanes) warp.block().note_change();
  if (warp.block().digests()) digest_access(warp, resolved, lanes, bytes, checks::Act::write);
  if (!warp.block().looks_for_races()) return;
  if (resolved.container->space == Space::shared) {
    if (may_meet_async_copies(warp, resolved)) {
      observe_async_copies(warp, op, resolved, lanes, bytes, true);
    }
    if (warp.block().proxy_writes().tracks()) note_proxy_write(warp, op, resolved, lanes, bytes);
    observe_shared_write(warp, op, resolved, lanes, bytes, rewrites);
  } else if (may_race(resolved)) {
    observe_global(warp, op, resolved, lanes, bytes, true, rewrites);
  }
  if (warp.block().is_strong(op)) observe_flag(warp, op, resolved, lanes, bytes, false, true);
}

/// Reports an atomic update.
inline void observe_update(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                           std::size_t bytes, const LaneOrder& order) {
  warp.count_poll();
  if (warp.block().tracing()) note_poll(warp, op, resolved, lanes, bytes);
  if (warp.block().digests()) digest_access(warp, resolved, lanes, bytes, checks::Act::update);
  if (!warp.block().looks_for_races()) return;
  if (resolved.container->space == Space::shared) {
    if (may_meet_async_copies(warp, resolved)) {
      observe_async_copies(warp, op, resolved, lanes, bytes, true);
    }
    if (warp.block().proxy_writes().tracks()) note_proxy_write(warp, op, resolved, lanes, bytes);
    observe_shared_write(warp, op, resolved, lanes, bytes, 0, &order);
  } else if (may_race(resolved)) {
    observe_global(warp, op, resolved, lanes, bytes, true, 0, &order);
  }
  observe_flag(warp, op, resolved, lanes, bytes, true, true, &order);
}

}  // namespace warpcheck::machine
