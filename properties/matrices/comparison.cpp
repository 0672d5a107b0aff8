#include "properties/matrices/comparison.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "properties/checks/comparison.hpp"
#include "properties/generate/data/data.hpp"
#include "properties/judge/judge.hpp"
#include "properties/run/element.hpp"

namespace warpcheck::properties::checks {
namespace {

/// Returns the content of D before the launch.
reference::Matrix prefill(const run::Problem& problem) {
  const Placement& place = problem.layouts.output();
  if (problem.c_has_values() && !problem.layouts.d) return problem.operands.c;
  std::array<std::byte, 8> bytes;
  bytes.fill(problem.poison.output);
  return {place.all_rows(), place.columns, run::decode(place.type, bytes.data())};
}

/// Describes the operands that the wrong element was computed from, if the data encodes their
/// indices.
std::string explanation(const run::Problem& problem, std::int64_t number,
                        const judge::Mismatch& mismatch) {
  const contract::Contract& contract = problem.variant->contract;
  if (problem.line.data != Recipe::onehot) return {};
  const reference::Matrix& row = problem.operands.bias;
  const double bias = row.values.empty() ? 0.0 : row(0, mismatch.column);
  const generate::Data data(run::product_of(problem.line, number), run::data_types(contract));
  return data.explain(mismatch.row - number * problem.line.m, mismatch.column, mismatch.got - bias);
}

/// Returns the evidence for product `number` of the batch.
run::Evidence wrong_result(const run::Problem& problem, std::int64_t number,
                           const judge::Judgement& judgement) {
  const Placement& place = problem.layouts.output();
  judge::Mismatch mismatch;
  mismatch.row = number * place.rows + judgement.first->row;
  mismatch.column = judgement.first->column;
  mismatch.got = judgement.first->got;
  mismatch.expected = judgement.first->expected;
  mismatch.tolerance = judgement.first->tolerance;
  mismatch.wrong = judgement.wrong;
  mismatch.elements = judgement.elements;
  mismatch.regions =
      judge::regions_of(judgement.box, place.rows, place.columns,
                        judge::output_tile(problem.variant->contract, problem.line, "D"));
  run::Evidence evidence = wrong_element(place, mismatch);
  evidence.diagnosis.text = explanation(problem, number, mismatch);
  if (evidence.diagnosis.empty()) evidence.diagnosis = judgement.diagnosis;
  return evidence;
}

/// Returns the error map of product `number`.
judge::ErrorMap mapped(const run::Problem& problem, std::int64_t number,
                       const reference::Expected& expected, const reference::Matrix& got,
                       const judge::Judgement& judgement) {
  judge::ErrorMap map = judge::full_map(
      got.rows, got.columns, judge::output_tile(problem.variant->contract, problem.line, "D"),
      [&](std::int64_t i, std::int64_t j) {
        return judge::ComparedElement{got(i, j), expected.value(i, j), expected.tolerance(i, j),
                                      expected.accepts(i, j, got(i, j))};
      });
  map.product = number;
  map.diagnosis = judgement.diagnosis;
  return map;
}

}  // namespace

PropertyResult compare_product(run::Runner& runner, const run::Problem& problem,
                               const run::Run& run) {
  PropertyResult result;
  result.evidence = run.evidence;
  result.printed = run.printed;
  result.launched = run.launched;
  if (!result.launched || !result.evidence.empty()) return result;

  reference::Matrix before = prefill(problem);
  reference::Matrix got = run.output.matrix();
  const std::int64_t m = problem.line.m;
  const auto of_product = [&](reference::Matrix& all, std::int64_t number) {
    return problem.line.batch == 1 ? std::move(all) : run::rows_of(all, number * m, m);
  };
  std::optional<run::Evidence> wrong;
  for (std::int64_t number = 0; number < problem.line.batch; ++number) {
    const reference::Gemm gemm = run::reference_problem(problem, number);
    const reference::Matrix prefilled = of_product(before, number);
    const reference::Expected expected = reference::gemm(gemm);
    const reference::Matrix found = of_product(got, number);
    const judge::Judgement judgement = judge::judge(gemm, expected, found, &prefilled);
    result.error_over_bound =
        std::max(result.error_over_bound.value_or(0.0), judgement.error_over_bound);
    if (judgement.passed()) {
      // A product whose defects do not show makes the others worth no more.
      result.sensitivity = std::min(result.sensitivity.value_or(1.0), judgement.sensitivity);
    } else if (!wrong) {
      wrong = wrong_result(problem, number, judgement);
      if (runner.maps_errors()) {
        wrong->map = mapped(problem, number, expected, found, judgement);
      }
    }
  }
  if (!wrong) return result;
  result.sensitivity.reset();
  run::Evidence& evidence = *wrong;
  evidence.printed = run.printed;
  runner.locate(problem,
                {problem.output, static_cast<std::size_t>(evidence.finding.memory->offset)},
                evidence);
  result.evidence.push_back(std::move(evidence));
  return result;
}

}  // namespace warpcheck::properties::checks
