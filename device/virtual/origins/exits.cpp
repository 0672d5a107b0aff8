#include "device/virtual/origins/exits.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/core/paths.hpp"

namespace warpcheck::origins {
namespace {

using machine::FunctionCode;
using machine::Op;

constexpr std::size_t kMostThreads = std::size_t{1} << 14;

bool may_leave(const Op& op) {
  return is_branch(op) || (op.guarded && op.successors == machine::Successors::none);
}

}  // namespace

std::string key_of(const ThreadPlace& thread) {
  return triple(thread.block) + triple(thread.thread);
}

void Exits::note(const machine::Warp& warp, const Op& op) {
  if (!may_leave(op) || warp.frame().depth != 0) return;
  ++time_;
  const std::uint32_t number = op.number;
  for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
    if ((warp.active() >> lane & 1) == 0) continue;
    const std::string thread = key_of(warp.block().place(warp.index(), lane));
    if (threads_.size() >= kMostThreads && !threads_.contains(thread)) continue;
    threads_[thread][number] = time_;
  }
}

void Exits::set_places(const machine::Program& program, Finding& finding) const {
  for (ThreadGroup& group : finding.groups) {
    const auto thread = threads_.find(key_of(group.first));
    if (group.state != ThreadGroup::State::exited || thread == threads_.end()) continue;
    const Op* last = nullptr;
    std::uint64_t last_time = 0;
    for (const FunctionCode& code : program.functions) {
      const Op* barrier = op_at(code, finding.source.ptx_line);
      if (barrier == nullptr) continue;
      const std::vector<bool> reaching = ops_that_reach(code, *barrier);
      for (const auto& [number, time] : thread->second) {
        if (&program.function_of(number) != &code || time <= last_time) continue;
        if (!reaching[number - code.first_op]) continue;
        last = &code.ops[number - code.first_op];
        last_time = time;
      }
      if (last != nullptr) group.source = program.place(last->number);
    }
  }
}

}  // namespace warpcheck::origins
