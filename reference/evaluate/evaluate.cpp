#include "reference/evaluate/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "reference/evaluate/evaluate_host.hpp"
#include "reference/evaluate/row.hpp"
#include "reference/format.hpp"

namespace warpcheck::reference {
namespace {

using operation::Statement;
using operation::Tensor;

class OperationEvaluator {
 public:
  explicit OperationEvaluator(const TensorProblem& problem)
      : problem_(problem),
        kernel_{problem.accumulate, problem.fast_math},
        arithmetic_(problem.accumulate, problem.fast_math) {
    for (const auto& [name, extent] : problem.extents) numbers_[name] = static_cast<double>(extent);
    for (const auto& [name, scalar] : problem.scalars) numbers_[name] = scalar;
    require_numbers();
    for (const Tensor& input : problem.operation->inputs) add_input(input);
    if (problem.tensor_cores) use_tensor_cores();
  }

  std::map<std::string, ExpectedTensor, std::less<>> evaluate() {
    if (problem_.host != nullptr) {
      for (auto& [name, tensor] : evaluate_host(problem_, kernel_)) {
        tensors_[name] = std::move(tensor);
      }
    } else {
      require_definition();
      for (const Statement& statement : problem_.operation->statements) compute(statement);
    }
    std::map<std::string, ExpectedTensor, std::less<>> outputs;
    for (const Tensor& output : problem_.operation->outputs) {
      outputs.emplace(output.name, expected(output));
    }
    return outputs;
  }

 private:
  void require_definition() const {
    if (!problem_.operation->statements.empty()) return;
    throw InputError(Diagnostic{problem_.operation->where,
                                fmt::format("operation '{}' has no reference: expected the key "
                                            "`define` or `reference`, or a function of the program "
                                            "that uses the library",
                                            problem_.operation->name),
                                {}});
  }

  void require_numbers() const {
    for (const std::string& extent : problem_.operation->extents) {
      if (!problem_.extents.contains(extent)) {
        throw std::invalid_argument(fmt::format("extent '{}' has no value", extent));
      }
    }
    for (const std::string& scalar : problem_.operation->scalars) {
      if (!problem_.scalars.contains(scalar)) {
        throw std::invalid_argument(fmt::format("scalar '{}' has no value", scalar));
      }
    }
  }

  /// The sums are those of the operands with the fewest fraction bits.
  void use_tensor_cores() {
    TensorSums sums = tensor_sums(ScalarType::f16);
    bool has_subnormals = false;
    for (const auto& [name, type] : problem_.types) {
      if (format(type).integer) continue;
      if (size_of(type) == 1) sums = tensor_sums(type);
      const auto input = problem_.inputs.find(name);
      if (input == problem_.inputs.end()) continue;
      const double least = std::ldexp(1.0, format(type).smallest_exponent);
      const std::vector<double>& values = input->second.values;
      has_subnormals =
          has_subnormals || std::any_of(values.begin(), values.end(), [least](double value) {
            return value != 0.0 && std::abs(value) < least;
          });
    }
    arithmetic_.use_tensor_cores(sums, has_subnormals);
    kernel_.tensor_cores = true;
    kernel_.fraction_bits = sums.fraction_bits;
    kernel_.result_bits = sums.result_bits;
    kernel_.has_subnormals = has_subnormals;
  }

  [[nodiscard]] std::vector<std::int64_t> extents_of(const Tensor& tensor) const {
    std::vector<std::int64_t> extents;
    for (const std::string& extent : tensor.shape) {
      const auto number = operation::constant_extent(extent);
      extents.push_back(number ? *number : problem_.extents.find(extent)->second);
    }
    return extents;
  }

  void add_input(const Tensor& input) {
    const auto found = problem_.inputs.find(input.name);
    if (found == problem_.inputs.end() || found->second.extents != extents_of(input)) {
      throw std::invalid_argument(
          fmt::format("input '{}' is missing, or has other extents", input.name));
    }
    tensors_[input.name] = {found->second.extents, found->second.values, {}};
  }

