#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "campaign/case/errors.hpp"
#include "campaign/case/tensor_case.hpp"
#include "contract/contract_words.hpp"

namespace warpcheck::campaign::tensor {
namespace {

using contract::Contract;
using contract::TypedOperation;
using operation::Tensor;

/// The matrices: the product of all dimensions but the last two. Saturates.
std::int64_t matrices_of(const Case& problem, const Tensor& tensor) {
  std::int64_t matrices = 1;
  for (std::size_t i = 0; i + 2 < tensor.shape.size(); ++i) {
    if (__builtin_mul_overflow(matrices, extent(problem, tensor.shape[i]), &matrices)) {
      return std::numeric_limits<std::int64_t>::max();
    }
  }
  return matrices;
}

OperandLayout operand_layout(const Contract& contract, const Case& problem, const Tensor& tensor) {
  const std::vector<std::string> taken = strides_taken(contract, tensor);
  const auto stride = [&](std::string field, CaseField::Kind kind) {
    const bool is_taken = std::find(taken.begin(), taken.end(), field) != taken.end();
    return OperandLayout::Stride{CaseField(field, kind, is_taken), field};
  };
  OperandLayout made;
  made.argument = tensor.name;
  if (!tensor.shape.empty()) made.size_field = tensor.shape.back();
  Placement& place = made.place;
  place.name = tensor.name;
  place.rows = matrix_rows(problem, tensor);
  place.columns = row_length(problem, tensor);
  place.type = contract.tensors->types.find(tensor.name)->second;
  place.offset =
      static_cast<std::int64_t>(problem.value(contract::offset_field(tensor.name)).value_or(0.0));
  place.batch = matrices_of(problem, tensor);
  place.vector = tensor.shape.size() < 2;
  for (const std::string& name : tensor.shape) place.shape.push_back(extent(problem, name));
  made.leading = stride(contract::stride_field(tensor.name), CaseField::Kind::leading_dimension);
  made.batch = stride(contract::batch_stride_field(tensor.name), CaseField::Kind::batch_stride);
  set_strides(problem, 1, made);
  return made;
}

/// Throws if a tensor holds positions along an extent that has none, or numbers of an empty range.
void check_positions(const Contract& contract, const Case& problem, const Tensor& tensor) {
  if (has_no_element(problem, tensor)) return;
  if (tensor.range) {
    const double low = limit_value(problem, tensor.range->first);
    const double high = limit_value(problem, tensor.range->second);
    const auto distinct = distinct_count(problem, tensor);
    if (distinct && distinct->elements > distinct->integers) {
      throw case_error(problem, tensor.shape.empty() ? std::string() : tensor.shape.back(),
                       fmt::format("{} has {} distinct elements, of only {} integers from {} to {}",
                                   tensor.name, distinct->elements, distinct->integers, low, high));
    }
    if (low <= high) return;
    throw case_error(
        problem, tensor.range->second.extent,
        fmt::format("the elements of {} are at least {} and at most {}", tensor.name, low, high));
  }
  if (!tensor.integer) return;
  const auto extent = indexed_extent(*contract.tensors, tensor);
  if (!extent || tensor::extent(problem, *extent) > 0) return;
  throw case_error(
      problem, *extent,
      fmt::format("{}=0: the elements of {} are positions along it", *extent, tensor.name));
}

}  // namespace

void check_values(const Contract& contract, const Case& problem) {
  const TypedOperation& typed = *contract.tensors;
  for (const NamedValue& field : problem.values) {
    const bool is_scalar = std::find(typed.operation.scalars.begin(), typed.operation.scalars.end(),
                                     field.name) != typed.operation.scalars.end();
    if (is_scalar && std::isfinite(field.value)) continue;
    const bool is_whole = field.value == std::trunc(field.value) && field.value <= 0x1p53;
    if (!is_scalar && is_whole && field.value >= 0.0) continue;
    throw case_error(problem, field.name,
                     fmt::format("{}={}: expected {}", field.name, field.value,
                                 is_scalar ? "a finite number" : "a whole number of at least 0"));
  }
  for (const Tensor& tensor : typed.tensors) check_positions(contract, problem, tensor);
}

std::vector<OperandLayout> operand_layouts(const Contract& contract, const Case& problem,
                                           std::string_view name) {
  std::vector<OperandLayout> all;
  all.reserve(contract.tensors->tensors.size());
  for (const Tensor& tensor : contract.tensors->tensors) {
    if (name.empty() || name.ends_with(tensor.name)) {
      all.push_back(operand_layout(contract, problem, tensor));
    }
  }
  return all;
}

}  // namespace warpcheck::campaign::tensor
