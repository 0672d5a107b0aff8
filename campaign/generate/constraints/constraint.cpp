#include "campaign/generate/constraints/constraint.hpp"

#include <algorithm>

#include "campaign/generate/constraints/set_operators.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Operator;

/// Removes a value at an end of a set.
IntegerSet without_end(const IntegerSet& x, std::int64_t value) {
  if (x.low == value) return IntegerSet::make(value + 1, x.high, x.step(), x.residue);
  if (x.high == value) return IntegerSet::make(x.low, value - 1, x.step(), x.residue);
  return x;
}

/// Narrows the operands of the nodes from the root to the leaves.
class Narrowing {
 public:
  Narrowing(const std::vector<ConstraintNode>& nodes, NodeValues& values)
      : nodes_(nodes), values_(values) {}

  /// Returns false if a set becomes empty.
  bool all() {
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      if (values_.active[i] != 0 && !operands_of(i)) return false;
    }
    return true;
  }

 private:
  IntegerSet& set(std::size_t node) { return values_.sets[node]; }

  bool narrow(std::size_t node, const IntegerSet& allowed) {
    set(node) = intersection(set(node), allowed);
    values_.active[node] = 1;
    return !set(node).is_empty();
  }

  bool require(std::size_t node, bool truth) {
    if (!truth) return narrow(node, kFalse);
    set(node) = without_zero(set(node));
    values_.active[node] = 1;
    return can_be_true(set(node));
  }

  bool operands_of(std::size_t i) {
    const ConstraintNode& node = nodes_[i];
    if (is_comparison(node.op)) return compare(node, set(i));
    switch (node.op) {
      case Operator::constant:
      case Operator::name:
        return true;
      case Operator::negate:
        return narrow(node.left, negated(set(i)));
      case Operator::logical_not:
        return set(i).is_single() ? require(node.left, set(i) == kFalse)
                                  : narrow(node.left, IntegerSet{});
      case Operator::logical_and:
        return connect(node, set(i), true);
      case Operator::logical_or:
        return connect(node, set(i), false);
      default:
        return arithmetic(node, set(i));
    }
  }

  /// The left operand of `and` and `or` always has a value. `decisive` is the value of an operand
  /// that both must have for the result to have it: true for `and`, false for `or`.
  bool connect(const ConstraintNode& node, const IntegerSet& result, bool decisive) {
    const auto can_be = [&](std::size_t operand, bool value) {
      return value ? can_be_true(set(operand)) : can_be_false(set(operand));
    };
    if (!result.is_single()) return narrow(node.left, IntegerSet{});
    const bool value = result == kTrue;
    if (value == decisive) return require(node.left, value) && require(node.right, value);
    if (!can_be(node.right, value)) return require(node.left, value);
    if (!can_be(node.left, value)) return require(node.left, !value) && require(node.right, value);
    return narrow(node.left, IntegerSet{});
  }

  bool compare(const ConstraintNode& node, const IntegerSet& result) {
    if (!narrow(node.left, IntegerSet{}) || !narrow(node.right, IntegerSet{})) return false;
    if (!result.is_single()) return true;
    const IntegerSet x = set(node.left);
    const IntegerSet y = set(node.right);
    switch (result == kTrue ? node.op : opposite(node.op)) {
      case Operator::equal:
        return narrow(node.left, y) && narrow(node.right, x);
      case Operator::unequal:
        return (!y.is_single() || narrow(node.left, without_end(x, y.low))) &&
               (!x.is_single() || narrow(node.right, without_end(y, x.low)));
      case Operator::less:
        return at_most(node.left, node.right, 1);
      case Operator::less_equal:
        return at_most(node.left, node.right, 0);
      case Operator::greater:
        return at_most(node.right, node.left, 1);
      default:
        return at_most(node.right, node.left, 0);
    }
  }

  [[nodiscard]] bool is_same_variable(std::size_t x, std::size_t y) const {
    return nodes_[x].op == Operator::name && nodes_[y].op == Operator::name &&
           nodes_[x].variable == nodes_[y].variable;
  }

  /// Requires x + apart <= y.
  bool at_most(std::size_t x, std::size_t y, std::int64_t apart) {
    const std::int64_t most = set(y).high == kUnbounded ? kUnbounded : set(y).high - apart;
    const std::int64_t least = set(x).low == -kUnbounded ? -kUnbounded : set(x).low + apart;
    return narrow(x, IntegerSet{-kUnbounded, most}) && narrow(y, IntegerSet{least, kUnbounded});
  }

  bool arithmetic(const ConstraintNode& node, const IntegerSet& result) {
    const std::size_t x = node.left;
    const std::size_t y = node.right;
    switch (node.op) {
      case Operator::add:
        return narrow(x, difference(result, set(y))) && narrow(y, difference(result, set(x)));
      case Operator::subtract:
        return narrow(x, sum(result, set(y))) && narrow(y, difference(set(x), result));
      case Operator::multiply:
        if (is_same_variable(x, y) && !narrow(x, roots_of(result, set(x)))) return false;
        return narrow(x, factors_of(result, set(y))) && narrow(y, factors_of(result, set(x)));
      case Operator::divide:
        return narrow(y, without_zero(set(y))) && narrow(x, dividends_of(result, set(x), set(y)));
      case Operator::ceil_div:
        return narrow(y, without_zero(set(y))) && narrow(x, dividends_up_of(result, set(y)));
      case Operator::remainder:
        return modulo(node, result);
      case Operator::minimum:
        return extreme(node, result, IntegerSet{result.low, kUnbounded});
      default:
        return extreme(node, result, IntegerSet{-kUnbounded, result.high});
    }
  }

  bool modulo(const ConstraintNode& node, const IntegerSet& result) {
    if (!narrow(node.right, without_zero(set(node.right)))) return false;
    if (!narrow(node.left, dividends_leaving(result, set(node.left), set(node.right)))) {
      return false;
    }
    const IntegerSet& x = set(node.left);
    const IntegerSet& y = set(node.right);
    if (x.low < 0 || y.low < 0) return true;
    // The divisor exceeds the remainder. A divisor above x leaves x.
    const std::int64_t most = result.high < x.low ? x.high : kUnbounded;
    return narrow(node.right, IntegerSet{std::max<std::int64_t>(result.low, 0) + 1, most});
  }

  /// Narrows the operands of a minimum or maximum to `possible`. An operand that cannot be the
  /// result leaves the other one.
  bool extreme(const ConstraintNode& node, const IntegerSet& result, const IntegerSet& possible) {
    if (!narrow(node.left, possible) || !narrow(node.right, possible)) return false;
    if (intersection(set(node.left), result).is_empty()) return narrow(node.right, result);
    if (intersection(set(node.right), result).is_empty()) return narrow(node.left, result);
    return true;
  }

  const std::vector<ConstraintNode>& nodes_;
  NodeValues& values_;
};

}  // namespace

bool Constraint::narrow(Domains& domains, NodeValues& values) const {
  values.sets.resize(nodes.size());
  values.active.assign(nodes.size(), 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const ConstraintNode& node = nodes[i];
    values.sets[i] = node.op == Operator::constant ? node.constant
                     : node.op == Operator::name
                         ? domains[node.variable]
                         : applied(node.op, values.sets[node.left], values.sets[node.right]);
  }
  IntegerSet& root = values.sets.back();
  if (!can_be_true(root)) return false;
  root = without_zero(root);
  values.active.back() = 1;
  if (!Narrowing(nodes, values).all()) return false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].op != Operator::name || values.active[i] == 0) continue;
    IntegerSet& domain = domains[nodes[i].variable];
    domain = intersection(domain, values.sets[i]);
    if (domain.is_empty()) return false;
  }
  return true;
}

}  // namespace warpcheck::campaign::generate
