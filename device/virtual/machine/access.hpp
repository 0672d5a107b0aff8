// Memory accesses of a warp: where its lanes' addresses lead, whether they may go there, and
// whether what they find is defined.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "device/virtual/machine/block.hpp"
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
  const std::uint64_t* offset;  // of all 32 lanes; of inactive ones somewhere harmless
  const Container* container;
};

/// What an instruction does to memory.
struct Footprint {
  std::size_t bytes;  // of the whole access, vectors included: its natural alignment
  bool write;
};

using LaneAddresses = std::array<std::uint64_t, kLanes>;

/// Where `address` belongs; without bytes where nothing is there.
[[nodiscard]] Container locate(Warp& warp, const Op& op, std::uint64_t address);

/// The one complaint about the lowest lane of `lanes` that may not go where it goes: misaligned or
/// out-of-bounds. Ends the launch.
Flow refuse_access(Warp& warp, const Op& op, const LaneAddresses& addresses, Footprint footprint);

/// The addresses of all lanes; inactive ones get that of the lowest active one.
inline void gather_addresses(const Warp& warp, const Op& op, LaneAddresses& addresses) {
  const Slot slot = op.operand[0];
  const std::uint64_t frame_base = op.frame_relative ? warp.frame().local_base : 0;
  if (op.wide_address) {
    const auto* base = warp.lanes<std::uint64_t>(slot);
    const std::uint64_t offset = static_cast<std::uint64_t>(op.immediate) + frame_base;
    for_lanes([&](unsigned lane) { addresses[lane] = base[lane] + offset; });
  } else {
    const auto* base = warp.lanes<std::uint32_t>(slot);
    const auto offset = static_cast<std::uint32_t>(op.immediate);
    for_lanes([&](unsigned lane) { addresses[lane] = base[lane] + offset; });
  }
  const Mask active = warp.active();
  if (active != kAllLanes) {
    const std::uint64_t first = addresses[static_cast<unsigned>(__builtin_ctz(active))];
    for_lanes([&](unsigned lane) {
      addresses[lane] = (active >> lane & 1) != 0 ? addresses[lane] : first;
    });
  }
}

/// Checks the access of every active lane and calls body(reach, lanes) for lanes whose memory lies
/// in one container: once, unless the lanes reach into several.
template <class Body>
inline Flow access(Warp& warp, const Op& op, Footprint footprint, Body body) {
  const Mask active = warp.active();
  if (const Mask unknown = active & ~warp.defined(op.operand[0])) {
    return warp.fault(op, unknown, FindingClass::uninitialized_read, "the address is undefined");
  }
  alignas(64) LaneAddresses addresses;
  gather_addresses(warp, op, addresses);
  Container container = locate(warp, op, addresses[static_cast<unsigned>(__builtin_ctz(active))]);
  alignas(64) LaneAddresses offsets;
  std::uint64_t misaligned = 0;
  std::uint64_t outside = container.bytes.size < footprint.bytes ? 1 : 0;
  const std::uint64_t last = container.bytes.size - footprint.bytes;
  for_lanes([&](unsigned lane) {
    misaligned |= addresses[lane] & (footprint.bytes - 1);
    offsets[lane] = addresses[lane] - container.base;
    outside |= offsets[lane] > last ? 1 : 0;
  });
  if (misaligned != 0) return refuse_access(warp, op, addresses, footprint);
  if (outside == 0) {
    if (container.lane_stride != 0) {
      for_lanes([&](unsigned lane) { offsets[lane] += lane * container.lane_stride; });
    }
    body(Reach{container.bytes.data, container.bytes.shadow, offsets.data(), &container}, active);
    return warp.block().faulted() ? Flow::leave : Flow::next;
  }
  // Several containers, or nothing there: each lane by itself.
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((active >> lane & 1) == 0) continue;
    container = locate(warp, op, addresses[lane]);
    const std::uint64_t offset = addresses[lane] - container.base;
    if (container.bytes.size < footprint.bytes || offset > container.bytes.size - footprint.bytes) {
      return refuse_access(warp, op, addresses, footprint);
    }
    offsets.fill(offset + lane * container.lane_stride);
    body(Reach{container.bytes.data, container.bytes.shadow, offsets.data(), &container},
         Mask{1} << lane);
  }
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

/// Loads `sizeof(M)` bytes per lane, `displacement` into the access, and widens them to a register.
template <class M, class D>
inline void load_element(Warp& warp, const Reach& reach, Mask lanes, std::size_t displacement,
                         Slot target) {
  D* values = warp.lanes<D>(target);
  using Bits = std::make_unsigned_t<M>;
  alignas(64) Bits shadows[kLanes];
  const std::byte* data = reach.data + displacement;
  const std::byte* shadow = reach.shadow + displacement;
  Bits known = static_cast<Bits>(~Bits{0});
  if (lanes == kAllLanes) {
    for_lanes([&](unsigned lane) {
      M value;
      std::memcpy(&value, data + reach.offset[lane], sizeof value);
      values[lane] = widened<D>(value);
      std::memcpy(&shadows[lane], shadow + reach.offset[lane], sizeof(Bits));
      known &= shadows[lane];
    });
  } else {
    for_lanes([&](unsigned lane) {
      M value;
      std::memcpy(&value, data + reach.offset[lane], sizeof value);
      values[lane] = (lanes >> lane & 1) != 0 ? widened<D>(value) : values[lane];
      std::memcpy(&shadows[lane], shadow + reach.offset[lane], sizeof(Bits));
      known &= shadows[lane];
    });
  }
  if (known == static_cast<Bits>(~Bits{0})) {
    warp.defined(target) |= lanes;
    return;
  }
  D* undefined = reinterpret_cast<D*>(warp.undefined_bits(target));
  Mask defined = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    const auto bits = static_cast<M>(~shadows[lane]);  // sign-extended with the value
    undefined[lane] = widened<D>(bits);
    if (bits == 0) defined |= Mask{1} << lane;
  }
  warp.set_defined(target, lanes, defined);
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
