#include "campaign/case/tensor_case.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "contract/contract_words.hpp"
#include "contract/expression/expression_node.hpp"
#include "operation/extent.hpp"

namespace warpcheck::campaign::tensor {
namespace {

using contract::Contract;
using contract::TypedOperation;
using operation::Tensor;

bool takes(const Contract& contract, const std::string& name) {
  return std::any_of(contract.launches.begin(), contract.launches.end(), [&](const auto& step) {
    return std::any_of(step.arguments.begin(), step.arguments.end(), [&](const auto& argument) {
      return argument.word == contract::ArgumentWord::expression &&
             argument.value.root() != nullptr && has_name(*argument.value.root(), name);
    });
  });
}

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

/// The product of the extents of an index list, and in it the largest of the reductions below.
double work_of(const Case& problem, const operation::Node& node) {
  double inner = 0.0;
  for (const operation::Node& operand : node.operands) inner += work_of(problem, operand);
  if (node.op != operation::Op::reduce) return inner + 1.0;
  double terms = 1.0;
  for (const std::string& name : node.extents) {
    terms *= static_cast<double>(extent(problem, name));
  }
  return terms * inner;
}

}  // namespace

std::int64_t extent(const Case& problem, std::string_view name) {
  return operation::extent_value(name, [&](std::string_view one) {
    return static_cast<std::int64_t>(problem.value(one).value_or(1.0));
  });
}

double limit_value(const Case& problem, const operation::Limit& limit) {
  const std::int64_t size = limit.extent.empty() ? 0 : extent(problem, limit.extent);
  return static_cast<double>(size) + limit.number;
}

std::int64_t row_length(const Case& problem, const Tensor& tensor) {
  return tensor.shape.empty() ? 1 : extent(problem, tensor.shape.back());
}

StrideNames stride_names(const Contract& contract, const Tensor& tensor) {
  constexpr std::size_t kMostPermuted = 4;  // 24 orders
  using Kind = CaseField::Kind;
  const std::size_t dimensions = tensor.shape.size();
  StrideNames names;
  std::size_t taken = 0;  // the first numbered ones, without a gap
  for (std::size_t i = 0; i < dimensions; ++i) {
    std::string name = contract::stride_field(tensor.name, i);
    const bool is_taken = takes(contract, name);
    names.numbered = names.numbered || is_taken;
    taken += is_taken && taken == i ? 1 : 0;
    names.strides.insert(names.strides.begin(),
                         {std::move(name), dimensions - 1 - i, Kind::leading_dimension, is_taken});
  }
  if (names.numbered) {
    const bool is_any_order = taken + 1 >= dimensions && taken <= kMostPermuted;
    names.orders = {dimensions, is_any_order ? taken : 0};
    return names;
  }
  names.strides.clear();
  const auto add = [&](std::string name, std::size_t within, Kind kind) {
    if (dimensions <= within) return;
    const bool is_taken = takes(contract, name);
    names.strides.push_back({std::move(name), within, kind, is_taken});
  };
  add(contract::stride_field(tensor.name), 1, Kind::leading_dimension);
  add(contract::batch_stride_field(tensor.name), 2, Kind::batch_stride);
  return names;
}

CaseField order_field(const StrideNames& names, const Tensor& tensor) {
  const std::string name = contract::order_field(tensor.name);
  CaseField field({name, CaseField::Kind::order}, true);
  field.orders = names.orders;
  field.is_name = false;
  return field;
}

std::int64_t matrix_rows(const Case& problem, const Tensor& tensor) {
  const std::size_t dimensions = tensor.shape.size();
  return dimensions < 2 ? 1 : extent(problem, tensor.shape[dimensions - 2]);
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
  double elements = static_cast<double>(row_length(problem, tensor));
  for (std::size_t i = 0; i + 1 < tensor.shape.size(); ++i) {
    const std::int64_t size = extent(problem, tensor.shape[i]);
    const bool in_rows = tensor.distinct == operation::Distinct::in_rows;
    elements *= static_cast<double>(in_rows ? std::min<std::int64_t>(size, 1) : size);
  }
  const double integers =
      limit_value(problem, tensor.range->second) - limit_value(problem, tensor.range->first) + 1.0;
  constexpr double kMost = 0x1p53;
  return DistinctCount{static_cast<std::int64_t>(std::min(elements, kMost)),
                       static_cast<std::int64_t>(std::clamp(integers, 0.0, kMost))};
}

std::optional<std::int64_t> extent_named(const Contract& contract, const Case& problem,
                                         std::string_view name) {
  const auto& extents = contract.tensors->operation.extents;
  if (std::find(extents.begin(), extents.end(), name) == extents.end()) return std::nullopt;
  return extent(problem, name);
}

double work(const Contract& contract, const Case& problem) {
  double all = 0.0;
  if (contract.tensors->operation.statements.empty()) {  // a loop over each extent, of such a body
    constexpr double kStepsOfBody = 16.0;
    all = kStepsOfBody;
    for (const std::string& name : contract.tensors->operation.extents) {
      all *= static_cast<double>(std::max<std::int64_t>(extent(problem, name), 1));
    }
  }
  for (const operation::Statement& statement : contract.tensors->operation.statements) {
    double elements = 1.0;
    for (const std::string& name : statement.tensor.shape) {
      elements *= static_cast<double>(extent(problem, name));
    }
    all += elements * work_of(problem, statement.value);
  }
  return all;
}

}  // namespace warpcheck::campaign::tensor
