#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
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

/// The axes of the place in memory, and the strides that have names.
void add_axes(const Contract& contract, const Case& problem, const Tensor& tensor,
              OperandLayout& made) {
  Placement& place = made.place;
  const StrideNames names = stride_names(contract, tensor);
  const std::size_t dimensions = tensor.shape.size();
  const std::size_t rows = names.numbered ? dimensions : std::min<std::size_t>(dimensions, 2);
  if (rows == 2 && !names.numbered) place.axes.push_back({place.batch});
  for (std::size_t i = dimensions - rows; i < dimensions; ++i)
    place.axes.push_back({place.shape[i]});
  if (place.axes.empty()) place.axes.push_back({1});
  place.nest.resize(place.axes.size());
  std::iota(place.nest.begin(), place.nest.end(), 0);
  if (names.orders.count() > 1) {
    const CaseField order = order_field(names, tensor);
    place.nest = order.orders.order(order.get(problem));
  }
  for (auto axis = place.nest.rbegin(); axis != place.nest.rend(); ++axis) {
    for (const StrideNames::One& one : names.strides) {
      if (place.axes.size() - 1 - one.within != *axis) continue;
      made.strides.push_back({CaseField({one.name, one.kind}, one.is_taken), one.name, *axis});
    }
  }
}

OperandLayout operand_layout(const Contract& contract, const Case& problem, const Tensor& tensor) {
  OperandLayout made;
  made.argument = tensor.name;
  made.is_output = contract.tensors->is_output(tensor.name);
  if (!tensor.shape.empty()) made.size_field = tensor.shape.back();
  Placement& place = made.place;
  place.name = tensor.name;
  place.rows = matrix_rows(problem, tensor);
  place.columns = row_length(problem, tensor);
  place.type = contract.tensors->types.find(tensor.name)->second;
  place.offset =
      static_cast<std::int64_t>(problem.value(contract::offset_field(tensor.name)).value_or(0.0));
  place.batch = matrices_of(problem, tensor);
  for (const std::string& name : tensor.shape) place.shape.push_back(extent(problem, name));
  place.vector = tensor.shape.size() < 2;
  add_axes(contract, problem, tensor, made);
  set_strides(problem, 1, made);
  return made;
}

/// Throws if the digits of an order are none.
void check_order(const Contract& contract, const Case& problem, const Tensor& tensor) {
  const std::string field = contract::order_field(tensor.name);
  const std::optional<double> digits = problem.value(field);
  if (!digits) return;
  const MemoryOrders orders = stride_names(contract, tensor).orders;
  if (orders.number_of(*digits)) return;
  throw case_error(
      problem, field,
      fmt::format("{}={}: expected an order of the dimensions such as {:0{}}", field, *digits,
                  static_cast<std::int64_t>(orders.digits(orders.count() - 1)), orders.dimensions));
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
  for (const Tensor& tensor : typed.tensors) {
    check_order(contract, problem, tensor);
    check_positions(contract, problem, tensor);
  }
}

std::vector<OperandLayout> operand_layouts(const Contract& contract, const Case& problem,
                                           std::string_view name) {
  std::vector<OperandLayout> all;
  all.reserve(contract.tensors->tensors.size());
  for (const Tensor& tensor : contract.tensors->tensors) {
    if (name.empty() || name.find(tensor.name) != std::string_view::npos) {
      all.push_back(operand_layout(contract, problem, tensor));
    }
  }
  return all;
}

}  // namespace warpcheck::campaign::tensor
