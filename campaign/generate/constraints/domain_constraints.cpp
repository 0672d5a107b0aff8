#include "campaign/generate/constraints/domain_constraints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "campaign/case/operand.hpp"
#include "campaign/generate/constraints/polynomial.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;
using contract::Layout;
using contract::Operator;
using Kind = SearchVariable::Kind;
using Index = std::size_t;

// Largest extent or stride, in elements.
constexpr std::int64_t kMostElements = std::int64_t{1} << 40;
constexpr std::int64_t kMostProducts = std::int64_t{1} << 20;  // largest batch, as in lay_out()
constexpr std::int64_t kMostOffset = 4096;                     // 256 have every alignment
// Largest |alpha| and |beta|, exact in f64.
constexpr std::int64_t kMostFactor = std::int64_t{1} << 53;
constexpr std::int64_t kWorkspaceLimitBytes = std::int64_t{1} << 30;

/// Builds the tree of one constraint.
class TreeBuilder {
 public:
  explicit TreeBuilder(const Contract& contract)
      : contract_(contract), domains_(initial_domains(contract)) {}

  Index constant(std::int64_t value) { return leaf(IntegerSet::only(value)); }

  Index variable(SearchVariable::Member member) {
    const Index number = variable_of(member);
    if (domains_[number].is_single()) return leaf(domains_[number]);
    nodes_.push_back({Operator::name, 0, 0, number, {}});
    return nodes_.size() - 1;
  }

  Index apply(Operator op, Index left, Index right) {
    nodes_.push_back({op, left, right, 0, {}});
    return nodes_.size() - 1;
  }

  Index add(Index x, Index y) { return apply(Operator::add, x, y); }
  Index multiply(Index x, Index y) { return apply(Operator::multiply, x, y); }
  Index less_one(Index x) { return apply(Operator::subtract, x, constant(1)); }

  /// Adds the tree of an expression of the contract.
  Index expression(const contract::Expression::Node& node) {
    switch (node.op) {
      case Operator::constant:
        return constant(node.value);
      case Operator::name:
        return named(node.name);
      case Operator::aligned:
        return aligned(node.name, node.value);
      default: {
        const Index left = expression(*node.operands.front());
        const Index right = node.operands.size() > 1 ? expression(*node.operands[1]) : left;
        return apply(node.op, left, right);
      }
    }
  }

  Index line_length(Operand matrix) { return extent(matrix, true); }
  Index lines(Operand matrix) { return extent(matrix, false); }

  Index leading_dimension(Operand matrix) {
    const StrideField& stride = fields(matrix).leading_dimension;
    if (stride.taken_by(contract_)) return variable(stride.field);
    return apply(Operator::maximum, constant(1), line_length(matrix));
  }

  Index tight_batch_stride(Operand matrix) {
    const Index count = lines(matrix);
    return multiply(count, leading_dimension(matrix));
  }

  Index batch_stride(Operand matrix) {
    const StrideField& stride = fields(matrix).batch_stride;
    return stride.taken_by(contract_) ? variable(stride.field) : tight_batch_stride(matrix);
  }

  /// Factors the comparison whose root is the last node.
  void factor() { factored_ = join_factored_forms(nodes_); }

  /// Returns the constraint whose root is the last node.
  Constraint finished(std::string text) {
    Constraint constraint;
    constraint.repeats = factored_;
    for (const ConstraintNode& node : nodes_) {
      if (node.op != Operator::name) continue;
      auto& variables = constraint.variables;
      if (std::find(variables.begin(), variables.end(), node.variable) == variables.end()) {
        variables.push_back(node.variable);
      } else {
        constraint.repeats = true;
      }
    }
    constraint.nodes = std::move(nodes_);
    constraint.text = std::move(text);
    return constraint;
  }

 private:
  Index leaf(const IntegerSet& set) {
    nodes_.push_back({Operator::constant, 0, 0, 0, set});
    return nodes_.size() - 1;
  }

