#include <algorithm>
#include <cstring>

#include "device/virtual/isa/declared_sizes.hpp"
#include "device/virtual/isa/layout.hpp"
#include "device/virtual/isa/lowering.hpp"

namespace warpcheck::isa {
namespace {

using machine::Slot;
using machine::Space;

/// Marks the slot of constant number n until finish() places the constants.
constexpr std::uint32_t kConstantTag = 0x8000'0000;

std::size_t slot_bytes(unsigned bits) {
  return bits == 1 ? sizeof(machine::Mask) : std::size_t{machine::kLanes} * bits / 8;
}

}  // namespace

unsigned bits_of(Type type) {
  return type == Type::pred ? 1 : static_cast<unsigned>(8 * ptx::bytes(type));
}

FunctionBuilder::FunctionBuilder(const ptx::Module& module, const ptx::Function& function,
                                 const Layout& layout, machine::FunctionCode& code)
    : module_(module), function_(function), layout_(layout), code_(code) {
  code_.source = &function;
  registers_.resize(function.registers.size(), machine::kNoSlot);
  place_parameters();
  place_variables(layout);
  find_registers_of_products();
}

/// Finds the registers of products, which are wgmma.mma_async instructions. The first operand holds
/// the accumulators; the second one is A if it is a vector.
void FunctionBuilder::find_registers_of_products() {
  for (const ptx::Instruction& instruction : function_.body) {
    if (instruction.parts.front() != "wgmma" || instruction.operands.size() < 2) continue;
    product_registers_.resize(function_.registers.size());
    for (const ptx::Operand& operand : {instruction.operands[0], instruction.operands[1]}) {
      const auto* registers = std::get_if<ptx::Vector>(&operand);
      if (registers == nullptr) continue;
      for (const ptx::Element& element : registers->elements) {
        if (const auto* reg = std::get_if<ptx::Register>(&element))
          product_registers_[reg->index] = true;
      }
    }
  }
}

Slot FunctionBuilder::add_slot(unsigned bits) {
  const std::size_t alignment = bits == 1 ? sizeof(machine::Mask) : 64;
  code_.value_bytes = round_up(code_.value_bytes, alignment);
  const Slot slot{static_cast<std::uint32_t>(code_.value_bytes),
                  static_cast<std::uint32_t>(code_.register_count++)};
  code_.value_bytes += slot_bytes(bits);
  return slot;
}

Slot FunctionBuilder::register_slot(unsigned index) {
  Slot& slot = registers_[index];
  if (slot != machine::kNoSlot) return slot;
  const Type type = function_.registers[index].type;
  slot = add_slot(type == Type::b128 ? 64 : bits_of(type));
  if (type == Type::b128) upper_halves_.emplace(index, add_slot(64));
  return slot;
}

Slot FunctionBuilder::upper_half(unsigned index) {
  static_cast<void>(register_slot(index));
  return upper_halves_.at(index);
}

Slot FunctionBuilder::carry() {
  if (carry_ == machine::kNoSlot) carry_ = add_slot(1);
  return carry_;
}

Slot FunctionBuilder::truth() {
  if (truth_ == machine::kNoSlot) truth_ = add_slot(1);
  return truth_;
}

Slot FunctionBuilder::constant(std::uint64_t value, unsigned bits) {
  if (bits < 64) value &= (std::uint64_t{1} << bits) - 1;
  const auto [entry, added] =
      constants_.try_emplace({value, bits}, static_cast<std::uint32_t>(constant_list_.size()));
  if (added) constant_list_.emplace_back(value, bits);
  const std::uint32_t tagged = kConstantTag | entry->second;
  return {tagged, tagged};
}

/// Places the parameters. Those of a kernel are in the parameter bytes of the launch; those of a
/// function are at the beginning of its stack frame, results first.
void FunctionBuilder::place_parameters() {
  std::size_t end = 0;
  unsigned in_registers = 0;  // parameters in registers, which come first in the function
  const auto place = [&](const std::vector<ptx::Variable>& from,
                         std::vector<machine::ParameterPlace>& to) {
    for (const ptx::Variable& parameter : from) {
      if (parameter.space == ptx::StateSpace::reg && !function_.is_entry) {
        to.push_back({0, parameter.bytes(), register_slot(in_registers++)});
        continue;
      }
      end = round_up(end, parameter.alignment);
      to.push_back({end, parameter.bytes()});
      end += parameter.bytes();
    }
  };
  place(function_.return_parameters, code_.return_parameters);
  place(function_.parameters, code_.parameters);
  code_.parameter_bytes = end;
  if (!function_.is_entry) code_.local_bytes = end;
}

void FunctionBuilder::place_variables(const Layout& layout) {
  variables_.resize(function_.variables.size());
  code_.shared = layout.shared;
  std::uint64_t shared_end = layout.shared_end;
  // Parameters of calls precede .local variables, so that the frame ends with .local variables.
  for (const ptx::StateSpace space : {ptx::StateSpace::param, ptx::StateSpace::local}) {
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      const ptx::Variable& variable = function_.variables[i];
      if (variable.space != space) continue;
      code_.local_bytes = round_up(code_.local_bytes, std::min(variable.alignment, kMostAlignment));
      variables_[i] = code_.local_bytes;
      code_.local_bytes += variable.bytes();
    }
  }
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const ptx::Variable& variable = function_.variables[i];
    if (variable.space != ptx::StateSpace::shared) continue;
    if (const auto placed = layout.function_variables.find(&variable);
        placed != layout.function_variables.end()) {
      variables_[i] = placed->second;
      continue;
    }
    variables_[i] = place_shared(variable, shared_end, code_.shared);
  }
  if (function_.is_entry) code_.shared_bytes = static_shared_bytes(module_, function_);
}

