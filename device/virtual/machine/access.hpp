// Memory accesses of a warp: where its lanes' addresses lead, whether they may go there, and
// whether what they find is defined.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "device/virtual/machine/block.hpp"
#include "device/virtual/machine/lane_offsets.hpp"
#include "device/virtual/machine/lanewise.hpp"
#include "device/virtual/machine/memory.hpp"

namespace warpcheck::machine {

/// The memory that an address belongs to: one allocation, one shared variable, a thread's stack.
struct Container {
  Bytes bytes;
  std::uint64_t base = 0;            // address of its first byte
  std::size_t lane_stride = 0;       // local memory: bytes from one lane's to the next's
  Allocation* allocation = nullptr;  // global and constant memory only
  const std::string* name = nullptr;
  Space space = Space::generic;
  std::size_t shared_begin = 0;  // shared memory only: of the first byte, within the block's
};

/// Lanes that reach into one container: their bytes begin at data + offset[lane].
struct Reach {
  std::byte* data;
  std::byte* shadow;
  const std::uint32_t* offset;  // of all 32 lanes; of inactive ones somewhere harmless
  const Container* container;
  Pattern pattern;
  std::uint64_t begin = 0;  // where in the container `data` is

  /// Where in the container a lane's bytes begin.
  [[nodiscard]] std::uint64_t at(unsigned lane) const { return begin + offset[lane]; }
};

/// What an instruction does to memory.
struct Footprint {
  std::size_t bytes;  // of the whole access, vectors included: its natural alignment
  bool write;
};

/// Where `address` belongs; without bytes where nothing is there.
[[nodiscard]] Container locate(Warp& warp, const Op& op, std::uint64_t address);

/// What is added to the address register of an op.
inline std::uint64_t displacement_of(const Warp& warp, const Op& op) {
  return static_cast<std::uint64_t>(op.immediate) +
         (op.frame_relative ? warp.frame().local_base : 0);
}

/// The address that a lane names.
inline std::uint64_t address_of(const Warp& warp, const Op& op, unsigned lane) {
  const std::uint64_t displacement = displacement_of(warp, op);
  if (op.wide_address) return warp.lanes<std::uint64_t>(op.operand[0])[lane] + displacement;
  return static_cast<std::uint32_t>(warp.lanes<std::uint32_t>(op.operand[0])[lane] + displacement);
}

using LaneAddresses = std::array<std::uint64_t, kLanes>;

/// The addresses of all lanes; inactive ones get that of the lowest active one.
inline void gather_addresses(const Warp& warp, const Op& op, LaneAddresses& addresses) {
  const auto lowest = static_cast<unsigned>(__builtin_ctz(warp.active()));
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool active = (warp.active() >> lane & 1) != 0;
    addresses[lane] = address_of(warp, op, active ? lane : lowest);
  }
}

/// The one complaint about the lowest active lane that may not go where it goes: misaligned or
/// out-of-bounds. Ends the launch.
Flow refuse_access(Warp& warp, const Op& op, Footprint footprint);

/// Lanes that do not all reach into one container of at most 4 GiB, or not rightly: each by itself.
template <class Body>
Flow access_by_lane(Warp& warp, const Op& op, Footprint footprint, Body body) {
  LaneOffsets offsets;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((warp.active() >> lane & 1) == 0) continue;
    const std::uint64_t address = address_of(warp, op, lane);
    const Container container = locate(warp, op, address);
    const std::uint64_t offset = address - container.base;
    if ((address & (footprint.bytes - 1)) != 0 || container.bytes.size < footprint.bytes ||
        offset > container.bytes.size - footprint.bytes) {
      return refuse_access(warp, op, footprint);
    }
    const std::uint64_t place = offset + lane * container.lane_stride;
    const std::uint64_t begin = place >> 32 << 32;
    offsets.fill(static_cast<std::uint32_t>(place));
    body(Reach{container.bytes.data + begin, container.bytes.shadow + begin, offsets.data(),
               &container, Pattern::equal, begin},
         Mask{1} << lane);
  }
  return warp.block().faulted() ? Flow::leave : Flow::next;
}

/// Where `lanes` lead in the container, which the access fits into; see measure().
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

/// Checks the access of every active lane and calls body(reach, lanes) for lanes whose memory lies
/// in one container: once, unless the lanes reach into several.
template <class Body>
inline Flow access(Warp& warp, const Op& op, Footprint footprint, Body body) {
  const Mask active = warp.active();
  if (const Mask unknown = active & ~warp.defined(op.operand[0])) {
    return warp.fault(op, unknown, FindingClass::uninitialized_read, "the address is undefined");
  }
  const auto lowest = static_cast<unsigned>(__builtin_ctz(active));
  const Container container = locate(warp, op, address_of(warp, op, lowest));
  if (container.bytes.size < footprint.bytes || container.bytes.size >> 32 != 0) {
    return access_by_lane(warp, op, footprint, body);
  }
  alignas(64) LaneOffsets offsets;
  Survey found = look(warp, op, container, footprint, kAllLanes, offsets);
  if (!found.allowed && active != kAllLanes) {
    // Perhaps for where the inactive lanes point; they go with the lowest active one.
    found = look(warp, op, container, footprint, active, offsets);
  }
  if (!found.allowed) return access_by_lane(warp, op, footprint, body);
  if (container.lane_stride != 0) {
    const auto stride = static_cast<std::uint32_t>(container.lane_stride);
    for_lanes([&](unsigned lane) { offsets[lane] += lane * stride; });
    found.pattern = Pattern::scattered;
  }
  body(Reach{container.bytes.data, container.bytes.shadow, offsets.data(), &container,
             found.pattern},
       active);
  return warp.block().faulted() ? Flow::leave : Flow::next;
}

