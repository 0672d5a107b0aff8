// Calls and returns of a warp's lanes.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/block/warp.hpp"

namespace warpcheck::machine {

/// Copies the bytes of the arguments from the caller's .param variables to the callee's.
void Warp::copy_parameters(const Op& op, Frame& callee) {
  const FunctionCode& code = *callee.code;
  for (std::size_t i = 0; i < code.parameters.size(); ++i) {
    const Slot source = op.detail->elements[i];
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if ((lanes_ >> lane & 1) == 0) continue;
      const std::size_t from = lane * local_stride_ + callee.caller->local_base + source.value;
      const std::size_t to = lane * local_stride_ + callee.local_base + code.parameters[i].offset;
      std::copy_n(local_data_.data() + from, code.parameters[i].bytes, local_data_.data() + to);
      std::copy_n(local_shadow_.data() + from, code.parameters[i].bytes, local_shadow_.data() + to);
    }
  }
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
  constexpr std::size_t kLargestStack = std::size_t{512} << 10;  // bytes per thread, as CUDA allows
  postpone(lanes_ & ~callers);
  const FunctionCode& code = block_->launch().program->functions[function];
  auto callee = std::make_shared<Frame>(code);
  callee->caller = fragments_[current_].frame;
  callee->call = &op;
  callee->return_to = pc_;
  callee->local_base = (callee->caller->local_end() + 15) / 16 * 16;
  if (callee->local_end() > kLargestStack || executed_ > block_->launch().budget) {
    return fault(op, lanes_, FindingClass::timeout,
                 "calls nest deeper than a thread's 512 KiB of stack allow");
  }
  reserve_local(callee->local_end());
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if ((lanes_ >> lane & 1) == 0) continue;
    std::fill_n(local_shadow_.data() + lane * local_stride_ + callee->local_base, code.local_bytes,
                std::byte{0});
  }
  copy_parameters(op, *callee);
  fragments_[current_].frame = callee;
  leave_fragment();
  fragments_[current_].pc = 0;
  enter(current_);
  return fragments_.size() == 1 ? Flow::next : Flow::leave;
}

Flow Warp::return_from_call() {
  if (!frame_->caller) return exit();
  const std::shared_ptr<Frame> callee = fragments_[current_].frame;
  const OpDetail& detail = *callee->call->detail;
  const auto& results = callee->code->return_parameters;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Slot target = detail.elements[callee->code->parameters.size() + i];
    if (target == kNoSlot) continue;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if ((lanes_ >> lane & 1) == 0) continue;
      const std::size_t from = lane * local_stride_ + callee->local_base + results[i].offset;
      const std::size_t to = lane * local_stride_ + callee->caller->local_base + target.value;
      std::copy_n(local_data_.data() + from, results[i].bytes, local_data_.data() + to);
      std::copy_n(local_shadow_.data() + from, results[i].bytes, local_shadow_.data() + to);
    }
  }
  fragments_[current_].frame = callee->caller;
  leave_fragment();
  fragments_[current_].pc = callee->return_to;
  enter(current_);
  return fragments_.size() == 1 ? Flow::next : Flow::leave;
}

}  // namespace warpcheck::machine
