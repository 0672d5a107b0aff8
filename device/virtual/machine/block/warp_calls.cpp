// Calls and returns of a warp's lanes.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/block/warp.hpp"
#include "device/virtual/machine/core/source_place.hpp"

namespace warpcheck::machine {

namespace {

/// A value of at most 64 bits with its undefined bits.
struct Passed {
  std::uint64_t value = 0;
  std::uint64_t undefined = 0;
};

/// The place of a lane's argument or result in a frame: a register, or bytes of local memory.
struct PassedPlace {
  Frame* frame;
  Slot reg;           // kNoSlot: the value is in memory
  std::size_t bytes;  // size of the register
  std::byte* data;    // bytes in memory
  std::byte* shadow;
};

Passed read(const PassedPlace& from, unsigned lane, std::size_t bytes) {
  Passed passed;
  if (from.reg == kNoSlot) {
    std::uint64_t known = 0;
    std::memcpy(&passed.value, from.data, bytes);
    std::memcpy(&known, from.shadow, bytes);
    passed.undefined = ~known;
    return passed;
  }
  const std::size_t offset = from.reg.value + lane * from.bytes;
  std::memcpy(&passed.value, from.frame->values + offset, std::min(bytes, from.bytes));
  if ((from.frame->defined[from.reg.index] >> lane & 1) == 0) {
    std::memcpy(&passed.undefined, from.frame->undefined_bits() + offset,
                std::min(bytes, from.bytes));
  }
  return passed;
}

void write(const PassedPlace& to, unsigned lane, std::size_t bytes, Passed passed) {
  if (to.reg == kNoSlot) {
    const std::uint64_t known = ~passed.undefined;
    std::memcpy(to.data, &passed.value, bytes);
    std::memcpy(to.shadow, &known, bytes);
    return;
  }
  const std::size_t offset = to.reg.value + lane * to.bytes;
  std::memcpy(to.frame->values + offset, &passed.value, to.bytes);
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * to.bytes);
  const bool known = (passed.undefined & mask) == 0;
  Mask& defined = to.frame->defined[to.reg.index];
  defined = (defined & ~(Mask{1} << lane)) | Mask{known} << lane;
  if (!known) std::memcpy(to.frame->undefined_bits() + offset, &passed.undefined, to.bytes);
}

/// Copies `bytes` bytes of an argument or result.
void pass(const PassedPlace& from, const PassedPlace& to, unsigned lane, std::size_t bytes) {
  if (from.reg == kNoSlot && to.reg == kNoSlot) {
    std::copy_n(from.data, bytes, to.data);
    std::copy_n(from.shadow, bytes, to.shadow);
  } else {
    bytes = std::min(bytes, sizeof(std::uint64_t));
    write(to, lane, bytes, read(from, lane, bytes));
  }
}

}  // namespace

/// Passes an argument to the callee, or a result to the caller.
void Warp::pass_parameter(const Op& op, Frame& callee, std::size_t element,
                          const ParameterPlace& parameter, bool to_caller) {
  const Slot given = op.detail->elements[element];
  if (given == kNoSlot) return;
  const std::size_t bits = op.detail->element_bits[element];
  Frame& caller = *callee.caller;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes_ >> lane & 1) == 0) continue;
    const auto in_memory = [&](const Frame& frame, std::size_t offset) {
      return lane * local_stride_ + frame.local_base + offset;
    };
    PassedPlace outer{&caller, bits != 0 ? given : kNoSlot, bits / 8, nullptr, nullptr};
    if (bits == 0) {
      outer.data = local_data_.data() + in_memory(caller, given.value);
      outer.shadow = local_shadow_.data() + in_memory(caller, given.value);
    }
    PassedPlace inner{&callee, parameter.reg, parameter.bytes, nullptr, nullptr};
    if (parameter.reg == kNoSlot) {
      inner.data = local_data_.data() + in_memory(callee, parameter.offset);
      inner.shadow = local_shadow_.data() + in_memory(callee, parameter.offset);
    }
    if (to_caller) {
      pass(inner, outer, lane, parameter.bytes);
    } else {
      pass(outer, inner, lane, parameter.bytes);
    }
  }
}

