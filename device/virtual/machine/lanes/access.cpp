#include "device/virtual/machine/lanes/access.hpp"

#include <fmt/format.h>

#include "device/virtual/machine/block/cluster.hpp"
#include "device/virtual/machine/core/simd.hpp"

namespace warpcheck::machine {
namespace {

const std::string kStack = "local memory";
const std::string kParameters = "the kernel's parameters";

const std::string kEndedShared = "shared memory of a block that has ended";

/// The variable of a block at `offset`; any offset after the variables is in dynamic shared memory.
Container locate_in(const Block& block, std::uint64_t offset, std::uint64_t window) {
  const std::vector<Container>& containers = block.shared_containers();
  for (const Container& container : containers) {
    const bool beyond = &container == &containers.back() && offset >= container.shared_begin;
    if (!beyond && offset - container.shared_begin >= container.bytes.size) continue;
    Container found = container;
    found.base += window;
    return found;
  }
  return {{}, window, 0, nullptr, nullptr, Space::shared};
}

/// The shared memory of the cluster's block whose rank the offset contains.
Container locate_in_cluster(Warp& warp, std::uint64_t offset, std::uint64_t window) {
  const Cluster& cluster = *warp.block().cluster();
  const std::uint64_t rank = (offset >> kClusterRankBits) - 1;
  if (rank >= cluster.size()) return {{}, window, 0, nullptr, nullptr, Space::shared};
  const std::uint64_t begin = (rank + 1) << kClusterRankBits;
  Block* const owner = cluster.block(static_cast<std::uint32_t>(rank));
  if (owner == nullptr) return {{}, window + begin, 0, nullptr, &kEndedShared, Space::shared};
  Container found = locate_in(*owner, offset - begin, window + begin);
  if (owner != &warp.block()) found.owner = owner;
  return found;
}

Container locate_shared(Warp& warp, std::uint64_t offset, std::uint64_t window) {
  const bool in_cluster = offset >> kClusterRankBits != 0 && warp.block().cluster() != nullptr;
  return in_cluster ? locate_in_cluster(warp, offset, window)
                    : locate_in(warp.block(), offset, window);
}

Container locate_local(Warp& warp, std::uint64_t window) {
  return {{warp.local_data(), warp.local_shadow(), warp.frame().local_end()},
          window,
          warp.local_stride(),
          nullptr,
          &kStack,
          Space::local};
}

Container locate_parameters(Warp& warp, std::uint64_t window) {
  // Only loads come here: the decoder rejects stores to a kernel's parameters.
  const LaunchContext& launch = warp.block().launch();
  return {{const_cast<std::byte*>(launch.parameters.data()),
           const_cast<std::byte*>(launch.parameters_shadow.data()), launch.parameters.size()},
          window,
          0,
          nullptr,
          &kParameters,
          Space::kernel_parameter};
}

Container locate_global(Warp& warp, std::uint64_t address) {
  Allocation* allocation = warp.block().launch().memory->near(address);
  if (allocation == nullptr) return {{}, 0, 0, nullptr, nullptr, Space::global};
  return allocation->container;
}

bool within(std::uint64_t address, std::uint64_t window) {
  return address >= window && address - window < kWindowBytes;
}

std::string_view space_name(Space space) {
  switch (space) {
    case Space::shared:
      return "shared";
    case Space::local:
      return "local";
    case Space::constant:
      return "constant";
    case Space::kernel_parameter:
      return "parameter";
    default:
      return "global";
  }
}

/// The nearest shared variable at or below an address, which the access overran.
Container nearest_shared(Warp& warp, const Container& none, std::uint64_t address) {
  const PlacedVariable* nearest = nullptr;
  for (const PlacedVariable& variable : warp.block().launch().kernel->shared) {
    if (none.base + variable.address <= address) nearest = &variable;
  }
  if (nearest == nullptr) return none;
  return {{nullptr, nullptr, nearest->bytes},
          none.base + nearest->address,
          0,
          nullptr,
          &nearest->name,
          Space::shared};
}

WARPCHECK_FOR_AVX2 Survey look_with_avx2(const Warp& warp, const Op& op, const Container& container,
                                         Footprint footprint, Mask lanes, LaneOffsets& offsets) {
  return look(warp, op, container, footprint, lanes, offsets);
}

}  // namespace

Survey look_out_of_line(const Warp& warp, const Op& op, const Container& container,
                        Footprint footprint, Mask lanes, LaneOffsets& offsets) {
  return cpu_has_avx2() ? look_with_avx2(warp, op, container, footprint, lanes, offsets)
                        : look(warp, op, container, footprint, lanes, offsets);
}

Container locate(Warp& warp, const Op& op, std::uint64_t address) {
  switch (op.space) {
    case Space::shared:
      return locate_shared(warp, address, 0);
    case Space::local: {
      if (address < kWindowBytes) return locate_local(warp, 0);
      // Memory of alloca is an allocation; its .local address is relative to the window.
      Container found = locate_global(warp, address + kLocalWindow);
      if (found.allocation == nullptr || found.allocation->heap == HeapState::none) {
        return locate_local(warp, 0);
      }
      found.base -= kLocalWindow;
      return found;
    }
    case Space::kernel_parameter:
      return locate_parameters(warp, 0);
    case Space::global:
    case Space::constant:
      return locate_global(warp, address);
    case Space::generic:
      break;
  }
  if (within(address, kSharedWindow)) {
    return locate_shared(warp, address - kSharedWindow, kSharedWindow);
  }
  if (within(address, kLocalWindow)) return locate_local(warp, kLocalWindow);
  if (within(address, kParameterWindow)) return locate_parameters(warp, kParameterWindow);
  return locate_global(warp, address);
}

bool goes_on_after_access(Warp& warp, const Op& op, unsigned lane, Footprint footprint) {
  return goes_on_after_access(warp, op, lane, address_of(warp, op, lane), footprint);
}

bool goes_on_after_access(Warp& warp, const Op& op, unsigned lane, std::uint64_t address,
                          Footprint footprint) {
  Container container = locate(warp, op, address);
  const bool inside = container.bytes.size >= footprint.bytes &&
                      address - container.base <= container.bytes.size - footprint.bytes;
  const bool is_consequence = container.name == nullptr && warp.is_poisoned(lane);
  if (!footprint.write && !inside) warp.note_poisoned(Mask{1} << lane);
  if (is_consequence) return true;
  if (container.space == Space::shared && container.name == nullptr) {
    container = nearest_shared(warp, container, address);
  }
  const auto offset = static_cast<std::ptrdiff_t>(address - container.base);
  const std::string what =
      fmt::format("{}-byte {}", footprint.bytes, footprint.write ? "store to" : "load from");
  const std::string& name = name_of(container);
  FindingClass kind = FindingClass::out_of_bounds;
  std::string message;
  const bool freed =
      container.allocation != nullptr && container.allocation->heap == HeapState::freed;
  if (container.allocation != nullptr && container.allocation->refused != nullptr) {
    if (freed) kind = FindingClass::use_after_free;
    message =
        fmt::format("{} byte {} of {}, {}", what, offset, name, container.allocation->refused);
  } else if (freed) {
    kind = FindingClass::use_after_free;
    message = fmt::format("{} byte {} of {}, which was freed before", what, offset, name);
  } else if (container.name == &kEndedShared) {
    message = fmt::format("{} byte {} of {}", what, offset, name);
  } else if (inside) {
    kind = FindingClass::misaligned;
    message = fmt::format("{} byte {} of {}: the address is {} bytes past a {}-byte boundary", what,
                          offset, name, address & (footprint.bytes - 1), footprint.bytes);
  } else if (container.name == nullptr) {
    message = fmt::format("{} {} address {:#x}, where nothing is allocated", what,
                          space_name(container.space), address);
  } else {
    message = fmt::format("{} byte {} of {}, which has {} bytes", what, offset, name,
                          container.bytes.size);
  }
  MemoryPlace place{name, offset, footprint.bytes, footprint.write, {}};
  if (container.name != nullptr && kind != FindingClass::use_after_free) {
    place.extent = container.bytes.size;
  }
  return warp.goes_on_after(op, Mask{1} << lane, kind, std::move(message), std::move(place));
}

void note_alignment(Warp& warp, const Op& op, Mask lanes, const Container& container,
                    Footprint footprint) {
  if (op.detail->object.bytes != 0) return;  // the op aligns the address
  if (warp.block().is_repeated_note(op)) return;
  const auto lane = lowest(lanes);
  const auto offset = static_cast<std::ptrdiff_t>(address_of(warp, op, lane) - container.base);
  Finding note = warp.finding(
      op, lanes, FindingClass::misaligned,
      fmt::format("{}-byte {} byte {} of {}, which is declared with an alignment of {} byte{}: its "
                  "address need not be a multiple of {}",
                  footprint.bytes, footprint.write ? "store to" : "load from", offset,
                  name_of(container), container.alignment, container.alignment == 1 ? "" : "s",
                  footprint.bytes),
      MemoryPlace{name_of(container), offset, footprint.bytes, footprint.write});
  note.grade = Grade::declared_alignment;
  warp.block().add_note(op, std::move(note));
}

}  // namespace warpcheck::machine
