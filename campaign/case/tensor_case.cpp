#include "campaign/case/tensor_case.hpp"

#include <algorithm>

#include "operation/extent.hpp"

namespace warpcheck::campaign::tensor {
namespace {

using contract::TypedOperation;
using operation::Tensor;

std::optional<std::string> extent_indexed_by(std::string_view tensor,
                                             const TypedOperation& operation,
                                             const operation::Node& node) {
  if (node.op == operation::Op::read) {
    const std::vector<Tensor>& tensors = operation.tensors;
    const auto read = std::find_if(tensors.begin(), tensors.end(),
                                   [&](const Tensor& one) { return one.name == node.name; });
    for (std::size_t i = 0; read != tensors.end() && i < node.operands.size(); ++i) {
      const operation::Node& index = node.operands[i];
      if (index.op == operation::Op::read && index.name == tensor) return read->shape[i];
    }
  }
  for (const operation::Node& operand : node.operands) {
    if (auto found = extent_indexed_by(tensor, operation, operand)) return found;
  }
  return std::nullopt;
}

}  // namespace

std::int64_t extent(const Case& problem, std::string_view name) {
  return operation::extent_value(name, [&](std::string_view one) { return problem.whole(one); });
}

double limit_value(const Case& problem, const operation::Limit& limit) {
  const std::int64_t size = limit.extent.empty() ? 0 : extent(problem, limit.extent);
  return static_cast<double>(size) + limit.number;
}

bool has_no_element(const Case& problem, const Tensor& tensor) {
  return std::any_of(tensor.shape.begin(), tensor.shape.end(),
                     [&](const std::string& name) { return extent(problem, name) == 0; });
}

std::optional<std::string> indexed_extent(const TypedOperation& operation, const Tensor& tensor) {
  for (const operation::Statement& statement : operation.operation.statements) {
    if (auto found = extent_indexed_by(tensor.name, operation, statement.value)) return found;
  }
  return std::nullopt;
}

std::optional<DistinctCount> distinct_count(const Case& problem, const Tensor& tensor) {
  if (tensor.distinct == operation::Distinct::none || !tensor.range) return std::nullopt;
  double elements = 1.0;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    const std::int64_t size = extent(problem, tensor.shape[i]);
    const bool in_rows =
        tensor.distinct == operation::Distinct::in_rows && i + 1 < tensor.shape.size();
    elements *= static_cast<double>(in_rows ? std::min<std::int64_t>(size, 1) : size);
  }
  const double integers =
      limit_value(problem, tensor.range->second) - limit_value(problem, tensor.range->first) + 1.0;
  constexpr double kMost = 0x1p53;
  return DistinctCount{static_cast<std::int64_t>(std::min(elements, kMost)),
                       static_cast<std::int64_t>(std::clamp(integers, 0.0, kMost))};
}

}  // namespace warpcheck::campaign::tensor
