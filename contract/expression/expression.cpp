#include "contract/expression/expression.hpp"

#include <algorithm>
#include <limits>

#include "contract/expression/expression_node.hpp"

namespace warpcheck::contract {
namespace {

using Node = Expression::Node;
using Value = std::optional<std::int64_t>;

constexpr std::int64_t kMostNegative = std::numeric_limits<std::int64_t>::min();

Value divide(std::int64_t x, std::int64_t y) {
  if (y == 0 || (x == kMostNegative && y == -1)) return std::nullopt;
  return x / y;
}

Value remainder(std::int64_t x, std::int64_t y) {
  if (y == 0) return std::nullopt;
  return y == -1 ? 0 : x % y;  // the most negative number % -1 overflows in C++
}

/// The quotient, rounded up.
Value ceil_div(std::int64_t x, std::int64_t y) {
  const Value quotient = divide(x, y);
  if (!quotient) return quotient;
  const bool exact = *remainder(x, y) == 0;
  return *quotient + (!exact && (x < 0) == (y < 0) ? 1 : 0);
}

template <class Overflows>
Value checked(const Overflows& overflows) {
  std::int64_t result = 0;
  return overflows(&result) ? std::nullopt : Value(result);
}

Value apply(Operator op, std::int64_t x, std::int64_t y) {
  switch (op) {
    case Operator::add:
      return checked([&](auto* result) { return __builtin_add_overflow(x, y, result); });
    case Operator::subtract:
      return checked([&](auto* result) { return __builtin_sub_overflow(x, y, result); });
    case Operator::multiply:
      return checked([&](auto* result) { return __builtin_mul_overflow(x, y, result); });
    case Operator::divide:
      return divide(x, y);
    case Operator::remainder:
      return remainder(x, y);
    case Operator::ceil_div:
      return ceil_div(x, y);
    case Operator::minimum:
      return std::min(x, y);
    case Operator::maximum:
      return std::max(x, y);
    case Operator::equal:
      return x == y;
    case Operator::unequal:
      return x != y;
    case Operator::less:
      return x < y;
    case Operator::less_equal:
      return x <= y;
    case Operator::greater:
      return x > y;
    case Operator::greater_equal:
      return x >= y;
    default:
      return std::nullopt;
  }
}

Value evaluate_node(const Node& node, const Bindings& bindings) {
  const auto operand = [&](std::size_t i) { return evaluate_node(*node.operands[i], bindings); };
  switch (node.op) {
    case Operator::constant:
      return node.value;
    case Operator::name:
      return bindings.value ? bindings.value(node.name) : std::nullopt;
    case Operator::aligned: {
      const Value address = bindings.address ? bindings.address(node.name) : std::nullopt;
      if (!address) return address;
      return *address % node.value == 0;
    }
    case Operator::negate: {
      const Value x = operand(0);
      return x ? apply(Operator::subtract, 0, *x) : x;
    }
    case Operator::logical_not: {
      const Value x = operand(0);
      return x ? Value(*x == 0) : x;
    }
    case Operator::logical_and:
    case Operator::logical_or: {
      const Value x = operand(0);
      if (!x) return x;
      const bool decided = (*x != 0) == (node.op == Operator::logical_or);
      if (decided) return *x != 0;
      const Value y = operand(1);
      return y ? Value(*y != 0) : y;
    }
    default: {
      const Value x = operand(0);
      const Value y = x ? operand(1) : std::nullopt;
      return y ? apply(node.op, *x, *y) : std::nullopt;
    }
  }
}

/// Returns the place of a character of a text that begins at `where`.
Location place_in(std::string_view text, Location where, std::size_t offset) {
  for (const char c : text.substr(0, offset)) {
    if (where.column != 0) ++where.column;
    if (c != '\n') continue;
    ++where.line;
    where.column = std::min(where.column, 1U);
  }
  return where;
}

bool divides(Operator op) {
  return op == Operator::divide || op == Operator::remainder || op == Operator::ceil_div;
}

/// A node without a value, and the reason; null if there is none.
struct Undefined {
  const Node* node = nullptr;
  const char* reason = "";
};

/// Evaluates the operands in the order of evaluate_node().
Undefined find_undefined(const Node& node, const Bindings& bindings) {
  std::vector<Value> values;
  for (const auto& operand : node.operands) {
    if (const Undefined inner = find_undefined(*operand, bindings); inner.node) return inner;
    values.push_back(evaluate_node(*operand, bindings));
    const bool is_logic = node.op == Operator::logical_and || node.op == Operator::logical_or;
    if (is_logic && values.back() && (*values.back() != 0) == (node.op == Operator::logical_or)) {
      return {};
    }
  }
  if (divides(node.op) && values[1] == 0) return {node.operands[1].get(), "divides by zero"};
  const bool known =
      std::all_of(values.begin(), values.end(), [](auto v) { return v.has_value(); });
  if (values.empty() || !known || evaluate_node(node, bindings)) return {};
  return {&node, "exceeds 64 bits"};
}

template <class Visit>
void visit_nodes(const Node& node, const Visit& visit) {
  visit(node);
  for (const auto& operand : node.operands) visit_nodes(*operand, visit);
}

template <class Visit>
void visit_conjuncts(const std::shared_ptr<const Node>& node, const Visit& visit) {
  if (node->op != Operator::logical_and) return visit(node);
  for (const auto& operand : node->operands) visit_conjuncts(operand, visit);
}

}  // namespace

Expression Expression::constant(std::int64_t value) {
  Expression expression;
  expression.text_ = std::to_string(value);
  auto root = std::make_shared<Node>();
  root->value = value;
  root->end = expression.text_.size();
  expression.root_ = std::move(root);
  return expression;
}

std::optional<std::int64_t> Expression::evaluate(const Bindings& bindings) const {
  return root_ ? evaluate_node(*root_, bindings) : std::nullopt;
}

std::optional<UndefinedPart> Expression::undefined_part(const Bindings& bindings) const {
  if (!root_) return std::nullopt;
  const Undefined found = find_undefined(*root_, bindings);
  if (found.node == nullptr) return std::nullopt;
  return UndefinedPart{place_in(text_, where_, found.node->begin),
                       text_.substr(found.node->begin, found.node->end - found.node->begin),
                       found.reason};
}

std::set<std::string> Expression::names() const {
  std::set<std::string> found;
  if (!root_) return found;
  visit_nodes(*root_, [&](const Node& node) {
    if (node.op == Operator::name) found.insert(node.name);
    if (node.op == Operator::aligned) found.insert("aligned:" + node.name);
  });
  return found;
}

std::set<std::int64_t> Expression::literals() const {
  std::set<std::int64_t> found;
  if (!root_) return found;
  visit_nodes(*root_, [&](const Node& node) {
    if (node.op == Operator::constant || node.op == Operator::aligned) found.insert(node.value);
  });
  return found;
}

std::vector<Expression> Expression::conjuncts() const {
  std::vector<Expression> parts;
  if (!root_) return parts;
  if (root_->op != Operator::logical_and) return {*this};
  visit_conjuncts(root_, [&](const std::shared_ptr<const Node>& node) {
    Expression part;
    part.text_ = text_.substr(node->begin, node->end - node->begin);
    part.where_ = place_in(text_, where_, node->begin);
    part.root_ = node;
    parts.push_back(std::move(part));
  });
  return parts;
}

bool is_condition(const Expression& expression) {
  const std::vector<Expression> parts = expression.conjuncts();
  return std::all_of(parts.begin(), parts.end(), [](const Expression& part) {
    const Expression::Node* root = part.root();
    if (root == nullptr || part.is_constant()) return true;
    const bool is_flag = root->op == Operator::name && (root->name == "ta" || root->name == "tb");
    return is_flag || root->op == Operator::aligned || root->op == Operator::logical_not ||
           root->op >= Operator::equal;
  });
}

}  // namespace warpcheck::contract
