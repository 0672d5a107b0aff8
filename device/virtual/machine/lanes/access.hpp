// Memory accesses of a warp. The functions resolve the addresses of the lanes and check bounds,
// alignment and definedness.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/block/observe.hpp"
#include "device/virtual/machine/memory/known_address.hpp"
#include "device/virtual/machine/memory/lane_offsets.hpp"
#include "device/virtual/machine/memory/memory.hpp"
#include "device/virtual/machine/memory/resolved_access.hpp"

namespace warpcheck::machine {

/// The extent and direction of an instruction's access to memory.
struct Footprint {
  std::size_t bytes;  // size of the whole access, vectors included, which is its natural alignment
  bool write;
};

/// The container at `address`; it has no bytes if nothing is allocated there.
[[nodiscard]] Container locate(Warp& warp, const Op& op, std::uint64_t address);

/// The stored container at `address`; null if it is not stored.
inline const Container* find_container(Warp& warp, const Op& op, std::uint64_t address) {
  if (op.space == Space::shared) {
    for (const Container& container : warp.block().shared_containers()) {
      if (address - container.base < container.bytes.size) return &container;
    }
  } else if (op.space == Space::global) {
    const Allocation* allocation = warp.block().launch().memory->near(address);
    if (allocation != nullptr) return &allocation->container;
  }
  return nullptr;
}

/// The displacement that is added to the address register of an op.
inline std::uint64_t displacement_of(const Warp& warp, const Op& op) {
  return static_cast<std::uint64_t>(op.immediate) +
         (op.frame_relative ? warp.frame().local_base : 0);
}

/// The address of a lane's access.
inline std::uint64_t address_of(const Warp& warp, const Op& op, unsigned lane) {
  const std::uint64_t displacement = displacement_of(warp, op);
  if (op.wide_address) return warp.lanes<std::uint64_t>(op.operand[0])[lane] + displacement;
  return static_cast<std::uint32_t>(warp.lanes<std::uint32_t>(op.operand[0])[lane] + displacement);
}

using LaneAddresses = std::array<std::uint64_t, kLanes>;

/// The addresses of all lanes; inactive lanes get the address of the lowest active lane.
inline void gather_addresses(const Warp& warp, const Op& op, LaneAddresses& addresses) {
  const auto lowest = static_cast<unsigned>(__builtin_ctz(warp.active()));
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool active = (warp.active() >> lane & 1) != 0;
    addresses[lane] = address_of(warp, op, active ? lane : lowest);
  }
}

/// Reports that a lane's access is misaligned or out of bounds. Returns false if this ends the
/// launch.
[[nodiscard]] bool goes_on_after_access(Warp& warp, const Op& op, unsigned lane,
                                        Footprint footprint);
/// The same for an access through an address that is not in operand 0.
[[nodiscard]] bool goes_on_after_access(Warp& warp, const Op& op, unsigned lane,
                                        std::uint64_t address, Footprint footprint);

/// The memory that replaces the memory of a refused access: loads read zeros, stores have no
/// effect. The zeros are defined, so that one cause is one finding.
struct Nowhere {
  std::array<std::byte, 64> data{};  // holds a lane's largest access
  std::array<std::byte, 64> shadow = [] {
    std::array<std::byte, 64> ones{};
    ones.fill(std::byte{0xff});
    return ones;
  }();
  LaneOffsets offsets{};
  Container container{
      {data.data(), shadow.data(), data.size()}, 0, 0, nullptr, nullptr, Space::local};

  [[nodiscard]] ResolvedAccess access() {
    return {container.bytes.data, container.bytes.shadow, offsets.data(), &container,
            Pattern::equal};
  }
};

/// True if the access was refused. All other memory has a name.
[[nodiscard]] inline bool is_nowhere(const ResolvedAccess& resolved) {
  return resolved.container->name == nullptr;
}

/// Adds a note that the declared alignment of a shared variable does not guarantee the alignment of
/// an access: ptxas may place the variable at any address with the declared alignment.
void note_alignment(Warp& warp, const Op& op, Mask lanes, const Container& container,
                    Footprint footprint);

