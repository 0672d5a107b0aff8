#include "reference/evaluate/tensor_evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "operation/extent.hpp"
#include "reference/evaluate/evaluate_host.hpp"
#include "reference/format.hpp"

namespace warpcheck::reference {
namespace {

using operation::Statement;
using operation::Tensor;

bool is_subnormal(ScalarType type, double value) {
  return !format(type).integer && value != 0.0 &&
         std::abs(value) < std::ldexp(1.0, format(type).smallest_exponent);
}

/// True if every result of a correct kernel rounds to one number of the type, which differs from
/// the exact value by no more than they do: exp(0) is 1.
bool rounds_to_neighbour(ScalarType type, const Bounded& element) {
  const double value = element.value;
  const double error = element.error;
  const double nearest = round_to(type, value);
  return std::abs(nearest - value) <= error && round_to(type, value - error) == nearest &&
         round_to(type, value + error) == nearest;
}

/// Adds the rounding to a type in which kernels may keep a value.
Bounded kept(ScalarType type, Bounded element) {
  if (element.is_any()) return element;
  const Bounded within = within_type(type, element);
  const bool is_ordinary = within.is_ordinary();
  if (is_ordinary && rounds_to_neighbour(type, element)) return element;
  if (element.is_number()) {
    const double magnitude = std::abs(element.value) + element.error;
    element.error += unit_roundoff(type) * magnitude + format(type).smallest_step();
  }
  return is_ordinary ? element : united(element, within);
}

/// Rounds an element to the type of its output.
Bounded in_type(ScalarType type, Bounded element) {
  if (element.is_any()) return element;
  element = within_type(type, element);
  if (element.error == 0.0) {
    element.value = round_to(type, element.value);
  } else {
    const double magnitude = std::abs(element.value) + element.error;
    element.error += unit_roundoff(type) * magnitude + format(type).smallest_step();
  }
  return element;
}

bool are_equal(const Bounded& x, const Bounded& y) {
  const auto same_bits = [](double one, double other) {
    return std::bit_cast<std::uint64_t>(one) == std::bit_cast<std::uint64_t>(other);
  };
  const bool are_same_sums =
      x.terms == y.terms && (x.terms == 0 || (x.plus == y.plus && x.minus == y.minus));
  return same_bits(x.value, y.value) && same_bits(x.error, y.error) && x.specials == y.specials &&
         are_same_sums;
}

}  // namespace

TensorEvaluation::TensorEvaluation(const TensorProblem& problem)
    : problem_(problem),
      kernel_{problem.accumulate, problem.fast_math},
      arithmetic_(problem.accumulate, problem.fast_math) {
  for (const auto& [name, extent] : problem.extents) numbers_[name] = static_cast<double>(extent);
  for (const auto& [name, scalar] : problem.scalars) numbers_[name] = scalar;
  require_numbers();
  for (const Tensor& input : problem.operation->inputs) add_input(input);
  if (problem.tensor_cores) use_tensor_cores();
  const bool updates = std::ranges::any_of(
      problem.operation->outputs, [](const Tensor& output) { return !output.updates.empty(); });
  if (updates) arithmetic_.use_atomic_additions();
  if (problem.host != nullptr) {
    for (auto& [name, tensor] : evaluate_host(problem_, kernel_)) {
      tensors_[name] = std::move(tensor);
    }
  } else {
    require_definition(*problem_.operation);
    for (const Statement& statement : problem_.operation->statements) compute(statement);
  }
  for (const Tensor& output : problem_.operation->outputs) {
    outputs_.emplace(output.name, expected(output));
  }
}

void TensorEvaluation::require_numbers() const {
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

void TensorEvaluation::use_tensor_cores() {
  TensorSums sums = tensor_sums(ScalarType::f16);
  for (const auto& [name, type] : problem_.types) {
    if (format(type).integer) continue;
    if (size_of(type) == 1) sums = tensor_sums(type);
    const auto input = problem_.inputs.find(name);
    if (input == problem_.inputs.end()) continue;
    subnormals_ += static_cast<std::size_t>(std::ranges::count_if(
        input->second.values, [type = type](double value) { return is_subnormal(type, value); }));
  }
  const bool has_subnormals = subnormals_ != 0;
  arithmetic_.use_tensor_cores(sums, has_subnormals);
  kernel_.tensor_cores = true;
  kernel_.fraction_bits = sums.fraction_bits;
  kernel_.result_bits = sums.result_bits;
  kernel_.has_subnormals = has_subnormals;
}

std::vector<std::int64_t> TensorEvaluation::extents_of(const Tensor& tensor) const {
  std::vector<std::int64_t> extents;
  for (const std::string& extent : tensor.shape) {
    extents.push_back(operation::extent_value(
        extent, [&](std::string_view name) { return problem_.extents.find(name)->second; }));
  }
  return extents;
}

void TensorEvaluation::add_input(const Tensor& input) {
  const auto found = problem_.inputs.find(input.name);
  if (found == problem_.inputs.end() || found->second.extents != extents_of(input)) {
    throw std::invalid_argument(
        fmt::format("input '{}' is missing, or has other extents", input.name));
  }
  tensors_[input.name] = {found->second.extents, found->second.values, {}};
}

/// A recurrence is evaluated element by element, because each depends on one before it.
TensorEvaluation::Lines TensorEvaluation::lines_of(const Statement& statement) const {
  if (statement.indices.empty() || !statement.scan.empty()) return {};
  return {statement.indices.back(), extents_of(statement.tensor).back()};
}

RowEvaluator TensorEvaluation::evaluator_at(const Statement& statement, const BoundedTensor& tensor,
                                            const Lines& lines, std::int64_t begin) const {
  RowEvaluator row(*problem_.operation, tensors_, numbers_, arithmetic_);
  std::int64_t rest = begin;
  for (std::size_t i = tensor.extents.size(); i-- > 0; rest /= tensor.extents[i]) {
    if (statement.indices[i] == lines.lane) continue;
    row.set_index(statement.indices[i], rest % tensor.extents[i]);
  }
  return row;
}

void TensorEvaluation::compute(const Statement& statement) {
  BoundedTensor& tensor = tensors_[statement.tensor.name];
  tensor.extents = extents_of(statement.tensor);
  std::int64_t elements = 1;
  for (const std::int64_t extent : tensor.extents) elements *= extent;
  tensor.values.resize(static_cast<std::size_t>(elements));
  tensor.errors.resize(static_cast<std::size_t>(elements));
  if (elements == 0) return;
  const Lines lines = lines_of(statement);
  const bool has_positions = statement.value.op == operation::Op::reduce &&
                             statement.value.reduction >= operation::Reduction::argmax;
  const bool is_scan = !statement.scan.empty();  // which is in ascending order
  for (std::int64_t begin = 0; begin < elements; begin += lines.length) {
    RowEvaluator row = evaluator_at(statement, tensor, lines, begin);
    if (has_positions) row.record_positions(statement.value);
    const Row values = row.evaluate(statement.value, lines.lane, lines.length);
    if (is_output(statement.tensor.name)) add_alternatives(statement, row, lines, begin);
    for (std::int64_t i = 0; i < lines.length; ++i) {
      const Bounded& value = values.at(static_cast<std::size_t>(i));
      tensor.set(static_cast<std::size_t>(begin + i), is_scan ? as_term(value) : value);
    }
  }
  keep_in_type(statement.tensor.name, tensor);
}

void TensorEvaluation::add_alternatives(const Statement& statement, RowEvaluator& row,
                                        const Lines& lines, std::int64_t begin) {
  std::map<std::size_t, std::vector<Bounded>>& all = alternatives_[statement.tensor.name];
  const auto count = static_cast<std::size_t>(lines.length);
  const auto first = static_cast<std::size_t>(begin);
  const auto& positions = row.positions();
  for (std::size_t i = 0; i < count && !positions.empty(); ++i) {
    const auto& lane_positions = positions[positions.size() == count ? i : 0];
    for (std::size_t j = 0; j < lane_positions.size() && lane_positions.size() > 1; ++j) {
      all[first + i].push_back({lane_positions[j], 0.0});
    }
  }
  if (statement.value.op != operation::Op::either) return;
  const Row one = row.evaluate(statement.value.operands[0], lines.lane, lines.length);
  const Row other = row.evaluate(statement.value.operands[1], lines.lane, lines.length);
  for (std::size_t i = 0; i < count; ++i) {
    const Bounded x = one.at(i);
    const Bounded y = other.at(i);
    if (!x.is_any() && !y.is_any() && !are_equal(x, y)) all[first + i] = {x, y};
  }
}

bool TensorEvaluation::is_output(std::string_view name) const {
  return std::ranges::any_of(problem_.operation->outputs,
                             [&](const Tensor& output) { return output.name == name; });
}

const ScalarType* TensorEvaluation::kept_type(const std::string& name) const {
  const auto type = problem_.types.find(name);
  if (type == problem_.types.end()) return nullptr;
  const Format& to = format(type->second);
  const bool is_narrower = to.precision < format(problem_.accumulate).precision;
  return is_output(name) && (to.integer || !is_narrower) ? nullptr : &type->second;
}

void TensorEvaluation::keep_in_type(const std::string& name, BoundedTensor& tensor) {
  const ScalarType* const type = kept_type(name);
  if (type == nullptr) return;
  if (is_output(name)) unrounded_[name] = tensor;
  for (std::size_t i = 0; i < tensor.values.size(); ++i) {
    tensor.set(i, as_term(kept(*type, tensor.at(i))));
  }
}

ScalarType TensorEvaluation::output_type(const std::string& name) const {
  const auto declared = problem_.types.find(name);
  return declared == problem_.types.end() ? ScalarType::f32 : declared->second;
}

/// Rounds each element to the type of the output.
ExpectedTensor TensorEvaluation::expected(const Tensor& output) {
  const auto unrounded = unrounded_.find(output.name);
  const BoundedTensor& tensor =
      unrounded != unrounded_.end() ? unrounded->second : tensors_[output.name];
  const ScalarType type = output_type(output.name);
  ExpectedTensor result;
  result.value = {tensor.extents, tensor.values};
  result.tolerance = tensor.errors;
  result.alternatives = std::move(alternatives_[output.name]);
  for (auto& [at, values] : result.alternatives) {
    for (Bounded& value : values) value = in_type(type, value);
  }
  for (std::size_t i = 0; i < tensor.values.size(); ++i) {
    const Bounded element = in_type(type, tensor.at(i));
    result.value.values[i] = element.value;
    result.tolerance[i] = element.error;
    const bool is_alone =
        element.specials != 0 && !element.is_any() && !result.alternatives.contains(i);
    if (is_alone) result.alternatives[i] = {element};
  }
  return result;
}

bool TensorEvaluation::has_subnormals_with(std::string_view input, std::size_t element,
                                           double value) const {
  const auto type = problem_.types.find(input);
  if (!problem_.tensor_cores || type == problem_.types.end()) return subnormals_ != 0;
  const double before = problem_.inputs.find(input)->second.values[element];
  return subnormals_ + (is_subnormal(type->second, value) ? 1 : 0) !=
         (is_subnormal(type->second, before) ? 1 : 0);
}

bool TensorEvaluation::differs_entirely_with(std::string_view input, std::size_t element,
                                             double value) const {
  TensorProblem changed = problem_;
  changed.inputs.find(input)->second.values[element] = value;
  const ExpectedTensors outputs = evaluate(changed);
  for (const auto& [name, expected] : outputs_) {
    const ExpectedTensor& other = outputs.find(name)->second;
    for (std::size_t i = 0; i < expected.value.values.size(); ++i) {
      if (!may_be_equal(expected.all_values(i), other.all_values(i))) return true;
    }
  }
  return false;
}

void TensorEvaluation::replace(const std::string& name, BoundedTensor& tensor, std::size_t element,
                               const Bounded& value) {
  replaced_.push_back({&tensor, element, tensor.at(element)});
  if (tensor.errors.empty()) {
    tensor.values[element] = value.value;
  } else {
    tensor.set(element, value);
  }
  changed_.add(name, tensor.extents, element);
}

void TensorEvaluation::restore() {
  for (; !replaced_.empty(); replaced_.pop_back()) {
    const Replaced& last = replaced_.back();
    if (last.tensor->errors.empty()) {
      last.tensor->values[last.element] = last.before.value;
    } else {
      last.tensor->set(last.element, last.before);
    }
  }
  changed_.clear();
}

bool TensorEvaluation::replace_dependent(const Statement& statement) {
  const std::string& name = statement.tensor.name;
  BoundedTensor& tensor = tensors_[name];
  const auto elements = static_cast<std::int64_t>(tensor.values.size());
  const Lines lines = lines_of(statement);
  const ScalarType* const type = kept_type(name);
  const ExpectedTensor* const expected = is_output(name) ? &outputs_.find(name)->second : nullptr;
  const ScalarType type_of_output = output_type(name);
  const bool is_scan = !statement.scan.empty();
  for (std::int64_t begin = 0; begin < elements; begin += lines.length) {
    ChangedReads reads(changed_, tensors_, numbers_);
    std::int64_t rest = begin;
    for (std::size_t i = tensor.extents.size(); i-- > 0; rest /= tensor.extents[i]) {
      const auto index = static_cast<double>(rest % tensor.extents[i]);
      const bool is_lane = statement.indices[i] == lines.lane;
      const double last = static_cast<double>(lines.length) - 1.0;
      reads.set_index(statement.indices[i], is_lane ? Interval{0.0, last} : Interval{index, index});
    }
    if (!reads.may_occur_in(statement.value)) continue;
    const Row row = evaluator_at(statement, tensor, lines, begin)
                        .evaluate(statement.value, lines.lane, lines.length);
    for (std::int64_t i = 0; i < lines.length; ++i) {
      const auto at = static_cast<std::size_t>(begin + i);
      const Bounded value = row.at(static_cast<std::size_t>(i));
      if (expected != nullptr &&
          !may_be_equal(expected->all_values(at), in_type(type_of_output, value))) {
        return true;
      }
      const Bounded computed = is_scan ? as_term(value) : value;
      const Bounded stored = type == nullptr ? computed : as_term(kept(*type, computed));
      if (!are_equal(stored, tensor.at(at))) replace(name, tensor, at, stored);
    }
  }
  return false;
}

/// Evaluates the whole problem again if the change affects every sum, or if a recurrence reads
/// elements that are kept in a type only later.
bool TensorEvaluation::differs_with(std::string_view input, std::size_t element, double value) {
  const auto& statements = problem_.operation->statements;
  const bool is_entire =
      problem_.host != nullptr ||
      has_subnormals_with(input, element, value) != (subnormals_ != 0) ||
      std::ranges::any_of(statements, [&](const Statement& statement) {
        return !statement.scan.empty() && kept_type(statement.tensor.name) != nullptr;
      });
  if (is_entire) return differs_entirely_with(input, element, value);
  const auto tensor = tensors_.find(input);
  replace(tensor->first, tensor->second, element, {value, 0.0});
  const bool differs = std::ranges::any_of(
      statements, [&](const Statement& statement) { return replace_dependent(statement); });
  restore();
  return differs;
}

ElementReads::Elements TensorEvaluation::elements_read(const std::string& output,
                                                       std::size_t element) const {
  return ElementReads(*problem_.operation, tensors_, numbers_, arithmetic_).of(output, element);
}

}  // namespace warpcheck::reference
