// The syntax tree of an expression.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
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
  equal,  // from here on, the value is a truth
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
  std::int64_t value = 0;  // of a constant; the bytes of aligned()
  std::string name;        // of a name; the buffer of aligned()
  std::vector<std::shared_ptr<const Node>> operands;
  std::size_t begin = 0;  // its part of the text
  std::size_t end = 0;
  int depth = 1;  // nodes on the longest path to a leaf
};

}  // namespace warpcheck::contract