  /// Returns the length of a line or the number of lines. A transposition exchanges them.
  Index extent(Operand matrix, bool along_line) {
    const OperandFields& operand = fields(matrix);
    const bool by_row = contract_.*operand.layout == Layout::row;
    auto usual = along_line == by_row ? operand.columns : operand.rows;
    auto exchanged = along_line == by_row ? operand.rows : operand.columns;
    if (!operand.transpose_word || !contract_.takes(*operand.transpose_word)) {
      return variable(usual);
    }
    const Index one = constant(1);
    const Index kept = apply(Operator::subtract, one, variable(operand.transposed));
    const Index without = multiply(kept, variable(usual));
    const Index with = multiply(variable(operand.transposed), variable(exchanged));
    return add(without, with);
  }

  Index named(std::string_view name) {
    for (const Operand matrix : kMatrices) {
      const OperandFields& operand = fields(matrix);
      if (name == contract::name(operand.leading_dimension.word)) return leading_dimension(matrix);
      if (name == contract::name(operand.batch_stride.word)) return batch_stride(matrix);
    }
    for (const SearchVariable& one : kSearchVariables) {
      if (name == one.name) return variable(one.member);
    }
    return leaf(IntegerSet::none());
  }

  Index aligned(std::string_view buffer, std::int64_t bytes) {
    for (const Operand each : kOperands) {
      const OperandFields& operand = fields(each);
      if (buffer != contract::name(operand.address)) continue;
      const auto element = static_cast<std::int64_t>(size_of(contract_.*operand.type));
      const Index address = multiply(variable(operand.offset), constant(element));
      const Index rest = apply(Operator::remainder, address, constant(bytes));
      return apply(Operator::equal, rest, constant(0));
    }
    const bool workspace = buffer == contract::name(contract::ArgumentWord::workspace);
    return leaf(workspace ? IntegerSet::only(1) : IntegerSet::none());
  }

  const Contract& contract_;
  Domains domains_;
  std::vector<ConstraintNode> nodes_;
  bool factored_ = false;
};

/// Requires a stride that the kernel takes to be at least tight.
void add_stride_rules(const Contract& contract, std::vector<Constraint>& constraints) {
  for (const Operand matrix : kMatrices) {
    const OperandFields& operand = fields(matrix);
    if (operand.leading_dimension.taken_by(contract)) {
      TreeBuilder tree(contract);
      const Index stride = tree.leading_dimension(matrix);
      tree.apply(Operator::greater_equal, stride, tree.line_length(matrix));
      constraints.push_back(
          tree.finished(fmt::format("{} is at least the length of a line of {}",
                                    contract::name(operand.leading_dimension.word), operand.name)));
    }
    if (operand.batch_stride.taken_by(contract)) {
      TreeBuilder tree(contract);
      const Index stride = tree.batch_stride(matrix);
      tree.apply(Operator::greater_equal, stride, tree.tight_batch_stride(matrix));
      constraints.push_back(
          tree.finished(fmt::format("{} is at least the size of one matrix {}",
                                    contract::name(operand.batch_stride.word), operand.name)));
    }
  }
}

/// Requires each matrix to take at most `most_bytes` from its first to its last element.
void add_size_rules(const Contract& contract, std::int64_t most_bytes,
                    std::vector<Constraint>& constraints) {
  for (const Operand matrix : kMatrices) {
    if (matrix == Operand::d && !contract.takes(contract::ArgumentWord::d)) continue;
    const OperandFields& operand = fields(matrix);
    TreeBuilder tree(contract);
    const Index last_line =
        tree.apply(Operator::maximum, tree.constant(0), tree.less_one(tree.lines(matrix)));
    const Index before = tree.multiply(last_line, tree.leading_dimension(matrix));
    Index elements = tree.add(before, tree.line_length(matrix));
    if (contract.takes(contract::ArgumentWord::batch)) {
      const Index last_matrix = tree.less_one(tree.variable(&Case::batch));
      elements = tree.add(elements, tree.multiply(last_matrix, tree.batch_stride(matrix)));
    }
    const auto element = static_cast<std::int64_t>(size_of(contract.*operand.type));
    tree.apply(Operator::less_equal, elements, tree.constant(most_bytes / element));
    constraints.push_back(
        tree.finished(fmt::format("{} takes at most {} bytes", operand.name, most_bytes)));
  }
}

