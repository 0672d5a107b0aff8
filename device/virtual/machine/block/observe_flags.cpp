// Reports strong accesses as flags, through which threads release and acquire.
#include <algorithm>

#include "device/virtual/checks/global_races.hpp"
#include "device/virtual/machine/block/observe.hpp"

namespace warpcheck::machine {
namespace {

/// The last one of `lanes` in the order.
unsigned last_of(Mask lanes, const LaneOrder& order) {
  unsigned last = 0;
  checks::for_each_lane(lanes, &order, [&](unsigned lane) { last = lane; });
  return last;
}

/// The address that identifies a byte of global memory.
std::uint64_t memory_address(const Container& container, std::uint64_t offset) {
  if (container.mappings == nullptr) return container.base + offset;
  const Mapping& mapping = mapping_at(*container.mappings, offset);
  return mapping.memory + (offset - mapping.begin);
}

}  // namespace

void observe_flag(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                  std::size_t bytes, bool read, bool write, const LaneOrder* atomic) {
  Block& block = warp.block();
  checks::BlockClocks& clocks = block.races().clocks();
  const bool shared = resolved.container->space == Space::shared;
  if (!shared && !may_race(resolved)) return;
  const bool own = shared && block.cluster() == nullptr;
  checks::BlockClocks::Flags& flags =
      own ? clocks.shared_flags() : block.launch().global_races->flags();
  if (flags.empty() && !clocks.fenced() && !op.releases) return;
  const std::uint64_t memory =
      shared && !own ? owner_of(warp, resolved).shared_number() : std::uint64_t{0};
  const std::uint64_t base = memory + resolved.container->shared_begin;
  const checks::Semantics semantics{op.scope, op.acquires, op.releases};
  const std::size_t known_scalar = scalar_bytes(block, op, bytes);
  const std::size_t scalar = known_scalar != 0 ? known_scalar : bytes;
  const auto access = [&](Mask same, std::uint64_t address) {
    // Without a fence or release, an access to another place is no pattern of synchronisation.
    const checks::FlagPlace place{address, scalar};
    const auto known = flags.find(place);
    if (known == flags.end() && !clocks.fenced() && !op.releases) return;
    checks::Flag& flag = known != flags.end() ? known->second : flags[place];
    const bool loads = read && (atomic == nullptr || observes(op));
    if (loads) clocks.load_flag(warp.index(), same, flag, semantics, write && observes(op));
    if (write) clocks.store_flag(warp.index(), same, flag, semantics, read);
    if (atomic != nullptr && observes(op)) {
      // The last lane observes the releases of the others.
      clocks.load_flag(warp.index(), Mask{1} << last_of(same, *atomic), flag, semantics, true);
    }
  };
  while (lanes != 0) {
    const std::uint64_t offset = resolved.at(lowest(lanes));
    const Mask same = resolved.lanes_at(offset) & lanes;
    lanes &= ~same;
    const std::uint64_t address =
        shared ? base + offset : memory_address(*resolved.container, offset);
    for (std::size_t at = 0; at < bytes; at += scalar) access(same, address + at);
  }
}

}  // namespace warpcheck::machine
