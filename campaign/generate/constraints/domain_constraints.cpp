#include "campaign/generate/constraints/domain_constraints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "campaign/generate/constraints/polynomial.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;
using contract::Operator;
using Kind = CaseField::Kind;
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
  TreeBuilder(const CaseSchema& schema, const Domains& domains)
      : schema_(schema), domains_(domains) {}

  Index constant(std::int64_t value) { return leaf(IntegerSet::only(value)); }

  Index variable(std::size_t field) {
    if (domains_[field].is_single()) return leaf(domains_[field]);
    nodes_.push_back({Operator::name, 0, 0, field, {}});
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
  Index expression(const contract::Expression& expression) {
    return this->expression(*expression.root());
  }

  Index line_length(const OperandShape& operand) { return expression(operand.dimensions.back()); }

  /// The indices along which a stride is the distance: those up to the next longer stride.
  Index count(const OperandShape& operand, std::size_t stride) {
    const std::size_t end = operand.dimensions.size() - operand.strides[stride].within;
    std::size_t i = operand.dimensions.size() - operand.reach(stride);
    if (i >= end) return constant(1);
    Index product = expression(operand.dimensions[i]);
    while (++i < end) product = multiply(product, expression(operand.dimensions[i]));
    return product;
  }

  Index stride(const OperandShape& operand, std::size_t stride) {
    const OperandShape::Stride& one = operand.strides[stride];
    if (one.field) return variable(*one.field);
    const Index tight = this->tight(operand, stride);
    return one.within == 1 ? apply(Operator::maximum, constant(1), tight) : tight;
  }

  /// The least elements of one step of the stride.
  Index tight(const OperandShape& operand, std::size_t stride) {
    if (operand.order_field) return tight_in_order(operand, stride);
    if (stride > 0) {
      const Index within = count(operand, stride - 1);
      return multiply(within, this->stride(operand, stride - 1));
    }
    return operand.strides[stride].within == 0 ? constant(1) : line_length(operand);
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
  /// The size of the dimension that follows in the order in memory.
  Index tight_in_order(const OperandShape& operand, std::size_t stride) {
    const MemoryOrders& orders = schema_.fields[*operand.order_field].orders;
    const std::size_t last = operand.dimensions.size() - 1;
    const std::size_t dimension = last - operand.strides[stride].within;
    Index tight = constant(1);
    if (dimension >= orders.permuted) return tight;
    for (std::size_t other = 0; other < operand.dimensions.size(); ++other) {
      std::optional<Index> follows;  // 1 in an order in which the other dimension is the next one
      for (std::int64_t number = 0; number < orders.count(); ++number) {
        const std::vector<std::size_t> order = orders.order(number);
        const auto place = std::find(order.begin(), order.end(), dimension) + 1;
        if (place == order.end() || *place != other) continue;
        const Index field = variable(*operand.order_field);
        const Index is_order = apply(Operator::equal, field, constant(number));
        follows = follows ? add(*follows, is_order) : is_order;
      }
      if (!follows) continue;
      const Index extent = expression(operand.dimensions[other]);
      const Index size = multiply(extent, this->stride(operand, last - other));
      tight = apply(Operator::maximum, tight, multiply(*follows, size));
    }
    return tight;
  }

  Index leaf(const IntegerSet& set) {
    nodes_.push_back({Operator::constant, 0, 0, 0, set});
    return nodes_.size() - 1;
  }

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

  Index named(std::string_view name) {
    for (const OperandShape& operand : schema_.operands) {
      for (std::size_t i = 0; i < operand.strides.size(); ++i) {
        if (name == operand.strides[i].name) return stride(operand, i);
      }
    }
    const auto field = schema_.find(name);
    return field ? variable(*field) : leaf(IntegerSet::none());
  }

  Index aligned(std::string_view buffer, std::int64_t bytes) {
    for (const OperandShape& operand : schema_.operands) {
      if (buffer != operand.argument) continue;
      if (!operand.offset_field) return constant(1);
      const auto element = static_cast<std::int64_t>(size_of(operand.type));
      const Index address = multiply(variable(*operand.offset_field), constant(element));
      const Index rest = apply(Operator::remainder, address, constant(bytes));
      return apply(Operator::equal, rest, constant(0));
    }
    const bool workspace = buffer == contract::name(contract::ArgumentWord::workspace);
    return leaf(workspace ? IntegerSet::only(1) : IntegerSet::none());
  }

  const CaseSchema& schema_;
  const Domains& domains_;
  std::vector<ConstraintNode> nodes_;
  bool factored_ = false;
};

std::string size_of_step(const OperandShape& operand, const OperandShape::Stride& stride) {
  if (operand.order_field) return "the size of what it steps over in";
  return stride.within == 1 ? "the length of a line of" : "the size of one matrix";
}

/// Collects the constraints of a schema.
class Collector {
 public:
  explicit Collector(const CaseSchema& schema)
      : schema_(schema), domains_(initial_domains(schema)) {}

  void add_conjunct(const contract::Expression& conjunct) {
    TreeBuilder tree = this->tree();
    (void)tree.expression(conjunct);
    tree.factor();
    const std::size_t number = constraints_.size();
    constraints_.push_back(tree.finished(conjunct.text()));
    constraints_.back().conjunct = number;
  }

  void add_rule(const CaseRule& rule) {
    TreeBuilder tree = this->tree();
    (void)tree.expression(rule.condition);
    constraints_.push_back(tree.finished(rule.text));
  }

  /// Requires a stride that the kernel takes to be at least tight.
  void add_stride_rules(const OperandShape& operand) {
    for (std::size_t i = 0; i < operand.strides.size(); ++i) {
      const OperandShape::Stride& one = operand.strides[i];
      if (!one.field) continue;
      TreeBuilder tree = this->tree();
      const Index stride = tree.stride(operand, i);
      tree.apply(Operator::greater_equal, stride, tree.tight(operand, i));
      constraints_.push_back(tree.finished(
          fmt::format("{} is at least {} {}", one.name, size_of_step(operand, one), operand.name)));
    }
  }

  /// Requires the operand to take at most `most_bytes` from its first to its last element.
  void add_size_rule(const OperandShape& operand, std::int64_t most_bytes) {
    TreeBuilder tree = this->tree();
    const bool has_lines = operand.strides.empty() || operand.strides.front().within > 0;
    Index elements = has_lines ? tree.line_length(operand) : tree.constant(1);
    for (std::size_t i = 0; i < operand.strides.size(); ++i) {
      if (operand.strides[i].within >= operand.dimensions.size()) continue;
      const Index last =
          tree.apply(Operator::maximum, tree.constant(0), tree.less_one(tree.count(operand, i)));
      elements = tree.add(tree.multiply(last, tree.stride(operand, i)), elements);
    }
    const auto element = static_cast<std::int64_t>(size_of(operand.type));
    tree.apply(Operator::less_equal, elements, tree.constant(most_bytes / element));
    constraints_.push_back(
        tree.finished(fmt::format("{} takes at most {} bytes", operand.name, most_bytes)));
  }

  void add_workspace_rules(const contract::Workspace& workspace) {
    const contract::Expression& bytes = workspace.bytes && workspace.bytes->root() != nullptr
                                            ? *workspace.bytes
                                            : schema_.default_workspace_bytes;
    if (bytes.root() == nullptr) return;
    for (const bool least : {true, false}) {
      TreeBuilder tree = this->tree();
      const Index size = tree.expression(bytes);
      tree.apply(least ? Operator::greater_equal : Operator::less_equal, size,
                 tree.constant(least ? 0 : kWorkspaceLimitBytes));
      constraints_.push_back(tree.finished(
          fmt::format("the {} takes {} bytes", workspace.name,
                      least ? "at least 0" : fmt::format("at most {}", kWorkspaceLimitBytes))));
    }
  }

  [[nodiscard]] std::vector<Constraint> constraints() && { return std::move(constraints_); }

 private:
  [[nodiscard]] TreeBuilder tree() const { return {schema_, domains_}; }

  const CaseSchema& schema_;
  Domains domains_;
  std::vector<Constraint> constraints_;
};

IntegerSet values_of(const CaseField& field) {
  switch (field.kind) {
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
    case Kind::order:
      return IntegerSet::between(0, field.orders.count() - 1);
    default:
      return IntegerSet::between(-kMostFactor, kMostFactor);
  }
}

}  // namespace

