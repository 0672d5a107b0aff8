// Control flow (PTX ISA 9.7.12) and instructions that end or delay a thread (9.7.19).
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>

#include "device/virtual/isa/bind.hpp"
#include "device/virtual/isa/control/device_runtime.hpp"
#include "device/virtual/isa/control/system_calls.hpp"
#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/layout.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/block/warpgroup_products.hpp"
#include "device/virtual/machine/lanes/convergence.hpp"

namespace warpcheck::isa {
namespace {

using machine::Flow;
using machine::Mask;
using machine::Op;
using machine::Successors;
using machine::Warp;

Flow jump(Warp& warp, const Op& op) { return warp.jump(op, op.target); }

/// Executes a branch. Operand 1 is the guard.
Flow branch(Warp& warp, const Op& op) {
  const Mask unknown = warp.active() & ~warp.defined(op.operand[1]);
  if (unknown != 0 && !warp.goes_on_with_undefined(op, op.operand[1], unknown,
                                                   "the predicate of the branch is undefined")) {
    return Flow::leave;
  }
  const Mask holds =
      op.guard_negated ? ~warp.predicate(op.operand[1]) : warp.predicate(op.operand[1]);
  return warp.branch(op, warp.active() & holds);
}

void lower_bra(Lowering& lowering) {
  const auto* label = lowering.operand<ptx::Label>(0);
  if (label == nullptr || lowering.operand_count() != 1) throw DecodeError("one label is expected");
  lowering.branch_to(*label);
  Op& op = lowering.result;
  op.run = jump;
  op.successors = Successors::target;
  if (const auto& guard = lowering.instruction.guard) {
    op.run = branch;
    op.successors = Successors::next_or_target;
    op.operand[1] = lowering.source(ptx::Operand(ptx::Register{guard->index, false}), Type::pred);
    op.guard_negated = guard->negated;
  }
}

/// Executes a brx.idx. Operand 1 is the index into the table.
Flow branch_by_index(Warp& warp, const Op& op) {
  const machine::Slot slot = op.operand[1];
  const Mask unknown = warp.active() & ~warp.defined(slot);
  if (unknown != 0 &&
      !warp.goes_on_with_undefined(op, slot, unknown, "the index of the branch is undefined")) {
    return Flow::leave;
  }
  const auto& table = op.detail->targets;
  std::array<std::uint32_t, machine::kLanes> targets{};
  const auto* index = warp.lanes<std::uint32_t>(slot);
  for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
    if ((warp.active() >> lane & 1) == 0) continue;
    if (index[lane] >= table.size()) {
      return warp.fault(op, Mask{1} << lane, FindingClass::illegal_instruction,
                        "branch to entry " + std::to_string(index[lane]) + " of a table of " +
                            std::to_string(table.size()));
    }
    targets[lane] = table[index[lane]];
  }
  return warp.branch_each(op, targets.data());
}

void lower_brx(Lowering& lowering) {
  const auto* targets = lowering.operand<ptx::BranchTargets>(1);
  if (targets == nullptr || lowering.operand_count() != 2) {
    throw DecodeError("an index and a table of labels are expected");
  }
  lowering.result.operand[1] = lowering.source(lowering.instruction.operands[0], Type::u32);
  lowering.branch_to(lowering.function.function().branch_targets[targets->index].labels);
  lowering.result.run = branch_by_index;
  lowering.result.successors = Successors::table;
}

Flow call(Warp& warp, const Op& op) { return warp.call(op); }

/// "a call of address 0x7000..., byte 8 of table, which is not a function".
std::string not_a_function(const Warp& warp, std::uint64_t address) {
  std::string text = fmt::format("a call of address {:#x}, ", address);
  if (address == 0) return text + "a null pointer";
  const machine::Allocation* allocation = warp.block().launch().memory->near(address);
  if (allocation != nullptr && address - allocation->address < allocation->extent.bytes()) {
    text += fmt::format("byte {} of {}, ", address - allocation->address, allocation->name);
  }
  return text + "which is not a function";
}

/// Executes an indirect call through operand 1. Lanes with the same callee call it together.
Flow call_indirect(Warp& warp, const Op& op) {
  const auto* address = warp.lanes<std::uint64_t>(op.operand[1]);
  const unsigned first = static_cast<unsigned>(__builtin_ctz(warp.active()));
  const std::uint64_t callee = address[first] - kFunctionWindow;
  if ((warp.defined(op.operand[1]) >> first & 1) == 0) {
    return warp.fault(op, Mask{1} << first, FindingClass::invalid_call,
                      "the address of the called function is undefined");
  }
  if (callee >= warp.block().launch().program->functions.size()) {
    if (warp.is_poisoned(first)) {  // an earlier fault is already a finding
      warp.block().stop();
      return Flow::leave;
    }
    return warp.fault(op, Mask{1} << first, FindingClass::invalid_call,
                      not_a_function(warp, address[first]));
  }
  const machine::FunctionCode& code = warp.block().launch().program->functions[callee];
  if (op.detail->results != code.return_parameters.size() ||
      op.detail->elements.size() - op.detail->results != code.parameters.size()) {
    return warp.fault(
        op, Mask{1} << first, FindingClass::invalid_call,
        "the arguments of the call do not fit the parameters of " + code.source->name);
  }
  Mask together = 0;
  for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
    if ((warp.active() >> lane & 1) != 0 && address[lane] == address[first])
      together |= Mask{1} << lane;
  }
  return warp.call_some(op, together, static_cast<std::uint32_t>(callee));
}