SymbolPlace FunctionBuilder::place_of(const ptx::Symbol& symbol) const {
  const auto addend = static_cast<std::uint64_t>(symbol.addend);
  const Space parameter_space = function_.is_entry ? Space::kernel_parameter : Space::local;
  switch (symbol.kind) {
    case ptx::Symbol::Kind::module_variable: {
      const ptx::StateSpace space = module_.variables[symbol.index].space;
      return {layout_.module_variables[symbol.index] + addend,
              space == ptx::StateSpace::shared ? Space::shared : Space::global, false};
    }
    case ptx::Symbol::Kind::function:
      return {function_address(symbol.index) + addend, Space::global, false};
    case ptx::Symbol::Kind::parameter:
      return {code_.parameters[symbol.index].offset + addend, parameter_space, !function_.is_entry};
    case ptx::Symbol::Kind::return_parameter:
      return {code_.return_parameters[symbol.index].offset + addend, parameter_space, true};
    case ptx::Symbol::Kind::function_variable:
      break;
  }
  const ptx::Variable& declared = function_.variables[symbol.index];
  if (is_global(declared))
    return {layout_.function_variables.at(&declared) + addend, Space::global, false};
  const bool shared = declared.space == ptx::StateSpace::shared;
  return {variables_[symbol.index] + addend, shared ? Space::shared : Space::local, !shared};
}

void FunctionBuilder::finish() {
  code_.constants_offset = round_up(code_.value_bytes, 64);
  code_.constant_count = constant_list_.size();
  std::vector<std::uint32_t> offsets;
  for (const auto& [value, bits] : constant_list_) {
    const std::size_t begin = round_up(code_.constants.size(), bits == 1 ? 4 : 64);
    offsets.push_back(static_cast<std::uint32_t>(code_.constants_offset + begin));
    code_.constants.resize(begin + slot_bytes(bits));
    const machine::Mask mask = value != 0 ? machine::kAllLanes : 0;
    if (bits == 1) std::memcpy(code_.constants.data() + begin, &mask, sizeof mask);
    for (std::size_t lane = 0; bits > 1 && lane < machine::kLanes; ++lane) {
      std::memcpy(code_.constants.data() + begin + lane * (bits / 8), &value, bits / 8);
    }
  }
  code_.value_bytes = code_.constants_offset + code_.constants.size();
  const auto resolve = [&](Slot& slot) {
    if (slot == machine::kNoSlot || (slot.index & kConstantTag) == 0) return;
    const std::uint32_t number = slot.index & ~kConstantTag;
    slot = {offsets[number], static_cast<std::uint32_t>(code_.register_count) + number};
  };
  for (machine::Op& op : code_.ops) {
    for (Slot& slot : op.operand) resolve(slot);
  }
  for (const auto& detail : code_.details) {
    for (Slot& slot : detail->elements) resolve(slot);
  }
}

}  // namespace warpcheck::isa
