#include "device/virtual/isa/address_runs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace warpcheck::isa {
namespace {

using machine::FunctionCode;
using machine::kKnownAddresses;
using machine::Op;
using machine::Slot;
using machine::Space;

/// The address registers that the ops of a straight run have resolved, and have not written since.
class ResolvedRegisters {
 public:
  explicit ResolvedRegisters(std::vector<Op>& ops) : ops_(ops) {}

  void clear() { registers_ = {}; }

  /// Records that op number `op` accesses memory.
  void access(std::size_t op) {
    Op& access = ops_[op];
    for (std::size_t number = 0; number < registers_.size(); ++number) {
      const Register& known = registers_[number];
      if (known.slot != access.operand[machine::kAddress] || known.space != access.space) continue;
      ops_[known.first].known_address = static_cast<std::uint8_t>(number);
      access.known_address = static_cast<std::uint8_t>(number);
      access.repeats_address = true;
      if (access.loads && !access.strong) access.run = repeated_load(access.run);
      return;
    }
    if (access.guarded) return;  // it may not resolve the address
    registers_[next_] = {access.operand[machine::kAddress], access.space, op};
    next_ = (next_ + 1) % registers_.size();
  }

  void write(Slot slot) {
    for (Register& known : registers_) {
      if (known.slot == slot) known = {};
    }
  }

 private:
  struct Register {
    Slot slot = machine::kNoSlot;
    Space space = Space::generic;
    std::size_t first = 0;  // index of the op that resolves it
  };

  std::vector<Op>& ops_;
  std::array<Register, kKnownAddresses> registers_;
  std::size_t next_ = 0;
};

bool is_plain_access(const Op& op) {
  return (op.loads || op.stores) && !op.frame_relative &&
         (op.space == Space::shared || op.space == Space::global);
}

/// True for wgmma: results of a warpgroup's product arrive at an op that does not name them.
bool is_of_warpgroup(const FunctionCode& code, const Op& op) {
  return code.source->body[op.instruction].parts.front() == "wgmma";
}

/// True if the op writes only registers that it names, and the next op follows it.
bool names_its_results(const FunctionCode& code, const Op& op) {
  if (op.successors != machine::Successors::next) return false;
  return op.loads || op.stores || (op.detail == &machine::kNoDetail && !is_of_warpgroup(code, op));
}

}  // namespace

void number_addresses(FunctionCode& code) {
  ResolvedRegisters resolved(code.ops);
  for (std::size_t i = 0; i < code.ops.size(); ++i) {
    const Op& op = code.ops[i];
    if (op.leader) resolved.clear();
    if (!names_its_results(code, op)) {
      resolved.clear();
      continue;
    }
    if (is_plain_access(op)) resolved.access(i);
    if (op.stores) continue;
    const std::size_t first = op.loads ? 1 : 0;
    for (std::size_t operand = first; operand < op.operand.size(); ++operand) {
      resolved.write(op.operand[operand]);
    }
    for (const Slot element : op.detail->elements) resolved.write(element);
  }
}

}  // namespace warpcheck::isa
