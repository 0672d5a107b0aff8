#include "reference/evaluate/element_reads.hpp"

#include <algorithm>
#include <utility>

#include "operation/extent.hpp"

namespace warpcheck::reference {

using operation::Node;
using operation::Op;
using operation::Statement;

ElementReads::ElementReads(const operation::Operation& operation,
                           const RowEvaluator::Tensors& tensors,
                           const RowEvaluator::Numbers& numbers, const Arithmetic& arithmetic)
    : operation_(operation),
      tensors_(tensors),
      numbers_(numbers),
      evaluator_(operation, tensors, numbers, arithmetic) {
  for (const auto& [name, tensor] : tensors) read_[name].resize(tensor.values.size());
}

ElementReads::Elements ElementReads::of(const std::string& output, std::size_t element) {
  read(output, element);
  while (!pending_.empty()) {
    const auto next = pending_.back();
    pending_.pop_back();
    const auto statement = std::ranges::find_if(
        operation_.statements, [&](const Statement& one) { return one.tensor.name == next.first; });
    if (statement != operation_.statements.end()) follow(*statement, next.second);
  }
  return std::move(read_);
}

void ElementReads::read(const std::string& tensor, std::size_t element) {
  std::vector<bool>& elements = read_.find(tensor)->second;
  if (elements[element]) return;
  elements[element] = true;
  pending_.emplace_back(tensor, element);
}

void ElementReads::follow(const Statement& statement, std::size_t element) {
  const std::vector<std::int64_t>& extents = tensors_.find(statement.tensor.name)->second.extents;
  auto rest = static_cast<std::int64_t>(element);
  for (std::size_t i = extents.size(); i-- > 0; rest /= extents[i]) {
    evaluator_.set_index(statement.indices[i], rest % extents[i]);
  }
  visit(statement.value);
}

void ElementReads::visit(const Node& node) {
  if (node.op == Op::reduce) return visit_terms(node, 0);
  if (node.op == Op::select) return visit_select(node);
  if (node.op == Op::read) visit_read(node);
  for (const Node& operand : node.operands) visit(operand);
}

void ElementReads::visit_read(const Node& node) {
  const std::vector<std::int64_t>& extents = tensors_.find(node.name)->second.extents;
  std::int64_t element = 0;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const double index = evaluator_.evaluate(node.operands[i], "", 1).at(0).value;
    const bool is_inside = index >= 0.0 && index < static_cast<double>(extents[i]);
    if (!is_inside) return;
    element = element * extents[i] + static_cast<std::int64_t>(index);
  }
  read(node.name, static_cast<std::size_t>(element));
}

void ElementReads::visit_select(const Node& node) {
  visit(node.operands[0]);
  if (may_be(node.operands[0], true)) visit(node.operands[1]);
  if (may_be(node.operands[0], false)) visit(node.operands[2]);
}

void ElementReads::visit_terms(const Node& node, std::size_t depth) {
  if (depth < node.indices.size()) {
    const std::int64_t extent =
        operation::extent_value(node.extents[depth], [&](std::string_view name) {
          return static_cast<std::int64_t>(numbers_.find(name)->second);
        });
    for (std::int64_t i = 0; i < extent; ++i) {
      evaluator_.set_index(node.indices[depth], i);
      visit_terms(node, depth + 1);
    }
    return;
  }
  if (node.operands.size() > 1) {
    visit(node.operands[1]);
    if (!may_be(node.operands[1], true)) return;
  }
  visit(node.operands[0]);
}

bool ElementReads::may_be(const Node& condition, bool value) {
  const Bounded truth = evaluator_.evaluate(condition, "", 1).at(0);
  const bool is_certain = truth.is_ordinary() && truth.error == 0.0;
  return !is_certain || (truth.value != 0.0) == value;
}

}  // namespace warpcheck::reference
