// Asynchronous copies from global to shared memory (PTX ISA 9.7.9.25.3, and 9.7.9.25.4 for
// memcpy_async of the CUDA headers). An instruction becomes two ops: the first op reads global
// memory, the second op issues the copy of the bytes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>

#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/block/async_copies.hpp"
#include "device/virtual/machine/block/observe.hpp"
#include "device/virtual/machine/lanes/access.hpp"

namespace warpcheck::isa {
namespace {

using machine::Container;
using machine::Flow;
using machine::kLanes;
using machine::LaneAddresses;
using machine::lowest;
using machine::Mask;
using machine::Op;
using machine::ResolvedAccess;
using machine::Slot;
using machine::Space;
using machine::Warp;

using Sizes = std::array<std::uint32_t, kLanes>;  // bytes that each lane reads

/// Reports an invalid size. Returns false if this ends the launch.
bool goes_on_after_size(Warp& warp, const Op& op, Mask lane, std::uint32_t size,
                        std::size_t bytes) {
  return warp.goes_on_after(op, lane, FindingClass::illegal_instruction,
                            fmt::format("a copy of {} bytes is to read {} bytes", bytes, size));
}

/// The active lanes with an undefined address, size or predicate.
Mask undefined_operands(const Warp& warp, const Op& op) {
  Mask defined = warp.defined(op.operand[0]);
  for (const unsigned operand : {machine::kSourceSize, machine::kIgnoreSource}) {
    const Slot slot = op.operand[operand];
    if (slot != machine::kNoSlot) defined &= warp.defined(slot);
  }
  return warp.active() & ~defined;
}

Sizes sizes_of(const Warp& warp, const Op& op, std::size_t bytes) {
  Sizes sizes;
  sizes.fill(static_cast<std::uint32_t>(bytes));
  if (const Slot slot = op.operand[machine::kSourceSize]; slot != machine::kNoSlot) {
    std::copy_n(warp.lanes<std::uint32_t>(slot), kLanes, sizes.begin());
  }
  if (const Slot slot = op.operand[machine::kIgnoreSource]; slot != machine::kNoSlot) {
    const Mask ignored = warp.predicate(slot) ^ (op.negated_sources != 0 ? machine::kAllLanes : 0);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((ignored >> lane & 1) != 0) sizes[lane] = 0;
    }
  }
  return sizes;
}

/// Reports the access of one lane, which may not read `size` bytes at its address. Returns false if
/// this ends the launch.
bool goes_on_after_read(Warp& warp, const Op& op, unsigned lane, std::uint64_t address,
                        std::uint32_t size, std::size_t alignment) {
  const Mask bit = Mask{1} << lane;
  const Container container = locate(warp, op, address);
  if (container.name == nullptr) {
    return warp.goes_on_after(op, bit, FindingClass::out_of_bounds,
                              fmt::format("asynchronous copy of {} bytes from global address "
                                          "{:#x}, where nothing is allocated",
                                          size, address));
  }
  const auto offset = static_cast<std::ptrdiff_t>(address - container.base);
  const MemoryPlace place{*container.name, offset, size, false, container.bytes.size};
  if (address % alignment != 0) {
    return warp.goes_on_after(
        op, bit, FindingClass::misaligned,
        fmt::format("asynchronous copy of {} bytes from byte {} of {}: the address "
                    "is {} bytes past a {}-byte boundary",
                    alignment, offset, *container.name, address % alignment, alignment),
        place);
  }
  return warp.goes_on_after(
      op, bit, FindingClass::out_of_bounds,
      fmt::format("asynchronous copy of {} bytes from byte {} of {}, which has {} bytes", size,
                  offset, *container.name, container.bytes.size),
      place);
}

/// Reports reads of several sizes to the race detector.
void observe_reads(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                   const Sizes& sizes) {
  while (lanes != 0) {
    const std::uint32_t size = sizes[lowest(lanes)];
    Mask same = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) same |= Mask{sizes[lane] == size} << lane;
    observe_read(warp, op, resolved, lanes & same, size);
    lanes &= ~same;
  }
}

/// Reads the source of one lane. Bytes beyond its size are zero and defined (PTX ISA 9.7.9.25.3.1).
template <std::size_t bytes>
void fetch_lane(machine::AsyncCopies::Fetched& fetched, unsigned lane, const std::byte* data,
                const std::byte* shadow, std::uint32_t size) {
  std::byte* const fetched_data = fetched.data.data() + lane * bytes;
  std::byte* const fetched_shadow = fetched.shadow.data() + lane * bytes;
  std::memset(fetched_data, 0, bytes);
  std::memset(fetched_shadow, 0xff, bytes);
  if (size == 0) return;
  std::memcpy(fetched_data, data, size);
  std::memcpy(fetched_shadow, shadow, size);
}

