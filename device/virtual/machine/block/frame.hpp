// Frame: one activation of a function by a warp, with the registers of 32 lanes and their
// definedness.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::machine {

struct Allocation;

/// Memory that a lane allocated with alloca.
struct StackBlock {
  unsigned lane = 0;
  Allocation* memory = nullptr;
};

class Frame {
 public:
  /// `host_bytes` counts the memory of the frame while the frame exists; null: it is not counted.
  explicit Frame(const FunctionCode& code, std::uint64_t* host_bytes = nullptr);
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;
  /// Releases the callers one by one: a recursive destructor would overflow the host's stack after
  /// a deep recursion of the kernel.
  ~Frame();

  /// Makes all registers undefined, as at the start of a block.
  void reset();

  /// The undefined bits of registers, in the layout of `values`. The first call allocates them.
  /// They are valid for lanes whose bit in `defined` is clear.
  [[nodiscard]] std::byte* undefined_bits();

  const FunctionCode* code;
  std::byte* values;  // registers, then constants; each has 32 lanes
  Mask* defined;      // a set bit: the lane's value is fully defined

  std::size_t local_base = 0;  // offset of this activation in each thread's local memory
  [[nodiscard]] std::size_t local_end() const { return local_base + code->local_bytes; }
  /// The end of the call's stack memory. Every call, but not the kernel itself, stores at least its
  /// return address.
  [[nodiscard]] std::size_t stack_end() const {
    return local_base + std::max(code->local_bytes, caller ? kLeastCallBytes : 0);
  }
  static constexpr std::size_t kLeastCallBytes = 16;
  /// The stack memory of a thread in the call: memory of the call, its callers, and their alloca.
  [[nodiscard]] std::size_t stack_bytes(unsigned lane) const {
    return stack_end() + alloca_bytes[lane];
  }
  static constexpr std::size_t kLargestStack = std::size_t{512} << 10;  // CUDA's limit for a thread

  std::vector<StackBlock> stack_blocks;  // freed when the lane returns; oldest first
  // Bytes of each lane in such blocks, including those of the callers.
  std::array<std::uint32_t, kLanes> alloca_bytes{};
  /// The stack memory that such a block takes.
  [[nodiscard]] static std::uint32_t alloca_share(std::uint64_t bytes) {
    return static_cast<std::uint32_t>(std::max<std::uint64_t>((bytes + 15) / 16 * 16, 16));
  }

  std::shared_ptr<Frame> caller;  // null in the kernel itself
  std::uint32_t depth = 0;        // number of callers
  const Op* call = nullptr;       // op in the caller
  std::uint32_t return_to = 0;    // index of the caller's next op

 private:
  struct AlignedDelete {
    void operator()(std::byte* bytes) const;
  };
  using AlignedBytes = std::unique_ptr<std::byte[], AlignedDelete>;
  static AlignedBytes allocate(std::size_t bytes);

  AlignedBytes value_storage_;
  std::unique_ptr<Mask[]> defined_storage_;
  AlignedBytes undefined_storage_;
  std::uint64_t* host_bytes_;
};

}  // namespace warpcheck::machine
