#include "device/virtual/machine/grid/dispatch.hpp"

#include <algorithm>
#include <numeric>

#include "device/virtual/machine/core/schedule.hpp"

namespace warpcheck::machine {
namespace {

/// True for an access that may observe another block: it is strong and has a result.
bool observes_blocks(const FunctionCode& code, const Op& op) {
  if (!op.strong || op.space == Space::shared) return false;
  const std::string& mnemonic = code.source->body[op.instruction].parts.front();
  return mnemonic != "red" && mnemonic != "st";
}

/// True for an access that may observe another thread.
bool observes_threads(const FunctionCode& code, const Op& op) {
  if (!op.strong) return false;
  const std::string& mnemonic = code.source->body[op.instruction].parts.front();
  return mnemonic == "atom" || mnemonic == "ld";
}

/// True if the barrier has a second operand, which is a number of threads.
bool is_counted_barrier(const ptx::Instruction& instruction) {
  const std::vector<std::string>& parts = instruction.parts;
  if (parts.front() != "bar" && parts.front() != "barrier") return false;
  const auto has = [&](std::string_view word) {
    return std::find(parts.begin(), parts.end(), word) != parts.end();
  };
  if (has("warp") || has("cluster")) return false;
  return instruction.operands.size() == (has("red") ? 4 : 2);
}

bool is_convergent(const ptx::Instruction& instruction) {
  const std::vector<std::string>& parts = instruction.parts;
  if (parts.front() == "activemask") return true;
  const bool barrier = parts.front() == "bar" || parts.front() == "barrier";
  return !barrier && std::find(parts.begin(), parts.end(), "aligned") != parts.end();
}

/// True if `test(code)` holds for a function that the kernel may execute.
template <class Test>
bool any_function(const Program& program, const FunctionCode& kernel, Test test) {
  return std::any_of(program.functions.begin(), program.functions.end(),
                     [&](const FunctionCode& code) {
                       return (&code == &kernel || !code.source->is_entry) && test(code);
                     });
}

}  // namespace

bool may_observe_order(const Program& program, const FunctionCode& kernel) {
  return any_function(program, kernel, [](const FunctionCode& code) {
    return std::any_of(code.ops.begin(), code.ops.end(),
                       [&](const Op& op) { return observes_threads(code, op); });
  });
}

bool has_counted_barrier(const Program& program, const FunctionCode& kernel) {
  return any_function(program, kernel, [](const FunctionCode& code) {
    return std::any_of(code.source->body.begin(), code.source->body.end(), is_counted_barrier);
  });
}

bool may_launch_grids(const Program& program) {
  const auto& functions = program.functions;
  return std::any_of(functions.begin(), functions.end(), [](const FunctionCode& code) {
    return code.source->name.starts_with("__cudaCDP2LaunchDevice");
  });
}

bool launches_dependents(const Program& program, const FunctionCode& kernel) {
  const auto launches = [](const ptx::Instruction& instruction) {
    return instruction.parts.front() == "griddepcontrol" &&
           instruction.parts.back() == "launch_dependents";
  };
  return any_function(program, kernel, [&](const FunctionCode& code) {
    return std::any_of(code.source->body.begin(), code.source->body.end(), launches);
  });
}

bool depends_on_convergence(const Program& program, const FunctionCode& kernel) {
  return any_function(program, kernel, [](const FunctionCode& code) {
    return std::any_of(code.source->body.begin(), code.source->body.end(), is_convergent);
  });
}

bool may_wait_for_blocks(const Program& program, const FunctionCode& kernel) {
  // Any op of a function may be in a loop: the call graph is not analysed.
  for (const FunctionCode& code : program.functions) {
    if (!code.source->is_entry && code.communicates) return true;
  }
  for (std::size_t end = 0; end < kernel.ops.size(); ++end) {
    const Op& jump = kernel.ops[end];
    if (jump.successors == Successors::next || jump.successors == Successors::none) continue;
    if (jump.successors == Successors::table) return true;
    if (jump.target > end) continue;
    const auto begin = kernel.ops.begin();
    if (std::any_of(begin + jump.target, begin + static_cast<std::ptrdiff_t>(end),
                    [&](const Op& op) { return observes_blocks(kernel, op); })) {
      return true;
    }
  }
  return false;
}

DispatchOrder::DispatchOrder(std::uint64_t blocks, std::uint64_t seed, bool by_number)
    : blocks_(blocks) {
  constexpr std::uint64_t kMostBlocks = std::uint64_t{1} << 31;  // place * step fits 64 bits
  if (by_number || seed == 0 || blocks < 2 || blocks > kMostBlocks) return;
  Schedule schedule(seed, 0);
  first_ = schedule.below(blocks);
  step_ = 1 + schedule.below(blocks - 1);
  while (std::gcd(step_, blocks) != 1) step_ = step_ % (blocks - 1) + 1;
}

std::uint64_t DispatchOrder::block(std::uint64_t place) const {
  return (place * step_ + first_) % blocks_;
}

}  // namespace warpcheck::machine
