// What decoding one instruction needs: its operands as slots, its op, and the function around it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "device/virtual/isa/form.hpp"
#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::isa {

/// An operand does not fit its instruction. Becomes an illegal-instruction finding where executed.
class DecodeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Where the variables of a module lie, each in its own space.
struct Layout {
  std::vector<std::uint64_t> module_variables;  // by index
  std::vector<machine::PlacedVariable> shared;  // module-wide and of device functions
  std::map<const ptx::Variable*, std::uint64_t> of_functions;  // the latter's addresses
  std::uint64_t shared_end = 0;                                // of those
  std::uint64_t dynamic_shared = 0;                            // where dynamic shared memory begins
};

/// A symbol's address: in its space, or of a thread's stack within the running call's part.
struct SymbolPlace {
  std::uint64_t address = 0;
  machine::Space space = machine::Space::global;
  bool frame_relative = false;
};

/// One function on its way from ptx::Function to FunctionCode.
class FunctionBuilder {
 public:
  FunctionBuilder(const ptx::Module& module, const ptx::Function& function, const Layout& layout,
                  machine::FunctionCode& code);

  [[nodiscard]] const ptx::Module& module() const { return module_; }
  [[nodiscard]] const ptx::Function& function() const { return function_; }
  [[nodiscard]] machine::FunctionCode& code() const { return code_; }

  [[nodiscard]] machine::Slot register_slot(unsigned index) const { return registers_[index]; }
  [[nodiscard]] Type register_type(unsigned index) const { return function_.registers[index].type; }
  /// A constant in all lanes of `bits` each (1: a predicate).
  machine::Slot constant(std::uint64_t value, unsigned bits);
  /// The carry flag of extended-precision arithmetic (PTX ISA 9.7.2), kept as a predicate.
  machine::Slot carry();
  /// A predicate for the first of two ops of one instruction to hand to the second.
  machine::Slot truth();
  [[nodiscard]] SymbolPlace place_of(const ptx::Symbol& symbol) const;

  /// Settles where the constants lie, once all ops are there.
  void finish();

 private:
  void place_parameters();
  void place_variables(const Layout& layout);
  machine::Slot add_slot(unsigned bits);

  const ptx::Module& module_;
  const ptx::Function& function_;
  const Layout& layout_;
  machine::FunctionCode& code_;
  std::vector<machine::Slot> registers_;
  std::vector<std::uint64_t> variables_;  // by index: address in the variable's space
  std::map<std::pair<std::uint64_t, unsigned>, std::uint32_t> constants_;  // to number
  std::vector<std::pair<std::uint64_t, unsigned>> constant_list_;
  machine::Slot carry_ = machine::kNoSlot;
  machine::Slot truth_ = machine::kNoSlot;
};

/// One instruction on its way to its op.
class Lowering {
 public:
  Lowering(FunctionBuilder& builder, const ptx::Instruction& source, const Form& form,
           const Selection& chosen, machine::Op& op)
      : function(builder), instruction(source), row(form), selection(chosen), result(op) {}

  FunctionBuilder& function;
  const ptx::Instruction& instruction;
  const Form& row;
  const Selection& selection;
  machine::Op& result;
  std::optional<machine::Op> follow_up;  // a second op of the instruction, after the first

  [[nodiscard]] std::size_t operand_count() const { return instruction.operands.size(); }
  template <class T>
  [[nodiscard]] const T* operand(std::size_t index) const {
    return index < operand_count() ? std::get_if<T>(&instruction.operands[index]) : nullptr;
  }

  /// A register or constant that is read as a value of `type`. Registers must have the type's
  /// width; with `wider`, they may have more (ld, st and cvt relax this: PTX ISA 9.4.1).
  machine::Slot source(const ptx::Operand& operand, Type type, bool wider = false);
  machine::Slot source_element(const ptx::Element& element, Type type, bool wider = false);
  machine::Slot destination(const ptx::Operand& operand, Type type, bool wider = false);
  machine::Slot destination_element(const ptx::Element& element, Type type, bool wider = false);
  /// Bits of the register that an operand names; 0 where it is no register.
  [[nodiscard]] unsigned register_bits(const ptx::Operand& operand) const;

  /// The plain operands of the row's `operands` into result.operand.
  void plain_operands();
  /// `[base+offset]` into operand 0, immediate, space and what goes with them.
  void address(const ptx::Address& address, machine::Space space);
  machine::OpDetail& detail();
  /// The op that the label's instruction becomes; settled when all ops are there.
  void branch_to(ptx::Label label);
  void branch_to(const std::vector<unsigned>& labels);
};

/// 1 for predicates, else 8 * bytes.
[[nodiscard]] unsigned bits_of(Type type);

}  // namespace warpcheck::isa
