#include "ptx/analysis/unused_value.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "ptx/analysis/integer_value.hpp"
#include "ptx/analysis/registers.hpp"

namespace warpcheck::ptx::analysis {
namespace {

/// The values of registers in one thread, as far as they follow from its number.
class ThreadValues {
 public:
  ThreadValues(const Function& function, unsigned thread)
      : body_(function.body), definitions_(function), thread_(thread) {}

  /// True if the thread does not execute the instruction.
  [[nodiscard]] bool is_skipped(const Instruction& instruction) const {
    if (!instruction.guard) return false;
    const Value guard = value(instruction.guard->index, kMostSteps);
    return guard && (*guard != 0) == instruction.guard->negated;
  }

 private:
  static constexpr int kMostSteps = 16;  // instructions between the number and a guard

  [[nodiscard]] Value value(unsigned reg, int steps) const {
    const std::optional<std::size_t> at = definitions_.of(reg);
    if (!at || steps == 0) return std::nullopt;
    const Instruction& instruction = body_[*at];
    if (instruction.operands.size() < 2) return std::nullopt;
    std::vector<Value> sources;
    for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
      sources.push_back(value(instruction.operands[i], steps - 1));
    }
    return integer_value(instruction, sources);
  }

  [[nodiscard]] Value value(const Operand& operand, int steps) const {
    if (const auto* const integer = std::get_if<Integer>(&operand)) return integer->bits;
    if (const auto* const special = std::get_if<SpecialRegister>(&operand)) {
      return special->name == "tid.x" ? Value(thread_) : std::nullopt;
    }
    const auto* const reg = std::get_if<Register>(&operand);
    if (reg == nullptr || reg->negated || reg->minus || !reg->part.empty()) return std::nullopt;
    return value(reg->index, steps);
  }

  const std::vector<Instruction>& body_;
  Definitions definitions_;
  unsigned thread_;
};

/// The registers that may hold a value that depends on the load, in any order of execution.
class Dependents {
 public:
  Dependents(const Function& function, std::size_t load)
      : depends_(function.registers.size(), false) {
    add(function.body[load]);
  }

  [[nodiscard]] bool has_source(const Instruction& instruction) const {
    if (instruction.guard && depends_[instruction.guard->index]) return true;
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      const bool is_result = i == 0 && (is_pure(instruction) || mnemonic(instruction) == "ld");
      const std::vector<unsigned> read =
          is_result ? std::vector<unsigned>() : registers_of(instruction.operands[i]);
      if (std::any_of(read.begin(), read.end(), [&](unsigned reg) { return depends_[reg]; })) {
        return true;
      }
    }
    return false;
  }

  /// Adds the results of an instruction. False if they were added before.
  bool add(const Instruction& instruction) {
    bool is_new = false;
    for (const unsigned reg : written_registers(instruction.operands.front())) {
      is_new = is_new || !depends_[reg];
      depends_[reg] = true;
    }
    return is_new;
  }

 private:
  std::vector<bool> depends_;
};

}  // namespace

bool is_value_unused(const Function& function, std::size_t load, unsigned thread) {
  if (load >= function.body.size() || mnemonic(function.body[load]) != "ld") return false;
  const ThreadValues values(function, thread);
  Dependents dependents(function, load);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction& instruction : function.body) {
      if (instruction.parts.empty()) continue;
      if (!dependents.has_source(instruction) || values.is_skipped(instruction)) continue;
      if (!is_pure(instruction)) return false;
      changed = dependents.add(instruction) || changed;
    }
  }
  return true;
}

}  // namespace warpcheck::ptx::analysis