/// Adds an argument or result of a call: its offset in the caller's stack frame, or the register or
/// constant that holds it. `type` is the type of the parameter, or `none` if it is unknown.
void add_parameter(Lowering& lowering, const ptx::Element& element, Type type, bool is_result) {
  machine::OpDetail& detail = lowering.detail();
  const auto add = [&](machine::Slot slot, unsigned bits) {
    detail.elements.push_back(slot);
    detail.element_bits.push_back(static_cast<std::uint8_t>(bits));
  };
  if (std::holds_alternative<ptx::Sink>(element)) return add(machine::kNoSlot, 0);
  if (const auto* symbol = std::get_if<ptx::Symbol>(&element)) {
    const SymbolPlace place = lowering.function.place_of(*symbol);
    if (!place.frame_relative) throw DecodeError("the argument is not a .param variable");
    return add({static_cast<std::uint32_t>(place.address), 0}, 0);
  }
  if (const auto* reg = std::get_if<ptx::Register>(&element)) {
    const Type own = lowering.function.register_type(reg->index);
    if (bits_of(own) == 1 || bits_of(own) > 64) {
      throw DecodeError("registers of 1 or 128 bits are not supported as arguments");
    }
    return add(is_result ? lowering.destination_element(element, own)
                         : lowering.source_element(element, own),
               bits_of(own));
  }
  if (is_result) throw DecodeError("a result is not a register");
  const Type constant = type == Type::none ? Type::b64 : type;
  add(lowering.source_element(element, constant), bits_of(constant));
}

/// The type of parameter `index`; `none` if there is no parameter of a scalar type.
Type parameter_type(const ptx::Function* function, std::size_t index) {
  if (function == nullptr || index >= function->parameters.size()) return Type::none;
  const ptx::Variable& parameter = function->parameters[index];
  return parameter.dimensions.empty() ? parameter.type : Type::none;
}

void add_parameters(Lowering& lowering, const ptx::ParameterList* arguments,
                    const ptx::ParameterList* results, const ptx::Function* callee) {
  for (std::size_t i = 0; arguments != nullptr && i < arguments->elements.size(); ++i) {
    add_parameter(lowering, arguments->elements[i], parameter_type(callee, i), false);
  }
  for (std::size_t i = 0; results != nullptr && i < results->elements.size(); ++i) {
    add_parameter(lowering, results->elements[i], Type::none, true);
  }
}

/// True if the callee's parameters and results correspond to those of the call one by one.
bool fits(const ptx::Function& function, const ptx::ParameterList* arguments,
          const ptx::ParameterList* results) {
  const std::size_t given = arguments == nullptr ? 0 : arguments->elements.size();
  const std::size_t received = results == nullptr ? 0 : results->elements.size();
  return given == function.parameters.size() && received == function.return_parameters.size();
}

void lower_call(Lowering& lowering) {
  const auto& operands = lowering.instruction.operands;
  const ptx::ParameterList* results = nullptr;
  const ptx::ParameterList* arguments = nullptr;
  const ptx::Operand* callee = nullptr;
  for (const ptx::Operand& operand : operands) {
    if (const auto* list = std::get_if<ptx::ParameterList>(&operand)) {
      (callee == nullptr ? results : arguments) = list;
    } else if (callee == nullptr) {
      callee = &operand;
    }
  }
  if (callee == nullptr) throw DecodeError("a function is expected");
  if (const auto* symbol = std::get_if<ptx::Symbol>(callee)) {
    const auto& functions = lowering.function.module().functions;
    const unsigned index = functions[symbol->index].alias_of.value_or(symbol->index);
    const ptx::Function& function = functions[index];
    add_parameters(lowering, arguments, results, &function);
    if (function.is_declaration) return lower_system_call(lowering, function.name);
    if (lower_device_runtime(lowering, function.name, true)) return;
    if (!fits(function, arguments, results)) {
      throw DecodeError("the arguments do not fit the parameters of " + function.name);
    }
    lowering.detail().callee = index;
    lowering.result.run = call;
    return;
  }
  add_parameters(lowering, arguments, results, nullptr);
  machine::OpDetail& detail = lowering.detail();
  detail.results = results == nullptr ? 0 : static_cast<std::uint32_t>(results->elements.size());
  lowering.result.operand[1] = lowering.source(*callee, Type::u64);
  lowering.result.run = call_indirect;
}

