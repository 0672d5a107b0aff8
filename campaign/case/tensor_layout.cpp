#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "campaign/case/errors.hpp"
#include "campaign/case/tensor_case.hpp"
#include "contract/contract_words.hpp"

namespace warpcheck::campaign::tensor {
namespace {

using contract::Contract;
using contract::TypedOperation;
using operation::Tensor;

/// The matrices: the product of all dimensions but the last two.
std::int64_t matrices_of(const Case& problem, const Tensor& tensor) {
  std::int64_t matrices = 1;
  for (std::size_t i = 0; i + 2 < tensor.shape.size(); ++i) {
    if (__builtin_mul_overflow(matrices, extent(problem, tensor.shape[i]), &matrices)) {
      throw case_error(problem, tensor.shape[i],
                       fmt::format("{} has more than 2^63 matrices", tensor.name));
    }
  }
  return matrices;
}

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
}

Placement place(const Contract& contract, const Case& problem, const Tensor& tensor,
                std::size_t limit_bytes) {
  Placement place;
  place.name = tensor.name;
  place.rows = matrix_rows(problem, tensor);
  place.columns = row_length(problem, tensor);
  place.leading = stride(contract, problem, tensor);
  place.type = contract.tensors->types.find(tensor.name)->second;
  place.offset = offset(problem, tensor.name);
  place.batch = matrices_of(problem, tensor);
  place.stride = batch_stride(contract, problem, tensor);
  place.vector = tensor.shape.size() < 2;
  for (const std::string& name : tensor.shape) place.shape.push_back(extent(problem, name));
  for (const std::string& field : strides_taken(contract, tensor)) {
    const std::int64_t least = tight_value(contract, problem, field);
    const std::int64_t value = value_of(contract, problem, field).value_or(least);
    if (value >= least) continue;
    const bool is_row = field == contract::stride_field(tensor.name);
    throw case_error(problem, field,
                     fmt::format("{}={} is less than the {} elements of a {} of {}", field, value,
                                 least, is_row ? "row" : "matrix", tensor.name));
  }
  if (pack_if_larger(place, limit_bytes)) return place;
  const auto bytes = span_bytes(place);
  throw case_error(problem, tensor.shape.empty() ? std::string() : tensor.shape.back(),
                   fmt::format("{} takes {} bytes: the limit is {}", tensor.name,
                               bytes ? fmt::to_string(*bytes) : "more than 2^63", limit_bytes));
}

/// Throws if a tensor holds positions along an extent that has none, or numbers of an empty range.
void check_positions(const Contract& contract, const Case& problem, const Placement& place,
                     const Tensor& tensor) {
  if (place.all_rows() == 0 || place.columns == 0) return;
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

Layouts lay_out(const Contract& contract, const Case& problem, std::size_t limit_bytes) {
  check_values(contract, problem);
  Layouts layouts;
  std::vector<Placement>& places = layouts.tensors;
  for (const Tensor& tensor : contract.tensors->tensors) {
    places.push_back(place(contract, problem, tensor, limit_bytes));
    check_positions(contract, problem, places.back(), tensor);
  }
  return layouts;
}

}  // namespace warpcheck::campaign::tensor
