#include "properties/case/tensor_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "contract/contract_words.hpp"
#include "operation/extent.hpp"
#include "properties/case/errors.hpp"

namespace warpcheck::properties::tensor {
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

/// The rows of a matrix of the last two dimensions.
std::int64_t rows_of(const Case& problem, const Tensor& tensor) {
  const std::size_t dimensions = tensor.shape.size();
  return dimensions < 2 ? 1 : extent(problem, tensor.shape[dimensions - 2]);
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

bool takes(const Contract& contract, const std::string& name) {
  return std::any_of(contract.launches.begin(), contract.launches.end(), [&](const auto& step) {
    return std::any_of(step.arguments.begin(), step.arguments.end(), [&](const auto& argument) {
      return argument.word == contract::ArgumentWord::expression &&
             argument.value.names().contains(name);
    });
  });
}

/// The case's value, if the kernel takes it.
std::optional<std::int64_t> chosen_stride(const Contract& contract, const Case& problem,
                                          const std::string& field) {
  const auto value = problem.value(field);
  if (!value || !takes(contract, field)) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

std::int64_t tight_stride(const Case& problem, const Tensor& tensor) {
  return std::max<std::int64_t>(row_length(problem, tensor), 1);
}

/// Saturates.
std::int64_t tight_batch_stride(const Contract& contract, const Case& problem,
                                const Tensor& tensor) {
  std::int64_t elements = 0;
  if (__builtin_mul_overflow(rows_of(problem, tensor), stride(contract, problem, tensor),
                             &elements)) {
    return std::numeric_limits<std::int64_t>::max();
  }
  return std::max<std::int64_t>(elements, 1);
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
  place.rows = rows_of(problem, tensor);
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

std::optional<std::string> indexed_extent(const TypedOperation& operation,
                                          const operation::Node& node, std::string_view tensor) {
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
    if (auto found = indexed_extent(operation, operand, tensor)) return found;
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

bool takes_stride(const Contract& contract, const Tensor& tensor) {
  return takes(contract, contract::stride_field(tensor.name));
}

std::vector<std::string> strides_taken(const Contract& contract, const Tensor& tensor) {
  std::vector<std::string> taken;
  for (std::string& field :
       std::array{contract::stride_field(tensor.name), contract::batch_stride_field(tensor.name)}) {
    if (takes(contract, field)) taken.push_back(std::move(field));
  }
  return taken;
}

std::int64_t stride(const Contract& contract, const Case& problem, const Tensor& tensor) {
  return chosen_stride(contract, problem, contract::stride_field(tensor.name))
      .value_or(tight_stride(problem, tensor));
}

std::int64_t batch_stride(const Contract& contract, const Case& problem, const Tensor& tensor) {
  return chosen_stride(contract, problem, contract::batch_stride_field(tensor.name))
      .value_or(tight_batch_stride(contract, problem, tensor));
}

bool has_no_output(const Contract& contract, const Case& problem) {
  const std::vector<Tensor>& outputs = contract.tensors->operation.outputs;
  return std::all_of(outputs.begin(), outputs.end(), [&](const Tensor& output) {
    return std::any_of(output.shape.begin(), output.shape.end(),
                       [&](const std::string& name) { return extent(problem, name) == 0; });
  });
}

std::optional<std::string> indexed_extent(const TypedOperation& operation, const Tensor& tensor) {
  for (const operation::Statement& statement : operation.operation.statements) {
    if (auto found = indexed_extent(operation, statement.value, tensor.name)) return found;
  }
  return std::nullopt;
}

std::optional<std::int64_t> value_of(const Contract& contract, const Case& problem,
                                     std::string_view name) {
  const auto& extents = contract.tensors->operation.extents;
  if (std::find(extents.begin(), extents.end(), name) != extents.end()) {
    return extent(problem, name);
  }
  for (const Tensor& tensor : contract.tensors->tensors) {
    if (name == contract::stride_field(tensor.name)) return stride(contract, problem, tensor);
    if (name == contract::batch_stride_field(tensor.name)) {
      return batch_stride(contract, problem, tensor);
    }
  }
  return std::nullopt;
}

std::int64_t tight_value(const Contract& contract, const Case& problem, std::string_view field) {
  for (const Tensor& tensor : contract.tensors->tensors) {
    if (field == contract::stride_field(tensor.name)) return tight_stride(problem, tensor);
    if (field == contract::batch_stride_field(tensor.name)) {
      return tight_batch_stride(contract, problem, tensor);
    }
  }
  return 0;
}

void reset_short_strides(const Contract& contract, Case& problem) {
  for (const Tensor& tensor : contract.tensors->tensors) {
    for (const std::string& field :
         {contract::stride_field(tensor.name), contract::batch_stride_field(tensor.name)}) {
      const auto tight = static_cast<double>(tight_value(contract, problem, field));
      if (problem.value(field).value_or(tight) < tight) problem.set_value(field, tight);
    }
  }
}

std::optional<std::int64_t> address_of(const Contract& contract, const Case& problem,
                                       std::string_view buffer) {
  for (const Tensor& tensor : contract.tensors->tensors) {
    if (buffer != tensor.name) continue;
    const auto element = static_cast<std::int64_t>(size_of(type_of(contract, tensor)));
    return offset(problem, tensor.name) % 256 * element % 256;
  }
  if (buffer == contract::name(contract::ArgumentWord::workspace)) return 0;
  return std::nullopt;
}

Case normalized(const Contract& contract, const Case& problem) {
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

std::string ignored_field(const Contract& contract, const Case& problem) {
  const Case kept = tensor::normalized(contract, problem);
  for (const NamedValue& field : problem.values) {
    if (kept.value(field.name)) continue;
    const bool is_default = value_of(contract, problem, field.name) ==
                            static_cast<std::int64_t>(field.value);  // a tight stride
    if (!is_default && field.value != 0.0) return field.name;
  }
  return {};
}

std::vector<Placement> lay_out(const Contract& contract, const Case& problem,
                               std::size_t limit_bytes) {
  check_values(contract, problem);
  std::vector<Placement> places;
  for (const Tensor& tensor : contract.tensors->tensors) {
    places.push_back(place(contract, problem, tensor, limit_bytes));
    check_positions(contract, problem, places.back(), tensor);
  }
  return places;
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

}  // namespace warpcheck::properties::tensor