void add_workspace_rules(const Contract& contract, std::vector<Constraint>& constraints) {
  for (const contract::Workspace& workspace : contract.workspaces) {
    for (const Operator op : {Operator::greater_equal, Operator::less_equal}) {
      TreeBuilder tree(contract);
      Index bytes = 0;
      if (workspace.bytes && workspace.bytes->root() != nullptr) {
        bytes = tree.expression(*workspace.bytes->root());
      } else {
        const auto element = static_cast<std::int64_t>(size_of(contract.accumulate));
        const Index area = tree.multiply(tree.variable(&Case::m), tree.variable(&Case::n));
        bytes = tree.multiply(tree.multiply(area, tree.variable(&Case::batch)),
                              tree.constant(contract.split_k * element));
      }
      const bool least = op == Operator::greater_equal;
      tree.apply(op, bytes, tree.constant(least ? 0 : kWorkspaceLimitBytes));
      constraints.push_back(tree.finished(
          fmt::format("the {} takes {} bytes", workspace.name,
                      least ? "at least 0" : fmt::format("at most {}", kWorkspaceLimitBytes))));
    }
  }
}

bool is_taken(const Contract& contract, const SearchVariable& variable) {
  const auto takes = [&](contract::ArgumentWord word) { return contract.takes(word); };
  switch (variable.kind) {
    case Kind::leading_dimension:
    case Kind::batch_stride:
      return std::any_of(kMatrices.begin(), kMatrices.end(), [&](Operand matrix) {
        const OperandFields& operand = fields(matrix);
        const StrideField& stride =
            variable.kind == Kind::batch_stride ? operand.batch_stride : operand.leading_dimension;
        return variable.member == SearchVariable::Member(stride.field) && stride.taken_by(contract);
      });
    case Kind::transposition:
      return takes(variable.name == "ta" ? contract::ArgumentWord::ta : contract::ArgumentWord::tb);
    case Kind::factor:
      return takes(variable.name == "alpha" ? contract::ArgumentWord::alpha
                                            : contract::ArgumentWord::beta);
    case Kind::batch:
      return takes(contract::ArgumentWord::batch);
    case Kind::offset:
      return variable.name != "off_bias" || takes(contract::ArgumentWord::bias);
    default:
      return true;
  }
}

IntegerSet values_of(Kind kind) {
  switch (kind) {
    case Kind::extent:
    case Kind::batch_stride:
      return IntegerSet::between(0, kMostElements);
    case Kind::leading_dimension:
      return IntegerSet::between(1, kMostElements);
    case Kind::batch:
      return IntegerSet::between(1, kMostProducts);
    case Kind::offset:
      return IntegerSet::between(0, kMostOffset);
    case Kind::transposition:
      return IntegerSet::between(0, 1);
    default:
      return IntegerSet::between(-kMostFactor, kMostFactor);
  }
}

}  // namespace

Domains initial_domains(const Contract& contract) {
  static const Case kDefaults;
  Domains domains;
  for (std::size_t i = 0; i < domains.size(); ++i) {
    const SearchVariable& variable = kSearchVariables[i];
    domains[i] = is_taken(contract, variable) ? values_of(variable.kind)
                                              : IntegerSet::only(variable.get(kDefaults));
  }
  return domains;
}

std::vector<Constraint> domain_constraints(const Contract& contract, std::int64_t most_bytes,
                                           const std::vector<DomainRule>& rules) {
  std::vector<Constraint> constraints;
  for (const contract::Expression& requirement : contract.requires_) {
    for (const contract::Expression& conjunct : requirement.conjuncts()) {
      if (conjunct.root() == nullptr) continue;
      TreeBuilder tree(contract);
      tree.expression(*conjunct.root());
      tree.factor();
      const std::size_t number = constraints.size();
      constraints.push_back(tree.finished(conjunct.text()));
      constraints.back().conjunct = number;
    }
  }
  add_stride_rules(contract, constraints);
  add_size_rules(contract, most_bytes, constraints);
  add_workspace_rules(contract, constraints);
  for (const DomainRule& rule : rules) {
    TreeBuilder tree(contract);
    tree.expression(*rule.condition.root());
    constraints.push_back(tree.finished(rule.text));
  }
  return constraints;
}

}  // namespace warpcheck::campaign::generate
