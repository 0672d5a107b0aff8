// The operators of expressions, applied to sets.
#pragma once

#include "campaign/generate/constraints/integer_set.hpp"
#include "contract/expression/expression_node.hpp"

namespace warpcheck::campaign::generate {

inline constexpr IntegerSet kFalse = IntegerSet::only(0);
inline constexpr IntegerSet kTrue = IntegerSet::only(1);
inline constexpr IntegerSet kEither = {0, 1, 1, 0};

/// An expression is true if its value is not 0.
inline bool can_be_true(const IntegerSet& x) { return !x.is_empty() && x != kFalse; }
inline bool can_be_false(const IntegerSet& x) { return x.contains(0); }

[[nodiscard]] bool is_comparison(contract::Operator op);
/// Returns the comparison that is true where `op` is false.
[[nodiscard]] contract::Operator opposite(contract::Operator op);

/// Returns a set that contains each value of the operation. A unary operation ignores y. The set is
/// empty if no operands give a value.
[[nodiscard]] IntegerSet applied(contract::Operator op, const IntegerSet& x, const IntegerSet& y);

}  // namespace warpcheck::campaign::generate
