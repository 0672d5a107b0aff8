// alloca, stacksave and stackrestore (PTX ISA 9.7.17).
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/lanes/lanewise.hpp"

namespace warpcheck::isa {
namespace {

using machine::Flow;
using machine::Frame;
using machine::kLanes;
using machine::Mask;
using machine::Op;
using machine::Slot;
using machine::StackBlock;
using machine::Warp;

constexpr std::uint64_t kChargePerAllocation = 64;  // instructions charged to the budget

std::uint64_t lane_value(const Warp& warp, const Op& op, unsigned lane) {
  return op.bits[1] == 64 ? warp.lanes<std::uint64_t>(op.operand[1])[lane]
                          : warp.lanes<std::uint32_t>(op.operand[1])[lane];
}

Flow write_lane_values(Warp& warp, const Op& op, const std::array<std::uint64_t, kLanes>& values) {
  if (op.bits[0] == 64) {
    machine::write_lanes<std::uint64_t>(warp, op.operand[0],
                                        [&](unsigned lane) { return values[lane]; });
  } else {
    machine::write_lanes<std::uint32_t>(warp, op.operand[0], [&](unsigned lane) {
      return static_cast<std::uint32_t>(values[lane]);
    });
  }
  warp.set_defined(op.operand[0], warp.active(), machine::kAllLanes);
  return Flow::next;
}

/// Executes alloca. Each thread gets a separate block with exact bounds. Its address in .local is
/// the block's address minus the window's, so that the generic address is the block's own: see
/// locate().
Flow allocate_on_stack(Warp& warp, const Op& op) {
  if (const Mask unknown = warp.active() & ~warp.defined(op.operand[1])) {
    if (!warp.goes_on_after(op, unknown, FindingClass::uninitialized_read,
                            "the size of the stack memory is undefined")) {
      return Flow::leave;
    }
  }
  const Mask known = warp.defined(op.operand[1]);
  machine::GlobalMemory& memory = *warp.block().launch().memory;
  std::array<std::uint64_t, kLanes> addresses{};
  for (Mask rest = warp.active(); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t bytes = (known >> lane & 1) != 0 ? lane_value(warp, op, lane) : 0;
    Frame& frame = warp.frame();
    const std::uint64_t used = frame.stack_bytes(lane);
    if (bytes > Frame::kLargestStack || used + Frame::alloca_share(bytes) > Frame::kLargestStack) {
      return warp.fault(op, Mask{1} << lane, FindingClass::launch_failure,
                        fmt::format("alloca of {} bytes; the thread's calls, local arrays and "
                                    "earlier alloca take {} of at most {} bytes of stack",
                                    bytes, used, Frame::kLargestStack));
    }
    frame.alloca_bytes[lane] += Frame::alloca_share(bytes);
    machine::Allocation& block = memory.add_stack_block(bytes);
    frame.stack_blocks.push_back({lane, &block});
    addresses[lane] = block.address - machine::kLocalWindow;
  }
  warp.charge(kChargePerAllocation * static_cast<unsigned>(std::popcount(warp.active())));
  if (memory.host_bytes() > warp.block().launch().memory_bytes) {
    return warp.stop_beyond_heap(op, "alloca");
  }
  return write_lane_values(warp, op, addresses);
}

/// Executes stacksave. The value of the stack pointer is the number of the thread's blocks in the
/// call.
Flow save_stack(Warp& warp, const Op& op) {
  std::array<std::uint64_t, kLanes> depths{};
  for (const StackBlock& block : warp.frame().stack_blocks) ++depths[block.lane];
  return write_lane_values(warp, op, depths);
}

/// Frees the blocks that the thread allocated after the stack was saved.
Flow restore_stack(Warp& warp, const Op& op) {
  if (const Mask unknown = warp.active() & ~warp.defined(op.operand[1])) {
    if (!warp.goes_on_after(op, unknown, FindingClass::uninitialized_read,
                            "the saved stack pointer is undefined")) {
      return Flow::leave;
    }
  }
  const Mask restored = warp.active() & warp.defined(op.operand[1]);
  std::array<std::uint64_t, kLanes> depths{};
  machine::GlobalMemory& memory = *warp.block().launch().memory;
  std::erase_if(warp.frame().stack_blocks, [&](const StackBlock& block) {
    const bool keeps = (restored >> block.lane & 1) == 0 ||
                       ++depths[block.lane] <= lane_value(warp, op, block.lane);
    if (!keeps) {
      warp.frame().alloca_bytes[block.lane] -= Frame::alloca_share(block.memory->extent.bytes());
      memory.free_stack_block(*block.memory);
    }
    return !keeps;
  });
  return Flow::next;
}

/// Keeps blocks in order, because all blocks share the addresses: see lower_system_call().
void keep_in_order(Lowering& lowering) { lowering.function.code().communicates = true; }

void lower_alloca(Lowering& lowering) {
  const auto& operands = lowering.instruction.operands;
  if (operands.size() != 2 && operands.size() != 3) {
    throw DecodeError("a destination, a size and an alignment are expected");
  }
  if (operands.size() == 3 && lowering.operand<ptx::Integer>(2) == nullptr) {
    throw DecodeError("the alignment is not a constant");
  }
  const Type type = lowering.selection.type();
  Op& op = lowering.result;
  op.operand[0] = lowering.destination(operands[0], type);
  op.operand[1] = lowering.source(operands[1], type);
  op.bits[0] = op.bits[1] = static_cast<std::uint8_t>(bits_of(type));
  op.run = allocate_on_stack;
  keep_in_order(lowering);
}

void lower_save(Lowering& lowering) {
  if (lowering.operand_count() != 1) throw DecodeError("a destination is expected");
  lowering.result.operand[0] =
      lowering.destination(lowering.instruction.operands[0], lowering.selection.type());
  lowering.result.bits[0] = static_cast<std::uint8_t>(bits_of(lowering.selection.type()));
  lowering.result.run = save_stack;
}

void lower_restore(Lowering& lowering) {
  if (lowering.operand_count() != 1) throw DecodeError("a saved stack pointer is expected");
  lowering.result.operand[1] =
      lowering.source(lowering.instruction.operands[0], lowering.selection.type());
  lowering.result.bits[1] = static_cast<std::uint8_t>(bits_of(lowering.selection.type()));
  lowering.result.run = restore_stack;
}

constexpr std::string_view kWords = "u32 u64";

// Addresses of .local memory have 64 bits in this machine: a pointer of 32 bits cannot hold one.
constexpr std::array kForms = {
    Form{"alloca", "", "u64", "", "9.7.17.3", nullptr, nullptr, lower_alloca},
    Form{"stacksave", "", kWords, "", "9.7.17.1", nullptr, nullptr, lower_save},
    Form{"stackrestore", "", kWords, "", "9.7.17.2", nullptr, nullptr, lower_restore},
};

}  // namespace

std::span<const Form> stack_forms() { return kForms; }

}  // namespace warpcheck::isa
