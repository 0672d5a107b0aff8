#include "device/virtual/machine/memory/reservation.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace warpcheck::machine {
namespace {

using State = device::AddressPart::State;

/// The reason why no byte of a part can be accessed; null: all bytes can.
const char* refusal_of(State state) {
  switch (state) {
    case State::unmapped:
      return "where no memory is mapped";
    case State::was_mapped:
      return "whose memory was unmapped before";
    case State::no_access:
      return "to which cuMemSetAccess gives no access";
    case State::read_only:
    case State::accessible:
      break;
  }
  return nullptr;
}

}  // namespace

Reservation::Reservation(std::string name, std::uint64_t begin, std::size_t bytes)
    : name_(std::move(name)), begin_(begin), data_(bytes), shadow_(bytes) {
  const device::AddressPart all{bytes, State::unmapped};
  set_parts({&all, 1});
}

/// Makes an allocation. Offsets in a part that cannot be accessed count from the first byte of the
/// reservation.
std::unique_ptr<Allocation> Reservation::make(std::uint64_t address,
                                              std::span<const device::AddressPart> parts) const {
  const State state = parts.front().state;
  auto allocation = std::make_unique<Allocation>();
  const std::size_t offset = address - begin_;
  allocation->name = name_;
  allocation->refused = refusal_of(state);
  const bool has_bytes = allocation->refused == nullptr;
  std::size_t bytes = 0;
  for (const device::AddressPart& part : parts) {
    if (!has_bytes) break;
    if (part.memory != 0) allocation->mappings.push_back({bytes, part.bytes, part.memory});
    bytes += part.bytes;
  }
  allocation->address = has_bytes ? address : begin_;
  allocation->extent = {1, bytes, bytes};
  allocation->read_only = state == State::read_only;
  allocation->mapped = true;
  if (state == State::was_mapped) allocation->heap = HeapState::freed;
  Bytes contents;
  if (has_bytes) contents = {data_.data() + offset, shadow_.data() + offset, bytes};
  allocation->container = {contents,         allocation->address, 0,
                           allocation.get(), &allocation->name,   Space::global};
  if (!allocation->mappings.empty()) allocation->container.mappings = &allocation->mappings;
  return allocation;
}

void Reservation::set_parts(std::span<const device::AddressPart> parts) {
  parts_.clear();
  std::uint64_t address = begin_;
  while (!parts.empty()) {
    const auto other =
        std::find_if(parts.begin(), parts.end(), [&](const device::AddressPart& part) {
          const device::AddressPart& first = parts.front();
          return part.state != first.state || (part.memory == 0) != (first.memory == 0);
        });
    const auto count = static_cast<std::size_t>(other - parts.begin());
    parts_[address] = make(address, parts.first(count));
    for (const device::AddressPart& part : parts.first(count)) address += part.bytes;
    parts = parts.subspan(count);
  }
}

Allocation* Reservation::near(std::uint64_t address) const {
  const auto after = parts_.upper_bound(address);
  return (after == parts_.begin() ? after : std::prev(after))->second.get();
}

}  // namespace warpcheck::machine
