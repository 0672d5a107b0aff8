// Decoding of one instruction: its operands as slots, its op, and the function around it.
#pragma once

#include <array>
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

/// An operand does not fit its instruction, according to the table. The machine cannot execute the
/// instruction.
class DecodeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The addresses of the variables of a module, each in its space.
struct Layout {
  std::vector<std::uint64_t> module_variables;  // indexed by module variable
  // Shared variables of the module and its device functions.
  std::vector<machine::PlacedVariable> shared;
  std::map<const ptx::Variable*, std::uint64_t> function_variables;  // shared and global variables
  std::uint64_t shared_end = 0;                                      // end of `shared`
  std::uint64_t dynamic_shared = 0;  // begin of dynamic shared memory
};

/// The address of a symbol in its space; `frame_relative`: within the stack frame of the call.
struct SymbolPlace {
  std::uint64_t address = 0;
  machine::Space space = machine::Space::global;
  bool frame_relative = false;
};

/// Translates a ptx::Function to FunctionCode.
class FunctionBuilder {
 public:
  FunctionBuilder(const ptx::Module& module, const ptx::Function& function, const Layout& layout,
                  machine::FunctionCode& code);

  [[nodiscard]] const ptx::Module& module() const { return module_; }
  [[nodiscard]] const ptx::Function& function() const { return function_; }
  [[nodiscard]] machine::FunctionCode& code() const { return code_; }

  /// The slot of a register; for a register of 128 bits, the slot of its lower half. Registers that
  /// no instruction names have no place in a frame.
  [[nodiscard]] machine::Slot register_slot(unsigned index);
  [[nodiscard]] machine::Slot upper_half(unsigned index);
  [[nodiscard]] Type register_type(unsigned index) const { return function_.registers[index].type; }
  /// A constant of `bits` bits in all lanes; 1 bit is a predicate.
  machine::Slot constant(std::uint64_t value, unsigned bits);
  /// The predicate for the carry flag of extended-precision arithmetic (PTX ISA 9.7.2).
  machine::Slot carry();
  /// A predicate that passes a value from the first to the second of two ops of one instruction.
  machine::Slot truth();
  [[nodiscard]] SymbolPlace place_of(const ptx::Symbol& symbol) const;

  /// True for a register of accumulators or of A that a product of a warpgroup uses.
  [[nodiscard]] bool is_of_products(unsigned index) const {
    return !product_registers_.empty() && product_registers_[index];
  }

  /// Places the constants; must follow the last op.
  void finish();

 private:
  void place_parameters();
  void place_variables(const Layout& layout);
  void find_registers_of_products();
  machine::Slot add_slot(unsigned bits);

  const ptx::Module& module_;
  const ptx::Function& function_;
  const Layout& layout_;
  machine::FunctionCode& code_;
  std::vector<machine::Slot> registers_;  // indexed by register; kNoSlot: not named yet
  // Maps registers of 128 bits to their upper halves.
  std::map<unsigned, machine::Slot> upper_halves_;
  // Addresses of the function's variables in their spaces, by index.
  std::vector<std::uint64_t> variables_;
  // Maps a value and its bits to a number.
  std::map<std::pair<std::uint64_t, unsigned>, std::uint32_t> constants_;
  std::vector<std::pair<std::uint64_t, unsigned>> constant_list_;
  machine::Slot carry_ = machine::kNoSlot;
  machine::Slot truth_ = machine::kNoSlot;
  std::vector<bool> product_registers_;  // indexed by register; empty: there are no products
};

/// Translates one instruction to an op.
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
  std::optional<machine::Op> follow_up;           // the second op of the instruction
  std::vector<machine::TouchedRegister> touched;  // registers of products that it accesses
  std::vector<machine::Slot> read_registers;      // registers that either op reads
  std::vector<machine::Slot> written_registers;   // registers that either op writes

  [[nodiscard]] std::size_t operand_count() const { return instruction.operands.size(); }
  /// Throws DecodeError for another number of operands.
  void expect_operands(std::size_t count) const;
  template <class T>
  [[nodiscard]] const T* operand(std::size_t index) const {
    return index < operand_count() ? std::get_if<T>(&instruction.operands[index]) : nullptr;
  }

  /// A register or constant that is read as a value of `type`. A register must have the width of
  /// the type, or a larger one with `wider` (ld, st and cvt: PTX ISA 9.4.1).
  machine::Slot source(const ptx::Operand& operand, Type type, bool wider = false);
  machine::Slot source_element(const ptx::Element& element, Type type, bool wider = false);
  machine::Slot destination(const ptx::Operand& operand, Type type, bool wider = false);
  machine::Slot destination_element(const ptx::Element& element, Type type, bool wider = false);
  /// The two 64-bit halves of a register of 128 bits; the lower half comes first.
  [[nodiscard]] std::array<machine::Slot, 2> halves(const ptx::Operand& operand);
  /// The bits of a register operand; 0 if the operand is not a register.
  [[nodiscard]] unsigned register_bits(const ptx::Operand& operand) const;

  /// Decodes the row's `operands` into result.operand.
  void plain_operands();
  /// Decodes `[base+offset]` into operand 0, immediate, space and the flags of the address.
  void address(const ptx::Address& address, machine::Space space);
  machine::OpDetail& detail();
  /// Sets the target, which is an instruction; the decoder replaces it by an op.
  void branch_to(ptx::Label label);
  void branch_to(const std::vector<unsigned>& labels);
};

/// 1 for predicates, otherwise 8 * bytes.
[[nodiscard]] unsigned bits_of(Type type);

}  // namespace warpcheck::isa