/// Performs the accesses of lanes one by one: if the lanes access several containers, or one of
/// more than 4 GiB, or if an access is not valid. This is rare, so that the versions of a handler
/// for several CPUs share one instance, outside of their code.
template <class Body>
[[gnu::noinline, gnu::cold]] Flow access_by_lane(Warp& warp, const Op& op, Mask lanes,
                                                 Footprint footprint, Body body) {
  LaneOffsets offsets;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    const std::uint64_t address = address_of(warp, op, lane);
    const Container container = locate(warp, op, address);
    const std::uint64_t offset = address - container.base;
    if ((address & (footprint.bytes - 1)) != 0 || container.bytes.size < footprint.bytes ||
        offset > container.bytes.size - footprint.bytes) {
      if (!goes_on_after_access(warp, op, lane, footprint)) return Flow::leave;
      Nowhere nowhere;
      body(nowhere.access(), Mask{1} << lane);
      continue;
    }
    const std::uint64_t place = offset + lane * container.lane_stride;
    const std::uint64_t begin = place >> 32 << 32;
    offsets.fill(static_cast<std::uint32_t>(place));
    body(ResolvedAccess{container.bytes.data + begin, container.bytes.shadow + begin,
                        offsets.data(), &container, Pattern::equal, begin},
         Mask{1} << lane);
  }
  return warp.block().faulted() ? Flow::leave : Flow::next;
}

/// Computes and checks the offsets of `lanes` in a container of at least footprint.bytes.
inline Survey look(const Warp& warp, const Op& op, const Container& container, Footprint footprint,
                   Mask lanes, LaneOffsets& offsets) {
  const std::uint64_t displacement = displacement_of(warp, op) - container.base;
  const Slot slot = op.operand[0];
  const bool fits = op.wide_address
                        ? measure(warp.lanes<std::uint64_t>(slot), displacement, lanes, offsets)
                        : measure(warp.lanes<std::uint32_t>(slot),
                                  static_cast<std::uint32_t>(displacement), lanes, offsets);
  if (!fits) return {false, Pattern::scattered};
  return survey(offsets, static_cast<std::uint32_t>(container.base),
                static_cast<std::uint32_t>(container.bytes.size - footprint.bytes),
                static_cast<std::uint32_t>(footprint.bytes));
}

/// look() as a function that all handlers share.
Survey look_out_of_line(const Warp& warp, const Op& op, const Container& container,
                        Footprint footprint, Mask lanes, LaneOffsets& offsets);

/// Reports that the addresses of lanes are undefined, and performs their accesses on replacement
/// memory. Returns false if this ends the launch.
template <class Body>
[[nodiscard, gnu::noinline, gnu::cold]] bool access_undefined(Warp& warp, const Op& op, Mask lanes,
                                                              Body body) {
  if (!warp.goes_on_after(op, lanes, FindingClass::uninitialized_read,
                          "the address is undefined")) {
    return false;
  }
  Nowhere nowhere;
  body(nowhere.access(), lanes);
  return !warp.block().faulted();
}

/// An access through an address that an earlier access of the run has resolved. Requires that
/// `known` allows it.
inline ResolvedAccess at_distance(KnownAddress& known, std::int64_t distance, std::size_t bytes) {
  const bool contiguous = known.pattern == Pattern::contiguous && known.bytes != bytes;
  const Bytes& memory = known.container->bytes;
  return {memory.data + distance,
          memory.shadow + distance,
          known.offsets.data(),
          known.container,
          contiguous ? Pattern::scattered : known.pattern,
          static_cast<std::uint64_t>(distance),
          &known};
}

/// The checks that loads by the whole warp through an address in the container require.
inline Reads reads_of(const Warp& warp, const Op& op, const Container& container) {
  const Block& block = warp.block();
  if (warp.defined(op.operand[kAddress]) != kAllLanes || !block.only_looks_for_races()) {
    return Reads::carefully;
  }
  if (container.space == Space::shared) return Reads::recorded;
  const bool races = container.allocation == nullptr || !container.allocation->constant;
  return races ? Reads::carefully : Reads::freely;
}

