#include "device/virtual/isa/decode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "device/virtual/isa/address_runs.hpp"
#include "device/virtual/isa/declared_sizes.hpp"
#include "device/virtual/isa/layout.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/isa/reconvergence_rank.hpp"
#include "device/virtual/isa/unsupported_form.hpp"
#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/block/warp.hpp"
#include "device/virtual/machine/block/warpgroup_products.hpp"

namespace warpcheck::isa {
namespace {

using machine::Flow;
using machine::FunctionCode;
using machine::Op;
using machine::Successors;
using machine::Warp;

Flow unsupported(Warp& warp, const Op& op) { return warp.stop_unsupported(op); }

/// Skips the next op in lanes whose guard is false; operand 1 is the guard.
Flow skip(Warp& warp, const Op& op) {
  const machine::Slot guard = op.operand[1];
  const machine::Mask unknown = warp.active() & ~warp.defined(guard);
  if (unknown != 0 &&
      !warp.goes_on_with_undefined(op, guard, unknown,
                                   "the predicate that guards the instruction is undefined")) {
    return Flow::leave;
  }
  const machine::Mask holds = op.guard_negated ? ~warp.predicate(guard) : warp.predicate(guard);
  return warp.branch(op, warp.active() & ~holds);
}

/// Reports an access to registers that products of a warpgroup use.
Flow touch(Warp& warp, const Op& op) {
  warp.block().warpgroup_products().touch(warp, op);
  return op.detail->inner(warp, op);
}

Flow fall_off(Warp& warp, const Op&) { return warp.return_from_call(); }

using Rows = std::vector<const Form*>;

/// The rows of a mnemonic; empty: there are none.
const Rows& rows_of(std::string_view mnemonic) {
  static const auto rows = [] {
    std::unordered_map<std::string_view, Rows> all;
    for (const Form& form : table()) all[form.mnemonic].push_back(&form);
    return all;
  }();
  static const Rows kNone;
  const auto found = rows.find(mnemonic);
  return found == rows.end() ? kNone : found->second;
}

class FunctionDecoder {
 public:
  FunctionDecoder(const ptx::Module& module, const ptx::Function& function, const Layout& layout,
                  FunctionCode& code)
      : module_(module),
        builder_(module, function, layout, code),
        function_(function),
        code_(code) {}

  void run() {
    for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
      first_op_.push_back(static_cast<std::uint32_t>(code_.ops.size()));
      add(i);
    }
    first_op_.push_back(static_cast<std::uint32_t>(code_.ops.size()));
    Op end;
    end.run = fall_off;
    end.instruction = static_cast<std::uint32_t>(function_.body.size());
    end.successors = Successors::none;
    code_.ops.push_back(end);
    resolve_targets();
    builder_.finish();
    rank_for_reconvergence(code_);
    number_addresses(code_);
  }

 private:
  void add(std::uint32_t index) {
    const ptx::Instruction& instruction = function_.body[index];
    const Selection selection = selection_of(instruction);
    Op op;
    op.instruction = index;
    const Form* row = nullptr;
    try {
      row = &row_for(instruction, selection);
      Lowering lowering(builder_, instruction, *row, selection, op);
      if (row->lower != nullptr) {
        row->lower(lowering);
      } else {
        lowering.plain_operands();
      }
      if (row->rule != nullptr) op.rule = row->rule;
      if (row->bind != nullptr) op.run = row->bind(selection);
      if (op.run == nullptr)
        throw DecodeError("PTX has no such combination of types and modifiers");
      report_touched(lowering);
      note_registers(lowering, op);
      guard(instruction, *row, op);
      code_.ops.push_back(op);
      if (lowering.follow_up) {
        Op& second = *lowering.follow_up;
        note_registers(lowering, second);
        second.guarded = op.guarded;
        if (op.guarded) {
          second.guard = op.guard;
          second.guard_negated = op.guard_negated;
        }
        code_.ops.push_back(second);
      }
    } catch (const DecodeError& error) {
      op = Op{};
      op.instruction = index;
      make_unsupported(op, instruction, row, error.what());
      mask_lanes(instruction, op);
      code_.ops.push_back(op);
    }
  }

  /// Adds a check of the touched registers, except for mov: a compiler may copy registers anywhere,
  /// and ptxas removes the copy or waits before it.
  static void report_touched(Lowering& lowering) {
    const std::string& mnemonic = lowering.instruction.parts.front();
    if (lowering.touched.empty() || mnemonic == "wgmma" || mnemonic == "mov") return;
    machine::OpDetail& detail = lowering.detail();
    detail.touched = lowering.touched;
    detail.inner = std::exchange(lowering.result.run, touch);
  }

  /// Records which operands are registers that the instruction reads or writes.
  static void note_registers(const Lowering& lowering, Op& op) {
    const auto among = [&](const std::vector<machine::Slot>& slots) {
      std::uint8_t found = 0;
      for (std::size_t i = 0; i < op.operand.size(); ++i) {
        const bool is_one = std::find(slots.begin(), slots.end(), op.operand[i]) != slots.end();
        found |= static_cast<std::uint8_t>((is_one ? 1U : 0U) << i);
      }
      return found;
    };
    op.read_registers = among(lowering.read_registers);
    op.written_registers = among(lowering.written_registers);
  }

