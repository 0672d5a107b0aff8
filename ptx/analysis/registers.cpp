#include "ptx/analysis/registers.hpp"

#include <algorithm>
#include <array>

namespace warpcheck::ptx::analysis {
namespace {

constexpr std::array<std::string_view, 45> kPure = {
    "abs",      "add", "and",   "bfe",  "bfi",  "bfind", "brev",  "clz",   "cnot",
    "copysign", "cos", "cvt",   "div",  "dp2a", "dp4a",  "ex2",   "fma",   "lg2",
    "lop3",     "mad", "mad24", "max",  "min",  "mov",   "mul",   "mul24", "neg",
    "not",      "or",  "popc",  "prmt", "rcp",  "rem",   "rsqrt", "sad",   "selp",
    "setp",     "shf", "shl",   "shr",  "sin",  "sqrt",  "sub",   "tanh",  "xor"};

/// Adds the register of an element or of the base of an address.
template <class Part>
void add_register(const Part& part, std::vector<unsigned>& registers) {
  if (const auto* one = std::get_if<Register>(&part)) registers.push_back(one->index);
}

template <class Part>
void add_registers(const std::vector<Part>& parts, std::vector<unsigned>& registers) {
  for (const Part& part : parts) add_register(part, registers);
}

}  // namespace

std::string_view mnemonic(const Instruction& instruction) {
  return instruction.parts.empty() ? std::string_view() : instruction.parts.front();
}

bool has_mnemonic(const Instruction& instruction,
                  std::initializer_list<std::string_view> mnemonics) {
  return std::find(mnemonics.begin(), mnemonics.end(), mnemonic(instruction)) != mnemonics.end();
}

bool is_pure(const Instruction& instruction) {
  return std::find(kPure.begin(), kPure.end(), mnemonic(instruction)) != kPure.end();
}

bool has_modifier(const Instruction& instruction, std::string_view modifier) {
  return std::find(instruction.parts.begin() + 1, instruction.parts.end(), modifier) !=
         instruction.parts.end();
}

Type type_of(const Instruction& instruction) {
  for (std::size_t i = instruction.parts.size(); i > 1; --i) {
    if (const auto type = ptx::type(instruction.parts[i - 1])) return *type;
  }
  return Type::none;
}

std::optional<unsigned> parameter_of(const Operand& operand) {
  const auto* const address = std::get_if<Address>(&operand);
  const auto* const symbol = address == nullptr ? nullptr : std::get_if<Symbol>(&address->base);
  const bool is_parameter = symbol != nullptr && symbol->kind == Symbol::Kind::parameter;
  return is_parameter ? std::optional(symbol->index) : std::nullopt;
}

std::vector<unsigned> registers_of(const Operand& operand) {
  std::vector<unsigned> registers;
  add_register(operand, registers);
  if (const auto* vector = std::get_if<Vector>(&operand)) {
    add_registers(vector->elements, registers);
  } else if (const auto* list = std::get_if<ParameterList>(&operand)) {
    add_registers(list->elements, registers);
  } else if (const auto* pair = std::get_if<Pair>(&operand)) {
    for (const auto& half : {pair->first, pair->second}) {
      if (half) registers.push_back(half->index);
    }
  } else if (const auto* address = std::get_if<Address>(&operand)) {
    add_register(address->base, registers);
    add_registers(address->more_bases, registers);
    add_registers(address->coordinates, registers);
  }
  return registers;
}

std::vector<unsigned> written_registers(const Operand& operand) {
  return std::holds_alternative<Address>(operand) ? std::vector<unsigned>() : registers_of(operand);
}

std::optional<std::size_t> Definitions::of(unsigned reg) const {
  std::optional<std::size_t> only;
  for (std::size_t at = 0; at < body_.size(); ++at) {
    if (body_[at].operands.empty()) continue;
    const std::vector<unsigned> written = written_registers(body_[at].operands.front());
    if (std::find(written.begin(), written.end(), reg) == written.end()) continue;
    if (only || body_[at].guard || operand<Register>(body_[at], 0) == nullptr) return std::nullopt;
    only = at;
  }
  return only;
}

unsigned Definitions::original(unsigned reg) const {
  while (const auto at = of(reg)) {
    const auto* const source = operand<Register>(body_[*at], 1);
    if (source == nullptr || !has_mnemonic(body_[*at], {"mov", "cvta", "cvt"})) break;
    reg = source->index;
  }
  return reg;
}

}  // namespace warpcheck::ptx::analysis
