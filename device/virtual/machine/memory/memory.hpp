// Global memory: allocations with exact extents, and one shadow byte for every byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/virtual/machine/core/program.hpp"
#include "device/virtual/machine/memory/host_visible_bytes.hpp"
#include "device/virtual/machine/memory/sparse_bytes.hpp"

namespace warpcheck::machine {

/// Bytes with a shadow: a shadow bit is 1 if the bit of the byte is defined.
struct Bytes {
  std::byte* data = nullptr;
  std::byte* shadow = nullptr;
  std::size_t size = 0;
};

struct Allocation;
class Block;
class Reservation;

/// An alignment that guarantees the alignment of every access.
inline constexpr std::size_t kAnyAlignment = std::size_t{1} << 20;

/// Memory that the host mapped at consecutive addresses.
struct Mapping {
  std::size_t begin = 0;  // offset of the first address in the container
  std::size_t bytes = 0;
  std::uint64_t memory = 0;  // address that identifies the memory, regardless of its mappings
};

/// The mapping that contains the byte at an offset. The mappings are consecutive.
[[nodiscard]] const Mapping& mapping_at(const std::vector<Mapping>& mappings, std::uint64_t offset);

/// The object that contains an address: an allocation, a shared variable, a thread's stack.
struct Container {
  Bytes bytes;
  std::uint64_t base = 0;            // address of its first byte
  std::size_t lane_stride = 0;       // local memory: distance in bytes between two lanes
  Allocation* allocation = nullptr;  // global and constant memory only
  const std::string* name = nullptr;
  Space space = Space::generic;
  std::size_t shared_begin = 0;           // shared memory only: offset in the block's shared memory
  std::size_t alignment = kAnyAlignment;  // shared memory only: declared alignment, in bytes
  // The block of the cluster that owns the shared memory, if it is another block; otherwise null.
  Block* owner = nullptr;
  const std::vector<Mapping>* mappings = nullptr;  // null: the memory has no other addresses
};

/// The name of the container in findings.
[[nodiscard]] const std::string& name_of(const Container& container);

/// `none`: neither a block of the device heap nor memory of alloca.
enum class HeapState : std::uint8_t { none, live, on_stack, freed };

/// One allocation of global or constant memory.
struct Allocation {
  std::string name;
  std::uint64_t address = 0;
  device::Extent extent;
  bool read_only = false;
  bool constant = false;    // no kernel writes it: it is read-only, and has no other address
  bool padded = false;      // some bytes lie between the rows
  bool registered = false;  // the bytes existed on the host before
  bool watched = false;     // the job watches byte `watched_offset`
  std::size_t watched_offset = 0;
  bool mapped = false;  // the allocation is a part of a reservation
  // The reason why no byte of such a part can be accessed; null: all can.
  const char* refused = nullptr;
  std::vector<Mapping> mappings;  // mappings of such a part, if they are known
  HeapState heap = HeapState::none;
  std::shared_ptr<Reservation> reservation;  // addresses without memory; null: an allocation
  SparseBytes data;
  SparseBytes shadow;
  Container container;  // covers the whole allocation

  [[nodiscard]] bool has_padding() const { return padded; }
  /// True if byte `offset` is between the rows.
  [[nodiscard]] bool is_padding(std::size_t offset) const {
    return has_padding() && extent.is_padding(offset);
  }
  void watch(std::size_t offset) {
    watched = true;
    watched_offset = offset;
  }
  /// True if a store must be checked lane by lane.
  [[nodiscard]] bool needs_care() const { return read_only || watched || has_padding(); }
};

/// Global memory. Slots number the allocations, except those that the host can access too.
class GlobalMemory {
 public:
  /// The addresses of the slots below `first_slot` are reserved for add_host_visible().
  explicit GlobalMemory(std::uint64_t first_slot = 0) : allocations_(first_slot) {}

  /// Adds a buffer of a job. Its rows are defined if it is initialised, its padding is never
  /// defined.
  Allocation& add(const device::Buffer& buffer);

  /// Adds a module's variable. All of it is defined: variables without an initialiser are zero (PTX
  /// ISA 5.4).
  Allocation& add_variable(const GlobalVariable& variable);

