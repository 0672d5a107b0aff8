#include "proof/domain/expressions.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpcheck::proof {

using contract::Operator;
using Node = contract::Expression::Node;

bool Expressions::is_at_least(const Polynomial& value, std::int64_t least) const {
  const Formula holds = terms_.at_most(least, value);
  return holds == kTrue || std::ranges::find(facts_, holds) != facts_.end();
}

/// Division rounds towards zero, floor_div() rounds down: they agree if the dividend is not
/// negative.
Polynomial Expressions::division(const Node& node) {
  const Polynomial dividend = number(*node.operands[0]);
  const Polynomial divisor = number(*node.operands[1]);
  const auto constant = divisor.constant();
  if (!constant) return division_by_size(node.op, dividend, divisor);
  if (*constant <= 0) throw Unsupported("the contract divides by a number that is not positive");
  const Polynomial negative = -terms_.floor_div(-dividend, *constant);
  const auto rounded = [&](const Polynomial& not_negative) {
    if (is_at_least(dividend, 0)) return not_negative;
    return terms_.choice(terms_.at_most(0, dividend), not_negative, negative);
  };
  if (node.op == Operator::ceil_div) {
    return rounded(terms_.floor_div(dividend + (*constant - 1), *constant));
  }
  const Polynomial whole = rounded(terms_.floor_div(dividend, *constant));
  return node.op == Operator::divide ? whole : dividend - *constant * whole;
}

Polynomial Expressions::division_by_size(Operator op, const Polynomial& dividend,
                                         const Polynomial& divisor) {
  if (!is_at_least(dividend, 0)) {
    throw Unsupported(
        fmt::format("the contract divides {0}, which may be negative: add \"{0} >= "
                    "0\" to `requires`",
                    terms_.text(dividend)));
  }
  if (have_values_ && is_at_least(divisor, 0)) {
    assumptions_.push_back(terms_.at_most(1, divisor));
  } else if (!is_at_least(divisor, 1)) {
    throw Unsupported(fmt::format("the contract divides by {0}: add \"{0} >= 1\" to `requires`",
                                  terms_.text(divisor)));
  }
  const auto quotient = [&](const Polynomial& value) {
    std::optional<Polynomial> exact;
    if (divisor.terms().size() == 1) exact = value.divided_by(divisor.terms().front());
    return exact ? *exact : terms_.quotient(value, divisor);
  };
  if (op == Operator::ceil_div) return quotient(dividend + divisor - 1);
  return op == Operator::divide ? quotient(dividend) : dividend - divisor * quotient(dividend);
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

std::vector<Formula> requirements(const contract::Contract& contract, Terms& terms,
                                  const Words& words) {
  Expressions expressions(terms, words);
  std::vector<Formula> conditions;
  for (const contract::Expression& requirement : contract.requires_) {
    for (const contract::Expression& conjunct : requirement.conjuncts()) {
      try {
        conditions.push_back(expressions.condition(*conjunct.root()));
      } catch (const Unsupported&) {
        continue;
      }
    }
  }
  return conditions;
}

}  // namespace warpcheck::proof
