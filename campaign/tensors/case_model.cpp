#include "campaign/case/case_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "campaign/case/errors.hpp"
#include "campaign/case/tensor_case.hpp"
#include "campaign/tensors/schema.hpp"
#include "contract/contract_words.hpp"

namespace warpcheck::campaign {
namespace tensor {
namespace {

using contract::Contract;
using contract::TypedOperation;
using operation::Tensor;

ScalarType type_of(const Contract& contract, const Tensor& tensor) {
  return contract.tensors->types.find(tensor.name)->second;
}

std::int64_t offset(const Case& problem, std::string_view tensor) {
  return static_cast<std::int64_t>(problem.value(contract::offset_field(tensor)).value_or(0.0));
}

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

/// Sets the fields of a name in `to` if `from` has it.
void copy(const Case& from, std::string_view name, Case& to) {
  if (const auto value = from.value(name)) to.set_value(name, *value);
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
  place.type = type_of(contract, tensor);
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

class TensorCaseModel final : public CaseModel {
 public:
  CaseSchema schema(const Contract& contract) const override { return schema_of_tensors(contract); }

  Case normalized(const Contract& contract, Case problem) const override {
    const TypedOperation& typed = *contract.tensors;
    Case result;
    result.variant = problem.variant;
    result.operation = contract.operation;
    result.data = problem.data;
    result.seed = problem.seed;
    if (problem.property != "matches-reference") result.property = problem.property;
    for (const std::string& name : typed.operation.extents) {
      result.set_value(name, problem.value(name).value_or(1.0));
    }
    for (const Tensor& tensor : typed.tensors) {
      for (const std::string& name : strides_taken(contract, tensor)) {
        const auto tight = static_cast<double>(tight_value(contract, problem, name));
        if (problem.value(name).value_or(tight) != tight) copy(problem, name, result);
      }
    }
    for (const Tensor& tensor : typed.tensors) {
      if (is_updated(typed.operation, tensor.name)) continue;
      const std::string name = contract::offset_field(tensor.name);
      if (problem.value(name).value_or(0.0) != 0.0) copy(problem, name, result);
    }
    for (const std::string& name : typed.operation.scalars) {
      result.set_value(name, problem.value(name).value_or(1.0));
    }
    return result;
  }

  std::string ignored_field(const Contract& contract, const Case& problem) const override {
    const Case kept = normalized(contract, problem);
    for (const NamedValue& field : problem.values) {
      if (kept.value(field.name)) continue;
      const bool is_default = value_of(contract, problem, field.name) ==
                              static_cast<std::int64_t>(field.value);  // a tight stride
      if (!is_default && field.value != 0.0) return field.name;
    }
    return {};
  }

  Layouts lay_out(const Contract& contract, const Case& problem,
                  std::size_t limit_bytes) const override {
    check_values(contract, problem);
    Layouts layouts;
    std::vector<Placement>& places = layouts.tensors;
    for (const Tensor& tensor : contract.tensors->tensors) {
      places.push_back(place(contract, problem, tensor, limit_bytes));
      check_positions(contract, problem, places.back(), tensor);
    }
    return layouts;
  }

  std::optional<std::int64_t> value_of(const Contract& contract, const Case& problem,
                                       std::string_view name) const override {
    return tensor::value_of(contract, problem, name);
  }

  std::optional<std::int64_t> address_of(const Contract& contract, const Case& problem,
                                         std::string_view buffer) const override {
    for (const Tensor& tensor : contract.tensors->tensors) {
      if (buffer != tensor.name) continue;
      const auto element = static_cast<std::int64_t>(size_of(type_of(contract, tensor)));
      return offset(problem, tensor.name) % 256 * element % 256;
    }
    if (buffer == contract::name(contract::ArgumentWord::workspace)) return 0;
    return std::nullopt;
  }

  std::int64_t tight_stride(const Contract& contract, const Case& problem,
                            std::string_view field) const override {
    return tight_value(contract, problem, field);
  }

  void reset_short_strides(const Contract& contract, Case& problem) const override {
    tensor::reset_short_strides(contract, problem);
  }

  std::string reason_without_output(const Contract& contract, const Case& problem) const override {
    return has_no_output(contract, problem) ? "no output has an element, and every grid is 0" : "";
  }

  /// Launches that have threads are run, even if no output has an element.
  bool launches_nothing(const Case&) const override { return false; }

  double work(const Contract& contract, const Case& problem) const override {
    constexpr double kPerStep = 16.0;
    return kPerStep * tensor::work(contract, problem);
  }

  std::string operation_field(const Contract& contract) const override {
    return contract.operation;
  }

  std::string operands_text(const Contract& contract) const override {
    std::vector<std::string> tensors;
    for (const Tensor& tensor : contract.tensors->tensors) {
      tensors.push_back(fmt::format("{} {}", tensor.name, name(type_of(contract, tensor))));
    }
    return fmt::to_string(fmt::join(tensors, ", "));
  }

  std::string output_name(const Contract& contract) const override {
    std::vector<std::string_view> names;
    for (const Tensor& output : contract.tensors->operation.outputs) names.push_back(output.name);
    if (names.size() == 1) return std::string(names.front());
    return fmt::format("the result ({})", fmt::join(names, ", "));
  }
};

}  // namespace
}  // namespace tensor

const CaseModel& CaseModel::of_tensors() {
  static const tensor::TensorCaseModel kModel;
  return kModel;
}

}  // namespace warpcheck::campaign
