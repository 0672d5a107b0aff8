#include "campaign/checks/tensor_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/hash.hpp"
#include "campaign/case/operand_layout.hpp"
#include "campaign/case/tensor_case.hpp"
#include "campaign/checks/comparison.hpp"
#include "campaign/generate/data/tensor_data.hpp"
#include "campaign/judge/judge.hpp"
#include "reference/evaluate/tensor_evaluation.hpp"

namespace warpcheck::campaign::checks {
namespace {

using reference::ExpectedTensor;

constexpr int kProbes = 6;       // input elements whose loss is tried
constexpr int kMostProbes = 36;  // the same while none of them shows

judge::ComparedElement compared(const reference::Matrix& output, const ExpectedTensor& expected,
                                std::int64_t row, std::int64_t column) {
  const auto at = static_cast<std::size_t>(row * output.columns + column);
  const double got = output.values[at];
  const reference::Bounded nearest = expected.nearest(at, got);
  return {got, nearest.value, nearest.error, expected.accepts(at, got)};
}

/// Adds the places of the wrong elements to `wrong`.
judge::Judgement compare(const run::Output& output, const ExpectedTensor& expected,
                         std::vector<judge::Place>& wrong) {
  judge::Judgement judgement;
  const Placement& place = output.place;
  const reference::Matrix values = output.matrix();
  judgement.elements = place.all_rows() * place.columns;
  for (std::int64_t row = 0; row < place.all_rows(); ++row) {
    for (std::int64_t column = 0; column < place.columns; ++column) {
      const judge::ComparedElement element = compared(values, expected, row, column);
      judgement.add(row, column, element);
      if (!element.is_right) wrong.push_back({row, column});
    }
  }
  return judgement;
}

run::Evidence wrong_result(const run::Output& output, const judge::Judgement& judgement,
                           const std::vector<judge::Place>& wrong) {
  const Placement& place = output.place;
  run::Evidence evidence = wrong_element(
      place, judgement, 0, judge::regions_of(judgement.box, place.all_rows(), place.columns, {}));
  const judge::Pattern pattern = judge::pattern_of(wrong, place.all_rows(), place.columns);
  // The message names a single element; the other places have the name of gemm's output.
  if (pattern.kind != judge::PatternKind::one_element && pattern.kind != judge::PatternKind::tile) {
    evidence.diagnosis.pattern = pattern;
  }
  return evidence;
}

judge::ErrorMap mapped(const run::Problem& problem, const run::Output& output,
                       const ExpectedTensor& expected, const judge::Diagnosis& diagnosis) {
  const Placement& place = output.place;
  const reference::Matrix values = output.matrix();
  const judge::Tile tile = judge::output_tile(problem.variant->contract, problem.line, place.name);
  judge::ErrorMap map = judge::full_map(place.all_rows(), place.columns, tile,
                                        [&](std::int64_t row, std::int64_t column) {
                                          return compared(values, expected, row, column);
                                        });
  map.output = place.name;
  map.matrix_rows = place.shape.size() > 2 ? place.rows : 0;
  map.diagnosis = diagnosis;
  return map;
}

/// The outputs with the numbers of their buffers, in the order of their statements: an output that
/// is wrong makes those wrong that are computed from it.
std::vector<std::pair<const run::Output*, std::size_t>> in_order_of_definition(
    const run::Problem& problem, const run::Run& run) {
  std::vector<std::pair<const run::Output*, std::size_t>> outputs;
  for (std::size_t i = 0; i < run.other_outputs.size(); ++i) {
    outputs.emplace_back(&run.other_outputs[i], problem.other_outputs[i]);
  }
  outputs.emplace_back(&run.output, problem.output);
  const auto& statements = problem.variant->contract.tensors->operation.statements;
  const auto statement_of = [&](const auto& output) {
    return std::find_if(statements.begin(), statements.end(), [&](const auto& statement) {
      return statement.tensor.name == output.first->place.name;
    });
  };
  std::stable_sort(outputs.begin(), outputs.end(), [&](const auto& one, const auto& other) {
    return statement_of(one) < statement_of(other);
  });
  return outputs;
}

/// A number that the element `at` of an input of integers may have instead: the least one of its
/// range, or the greatest; of distinct ones, one that no element has. Empty: there is none.
std::optional<double> other_integer(const run::Problem& problem, const operation::Tensor& input,
                                    const reference::TensorData& data, std::size_t at) {
  const contract::TypedOperation& operation = *problem.variant->contract.tensors;
  auto [low, high] = generate::integer_limits(operation, problem.line, input);
  const auto columns = static_cast<std::size_t>(data.extents.empty() ? 1 : data.extents.back());
  if (input.distinct != operation::Distinct::none) {
    const std::set<double> used(data.values.begin(), data.values.end());
    while (low <= high && used.contains(low)) ++low;
    return low <= high ? std::optional(low) : std::nullopt;
  }
  if (input.sorted && at % columns != 0) low = data.values[at - 1];
  if (input.sorted && at % columns + 1 != columns) high = data.values[at + 1];
  const double other = data.values[at] == low ? high : low;
  return other == data.values[at] ? std::nullopt : std::optional(other);
}

/// The share of input elements whose loss shows. The loss of an integer is another integer.
double sensitivity(const run::Problem& problem, const reference::TensorProblem& tensors,
                   reference::TensorEvaluation& evaluation) {
  const auto& inputs = problem.variant->contract.tensors->operation.inputs;
  int tried = 0;
  int seen = 0;
  for (int i = 0; i < kProbes || (seen == 0 && i < kMostProbes); ++i) {
    const operation::Tensor& input = inputs[static_cast<std::size_t>(i) % inputs.size()];
    const reference::TensorData& data = tensors.inputs.find(input.name)->second;
    if (data.values.empty()) continue;
    const std::size_t at =
        mixed(problem.line.seed, static_cast<std::uint64_t>(i)) % data.values.size();
    const auto lost = input.integer ? other_integer(problem, input, data, at)
                                    : std::optional(data.values[at] == 0.0 ? 1.0 : 0.0);
    if (!lost) continue;
    ++tried;
    seen += evaluation.differs_with(input.name, at, *lost) ? 1 : 0;
  }
  return tried == 0 ? 1.0 : static_cast<double>(seen) / tried;
}

}  // namespace

Comparison compare_tensors(const run::Runner& runner, const run::Problem& problem,
                           const run::Run& run) {
  const reference::TensorProblem tensors = run::tensor_problem(problem);
  run::ReferenceCache* const cache = runner.references();
  const auto known = cache == nullptr ? nullptr : cache->find(tensors);
  std::optional<reference::TensorEvaluation> evaluation;
  if (!known) evaluation.emplace(tensors);
  const reference::ExpectedTensors& expected = known ? known->outputs : evaluation->outputs();
  Comparison result;
  for (const auto& [output, buffer] : in_order_of_definition(problem, run)) {
    const ExpectedTensor& expected_output = expected.find(output->place.name)->second;
    std::vector<judge::Place> wrong;
    const judge::Judgement judgement = compare(*output, expected_output, wrong);
    result.error_over_bound = std::max(result.error_over_bound, judgement.error_over_bound);
    if (judgement.passed() || result.wrong) continue;
    result.wrong = wrong_result(*output, judgement, wrong);
    result.buffer = buffer;
    if (!runner.maps_errors()) continue;
    result.wrong->map = mapped(problem, *output, expected_output, result.wrong->diagnosis);
  }
  if (result.wrong || has_no_output(problem.variant->contract, problem.line)) return result;
  result.sensitivity = known ? known->sensitivity : sensitivity(problem, tensors, *evaluation);
  if (cache != nullptr && !known) {
    cache->keep(tensors, std::make_shared<run::TensorReference>(
                             run::TensorReference{evaluation->take_outputs(), result.sensitivity}));
  }
  return result;
}

}  // namespace warpcheck::campaign::checks
