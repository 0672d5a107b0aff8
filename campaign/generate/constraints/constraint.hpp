// A condition on the variables of a case, as a tree that narrows the sets of its variables.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/generate/constraints/integer_set.hpp"
#include "contract/expression/expression_node.hpp"

namespace warpcheck::campaign::generate {

/// The values that each variable may still have. The variables are the fields of a CaseSchema.
using Domains = std::vector<IntegerSet>;

/// A set of variables: bit i is variable i. The last bit is for all further ones.
using VariableMask = std::bitset<128>;

/// One operation of a constraint. Its operands precede it.
struct ConstraintNode {
  contract::Operator op = contract::Operator::constant;
  std::size_t left = 0;
  std::size_t right = 0;
  std::size_t variable = 0;                  // variable of a name
  IntegerSet constant = IntegerSet::none();  // value of a constant; empty if it has none
};

/// Sets of the values of all nodes, for reuse.
struct NodeValues {
  std::vector<IntegerSet> sets;
  std::vector<char> active;  // the expression evaluates the node
};

/// A condition that must be true: a conjunct of `requires`, or a rule of the layout.
struct Constraint {
  std::vector<ConstraintNode> nodes;   // the root is last
  std::vector<std::size_t> variables;  // each variable once
  bool repeats = false;                // a variable occurs more than once
  std::string text;
  std::optional<std::size_t> conjunct;  // number in `requires`; empty for a rule

  /// Removes values for which the condition cannot be true. Returns false if no value remains, in
  /// which case `domains` is unspecified.
  [[nodiscard]] bool narrow(Domains& domains, NodeValues& values) const;
};

}  // namespace warpcheck::campaign::generate
