// The syntax tree of an expression.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "contract/expression/expression.hpp"

namespace warpcheck::contract {

enum class Operator {
  constant,
  name,
  aligned,
  negate,
  logical_not,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  ceil_div,
  minimum,
  maximum,
  equal,  // this operator and those below it return a truth value
  unequal,
  less,
  less_equal,
  greater,
  greater_equal,
  logical_and,
  logical_or,
};

struct Expression::Node {
  Operator op = Operator::constant;
  std::int64_t value = 0;  // value of a constant; bytes of aligned()
  std::string name;        // the name, if the node is one; the buffer of aligned()
  std::vector<std::shared_ptr<const Node>> operands;
  std::size_t begin = 0;  // the node's part of the text: [begin, end)
  std::size_t end = 0;
  int depth = 1;  // nodes on the longest path to a leaf
};

/// True if the value of a node depends on the name. Expression::names() would make a set of strings
/// for each of the many calls of a case.
[[nodiscard]] inline bool has_name(const Expression::Node& node, std::string_view name) {
  if (node.op == Operator::name) return node.name == name;
  return std::any_of(node.operands.begin(), node.operands.end(),
                     [&](const auto& operand) { return has_name(*operand, name); });
}

}  // namespace warpcheck::contract