  /// Adds a block of undefined bytes, which the host allocates.
  Allocation& add_block(const std::string& name, std::size_t bytes);
  /// Adds a block whose addresses the host can use too, because they are the addresses of its
  /// bytes. All bytes are defined. Null if no memory is free.
  [[nodiscard]] Allocation* add_host_visible(const std::string& name, std::size_t bytes);
  /// Adds bytes of the host, all defined, at their own addresses. Other bytes of the host lie next
  /// to them; an access to those is an access to unallocated memory, even after such a block is
  /// freed.
  Allocation* add_host_bytes(const std::string& name, void* first, std::size_t bytes);
  [[nodiscard]] static bool is_host_visible(const Allocation& block) {
    return reinterpret_cast<std::uint64_t>(block.container.bytes.data) == block.address;
  }
  /// Reserves addresses; see device::Session::reserve().
  Allocation& add_reservation(const std::string& name, std::size_t bytes);
  /// The reservation that begins at the address.
  [[nodiscard]] Reservation& reservation_at(std::uint64_t address) const;
  /// The bytes at an address of a reservation.
  [[nodiscard]] Bytes reserved_bytes(std::uint64_t address, std::size_t bytes) const;
  /// Ends the reservation that begins at the address.
  void end_reservation(std::uint64_t address);
  /// Gives a managed variable, which add_host_visible() placed, its name and its initial bytes.
  void initialize(const GlobalVariable& variable);
  /// Frees such a block. Later accesses are findings; accesses to blocks that were freed long ago
  /// count as accesses to unallocated memory.
  void free_block(Allocation& block);

  /// Returns the address of 64 zero bytes for the barrier of a cooperative grid; the Toolkit's
  /// grid_workspace uses 8 of them. The next call uses the same bytes again.
  [[nodiscard]] std::uint64_t clear_grid_barrier();

  /// Adds a block of the device heap, with undefined bytes. Null if the heap has no room for it.
  [[nodiscard]] Allocation* add_heap_block(std::uint64_t bytes);
  /// Frees such a block. Its addresses are not used again, so that later accesses are found.
  void free_heap_block(Allocation& block);
  /// Adds a block for alloca, or for other memory of one launch.
  [[nodiscard]] Allocation& add_stack_block(std::uint64_t bytes,
                                            const char* name = "memory of alloca");
  void free_stack_block(Allocation& block) { retire(block); }
  /// Host memory of the blocks that the kernel allocated. A freed block keeps its entry.
  [[nodiscard]] std::uint64_t host_bytes() const { return host_bytes_; }
  /// True for variables and allocations of the host. False for blocks of the device heap, memory of
  /// alloca, and the barrier of a cooperative grid.
  [[nodiscard]] bool outlives_launch(const Allocation& block) const;
  /// Must be called after a launch if another one follows. host_bytes() then counts only the bytes
  /// of the blocks, because the records of races have ended.
  void end_launch();

  /// The allocation whose 64 GiB of addresses contain `address`, or the closest allocation that the
  /// host can access; null if there is none. The address may be outside the allocation's extent.
  [[nodiscard]] Allocation* near(std::uint64_t address) const {
    const std::uint64_t slot = (address - kGlobalBase) >> kGlobalSlotBits;
    Allocation* const found = slot < allocations_.size() ? allocations_[slot].get() : nullptr;
    if (found == nullptr) return near_host_visible(address);
    return found->reservation == nullptr ? found : near_part(*found, address);
  }

  /// The contents of a buffer's allocation in the format of Buffer::bytes; `packed`: only the rows.
  [[nodiscard]] std::vector<std::byte> contents(std::size_t index, bool packed) const;

  [[nodiscard]] Allocation& operator[](std::size_t index) { return *allocations_[index]; }
  [[nodiscard]] std::uint64_t next_slot() const { return allocations_.size(); }

 private:
  /// Adds an allocation whose bytes are zero.
  Allocation& add_at_next_slot(std::string name, const device::Extent& extent, bool read_only,
                               std::size_t shift_bytes, SparseBytes shadow);
  static std::unique_ptr<Allocation> make(std::uint64_t address, std::string name,
                                          const device::Extent& extent, SparseBytes data,
                                          SparseBytes shadow);
  [[nodiscard]] static Allocation* near_part(const Allocation& reserved, std::uint64_t address);
  void retire(Allocation& block);
  void forget_old_frees();
  [[nodiscard]] Allocation* near_host_visible(std::uint64_t address) const;

  std::vector<std::unique_ptr<Allocation>> allocations_;
  std::uint64_t heap_blocks_ = 0;  // number of all blocks that were added
  std::uint64_t heap_bytes_ = 0;   // bytes of blocks that are not freed
  std::uint64_t host_bytes_ = 0;
  std::deque<SparseBytes> retired_;  // data and shadow of freed blocks
  std::uint64_t retired_bytes_ = 0;
  std::deque<std::uint64_t> freed_;  // addresses of freed blocks, oldest first
  HostVisibleBytes host_visible_bytes_;
  std::map<std::uint64_t, std::unique_ptr<Allocation>> host_visible_;  // sorted by address
  const Allocation* grid_barrier_ = nullptr;                           // null: no kernel needed it
};

}  // namespace warpcheck::machine