/// Checks the accesses of `active` to `container`, which may be one of several containers. If
/// `known` is not null, it receives the offsets for further accesses.
template <class Body>
inline Flow access_container(Warp& warp, const Op& op, Mask active, Footprint footprint,
                             const Container& container, KnownAddress* known, Body body) {
  if (container.alignment < footprint.bytes) {
    note_alignment(warp, op, active, container, footprint);
  }
  if (container.bytes.size < footprint.bytes || container.bytes.size >> 32 != 0) {
    return access_by_lane(warp, op, active, footprint, body);
  }
  alignas(64) LaneOffsets own;
  LaneOffsets& offsets = known != nullptr ? known->offsets : own;
  Survey found = look(warp, op, container, footprint, kAllLanes, offsets);
  if (found.allowed && known != nullptr) {
    known->store(container, warp.block().fragment_turn(), displacement_of(warp, op),
                 static_cast<std::uint32_t>(footprint.bytes), found.pattern);
    known->reads = reads_of(warp, op, container);
  } else {
    known = nullptr;
  }
  if (!found.allowed && active != kAllLanes) {
    // The address of an inactive lane may be the cause. Inactive lanes get the address of the
    // lowest active lane.
    found = look_out_of_line(warp, op, container, footprint, active, offsets);
  }
  if (!found.allowed) return access_by_lane(warp, op, active, footprint, body);
  if (container.lane_stride != 0) {
    const auto stride = static_cast<std::uint32_t>(container.lane_stride);
    for_lanes([&](unsigned lane) { offsets[lane] += lane * stride; });
    found.pattern = Pattern::scattered;
  }
  body(ResolvedAccess{container.bytes.data, container.bytes.shadow, offsets.data(), &container,
                      found.pattern, 0, known},
       active);
  return warp.block().faulted() ? Flow::leave : Flow::next;
}

/// access_container() for lanes whose container is not stored.
template <class Body>
[[gnu::noinline]] Flow access_located(Warp& warp, const Op& op, Mask active, Footprint footprint,
                                      Body body) {
  const Container container = locate(warp, op, address_of(warp, op, lowest(active)));
  return access_container(warp, op, active, footprint, container, nullptr, body);
}

/// Checks the accesses of `active`, and calls body(access, lanes) for lanes that access one
/// container. One call serves all lanes unless they access several containers.
template <class Body>
inline Flow access(Warp& warp, const Op& op, Mask active, Footprint footprint, Body body) {
  if (const Mask unknown = active & ~warp.defined(op.operand[0])) {
    if (!access_undefined(warp, op, unknown, body)) return Flow::leave;
    active &= ~unknown;
    if (active == 0) return Flow::next;
  }
  KnownAddress* known = nullptr;
  if (op.known_address != kKnownAddresses) {
    known = &warp.block().known_address(op.known_address);
    const std::int64_t distance = known->distance_to(displacement_of(warp, op));
    if (op.repeats_address &&
        known->allows(warp.block().fragment_turn(), distance, footprint.bytes)) {
      body(at_distance(*known, distance, footprint.bytes), active);
      return warp.block().faulted() ? Flow::leave : Flow::next;
    }
    known->container = nullptr;
  }
  const Container* const container = find_container(warp, op, address_of(warp, op, lowest(active)));
  if (container == nullptr) return access_located(warp, op, active, footprint, body);
  return access_container(warp, op, active, footprint, *container, known, body);
}

/// The same for all active lanes.
template <class Body>
inline Flow access(Warp& warp, const Op& op, Footprint footprint, Body body) {
  return access(warp, op, warp.active(), footprint, body);
}

/// A value of memory as a register holds it: sign-extended if M is signed.
template <class D, class M>
inline D widened(M value) {
  if constexpr (std::is_signed_v<M>) return static_cast<D>(std::int64_t{value});
  return static_cast<D>(value);
}

}  // namespace warpcheck::machine
