#include "device/virtual/machine/memory/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "device/virtual/machine/memory/reservation.hpp"

namespace warpcheck::machine {
namespace {

constexpr int kDefined = 0xff;

/// Bytes of the device heap (CUDA C++ Programming Guide, "Heap Memory Allocation"): the default of
/// cudaLimitMallocHeapSize. Blocks begin on multiples of 16 bytes.
constexpr std::uint64_t kHeapBytes = std::uint64_t{8} << 20;
constexpr std::uint64_t kHeapAlignment = 16;

/// Bytes of freed blocks that stay allocated, because asynchronous copies from them may be pending.
constexpr std::uint64_t kRetiredBytes = std::uint64_t{256} << 20;

/// Host memory of an allocation without its bytes, including the records that detect races in it:
/// up to 6 KB, as measured for blocks of 64 bytes that 256 threads write and free.
constexpr std::uint64_t kEntryBytes = 8192;

/// Number of entries of freed blocks that are kept, so that accesses to the blocks are found.
constexpr std::size_t kRememberedFrees = std::size_t{1} << 16;

std::uint64_t heap_share(std::uint64_t bytes) {
  return (bytes + kHeapAlignment - 1) / kHeapAlignment * kHeapAlignment;
}

/// Calls body(offset of the row in the allocation, its offset in the packed rows) for each row.
template <class Body>
void for_each_row(const device::Extent& extent, Body body) {
  if (extent.row_bytes == 0) return;
  for (std::size_t row = 0; row < extent.rows(); ++row) {
    body(extent.row_begin(row), row * extent.row_bytes);
  }
}

}  // namespace

const std::string& name_of(const Container& container) {
  static const std::string kNothing = "no variable or allocation";
  return container.name != nullptr ? *container.name : kNothing;
}

Allocation& GlobalMemory::add_at_next_slot(std::string name, const device::Extent& extent,
                                           bool read_only, std::size_t shift_bytes,
                                           SparseBytes shadow) {
  if (extent.bytes() > device::kMostBufferBytes) {
    throw std::length_error(fmt::format("{} of {} bytes, expected at most {}", name, extent.bytes(),
                                        device::kMostBufferBytes));
  }
  auto allocation = make(global_address(allocations_.size()) + shift_bytes, std::move(name), extent,
                         SparseBytes(extent.bytes()), std::move(shadow));
  allocation->read_only = read_only;
  allocation->constant = read_only;
  return *allocations_.emplace_back(std::move(allocation));
}

std::unique_ptr<Allocation> GlobalMemory::make(std::uint64_t address, std::string name,
                                               const device::Extent& extent, SparseBytes data,
                                               SparseBytes shadow) {
  auto allocation = std::make_unique<Allocation>();
  allocation->name = std::move(name);
  allocation->extent = extent;
  allocation->padded = extent.packed_bytes() != extent.bytes();
  allocation->address = address;
  allocation->data = std::move(data);
  allocation->shadow = std::move(shadow);
  allocation->container = {{allocation->data.data(), allocation->shadow.data(), extent.bytes()},
                           address,
                           0,
                           allocation.get(),
                           &allocation->name,
                           Space::global};
  return allocation;
}

Allocation& GlobalMemory::add(const device::Buffer& buffer) {
  const device::Extent& extent = buffer.extent;
  Allocation& allocation =
      add_at_next_slot(buffer.name, extent, buffer.access == device::Access::read_only,
                       buffer.shift_bytes, SparseBytes(extent.bytes()));
  const Bytes& bytes = allocation.container.bytes;
  if (bytes.size == 0) return allocation;
  if (!buffer.packed) std::memcpy(bytes.data, buffer.bytes.data(), buffer.bytes.size());
  for_each_row(extent, [&](std::size_t at, std::size_t packed_at) {
    if (buffer.packed) {
      std::memcpy(bytes.data + at, buffer.bytes.data() + packed_at, extent.row_bytes);
    }
    if (buffer.initialized) std::memset(bytes.shadow + at, kDefined, extent.row_bytes);
  });
  return allocation;
}

Allocation& GlobalMemory::add_variable(const GlobalVariable& variable) {
  const std::size_t size = variable.bytes;
  Allocation& allocation = add_at_next_slot(variable.name, {1, size, size}, variable.read_only, 0,
                                            SparseBytes::ones(size));
  if (!variable.initial.empty()) {
    std::memcpy(allocation.data.data(), variable.initial.data(), variable.initial.size());
  }
  return allocation;
}

Allocation& GlobalMemory::add_block(const std::string& name, std::size_t bytes) {
  return add_at_next_slot(name, {1, bytes, bytes}, false, 0, SparseBytes(bytes));
}

Allocation* GlobalMemory::add_host_visible(const std::string& name, std::size_t bytes) {
  std::byte* const first = host_visible_bytes_.take(bytes);
  if (first == nullptr) return nullptr;
  Allocation* const added = add_host_bytes(name, first, bytes);
  added->registered = false;
  return added;
}

Allocation* GlobalMemory::add_host_bytes(const std::string& name, void* first, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uint64_t>(first);
  auto allocation = make(address, name, {1, bytes, bytes}, {}, SparseBytes::ones(bytes));
  allocation->container.bytes.data = static_cast<std::byte*>(first);
  allocation->registered = true;
  return (host_visible_[address] = std::move(allocation)).get();
}

Allocation& GlobalMemory::add_reservation(const std::string& name, std::size_t bytes) {
  auto reservation =
      std::make_shared<Reservation>(name, global_address(allocations_.size()), bytes);
  Allocation& reserved = add_at_next_slot(name, {1, 0, 0}, false, 0, {});
  reserved.reservation = std::move(reservation);
  return reserved;
}

Reservation& GlobalMemory::reservation_at(std::uint64_t address) const {
  return *allocations_[(address - kGlobalBase) >> kGlobalSlotBits]->reservation;
}

const Mapping& mapping_at(const std::vector<Mapping>& mappings, std::uint64_t offset) {
  const auto after =
      std::upper_bound(mappings.begin(), mappings.end(), offset,
                       [](std::uint64_t place, const Mapping& one) { return place < one.begin; });
  return *std::prev(after);
}

Bytes GlobalMemory::reserved_bytes(std::uint64_t address, std::size_t bytes) const {
  return reservation_at(address).bytes_at(address, bytes);
}

void GlobalMemory::end_reservation(std::uint64_t address) {
  Allocation& reserved = *allocations_[(address - kGlobalBase) >> kGlobalSlotBits];
  reserved.reservation.reset();
  free_block(reserved);
}

Allocation* GlobalMemory::near_part(const Allocation& reserved, std::uint64_t address) {
  return reserved.reservation->near(address);
}

void GlobalMemory::initialize(const GlobalVariable& variable) {
  Allocation& placed = *near(variable.address);
  placed.name = variable.name;
  std::copy(variable.initial.begin(), variable.initial.end(), placed.container.bytes.data);
}

void GlobalMemory::free_block(Allocation& block) {
  if (block.registered) {
    host_visible_.erase(block.address);
    return;
  }
  if (host_visible_.contains(block.address)) {
    host_visible_bytes_.give_back(block.container.bytes.data, block.container.bytes.size);
  }
  block.heap = HeapState::freed;
  block.container.bytes = {};
  block.data = {};
  block.shadow = {};
  freed_.push_back(block.address);
  forget_old_frees();
}

bool GlobalMemory::outlives_launch(const Allocation& block) const {
  return block.heap == HeapState::none && &block != grid_barrier_;
}

void GlobalMemory::end_launch() {
  host_bytes_ = 2 * (heap_bytes_ + retired_bytes_);
  forget_old_frees();
}

void GlobalMemory::forget_old_frees() {
  while (freed_.size() > kRememberedFrees) {
    if (host_visible_.erase(freed_.front()) == 0) {
      allocations_[(freed_.front() - kGlobalBase) >> kGlobalSlotBits].reset();
    }
    freed_.pop_front();
  }
}

Allocation* GlobalMemory::near_host_visible(std::uint64_t address) const {
  constexpr std::uint64_t kHalf = HostVisibleBytes::kDistance / 2;
  const auto after = host_visible_.upper_bound(address);
  if (after != host_visible_.begin()) {
    Allocation& before = *std::prev(after)->second;
    const std::uint64_t beyond = before.registered ? 0 : kHalf;
    if (address - before.address < before.extent.bytes() + beyond) return &before;
  }
  const bool close =
      after != host_visible_.end() && !after->second->registered && after->first - address <= kHalf;
  return close ? after->second.get() : nullptr;
}

std::uint64_t GlobalMemory::clear_grid_barrier() {
  constexpr std::size_t kBytes = 64;
  if (grid_barrier_ == nullptr) {
    grid_barrier_ = &add_variable({"the grid's barrier", {}, kBytes, false});
  }
  std::memset(grid_barrier_->data.data(), 0, kBytes);
  std::memset(grid_barrier_->shadow.data(), kDefined, kBytes);
  return grid_barrier_->address;
}

Allocation* GlobalMemory::add_heap_block(std::uint64_t bytes) {
  if (bytes > kHeapBytes || heap_share(bytes) > kHeapBytes - heap_bytes_) return nullptr;
  heap_bytes_ += heap_share(bytes);
  Allocation& block = add_at_next_slot(fmt::format("heap block {}", ++heap_blocks_),
                                       {1, bytes, bytes}, false, 0, SparseBytes(bytes));
  block.heap = HeapState::live;
  host_bytes_ += kEntryBytes + 2 * bytes;
  return &block;
}

Allocation& GlobalMemory::add_stack_block(std::uint64_t bytes, const char* name) {
  Allocation& block = add_at_next_slot(name, {1, bytes, bytes}, false, 0, SparseBytes(bytes));
  block.heap = HeapState::on_stack;
  host_bytes_ += kEntryBytes + 2 * bytes;
  return block;
}

void GlobalMemory::free_heap_block(Allocation& block) {
  heap_bytes_ -= heap_share(block.extent.bytes());
  retire(block);
}

void GlobalMemory::retire(Allocation& block) {
  block.heap = HeapState::freed;
  block.container.bytes = {};
  freed_.push_back(block.address);
  retired_bytes_ += block.extent.bytes();
  retired_.push_back(std::move(block.data));
  retired_.push_back(std::move(block.shadow));
  while (retired_bytes_ > kRetiredBytes) {
    retired_bytes_ -= retired_.front().size();
    host_bytes_ -= 2 * retired_.front().size();
    retired_.pop_front();
    retired_.pop_front();
  }
}

std::vector<std::byte> GlobalMemory::contents(std::size_t index, bool packed) const {
  const Allocation& allocation = *allocations_[index];
  const std::byte* const data = allocation.data.data();
  const device::Extent& extent = allocation.extent;
  if (!packed) return {data, data + extent.bytes()};
  std::vector<std::byte> rows;
  rows.reserve(extent.packed_bytes());
  for_each_row(extent, [&](std::size_t at, std::size_t) {
    rows.insert(rows.end(), data + at, data + at + extent.row_bytes);
  });
  return rows;
}

}  // namespace warpcheck::machine