/// Frees the memory that the running lanes allocated in a call.
void Warp::free_stack(Frame& frame) {
  std::erase_if(frame.stack_blocks, [&](const StackBlock& block) {
    if ((lanes_ >> block.lane & 1) == 0) return false;
    frame.alloca_bytes[block.lane] = frame.caller ? frame.caller->alloca_bytes[block.lane] : 0;
    block_->launch().memory->free_stack_block(*block.memory);
    return true;
  });
}

void Warp::postpone(Mask others) {
  if (others == 0) return;
  Fragment fragment = fragments_[current_];
  fragment.lanes = others;
  fragment.pc = pc_ - 1;
  fragments_.push_back(std::move(fragment));
  lanes_ &= ~others;
  active_ &= ~others;
}

Flow Warp::call_some(const Op& op, Mask callers, std::uint32_t function) {
  postpone(lanes_ & ~callers);
  const FunctionCode& code = block_->launch().program->functions[function];
  auto callee = std::make_shared<Frame>(code, &block_->host_bytes());
  callee->caller = fragments_[current_].frame;
  callee->depth = callee->caller->depth + 1;
  callee->call = &op;
  callee->return_to = pc_;
  callee->local_base = (callee->caller->stack_end() + 15) / 16 * 16;
  callee->alloca_bytes = callee->caller->alloca_bytes;
  Mask beyond = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (callee->stack_bytes(lane) > Frame::kLargestStack) beyond |= lanes_ & Mask{1} << lane;
  }
  if (beyond != 0) {
    return fault(op, beyond, FindingClass::launch_failure,
                 "the calls nest so deep that they exceed the 512 KiB of stack that CUDA allows a "
                 "thread");
  }
  if (!has_budget()) return budget_used_up(op);
  reserve_local(callee->local_end());
  if (block_->exceeds_memory()) return stop_beyond_memory(op);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if ((lanes_ >> lane & 1) == 0) continue;
    std::fill_n(local_shadow_.data() + lane * local_stride_ + callee->local_base, code.local_bytes,
                std::byte{0});
  }
  for (std::size_t i = 0; i < code.parameters.size(); ++i) {
    pass_parameter(op, *callee, i, code.parameters[i], false);
  }
  fragments_[current_].frame = callee;
  leave_fragment();
  fragments_[current_].pc = 0;
  enter(current_);
  return fragments_.size() == 1 ? Flow::next : Flow::leave;
}

Flow Warp::stop_beyond_memory(const Op& op) {
  const LaunchContext& launch = block_->launch();
  block_->stop_beyond_limit(
      {"calls of this depth",
       fmt::format("the calls and the local memory of a block take more than {} bytes of the host",
                   launch.block_bytes),
       "", source_place(*launch.program, *frame_->code, op), UserOption::memory});
  return Flow::leave;
}

Flow Warp::stop_beyond_heap(const Op& op, const char* what) {
  const LaunchContext& launch = block_->launch();
  block_->stop_beyond_limit(
      {fmt::format("{} of this many blocks", what),
       fmt::format("the blocks take more than {} bytes of the host", launch.memory_bytes), "",
       source_place(*launch.program, *frame_->code, op), UserOption::memory});
  return Flow::leave;
}

Flow Warp::return_from_call() {
  if (!frame_->caller) return exit();
  const std::shared_ptr<Frame> callee = fragments_[current_].frame;
  free_stack(*callee);
  const FunctionCode& code = *callee->code;
  for (std::size_t i = 0; i < code.return_parameters.size(); ++i) {
    pass_parameter(*callee->call, *callee, code.parameters.size() + i, code.return_parameters[i],
                   true);
  }
  fragments_[current_].frame = callee->caller;
  leave_fragment();
  fragments_[current_].pc = callee->return_to;
  enter(current_);
  return fragments_.size() == 1 ? Flow::next : Flow::leave;
}

}  // namespace warpcheck::machine
