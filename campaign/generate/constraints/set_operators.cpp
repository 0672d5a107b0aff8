#include "campaign/generate/constraints/set_operators.hpp"

namespace warpcheck::campaign::generate {

using contract::Operator;

namespace {

IntegerSet truth(bool can_hold, bool can_fail) {
  if (!can_hold) return can_fail ? kFalse : IntegerSet::none();
  return can_fail ? kEither : kTrue;
}

IntegerSet negation(const IntegerSet& x) { return truth(can_be_false(x), can_be_true(x)); }

/// `and` and `or` evaluate the right operand only if the left one does not decide.
IntegerSet conjunction(const IntegerSet& x, const IntegerSet& y) {
  return truth(can_be_true(x) && can_be_true(y),
               can_be_false(x) || (can_be_true(x) && can_be_false(y)));
}

IntegerSet disjunction(const IntegerSet& x, const IntegerSet& y) {
  return truth(can_be_true(x) || (can_be_false(x) && can_be_true(y)),
               can_be_false(x) && can_be_false(y));
}

IntegerSet equality(const IntegerSet& x, const IntegerSet& y) {
  const bool can_hold = !intersection(x, y).is_empty();
  return truth(can_hold, !(can_hold && x.is_single() && y.is_single()));
}

IntegerSet less(const IntegerSet& x, const IntegerSet& y) {
  return truth(x.low < y.high, x.high >= y.low);
}

/// Returns the truth of a comparison of sets that are not empty.
IntegerSet compared(Operator op, const IntegerSet& x, const IntegerSet& y) {
  switch (op) {
    case Operator::equal:
      return equality(x, y);
    case Operator::unequal:
      return negation(equality(x, y));
    case Operator::less:
      return less(x, y);
    case Operator::less_equal:
      return negation(less(y, x));
    case Operator::greater:
      return less(y, x);
    default:
      return negation(less(x, y));
  }
}

}  // namespace

bool is_comparison(Operator op) {
  switch (op) {
    case Operator::equal:
    case Operator::unequal:
    case Operator::less:
    case Operator::less_equal:
    case Operator::greater:
    case Operator::greater_equal:
      return true;
    default:
      return false;
  }
}

Operator opposite(Operator op) {
  switch (op) {
    case Operator::equal:
      return Operator::unequal;
    case Operator::unequal:
      return Operator::equal;
    case Operator::less:
      return Operator::greater_equal;
    case Operator::less_equal:
      return Operator::greater;
    case Operator::greater:
      return Operator::less_equal;
    default:
      return Operator::less;
  }
}

IntegerSet applied(Operator op, const IntegerSet& x, const IntegerSet& y) {
  if (is_comparison(op)) {
    return x.is_empty() || y.is_empty() ? IntegerSet::none() : compared(op, x, y);
  }
  switch (op) {
    case Operator::negate:
      return negated(x);
    case Operator::logical_not:
      return negation(x);
    case Operator::add:
      return sum(x, y);
    case Operator::subtract:
      return difference(x, y);
    case Operator::multiply:
      return product(x, y);
    case Operator::divide:
      return quotient(x, y);
    case Operator::remainder:
      return remainder(x, y);
    case Operator::ceil_div:
      return quotient_up(x, y);
    case Operator::minimum:
      return minimum(x, y);
    case Operator::maximum:
      return maximum(x, y);
    case Operator::logical_and:
      return conjunction(x, y);
    case Operator::logical_or:
      return disjunction(x, y);
    default:
      return IntegerSet::none();
  }
}

}  // namespace warpcheck::campaign::generate
