#include "device/virtual/machine/memory.hpp"

#include <algorithm>
#include <utility>

namespace warpcheck::machine {
namespace {

constexpr std::byte kDefined{0xff};

std::vector<std::byte> shadow_of(const device::Buffer& buffer) {
  std::vector<std::byte> shadow(buffer.extent.bytes(), std::byte{0});
  if (!buffer.initialized) return shadow;
  for (std::size_t row = 0; row < buffer.extent.rows; ++row) {
    std::fill_n(shadow.begin() + static_cast<std::ptrdiff_t>(row * buffer.extent.pitch_bytes),
                buffer.extent.row_bytes, kDefined);
  }
  return shadow;
}

}  // namespace

Allocation& GlobalMemory::add_at_next_slot(Allocation allocation, std::size_t shift_bytes) {
  allocation.address = global_address(allocations_.size()) + shift_bytes;
  Allocation& kept =
      *allocations_.emplace_back(std::make_unique<Allocation>(std::move(allocation)));
  kept.container = {{kept.data.data(), kept.shadow.data(), kept.data.size()},
                    kept.address,
                    0,
                    &kept,
                    &kept.name,
                    Space::global};
  return kept;
}

Allocation& GlobalMemory::add(const device::Buffer& buffer) {
  Allocation allocation;
  allocation.name = buffer.name;
  allocation.extent = buffer.extent;
  allocation.read_only = buffer.access == device::Access::read_only;
  allocation.data = buffer.bytes;
  allocation.data.resize(buffer.extent.bytes());
  allocation.shadow = shadow_of(buffer);
  return add_at_next_slot(std::move(allocation), buffer.shift_bytes);
}

Allocation& GlobalMemory::add_variable(std::string name, std::vector<std::byte> initial,
                                       bool read_only) {
  Allocation allocation;
  allocation.name = std::move(name);
  allocation.extent = {1, initial.size(), initial.size()};
  allocation.read_only = read_only;
  allocation.shadow.assign(initial.size(), kDefined);
  allocation.data = std::move(initial);
  return add_at_next_slot(std::move(allocation), 0);
}

}  // namespace warpcheck::machine
