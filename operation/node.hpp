// The expression tree of an operation.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/scalar_type.hpp"

namespace warpcheck::operation {

enum class Op {
  number,
  name,  // a scalar, an index or an extent
  read,  // an element of a tensor; the operands are its indices
  reduce,
  negate,
  add,
  subtract,
  multiply,
  divide,
  floor_divide,  // of integers, towards minus infinity
  modulo,        // of integers, with the sign of the divisor
  minimum,
  maximum,
  equal,
  unequal,
  less,
  less_equal,
  greater,
  greater_equal,
  logical_and,
  logical_or,
  logical_not,
  select,
  either,  // a kernel may compute the first or the second operand
  absolute,
  floor,
  ceil,
  trunc,
  round,  // ties to even
  exp,
  exp2,
  expm1,
  log,
  log2,
  log10,
  log1p,
  sqrt,
  rsqrt,
  cbrt,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  erf,
  erfc,
  pow,
  convert,  // rounds to a scalar type
};

enum class Reduction { sum, prod, max, min, any, all, argmax, argmin, any_argmax, any_argmin };

enum class Type { truth, integer, real };

struct Node {
  Op op = Op::number;
  double number = 0.0;  // of a number; the value of a guarded read outside of the tensor
  std::string name;     // of a name or a tensor
  bool guarded = false;
  Reduction reduction = Reduction::sum;
  ScalarType target = ScalarType::f32;  // of a conversion
  std::vector<std::string> indices;     // of a reduction
  std::vector<std::string> extents;     // of its indices; empty strings until they are inferred
  std::vector<Node> operands;           // of a reduction: what it reduces, and its condition
  Type type = Type::real;
  std::size_t begin = 0;  // its first character in the definition
  int depth = 1;          // nodes on the longest path to a leaf
};

/// True if both trees have the same meaning: positions in the text do not count.
[[nodiscard]] bool equal(const Node& x, const Node& y);

/// The text of a tree, with the fewest parentheses. Parsing it gives the same tree.
[[nodiscard]] std::string print(const Node& node);

}  // namespace warpcheck::operation