/// The lanes, among `lanes`, whose accesses are valid in the container of the lowest lane. A
/// container of more than 4 GiB serves one lane at a time, because a ResolvedAccess has 32-bit
/// offsets.
Mask lanes_within(const Container& container, Mask lanes, const LaneAddresses& addresses,
                  const Sizes& sizes, std::size_t alignment) {
  const Mask candidates = container.bytes.size >> 32 == 0 ? lanes : lanes & (~lanes + 1);
  Mask within = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool inside = addresses[lane] % alignment == 0 && container.bytes.size >= sizes[lane] &&
                        addresses[lane] - container.base <= container.bytes.size - sizes[lane];
    within |= Mask{inside} << lane;
  }
  return within & candidates;
}

template <std::size_t bytes>
Flow fetch(Warp& warp, const Op& op) {
  Sizes sizes = sizes_of(warp, op, bytes);
  if (const Mask unknown = undefined_operands(warp, op)) {
    if (!warp.goes_on_after(op, unknown, FindingClass::uninitialized_read,
                            "the address or the size of the source is undefined")) {
      return Flow::leave;
    }
    for (Mask rest = unknown; rest != 0; rest &= rest - 1) sizes[lowest(rest)] = 0;
  }
  auto& fetched = warp.block().async_copies().fetched();
  Mask reading = 0;
  for (Mask rest = warp.active(); rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    if (sizes[lane] > bytes) {
      if (!goes_on_after_size(warp, op, Mask{1} << lane, sizes[lane], bytes)) return Flow::leave;
      sizes[lane] = bytes;
    }
    if (sizes[lane] == 0) fetch_lane<bytes>(fetched, lane, nullptr, nullptr, 0);
    reading |= Mask{sizes[lane] != 0} << lane;
  }
  if (reading == 0) return Flow::next;
  LaneAddresses addresses;
  gather_addresses(warp, op, addresses);
  while (reading != 0) {
    const unsigned first = lowest(reading);
    const Container container = locate(warp, op, addresses[first]);
    const Mask here = lanes_within(container, reading, addresses, sizes, bytes);
    if ((here >> first & 1) == 0) {
      if (!goes_on_after_read(warp, op, first, addresses[first], sizes[first], bytes)) {
        return Flow::leave;
      }
      fetch_lane<bytes>(fetched, first, nullptr, nullptr, 0);
      reading &= ~(Mask{1} << first);
      continue;
    }
    reading &= ~here;
    const std::uint64_t begin = addresses[first] - container.base;
    machine::LaneOffsets offsets{};
    const bool alone = here == Mask{1} << first;
    for (Mask lanes = here; lanes != 0; lanes &= lanes - 1) {
      const unsigned lane = lowest(lanes);
      const std::uint64_t offset = addresses[lane] - container.base;
      fetch_lane<bytes>(fetched, lane, container.bytes.data + offset,
                        container.bytes.shadow + offset, sizes[lane]);
      if (!alone) offsets[lane] = static_cast<std::uint32_t>(offset);
    }
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((here >> lane & 1) == 0) offsets[lane] = offsets[first];
    }
    const std::uint64_t base = alone ? begin : 0;
    observe_reads(warp, op,
                  ResolvedAccess{container.bytes.data + base, container.bytes.shadow + base,
                                 offsets.data(), &container, machine::Pattern::scattered, base},
                  here, sizes);
  }
  return warp.block().faulted() ? Flow::leave : Flow::next;
}

template <std::size_t bytes>
Flow issue(Warp& warp, const Op& op) {
  return machine::access(warp, op, {bytes, true}, [&](const ResolvedAccess& resolved, Mask lanes) {
    if (machine::is_nowhere(resolved)) return;  // the copy would exist longer than this memory
    warp.block().async_copies().issue(warp, op, resolved, lanes, bytes);
  });
}

std::uint64_t constant_of(const Lowering& lowering, std::size_t operand, const char* what) {
  const auto* constant = lowering.operand<ptx::Integer>(operand);
  if (constant == nullptr) throw DecodeError(fmt::format("{} is not a constant", what));
  return constant->bits;
}

void choose_size(std::uint64_t bytes, bool only_largest, Op& fetching, Op& issuing) {
  if (bytes == 16) {
    fetching.run = fetch<16>;
    issuing.run = issue<16>;
  } else if (bytes == 8 && !only_largest) {
    fetching.run = fetch<8>;
    issuing.run = issue<8>;
  } else if (bytes == 4 && !only_largest) {
    fetching.run = fetch<4>;
    issuing.run = issue<4>;
  } else {
    throw DecodeError(fmt::format("the copy has {} bytes; {}", bytes,
                                  only_largest ? ".cg allows 16" : "4, 8 and 16 are allowed"));
  }
}

