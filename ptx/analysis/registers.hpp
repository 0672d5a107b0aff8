// The parts of an instruction, and the flow of values through registers.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ptx/module.hpp"

namespace warpcheck::ptx::analysis {

/// Sets of parameters have one bit for each of the first 64.
inline constexpr std::size_t kMostParameters = 64;

/// The mnemonic: "ld". Instructions without parts have none.
[[nodiscard]] std::string_view mnemonic(const Instruction& instruction);
[[nodiscard]] bool has_mnemonic(const Instruction& instruction,
                                std::initializer_list<std::string_view> mnemonics);
[[nodiscard]] bool has_modifier(const Instruction& instruction, std::string_view modifier);
/// The last modifier that names a type; Type::none where none does.
[[nodiscard]] Type type_of(const Instruction& instruction);

/// True for instructions whose first operand is the result, and which have no other effect.
[[nodiscard]] bool is_pure(const Instruction& instruction);

/// The operand if it is of this kind; null if it is of another one, or missing.
template <class Kind>
[[nodiscard]] const Kind* operand(const Instruction& instruction, std::size_t index) {
  return index < instruction.operands.size() ? std::get_if<Kind>(&instruction.operands[index])
                                             : nullptr;
}

/// The index of the kernel parameter whose bytes an address names.
[[nodiscard]] std::optional<unsigned> parameter_of(const Operand& operand);

/// The registers of an operand, those of an address included.
[[nodiscard]] std::vector<unsigned> registers_of(const Operand& operand);

/// The registers that an instruction writes if this is its first operand: an address is only read.
[[nodiscard]] std::vector<unsigned> written_registers(const Operand& operand);

/// Joins the values that the instructions of a function give to the registers of their first
/// operands, until none changes. `result(instruction, values)` is the value that one gives. The
/// order of the instructions has no effect: a register has one value in the whole function.
template <class Value, class Result>
void join_results(const Function& function, std::vector<Value>& values, const Result& result) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction& instruction : function.body) {
      if (instruction.parts.empty() || instruction.operands.size() < 2) continue;
      const Value added = result(instruction, values);
      for (const unsigned reg : written_registers(instruction.operands.front())) {
        Value joined = values[reg];
        joined |= added;
        changed = changed || joined != values[reg];
        values[reg] = joined;
      }
    }
  }
}

/// The registers that one instruction alone writes, without a guard.
class Definitions {
 public:
  explicit Definitions(const Function& function) : body_(function.body) {}

  /// The index of the instruction; empty if there are several.
  [[nodiscard]] std::optional<std::size_t> of(unsigned reg) const;

  /// The register of which this one is a copy, through `mov`, `cvta` and conversions between 32
  /// and 64 bits: they keep the lowest bits.
  [[nodiscard]] unsigned original(unsigned reg) const;

 private:
  const std::vector<Instruction>& body_;
};

}  // namespace warpcheck::ptx::analysis
