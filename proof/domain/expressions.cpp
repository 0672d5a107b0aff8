#include "proof/domain/expressions.hpp"

#include <fmt/format.h>

namespace warpcheck::proof {

using contract::Operator;
using Node = contract::Expression::Node;

/// Division rounds towards zero, floor_div() rounds down: they agree if the dividend is not
/// negative.
Polynomial Expressions::division(const Node& node) {
  const Polynomial dividend = number(*node.operands[0]);
  const auto divisor = number(*node.operands[1]).constant();
  if (!divisor || *divisor <= 0) {
    throw Unsupported("the contract divides by a size");
  }
  const Interval range = terms_.range(dividend);
  if (!range.least || *range.least < 0) {
    throw Unsupported("the contract divides a number that may be negative");
  }
  if (node.op == Operator::remainder) return terms_.remainder(dividend, *divisor);
  if (node.op == Operator::divide) return terms_.floor_div(dividend, *divisor);
  return terms_.floor_div(dividend + (*divisor - 1), *divisor);
}

Polynomial Expressions::extremum(const Node& node) {
  const Polynomial one = number(*node.operands[0]);
  const Polynomial other = number(*node.operands[1]);
  const bool is_minimum = node.op == Operator::minimum;
  const Formula first = is_minimum ? terms_.at_most(one, other) : terms_.at_most(other, one);
  if (first == kTrue) return one;
  if (first == kFalse) return other;
  if (!chooses_) return terms_.choice(first, one, other);
  const bool takes_first = (choices_ >> seen_++ & 1U) == 0;
  assumptions_.push_back(takes_first ? first : terms_.negate(first));
  return takes_first ? one : other;
}

Polynomial Expressions::number(const Node& node) {
  const auto operand = [&](std::size_t i) { return number(*node.operands[i]); };
  switch (node.op) {
    case Operator::constant:
      return node.value;
    case Operator::name: {
      const auto found = words_.numbers.find(node.name);
      if (found == words_.numbers.end()) {
        throw Unsupported(fmt::format("the contract computes with {}", node.name));
      }
      return found->second;
    }
    case Operator::negate:
      return -operand(0);
    case Operator::add:
      return operand(0) + operand(1);
    case Operator::subtract:
      return operand(0) - operand(1);
    case Operator::multiply:
      return operand(0) * operand(1);
    case Operator::divide:
    case Operator::remainder:
    case Operator::ceil_div:
      return division(node);
    case Operator::minimum:
    case Operator::maximum:
      return extremum(node);
    default:
      return terms_.choice(condition(node), 1, 0);
  }
}

Formula Expressions::condition(const Node& node) {
  const auto operand = [&](std::size_t i) { return number(*node.operands[i]); };
  const auto part = [&](std::size_t i) { return condition(*node.operands[i]); };
  switch (node.op) {
    case Operator::aligned: {
      const auto found = words_.pointers.find(node.name);
      if (found == words_.pointers.end()) {
        throw Unsupported(fmt::format("the contract states the alignment of {}", node.name));
      }
      return terms_.equal(terms_.remainder(Polynomial::of(found->second), node.value), 0);
    }
    case Operator::logical_not:
      return terms_.negate(part(0));
    case Operator::logical_and:
      return terms_.all({part(0), part(1)});
    case Operator::logical_or:
      return terms_.any({part(0), part(1)});
    case Operator::equal:
      return terms_.equal(operand(0), operand(1));
    case Operator::unequal:
      return terms_.negate(terms_.equal(operand(0), operand(1)));
    case Operator::less:
      return terms_.less(operand(0), operand(1));
    case Operator::less_equal:
      return terms_.at_most(operand(0), operand(1));
    case Operator::greater:
      return terms_.less(operand(1), operand(0));
    case Operator::greater_equal:
      return terms_.at_most(operand(1), operand(0));
    default:
      return terms_.negate(terms_.equal(number(node), 0));
  }
}

}  // namespace warpcheck::proof
