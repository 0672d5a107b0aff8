#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "campaign/case/errors.hpp"
#include "campaign/case/tensor_case.hpp"

namespace warpcheck::campaign::tensor {
namespace {

using contract::Contract;
using contract::TypedOperation;
using operation::Tensor;

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

}  // namespace warpcheck::campaign::tensor