  const Form& row_for(const ptx::Instruction& instruction, const Selection& selection) const {
    const Rows& rows = rows_of(instruction.parts.front());
    if (rows.empty()) throw DecodeError("the virtual device does not implement this instruction");
    for (const Form* form : rows) {
      if (accepts(*form, selection)) return *form;
    }
    throw DecodeError(fmt::format("the virtual device implements {}, but not this form of it",
                                  instruction.parts.front()));
  }

  void make_unsupported(Op& op, const ptx::Instruction& instruction, const Form* row,
                        std::string why) {
    auto detail = unsupported_form(module_, instruction, rows_of(instruction.parts.front()), row,
                                   std::move(why));
    op.run = unsupported;
    op.detail = detail.get();
    code_.details.push_back(std::move(detail));
  }

  /// Applies a guard. `@%p` in front of a plain instruction masks its lanes. In front of a
  /// collective instruction it is a branch around it, so that all running lanes take part in the
  /// instruction.
  void guard(const ptx::Instruction& instruction, const Form& row, Op& op) {
    if (!instruction.guard || op.successors == Successors::next_or_target) return;
    const machine::Slot predicate = builder_.register_slot(instruction.guard->index);
    if (bits_of(builder_.register_type(instruction.guard->index)) != 1) {
      throw DecodeError("the guard is not a predicate");
    }
    if (!row.collective) return mask_lanes(instruction, op);
    Op around;
    around.run = skip;
    around.instruction = op.instruction;
    around.operand[1] = predicate;
    around.read_registers = 1U << 1;
    around.guard_negated = instruction.guard->negated;
    around.successors = Successors::next_or_target;
    around.target = op.instruction + 1;
    code_.ops.push_back(around);
  }

  void mask_lanes(const ptx::Instruction& instruction, Op& op) {
    if (!instruction.guard || bits_of(builder_.register_type(instruction.guard->index)) != 1)
      return;
    op.guarded = true;
    op.guard = builder_.register_slot(instruction.guard->index);
    op.guard_negated = instruction.guard->negated;
  }

  /// Replaces the targets of branches, which are instruction indices, by op indices.
  void resolve_targets() {
    for (Op& op : code_.ops) {
      if (op.successors == Successors::target || op.successors == Successors::next_or_target) {
        op.target = first_op_[op.target];
      }
    }
    for (const auto& detail : code_.details) {
      for (std::uint32_t& target : detail->targets) target = first_op_[target];
    }
  }

  const ptx::Module& module_;
  FunctionBuilder builder_;
  const ptx::Function& function_;
  FunctionCode& code_;
  std::vector<std::uint32_t> first_op_;  // index of each instruction's first op
};

}  // namespace

bool is_unsupported(const machine::Op& op) { return op.run == unsupported; }

std::shared_ptr<const machine::Program> decode(ptx::Module module, const GlobalPlaces& places) {
  auto program = std::make_shared<machine::Program>();
  program->module = std::move(module);
  const std::string refused = refused_module(program->module);
  const Layout layout = lay_out(program->module, places, *program);
  if (!refused.empty()) {  // no launch can use them
    for (machine::GlobalVariable& variable : program->global_variables) {
      variable.initial.clear();
      variable.bytes = 0;
    }
  }
  program->functions.resize(program->module.functions.size());
  for (std::size_t i = 0; i < program->functions.size(); ++i) {
    const ptx::Function& function = program->module.functions[i];
    program->functions[i].source = &function;
    FunctionDecoder(program->module, function, layout, program->functions[i]).run();
    if (function.is_entry) {
      program->functions[i].refused =
          refused.empty() ? refused_kernel(program->module, function) : refused;
    }
  }
  std::uint32_t ops = 0;
  std::size_t shared_unit = 4;
  for (FunctionCode& code : program->functions) {
    code.first_op = ops;
    for (Op& op : code.ops) op.number = ops++;
    shared_unit = std::min(shared_unit, code.shared_unit);
  }
  for (FunctionCode& code : program->functions) code.shared_unit = shared_unit;
  // A kernel may call any function: if one function communicates, the kernel communicates.
  const bool communicates = std::any_of(
      program->functions.begin(), program->functions.end(),
      [](const FunctionCode& code) { return !code.source->is_entry && code.communicates; });
  const bool cooperative = std::any_of(
      program->functions.begin(), program->functions.end(),
      [](const FunctionCode& code) { return !code.source->is_entry && code.cooperative; });
  const bool reads_by_async_proxy =
      std::any_of(program->functions.begin(), program->functions.end(),
                  [](const FunctionCode& code) { return code.reads_by_async_proxy; });
  const bool uses_cluster = std::any_of(
      program->functions.begin(), program->functions.end(),
      [](const FunctionCode& code) { return !code.source->is_entry && code.uses_cluster; });
  for (FunctionCode& code : program->functions) {
    code.uses_cluster |= uses_cluster;
    code.reads_by_async_proxy |= reads_by_async_proxy;
    code.communicates |= communicates;
    code.cooperative |= cooperative;
  }
  return program;
}

}  // namespace warpcheck::isa