Domains initial_domains(const CaseSchema& schema) {
  Domains domains;
  for (const CaseField& field : schema.fields) {
    domains.push_back(field.is_taken ? values_of(field)
                                     : IntegerSet::only(std::llround(field.default_number)));
  }
  return domains;
}

std::vector<Constraint> domain_constraints(const Contract& contract, const CaseSchema& schema,
                                           std::int64_t most_bytes,
                                           const std::vector<CaseRule>& rules) {
  Collector collector(schema);
  for (const contract::Expression& requirement : contract.requires_) {
    for (const contract::Expression& conjunct : requirement.conjuncts()) {
      if (conjunct.root() != nullptr) collector.add_conjunct(conjunct);
    }
  }
  for (const OperandShape& operand : schema.operands) collector.add_stride_rules(operand);
  for (const OperandShape& operand : schema.operands) {
    if (operand.is_taken) collector.add_size_rule(operand, most_bytes);
  }
  for (const contract::Workspace& workspace : contract.workspaces) {
    collector.add_workspace_rules(workspace);
  }
  for (const CaseRule& rule : schema.rules) collector.add_rule(rule);
  for (const CaseRule& rule : rules) collector.add_rule(rule);
  return std::move(collector).constraints();
}

}  // namespace warpcheck::campaign::generate