/// The optional operand: the source's size, or the predicate that ignores the source.
void lower_fourth_operand(Lowering& lowering, Op& fetching) {
  fetching.operand[machine::kSourceSize] = machine::kNoSlot;
  fetching.operand[machine::kIgnoreSource] = machine::kNoSlot;
  const std::size_t given =
      lowering.operand_count() - (lowering.selection.has("L2::cache_hint") ? 1 : 0);
  if (given < 3 || given > 4) {
    throw DecodeError(
        "[to], [from], a size and at most a size of the source or a predicate are expected");
  }
  if (given == 3) return;
  const ptx::Operand& operand = lowering.instruction.operands[3];
  const auto* reg = std::get_if<ptx::Register>(&operand);
  if (reg != nullptr && lowering.function.register_type(reg->index) == Type::pred) {
    fetching.operand[machine::kIgnoreSource] =
        lowering.source(ptx::Operand(ptx::Register{reg->index, false}), Type::pred);
    fetching.negated_sources = reg->negated ? 1 : 0;
  } else {
    fetching.operand[machine::kSourceSize] = lowering.source(operand, Type::u32);
  }
}

void lower_copy(Lowering& lowering) {
  const auto* to = lowering.operand<ptx::Address>(0);
  const auto* from = lowering.operand<ptx::Address>(1);
  if (to == nullptr || from == nullptr) throw DecodeError("[to] and [from] are expected");
  Op& op = lowering.result;
  const Op blank = op;
  lowering.address(*to, Space::shared);
  lowering.follow_up = op;
  op = blank;
  lowering.address(*from, Space::global);
  lower_fourth_operand(lowering, op);
  choose_size(constant_of(lowering, 2, "the size"), lowering.selection.has("cg"), op,
              *lowering.follow_up);
}

void digest(Warp& warp, checks::Act act, std::uint64_t what) {
  if (!warp.block().digests()) return;
  warp.block().digest().order(warp.index(), warp.active(), act, what);
}

Flow commit(Warp& warp, const Op&) {
  digest(warp, checks::Act::commit, 0);
  warp.block().async_copies().commit(warp.index(), warp.active());
  return Flow::next;
}
void lower_commit(Lowering& lowering) {
  if (lowering.operand_count() != 0) throw DecodeError("no operands are expected");
  lowering.result.run = commit;
}

/// Executes a wait. The immediate is the number of groups that may stay in flight.
Flow wait(Warp& warp, const Op& op) {
  digest(warp, checks::Act::wait, static_cast<std::uint64_t>(op.immediate));
  warp.block().async_copies().wait(warp, op, warp.active(),
                                   static_cast<std::uint32_t>(op.immediate));
  return Flow::next;
}
void lower_wait_group(Lowering& lowering) {
  if (lowering.operand_count() != 1) throw DecodeError("a number of groups is expected");
  const std::uint64_t groups = constant_of(lowering, 0, "the number of groups");
  lowering.result.immediate = static_cast<std::int64_t>(std::min<std::uint64_t>(groups, ~0U));
  lowering.result.run = wait;
}

/// Waits for all issued copies, whether committed or not.
Flow wait_all(Warp& warp, const Op& op) {
  digest(warp, checks::Act::commit, 0);
  digest(warp, checks::Act::wait, 0);
  warp.block().async_copies().commit(warp.index(), warp.active());
  warp.block().async_copies().wait(warp, op, warp.active(), 0);
  return Flow::next;
}
void lower_wait_all(Lowering& lowering) {
  if (lowering.operand_count() != 0) throw DecodeError("no operands are expected");
  lowering.result.run = wait_all;
}

constexpr std::array kForms = {
    Form{"cp", "async ca|cg shared|shared::cta global [L2::cache_hint] [L2::64B|L2::128B|L2::256B]",
         "", "", "9.7.9.25.3.1", nullptr, nullptr, lower_copy},
    Form{"cp", "async commit_group", "", "", "9.7.9.25.3.2", nullptr, nullptr, lower_commit},
    Form{"cp", "async wait_group", "", "", "9.7.9.25.3.3", nullptr, nullptr, lower_wait_group},
    Form{"cp", "async wait_all", "", "", "9.7.9.25.3.3", nullptr, nullptr, lower_wait_all},
};

}  // namespace

std::span<const Form> async_forms() { return kForms; }

}  // namespace warpcheck::isa