  /// Computes a tensor row by row; a recurrence element by element, because each depends on one
  /// before it.
  void compute(const Statement& statement) {
    BoundedTensor& tensor = tensors_[statement.tensor.name];
    tensor.extents = extents_of(statement.tensor);
    std::int64_t elements = 1;
    for (const std::int64_t extent : tensor.extents) elements *= extent;
    tensor.values.resize(static_cast<std::size_t>(elements));
    tensor.errors.resize(static_cast<std::size_t>(elements));
    if (elements == 0) return;
    const bool by_rows = !statement.indices.empty() && statement.scan.empty();
    const std::string lane = by_rows ? statement.indices.back() : std::string();
    const std::int64_t length = by_rows ? tensor.extents.back() : 1;
    for (std::int64_t begin = 0; begin < elements; begin += length) {
      RowEvaluator row(*problem_.operation, tensors_, numbers_, arithmetic_);
      std::int64_t rest = begin;
      for (std::size_t i = tensor.extents.size(); i-- > 0; rest /= tensor.extents[i]) {
        if (by_rows && i + 1 == tensor.extents.size()) continue;
        row.set_index(statement.indices[i], rest % tensor.extents[i]);
      }
      const Row values = row.evaluate(statement.value, lane, length);
      for (std::int64_t i = 0; i < length; ++i) {
        const auto at = static_cast<std::size_t>(begin + i);
        const Bounded value = values.at(static_cast<std::size_t>(i));
        tensor.values[at] = value.value;
        tensor.errors[at] = value.error;
      }
    }
    keep_in_type(statement.tensor.name, tensor);
  }

  /// Adds the rounding of a tensor, other than an output, that kernels may keep in a type.
  void keep_in_type(const std::string& name, BoundedTensor& tensor) const {
    const auto type = problem_.types.find(name);
    if (type == problem_.types.end() || is_output(name)) return;
    const Format& to = format(type->second);
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
      const double value = tensor.values[i];
      double& error = tensor.errors[i];
      const bool is_exact = error == 0.0 && round_to(type->second, value) == value;
      if (is_exact || !std::isfinite(value) || !std::isfinite(error)) continue;
      const double magnitude = std::abs(value) + error;
      error += unit_roundoff(type->second) * magnitude + to.smallest_step();
      if (magnitude >= to.overflow_threshold()) error = kInfinity;
    }
  }

  [[nodiscard]] bool is_output(std::string_view name) const {
    const std::vector<Tensor>& outputs = problem_.operation->outputs;
    return std::any_of(outputs.begin(), outputs.end(),
                       [&](const Tensor& output) { return output.name == name; });
  }

  /// Rounds each element to the type of the output.
  [[nodiscard]] ExpectedTensor expected(const Tensor& output) {
    BoundedTensor& tensor = tensors_[output.name];
    const auto declared = problem_.types.find(output.name);
    const ScalarType type = declared == problem_.types.end() ? ScalarType::f32 : declared->second;
    ExpectedTensor result;
    result.overflow_threshold = format(type).overflow_threshold();
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
      double& value = tensor.values[i];
      double& error = tensor.errors[i];
      if (error == 0.0) {
        value = round_to(type, value);
      } else if (std::isfinite(error)) {  // otherwise, any value is correct
        const double magnitude = std::abs(value) + error;
        error += unit_roundoff(type) * magnitude + format(type).smallest_step();
      }
    }
    result.value = {std::move(tensor.extents), std::move(tensor.values)};
    result.tolerance = std::move(tensor.errors);
    return result;
  }

  const TensorProblem& problem_;
  operation::KernelArithmetic kernel_;
  Arithmetic arithmetic_;
  RowEvaluator::Numbers numbers_;
  RowEvaluator::Tensors tensors_;
};

}  // namespace

bool ExpectedTensor::accepts(std::size_t element, double got) const {
  const double expected = value.values[element];
  const double error = tolerance[element];
  if (std::isinf(error)) return true;
  if (std::isnan(expected)) return std::isnan(got);
  if (std::isinf(expected)) return got == expected;
  if (std::isinf(got)) {
    return std::signbit(got) == std::signbit(expected) &&
           std::abs(expected) + error >= overflow_threshold;
  }
  return std::abs(got - expected) <= error;
}

std::map<std::string, ExpectedTensor, std::less<>> evaluate(const TensorProblem& problem) {
  return OperationEvaluator(problem).evaluate();
}

}  // namespace warpcheck::reference