/// Reports what a store into global memory may not do (read-only buffers, the padding between rows)
/// and remembers who wrote a watched byte.
void inspect_store(Warp& warp, const Op& op, const Reach& reach, Mask lanes,
                   std::size_t displacement, std::size_t bytes);

/// Reports that an undefined value reaches global memory.
void report_undefined_store(Warp& warp, const Op& op, const Reach& reach, Mask lanes,
                            std::size_t displacement, std::size_t bytes);

/// A value of memory as a register holds it: sign-extended where M is signed.
template <class D, class M>
inline D widened(M value) {
  if constexpr (std::is_signed_v<M>) return static_cast<D>(std::int64_t{value});
  return static_cast<D>(value);
}

/// What the shadow says of lanes whose value is not wholly defined, or the lanes beside them.
template <class M, class D>
void load_definedness(Warp& warp, const Reach& reach, Mask lanes, std::size_t displacement,
                      Slot target) {
  D* undefined = reinterpret_cast<D*>(warp.undefined_bits(target));
  Mask defined = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    M known;
    std::memcpy(&known, reach.shadow + displacement + reach.offset[lane], sizeof known);
    const auto bits = static_cast<M>(~known);  // sign-extended with the value
    undefined[lane] = static_cast<D>(bits);
    if (bits == 0) defined |= Mask{1} << lane;
  }
  warp.set_defined(target, lanes, defined);
}

/// The element of each lane, `displacement` into an access of `bytes`, and what all their shadows
/// have in common.
template <class M, class D>
inline M gather(const Reach& reach, std::size_t bytes, std::size_t displacement, D* values) {
  const std::byte* const data = reach.data + displacement;
  const std::byte* const shadow = reach.shadow + displacement;
  const std::uint32_t* const offset = reach.offset;
  const auto load = [](const std::byte* from) {
    M value;
    std::memcpy(&value, from, sizeof value);
    return value;
  };
  M known = static_cast<M>(~M{0});
  if (reach.pattern == Pattern::equal) {
    for (unsigned first = 0; first < kLanes; first += 8) {
      const auto value = static_cast<D>(load(data + offset[first]));
      for_lanes<8>([&](unsigned i) { values[first + i] = value; });
      known &= load(shadow + offset[first]);
    }
  } else if (reach.pattern == Pattern::walking) {
    for (unsigned first = 0; first < kLanes; first += 8) {
      const std::byte* const begin = data + offset[first];
      const std::byte* const begin_shadow = shadow + offset[first];
      for_lanes<8>([&](unsigned i) {
        values[first + i] = static_cast<D>(load(begin + i * bytes));
        known &= load(begin_shadow + i * bytes);
      });
    }
  } else {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      values[lane] = static_cast<D>(load(data + offset[lane]));
      known &= load(shadow + offset[lane]);
    }
  }
  return known;
}

/// Loads `sizeof(M)` bytes per lane, `displacement` into an access of `bytes`, and widens them to a
/// register.
template <class M, class D>
inline void load_element(Warp& warp, const Reach& reach, Mask lanes, std::size_t bytes,
                         std::size_t displacement, Slot target) {
  D* const values = warp.lanes<D>(target);
  M known;
  if (lanes == kAllLanes) {
    known = gather<M, D>(reach, bytes, displacement, values);
  } else {
    alignas(64) D loaded[kLanes];
    known = gather<M, D>(reach, bytes, displacement, loaded);
    for_lanes([&](unsigned lane) {
      values[lane] = (lanes >> lane & 1) != 0 ? loaded[lane] : values[lane];
    });
  }
  if (known == static_cast<M>(~M{0})) {
    warp.defined(target) |= lanes;
  } else {
    load_definedness<M, D>(warp, reach, lanes, displacement, target);
  }
}

/// Stores the low `sizeof(M)` bytes of each lane's register. Lanes that collide: the highest wins.
/// Returns the lanes that stored what was there already.
template <class M, class D>
inline Mask store_element(Warp& warp, const Op& op, const Reach& reach, Mask lanes,
                          std::size_t displacement, Slot source) {
  const D* values = warp.lanes<D>(source);
  std::byte* data = reach.data + displacement;
  std::byte* shadow = reach.shadow + displacement;
  const Mask unknown = lanes & ~warp.defined(source);
  constexpr M kKnown = static_cast<M>(~M{0});
  Mask rewrites = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    const auto value = static_cast<M>(values[lane]);
    M old;
    std::memcpy(&old, data + reach.offset[lane], sizeof old);
    rewrites |= Mask{old == value} << lane;
    std::memcpy(data + reach.offset[lane], &value, sizeof value);
    std::memcpy(shadow + reach.offset[lane], &kKnown, sizeof kKnown);
  }
  if (unknown == 0) return rewrites;
  const D* undefined = reinterpret_cast<const D*>(warp.undefined_bits(source));
  Mask reported = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((unknown >> lane & 1) == 0) continue;
    const auto bits = static_cast<M>(~undefined[lane]);
    std::memcpy(shadow + reach.offset[lane], &bits, sizeof bits);
    if (bits != kKnown) reported |= Mask{1} << lane;
  }
  if (reported != 0 && reach.container->allocation != nullptr) {
    report_undefined_store(warp, op, reach, reported, displacement, sizeof(M));
  }
  return rewrites;
}

}  // namespace warpcheck::machine
