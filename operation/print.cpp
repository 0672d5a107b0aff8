#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "operation/operation.hpp"
#include "operation/words.hpp"

namespace warpcheck::operation {
namespace {

constexpr int kPrimary = 8;

const BinarySymbol* symbol_of(Op op) {
  const auto* const found =
      std::find_if(kBinarySymbols.begin(), kBinarySymbols.end(),
                   [&](const BinarySymbol& symbol) { return symbol.op == op; });
  return found == kBinarySymbols.end() ? nullptr : found;
}

int precedence(const Node& node) {
  if (node.op == Op::negate) return kNegatePrecedence;
  if (node.op == Op::logical_not) return kNotPrecedence;
  const BinarySymbol* const symbol = symbol_of(node.op);
  return symbol == nullptr ? kPrimary : symbol->precedence;
}

std::string print_number(double number, Type type) {
  if (std::isinf(number)) return number < 0.0 ? "-infinity" : "infinity";
  std::string text = fmt::format("{}", number);
  if (type == Type::integer) return fmt::format("{:.0f}", number);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string list(const std::vector<Node>& nodes) {
  std::string text;
  for (const Node& node : nodes) text += (text.empty() ? "" : ", ") + print(node);
  return text;
}

std::string print_reduction(const Node& node) {
  std::string text = fmt::format("{}(", kReductions[static_cast<std::size_t>(node.reduction)]);
  for (std::size_t i = 0; i < node.indices.size(); ++i) {
    if (i != 0) text += ", ";
    text += node.indices[i];
    if (!node.extents[i].empty()) text += " in " + node.extents[i];
  }
  text += ": " + print(node.operands.front());
  if (node.operands.size() > 1) text += " where " + print(node.operands.back());
  return text + ")";
}

std::string print_call(const Node& node) {
  if (node.op == Op::convert) {
    return fmt::format("{}{}({})", kConversion, warpcheck::name(node.target), list(node.operands));
  }
  const auto* const function =
      std::find_if(kFunctions.begin(), kFunctions.end(),
                   [&](const FunctionWord& row) { return row.op == node.op; });
  return fmt::format("{}({})", function->text, list(node.operands));
}

/// The text of an operand, in parentheses if it binds less tightly than `least`.
std::string operand(const Node& node, int least) {
  return precedence(node) < least ? fmt::format("({})", print(node)) : print(node);
}

}  // namespace

std::string print(const Node& node) {
  if (const BinarySymbol* symbol = symbol_of(node.op)) {
    const int left = symbol->precedence + (symbol->precedence == kComparison ? 1 : 0);
    return fmt::format("{} {} {}", operand(node.operands[0], left), symbol->text,
                       operand(node.operands[1], symbol->precedence + 1));
  }
  switch (node.op) {
    case Op::number:
      return print_number(node.number, node.type);
    case Op::name:
      return node.name;
    case Op::read: {
      const std::string text = fmt::format("{}[{}]", node.name, list(node.operands));
      return node.guarded ? text + " or " + print_number(node.number, node.type) : text;
    }
    case Op::reduce:
      return print_reduction(node);
    case Op::negate:
      return "-" + operand(node.operands[0], kNegatePrecedence);
    case Op::logical_not:
      return "not " + operand(node.operands[0], kNotPrecedence);
    default:
      return print_call(node);
  }
}

std::string print(const Operation& operation) {
  std::string text = operation.reference;
  for (const Statement& statement : operation.statements) {
    std::string indices;
    for (std::size_t i = 0; i < statement.indices.size(); ++i) {
      indices += (indices.empty() ? "" : ",") + statement.indices[i];
      if (!statement.extents[i].empty()) indices += " in " + statement.extents[i];
    }
    const std::string value = print(statement.value);
    text += fmt::format(
        "{}[{}] = {}\n", statement.tensor.name, indices,
        statement.scan.empty() ? value : fmt::format("scan({}: {})", statement.scan, value));
  }
  return text;
}

bool equal(const Node& x, const Node& y) {
  return x.op == y.op && x.number == y.number && x.name == y.name && x.guarded == y.guarded &&
         x.reduction == y.reduction && x.target == y.target && x.indices == y.indices &&
         x.extents == y.extents && x.type == y.type &&
         std::equal(x.operands.begin(), x.operands.end(), y.operands.begin(), y.operands.end(),
                    equal);
}

}  // namespace warpcheck::operation
