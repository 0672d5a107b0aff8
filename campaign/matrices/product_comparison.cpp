#include "campaign/checks/product_comparison.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "campaign/checks/comparison.hpp"
#include "campaign/generate/data/data.hpp"
#include "campaign/judge/judge.hpp"
#include "campaign/run/element.hpp"

namespace warpcheck::campaign::checks {
namespace {

/// Returns the content of one product's D before the launch, which refers to `c` or to `ignored_c`:
/// the reference has no C that beta = 0 ignores.
judge::Prefill prefill(const run::Problem& problem, std::int64_t number, const reference::Matrix& c,
                       reference::Matrix& ignored_c) {
  if (problem.c_has_values() && problem.layouts.find("D") == nullptr) {
    if (problem.reads_c()) return &c;
    const std::int64_t rows = problem.line.whole("m");
    ignored_c = run::rows_of(problem.operands.c, number * rows, rows);
    return &ignored_c;
  }
  std::array<std::byte, 8> bytes;
  bytes.fill(problem.poison.output);
  return judge::Prefill(run::decode(problem.layouts.output().type, bytes.data()));
}

/// Returns one product's D, whose rows are decoded into `row`.
judge::Result product(const run::Output& output, std::int64_t number, std::vector<double>& row) {
  row.resize(static_cast<std::size_t>(output.place.columns));
  const std::int64_t rows = output.place.rows;
  const std::int64_t first = number * rows;
  return {rows, output.place.columns, [&output, &row, first](std::int64_t i) {
            output.read_row(first + i, row);
            return std::span<const double>(row);
          }};
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
  return data.explain(mismatch.row - number * problem.line.whole("m"), mismatch.column,
                      mismatch.got - bias);
}

/// Returns the evidence for product `number` of the batch.
run::Evidence wrong_result(const run::Problem& problem, std::int64_t number,
                           const judge::Judgement& judgement) {
  const Placement& place = problem.layouts.output();
  const judge::Tile tile = judge::output_tile(problem.variant->contract, problem.line, "D");
  const judge::Regions regions = judge::regions_of(judgement.box, place.rows, place.columns, tile);
  run::Evidence evidence = wrong_element(place, judgement, number * place.rows, regions);
  evidence.diagnosis.text = explanation(problem, number, *evidence.mismatch);
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
        const reference::Bounded element = expected.element(i, j);
        return judge::ComparedElement{got(i, j), element.value, element.error,
                                      expected.accepts(i, j, got(i, j))};
      });
  map.product = number;
  map.diagnosis = judgement.diagnosis;
  return map;
}

/// `reference_problem(number)` is the reference's problem for one product of the batch.
template <class ReferenceProblem>
Comparison compare(const run::Runner& runner, const run::Problem& problem, const run::Run& run,
                   const ReferenceProblem& reference_problem) {
  Comparison result;
  result.buffer = problem.output;
  std::vector<double> row;
  const std::int64_t products = problem.line.whole("batch");
  for (std::int64_t number = 0; number < products; ++number) {
    const reference::Gemm gemm = reference_problem(number);
    const reference::Expected expected = reference::gemm(gemm);
    const judge::Result got = product(run.output, number, row);
    reference::Matrix ignored_c;
    const judge::Judgement judgement =
        judge::judge(gemm, expected, got, prefill(problem, number, gemm.c, ignored_c));
    result.error_over_bound = std::max(result.error_over_bound, judgement.error_over_bound);
    if (judgement.passed()) {
      // A product whose defects do not show makes the others worth no more.
      result.sensitivity = std::min(result.sensitivity.value_or(1.0), judgement.sensitivity);
    } else if (!result.wrong) {
      result.wrong = wrong_result(problem, number, judgement);
      if (runner.maps_errors()) {
        result.wrong->map = mapped(problem, number, expected, judge::matrix_of(got), judgement);
      }
    }
  }
  if (result.wrong) result.sensitivity.reset();
  return result;
}

}  // namespace

Comparison compare_product(const run::Runner& runner, const run::Problem& problem,
                           const run::Run& run) {
  return compare(runner, problem, run,
                 [&](std::int64_t number) { return run::reference_problem(problem, number); });
}

Comparison compare_product(const run::Runner& runner, run::Problem&& problem, const run::Run& run) {
  return compare(runner, problem, run,
                 [&](std::int64_t number) { return run::take_reference_problem(problem, number); });
}

}  // namespace warpcheck::campaign::checks
