#include <fmt/format.h>

#include "ptx/print/print_parts.hpp"
#include "ptx/printer.hpp"

namespace warpcheck::ptx {
namespace {

/// One overload for each kind of operand.
class OperandText {
 public:
  OperandText(const Module& module, const Function& function)
      : module_(module), function_(function) {}

  std::string operator()(const Register& operand) const {
    std::string text = fmt::format("{}{}{}", operand.negated ? "!" : "", operand.minus ? "-" : "",
                                   function_.registers.at(operand.index).name);
    if (!operand.part.empty()) text += fmt::format(".{}", operand.part.text());
    return text;
  }
  std::string operator()(const Integer& operand) const {
    if (operand.is_unsigned) return fmt::format("{}U", operand.bits);
    return fmt::format("{}", static_cast<std::int64_t>(operand.bits));
  }
  std::string operator()(const Float& operand) const {
    return operand.is_single ? fmt::format("0f{:08X}", operand.bits)
                             : fmt::format("0d{:016X}", operand.bits);
  }
  std::string operator()(const Symbol& operand) const {
    return fmt::format("{}{}", name_of(module_, &function_, operand), offset_text(operand.addend));
  }
  std::string operator()(const SpecialRegister& operand) const {
    return fmt::format("%{}", operand.name);
  }
  std::string operator()(const Sink&) const { return "_"; }
  std::string operator()(const Vector& operand) const {
    return fmt::format("{{{}}}", list(operand.elements));
  }
  std::string operator()(const Address& operand) const {
    std::string text =
        fmt::format("[{}{}", std::visit(*this, operand.base), offset_text(operand.offset));
    for (const Address::Base& base : operand.more_bases)
      text += fmt::format(", {}", std::visit(*this, base));
    if (!operand.coordinates.empty()) text += fmt::format(", {{{}}}", list(operand.coordinates));
    return text + "]";
  }
  std::string operator()(const Pair& operand) const {
    const auto member = [this](const std::optional<Register>& half) {
      return half ? (*this)(*half) : "_";
    };
    return fmt::format("{}|{}", member(operand.first), member(operand.second));
  }
  std::string operator()(const Label& operand) const {
    return function_.labels.at(operand.index).name;
  }
  std::string operator()(const ParameterList& operand) const {
    return fmt::format("({})", list(operand.elements));
  }
  std::string operator()(const BranchTargets& operand) const {
    return function_.branch_targets.at(operand.index).name;
  }
  std::string operator()(const CallPrototype& operand) const {
    return function_.call_prototypes.at(operand.index).name;
  }
  std::string operator()(const CallTargets& operand) const {
    return function_.call_targets.at(operand.index).name;
  }

 private:
  [[nodiscard]] std::string list(const std::vector<Element>& elements) const {
    std::string text;
    for (const Element& element : elements) {
      if (!text.empty()) text += ", ";
      text += std::visit(*this, element);
    }
    return text;
  }

  const Module& module_;
  const Function& function_;
};

}  // namespace

std::string_view name_of(const Module& module, const Function* function, const Symbol& symbol) {
  if (symbol.kind == Symbol::Kind::function) return module.functions.at(symbol.index).name;
  if (symbol.kind == Symbol::Kind::module_variable) return module.variables.at(symbol.index).name;
  return variable(module, *function, symbol).name;
}

std::string offset_text(std::int64_t offset) {
  return offset == 0 ? std::string() : fmt::format("+{}", offset);
}

std::string to_text(const Module& module, const Function& function,
                    const Instruction& instruction) {
  const OperandText operand_text(module, function);
  std::string text;
  if (instruction.guard) text += fmt::format("@{} ", operand_text(*instruction.guard));
  for (const std::string& part : instruction.parts) {
    if (&part != &instruction.parts.front()) text += ".";
    text += part;
  }
  std::string_view separator = " ";
  for (const Operand& operand : instruction.operands) {
    text += separator;
    text += std::visit(operand_text, operand);
    separator = ", ";
  }
  return text;
}

}  // namespace warpcheck::ptx
