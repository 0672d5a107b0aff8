#include "reference/evaluate/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "operation/extent.hpp"
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
      require_definition(*problem_.operation);
      for (const Statement& statement : problem_.operation->statements) compute(statement);
    }
    std::map<std::string, ExpectedTensor, std::less<>> outputs;
    for (const Tensor& output : problem_.operation->outputs) {
      outputs.emplace(output.name, expected(output));
    }
    return outputs;
  }

 private:
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
      extents.push_back(operation::extent_value(
          extent, [&](std::string_view name) { return problem_.extents.find(name)->second; }));
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
    const bool has_positions = statement.value.op == operation::Op::reduce &&
                               statement.value.reduction >= operation::Reduction::argmax;
    for (std::int64_t begin = 0; begin < elements; begin += length) {
      RowEvaluator row(*problem_.operation, tensors_, numbers_, arithmetic_);
      std::int64_t rest = begin;
      for (std::size_t i = tensor.extents.size(); i-- > 0; rest /= tensor.extents[i]) {
        if (by_rows && i + 1 == tensor.extents.size()) continue;
        row.set_index(statement.indices[i], rest % tensor.extents[i]);
      }
      if (has_positions) row.record_positions(statement.value);
      const Row values = row.evaluate(statement.value, lane, length);
      if (is_output(statement.tensor.name)) add_alternatives(statement, row, lane, length, begin);
      for (std::int64_t i = 0; i < length; ++i) {
        const auto at = static_cast<std::size_t>(begin + i);
        const Bounded value = values.at(static_cast<std::size_t>(i));
        tensor.values[at] = value.value;
        tensor.errors[at] = value.error;
      }
    }
    keep_in_type(statement.tensor.name, tensor);
  }

  /// Keeps the alternatives of the elements of a row of an output.
  void add_alternatives(const Statement& statement, RowEvaluator& row, const std::string& lane,
                        std::int64_t length, std::int64_t begin) {
    std::map<std::size_t, std::vector<Bounded>>& all = alternatives_[statement.tensor.name];
    const auto count = static_cast<std::size_t>(length);
    const auto first = static_cast<std::size_t>(begin);
    const auto& positions = row.positions();
    for (std::size_t i = 0; i < count && !positions.empty(); ++i) {
      const auto& of_lane = positions[positions.size() == count ? i : 0];
      for (std::size_t j = 0; j < of_lane.size() && of_lane.size() > 1; ++j) {
        all[first + i].push_back({of_lane[j], 0.0});
      }
    }
    if (statement.value.op != operation::Op::either) return;
    const Row one = row.evaluate(statement.value.operands[0], lane, length);
    const Row other = row.evaluate(statement.value.operands[1], lane, length);
    for (std::size_t i = 0; i < count; ++i) {
      const Bounded x = one.at(i);
      const Bounded y = other.at(i);
      const bool is_certain = std::isfinite(x.error) && std::isfinite(y.error);
      if (is_certain && (x.value != y.value || x.error != y.error)) all[first + i] = {x, y};
    }
  }

  /// Adds the rounding of a tensor that kernels may keep in a type. A later statement may read an
  /// output as the kernel has stored it, or before that.
  void keep_in_type(const std::string& name, BoundedTensor& tensor) {
    const auto type = problem_.types.find(name);
    if (type == problem_.types.end()) return;
    const Format& to = format(type->second);
    if (is_output(name)) {
      const bool is_narrower = to.precision < format(problem_.accumulate).precision;
      if (to.integer || !is_narrower) return;
      outputs_[name] = tensor;
    }
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
      const double value = tensor.values[i];
      double& error = tensor.errors[i];
      if (!std::isfinite(value) || !std::isfinite(error)) continue;
      if (rounds_to_neighbour(type->second, value, error)) continue;
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

  /// True if every result of a correct kernel rounds to one number of the type, which differs from
  /// the exact value by no more than they do: exp(0) is 1.
  static bool rounds_to_neighbour(ScalarType type, double value, double error) {
    const double nearest = round_to(type, value);
    return std::abs(nearest - value) <= error && round_to(type, value - error) == nearest &&
           round_to(type, value + error) == nearest;
  }

  /// Rounds each element to the type of the output.
  [[nodiscard]] ExpectedTensor expected(const Tensor& output) {
    const auto narrow = outputs_.find(output.name);
    BoundedTensor& tensor = narrow != outputs_.end() ? narrow->second : tensors_[output.name];
    const auto declared = problem_.types.find(output.name);
    const ScalarType type = declared == problem_.types.end() ? ScalarType::f32 : declared->second;
    ExpectedTensor result;
    result.overflow_threshold = format(type).overflow_threshold();
    const auto in_type = [type](Bounded& element) {
      if (element.error == 0.0) {
        element.value = round_to(type, element.value);
      } else if (std::isfinite(element.error)) {  // otherwise, any value is correct
        const double magnitude = std::abs(element.value) + element.error;
        element.error += unit_roundoff(type) * magnitude + format(type).smallest_step();
      }
    };
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
      Bounded element{tensor.values[i], tensor.errors[i]};
      in_type(element);
      tensor.values[i] = element.value;
      tensor.errors[i] = element.error;
    }
    result.alternatives = std::move(alternatives_[output.name]);
    for (auto& [at, values] : result.alternatives) {
      for (Bounded& value : values) in_type(value);
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
  RowEvaluator::Tensors outputs_;  // of types narrower than sums, before they are rounded
  std::map<std::string, std::map<std::size_t, std::vector<Bounded>>, std::less<>> alternatives_;
};

}  // namespace

void require_definition(const operation::Operation& operation) {
  if (!operation.statements.empty()) return;
  throw InputError(Diagnostic{operation.where,
                              fmt::format("operation '{}' has no reference: expected the key "
                                          "`define` or `reference`, or a function of the program "
                                          "that uses the library",
                                          operation.name),
                              {}});
}

bool ExpectedTensor::accepts(const Bounded& expected, double got) const {
  const auto [middle, error] = expected;
  if (std::isinf(error)) return true;
  if (std::isnan(middle)) return std::isnan(got);
  if (std::isinf(middle)) return got == middle;
  if (std::isinf(got)) {
    return std::signbit(got) == std::signbit(middle) &&
           std::abs(middle) + error >= overflow_threshold;
  }
  return std::abs(got - middle) <= error;
}

bool ExpectedTensor::accepts(std::size_t element, double got) const {
  return accepts(nearest(element, got), got);
}

Bounded ExpectedTensor::nearest(std::size_t element, double got) const {
  const auto found = alternatives.find(element);
  if (found == alternatives.end()) return {value.values[element], tolerance[element]};
  for (const Bounded& alternative : found->second) {
    if (accepts(alternative, got)) return alternative;
  }
  return found->second.front();
}

std::map<std::string, ExpectedTensor, std::less<>> evaluate(const TensorProblem& problem) {
  return OperationEvaluator(problem).evaluate();
}

}  // namespace warpcheck::reference