Flow return_from_call(Warp& warp, const Op&) { return warp.return_from_call(); }
void lower_ret(Lowering& lowering) {
  lowering.result.run = return_from_call;
  lowering.result.successors = Successors::none;
}

Flow exit_threads(Warp& warp, const Op&) { return warp.exit(); }
void lower_exit(Lowering& lowering) {
  lowering.result.run = exit_threads;
  lowering.result.successors = Successors::none;
}

Flow trap(Warp& warp, const Op& op) {
  return warp.fault(op, warp.active(), FindingClass::launch_failure, "the kernel executed trap");
}
void lower_trap(Lowering& lowering) {
  lowering.result.run = trap;
  lowering.result.successors = Successors::none;
}

Flow nothing(Warp&, const Op&) { return Flow::next; }
void lower_nothing(Lowering& lowering) { lowering.result.run = nothing; }

/// Executes griddepcontrol.wait. On this device, a kernel begins when the earlier kernels have
/// ended.
Flow wait_for_kernels_ahead(Warp& warp, const Op&) {
  machine::Block& block = warp.block();
  block.launch().global_races->wait_for_kernels_ahead(warp.index(), warp.active(),
                                                      block.races().clocks());
  return Flow::next;
}
void lower_grid_dependency(Lowering& lowering) {
  lowering.result.run = lowering.selection.has("wait") ? wait_for_kernels_ahead : nothing;
}

/// Executes setmaxnreg. The number has no effect, because the machine has registers for all
/// threads.
Flow set_registers(Warp& warp, const Op& op) {
  if (!machine::all_take_part(warp, op)) return machine::skip_with_zeros<std::uint32_t>(warp, {});
  if (warp.block().warpgroup_products().set_registers(warp, op)) return Flow::next;
  return warp.skip_after(op, warp.active(), FindingClass::barrier_divergence,
                         "the warps of a warpgroup execute different setmaxnreg");
}
void lower_set_registers(Lowering& lowering) {
  const auto* registers = lowering.operand<ptx::Integer>(0);
  if (registers == nullptr || lowering.operand_count() != 1) {
    throw DecodeError("one number of registers is expected");
  }
  if (registers->bits < 24 || registers->bits > 256 || registers->bits % 8 != 0) {
    throw DecodeError("the number of registers is not a multiple of 8 from 24 to 256");
  }
  const auto count = static_cast<std::int64_t>(registers->bits);
  lowering.result.immediate = lowering.selection.has("inc") ? count : -count;
  lowering.result.run = set_registers;
}

constexpr std::array kForms = {
    Form{"bra", "[uni]", "", "", "9.7.12.3", nullptr, nullptr, lower_bra, false},
    Form{"brx", "idx [uni]", "", "", "9.7.12.4", nullptr, nullptr, lower_brx, true},
    Form{"call", "[uni]", "", "", "9.7.12.5", nullptr, nullptr, lower_call, true},
    Form{"ret", "[uni]", "", "", "9.7.12.6", nullptr, nullptr, lower_ret, true},
    Form{"exit", "", "", "", "9.7.12.7", nullptr, nullptr, lower_exit, true},
    Form{"trap", "", "", "", "9.7.19.4", nullptr, nullptr, lower_trap, true},
    Form{"brkpt", "", "", "", "9.7.19.1", nullptr, nullptr, lower_nothing, false},
    Form{"pmevent", "[mask]", "", "", "9.7.19.3", nullptr, nullptr, lower_nothing, false},
    Form{"griddepcontrol", "wait|launch_dependents", "", "", "9.7.13.14", nullptr, nullptr,
         lower_grid_dependency, false},
    Form{"setmaxnreg", "inc|dec sync aligned", "u32", "", "9.7.19.5", nullptr, nullptr,
         lower_set_registers, true},
    Form{"nanosleep", "", "u32", "", "9.7.19.2", nullptr, nullptr, lower_nothing, false},
};

}  // namespace

std::span<const Form> control_forms() { return kForms; }

}  // namespace warpcheck::isa
