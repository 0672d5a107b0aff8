#include "ptx/analysis/reachable.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "ptx/analysis/integer_value.hpp"
#include "ptx/analysis/registers.hpp"

namespace warpcheck::ptx::analysis {
namespace {

using Values = std::vector<Value>;  // indexed by register

/// One thread's ways through a kernel.
class Walk {
 public:
  Walk(const Function& kernel, const LaunchForm& form, const BlockShape& thread,
       std::vector<bool>& reached)
      : kernel_(kernel), form_(form), thread_(thread), reached_(reached) {
    is_target_.resize(kernel.body.size() + 1);
    before_.resize(kernel.body.size() + 1);
    for (const LabelDeclaration& label : kernel.labels) is_target_[label.target] = true;
  }

  void run() {
    arrive(0, Values(kernel_.registers.size()));
    while (!pending_.empty()) {
      const std::size_t begin = pending_.back();
      pending_.pop_back();
      follow(begin, *before_[begin]);
    }
  }

 private:
  /// Reaches the first instruction of a stretch with a state. Keeps the values that are equal on
  /// all ways to it.
  void arrive(std::size_t at, const Values& state) {
    if (at >= kernel_.body.size()) return;
    std::optional<Values>& known = before_[at];
    bool changed = !known;
    if (!known) {
      known = state;
    } else {
      for (std::size_t i = 0; i < state.size(); ++i) {
        if (!(*known)[i] || (*known)[i] == state[i]) continue;
        (*known)[i].reset();
        changed = true;
      }
    }
    if (changed) pending_.push_back(at);
  }

  /// Executes the instructions from `at` up to a branch, an end, or the next stretch.
  void follow(std::size_t at, Values state) {
    for (bool first = true; at < kernel_.body.size(); ++at, first = false) {
      if (!first && is_target_[at]) return arrive(at, state);
      reached_[at] = true;
      const Instruction& instruction = kernel_.body[at];
      const Value guard = instruction.guard ? value_of(*instruction.guard, state) : Value(1);
      const bool may = !guard || *guard != 0;
      const bool may_not = !guard || *guard == 0;
      if (leaves(instruction)) {
        if (may) jump(instruction, state);
        if (!may_not) return;
      } else if (may) {
        execute(instruction, may_not, state);
      }
    }
  }

  static bool leaves(const Instruction& instruction) {
    return has_mnemonic(instruction, {"bra", "brx", "ret", "exit", "trap"});
  }

  void jump(const Instruction& instruction, const Values& state) {
    for (const Operand& operand : instruction.operands) {
      if (const auto* label = std::get_if<Label>(&operand)) {
        arrive(kernel_.labels.at(label->index).target, state);
      } else if (const auto* table = std::get_if<BranchTargets>(&operand)) {
        for (const unsigned target : kernel_.branch_targets.at(table->index).labels) {
          arrive(kernel_.labels.at(target).target, state);
        }
      }
    }
  }

  void execute(const Instruction& instruction, bool perhaps, Values& state) {
    const auto& operands = instruction.operands;
    if (mnemonic(instruction) == "call") {
      for (const Operand& operand : operands) forget(operand, state);
    }
    if (operands.empty()) return;
    const auto* const to = std::get_if<Register>(&operands.front());
    if (to == nullptr) return forget(operands.front(), state);
    const Value result = result_of(instruction, state);
    Value& held = state[to->index];
    held = perhaps && held != result ? std::nullopt : result;
  }

  [[nodiscard]] Value result_of(const Instruction& instruction, const Values& state) const {
    const auto& operands = instruction.operands;
    if (mnemonic(instruction) == "ld") return parameter(instruction);
    std::vector<Value> sources;
    for (std::size_t i = 1; i < operands.size(); ++i) {
      sources.push_back(value_of(operands[i], state));
    }
    return integer_value(instruction, sources);
  }

  /// The value that a load from the start of a kernel parameter returns.
  [[nodiscard]] Value parameter(const Instruction& load) const {
    const auto* const address = std::get_if<Address>(&load.operands.back());
    if (load.parts.size() != 3 || load.parts[1] != "param" || address == nullptr) return {};
    const auto* const symbol = std::get_if<Symbol>(&address->base);
    const bool whole = symbol != nullptr && symbol->kind == Symbol::Kind::parameter &&
                       address->offset == 0 && symbol->index < form_.parameters.size() &&
                       kernel_.parameters[symbol->index].type == type_of(load);
    return whole ? form_.parameters[symbol->index] : std::nullopt;
  }

  static void forget(const Operand& operand, Values& state) {
    for (const unsigned reg : written_registers(operand)) state[reg].reset();
  }

  [[nodiscard]] static Value value_of(const Register& reg, const Values& state) {
    const Value& value = state[reg.index];
    return value && reg.negated ? Value(*value ^ 1) : value;
  }

  [[nodiscard]] Value value_of(const Operand& operand, const Values& state) const {
    if (const auto* reg = std::get_if<Register>(&operand)) return value_of(*reg, state);
    if (const auto* constant = std::get_if<Integer>(&operand)) return constant->bits;
    const auto* const special = std::get_if<SpecialRegister>(&operand);
    if (special == nullptr || special->name.empty()) return std::nullopt;
    const std::size_t axis = static_cast<std::size_t>(special->name.back() - 'x');
    if (axis > 2) return std::nullopt;
    if (special->name.starts_with("tid.")) return thread_[axis];
    if (special->name.starts_with("ntid.")) return form_.block[axis];
    return std::nullopt;
  }

  const Function& kernel_;
  const LaunchForm& form_;
  const BlockShape& thread_;
  std::vector<bool>& reached_;
  std::vector<bool> is_target_;
  std::vector<std::optional<Values>> before_;  // indexed by instruction; set where a stretch begins
  std::vector<std::size_t> pending_;
};

}  // namespace

std::vector<bool> may_be_reached(const Function& kernel, const std::set<LaunchForm>& forms) {
  std::vector<bool> reached(kernel.body.size());
  for (const LaunchForm& form : forms) {
    const BlockShape& shape = form.block;
    BlockShape thread{};
    for (thread[2] = 0; thread[2] < shape[2]; ++thread[2]) {
      for (thread[1] = 0; thread[1] < shape[1]; ++thread[1]) {
        for (thread[0] = 0; thread[0] < shape[0]; ++thread[0]) {
          Walk(kernel, form, thread, reached).run();
        }
      }
    }
  }
  return reached;
}

}  // namespace warpcheck::ptx::analysis
