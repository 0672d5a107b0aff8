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
  floor_divide,  // rounds the quotient of integers towards minus infinity
  modulo,        // the integer remainder has the sign of the divisor
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
  double number = 0.0;  // value of a number, or of a guarded read outside the tensor
  std::string name;     // name, index or extent, or the tensor that is read
  bool guarded = false;
  Reduction reduction = Reduction::sum;
  ScalarType target = ScalarType::f32;  // type to which a conversion rounds
  std::vector<std::string> indices;     // indices of a reduction
  std::vector<std::string> extents;     // extents of these indices; empty strings: not inferred yet
  std::vector<Node> operands;  // a reduction has its term, then its condition if there is one
  Type type = Type::real;
  std::size_t begin = 0;  // offset of the first character in the definition
  int depth = 1;          // number of nodes on the longest path to a leaf
};

/// True if both trees have the same meaning: positions in the text do not count.
[[nodiscard]] bool equal(const Node& x, const Node& y);

/// The text of a tree, with the fewest parentheses. Parsing it gives the same tree.
[[nodiscard]] std::string print(const Node& node);

}  // namespace warpcheck::operation
