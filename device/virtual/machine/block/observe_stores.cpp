// Reports stores to memory that a kernel must not write, stores of undefined values, and stores to
// memory that bulk copies read through the async proxy.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "device/virtual/machine/block/observe.hpp"
#include "device/virtual/machine/core/object_copy.hpp"

namespace warpcheck::machine {
namespace {

constexpr std::byte kUndefined{0};
constexpr std::byte kDefined{0xff};

/// True if the undefined bytes that the lanes store are padding of an object that they copy.
/// Padding lies next to defined bytes of a word, or after defined bytes: as single bytes, or as the
/// last element of a vector. The bytes stay undefined, so that a later use of them is found.
bool copies_padding(const Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                    std::size_t displacement, std::size_t bytes) {
  const Program& program = *warp.block().launch().program;
  const FunctionCode& code = *warp.frame().code;
  const auto object = words_of_object(program, code, op, displacement / bytes);
  if (!object) return false;
  const bool ends = object->last && displacement != 0 && displacement + bytes == object->bytes;
  const std::size_t ahead = bytes == 1 ? displacement + object->bytes_ahead
                            : ends     ? displacement
                                       : 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const unsigned lane = lowest(lanes);
    const std::byte* const word = resolved.shadow + resolved.offset[lane] + displacement;
    const bool whole = std::all_of(
        word, word + bytes, [](std::byte one) { return one == kUndefined || one == kDefined; });
    const bool has_bytes_ahead = resolved.at(lane) + displacement >= ahead;
    const std::byte* const first = has_bytes_ahead ? word - ahead : word;
    if (!whole || std::find(first, word + bytes, kDefined) == word + bytes) return false;
  }
  return true;
}

}  // namespace

void inspect_store(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                   std::size_t displacement, std::size_t bytes) {
  Allocation& allocation = *resolved.container->allocation;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const Mask bit = Mask{1} << lane;
    if ((lanes & bit) == 0) continue;
    const std::uint64_t offset = resolved.at(lane) + displacement;
    MemoryPlace place{allocation.name, static_cast<std::ptrdiff_t>(offset), bytes, true};
    if (allocation.read_only && allocation.mapped) {
      warp.report(op, bit, FindingClass::out_of_bounds,
                  fmt::format("store to byte {} of {}, which the device may only read", offset,
                              allocation.name),
                  place);
    } else if (allocation.read_only) {
      warp.report(op, bit, FindingClass::input_modified,
                  fmt::format("store to byte {} of {}, an input", offset, allocation.name), place);
    } else if (allocation.is_padding(offset) || allocation.is_padding(offset + bytes - 1)) {
      warp.report(op, bit, FindingClass::guard_overwritten,
                  fmt::format("store to byte {} of {}, in a gap between its elements", offset,
                              allocation.name),
                  place);
    }
    if (allocation.watched && allocation.watched_offset >= offset &&
        allocation.watched_offset < offset + bytes) {
      const LaunchContext& launch = warp.block().launch();
      warp.block().writer = {source_place(*launch.program, *warp.frame().code, op),
                             warp.block().place(warp.index(), lane)};
    }
  }
}

void report_undefined_store(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                            std::size_t displacement, std::size_t bytes) {
  if (warp.block().launch().keep_going &&
      copies_padding(warp, op, resolved, lanes, displacement, bytes)) {
    return;
  }
  const std::uint64_t offset = resolved.at(lowest(lanes)) + displacement;
  const Allocation& allocation = *resolved.container->allocation;
  warp.report(op, lanes, FindingClass::uninitialized_read,
              fmt::format("an undefined value is stored to byte {} of {}", offset, allocation.name),
              MemoryPlace{allocation.name, static_cast<std::ptrdiff_t>(offset), bytes, true});
}

void note_proxy_write(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                      std::size_t bytes) {
  Block& owner = resolved.container->owner != nullptr ? *resolved.container->owner : warp.block();
  checks::ProxyWrites::Write write;
  write.block = warp.block().number();
  write.op = op.number;
  write.warp = static_cast<std::uint16_t>(warp.index());
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    write.lane = static_cast<std::uint16_t>(lane);
    write.offset = static_cast<std::uint32_t>(resolved.container->shared_begin + resolved.at(lane));
    owner.proxy_writes().note(write, bytes);
  }
}

void check_proxy_writes(Warp& warp, const Op& op, const Container& container, std::uint64_t offset,
                        std::size_t bytes, unsigned lane) {
  Block& block = warp.block();
  Block& owner = container.owner != nullptr ? *container.owner : block;
  if (!owner.proxy_writes().tracks()) return;
  const auto* write = owner.proxy_writes().unfenced(container.shared_begin + offset, bytes);
  if (write == nullptr) return;
  const RacingOps ops{write->op, op.number, Grade::failure};
  if (block.is_repeated_race(ops)) return;
  const Program& program = *block.launch().program;
  const FunctionCode& code = program.function_of(write->op);
  const OtherAccess other{source_place(program, code, code.ops[write->op - code.first_op]),
                          block.place_in(write->block, write->warp, write->lane), true};
  const auto place = static_cast<std::ptrdiff_t>(write->offset) -
                     static_cast<std::ptrdiff_t>(container.shared_begin);
  Finding finding = warp.finding(op, Mask{1} << lane, FindingClass::race, {},
                                 MemoryPlace{*container.name, place, bytes, false});
  finding.race =
      Race{.kind = Race::Kind::async_proxy, .multiplies = op.detail->matrices != nullptr};
  finding.other = other;
  block.add_race(ops, std::move(finding));
}

}  // namespace warpcheck::machine
