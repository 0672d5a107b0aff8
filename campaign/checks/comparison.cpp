#include "campaign/checks/comparison.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "base/shown_number.hpp"
#include "campaign/case/product.hpp"
#include "campaign/checks/product_comparison.hpp"
#include "campaign/checks/tensor_comparison.hpp"

namespace warpcheck::campaign::checks {
namespace {

/// "C[3, 4] is 1, expected 2: off by 1, tolerance 1e-05; 3 of 9 elements are wrong".
std::string mismatch_text(const judge::Mismatch& mismatch, const std::string& element) {
  std::string text =
      fmt::format("{} is {}, expected {}", element, shown(mismatch.got), shown(mismatch.expected));
  const double error = std::fabs(mismatch.got - mismatch.expected);
  if (mismatch.tolerance == 0.0) {
    text += " exactly";
  } else if (std::isfinite(error)) {
    text += fmt::format(": off by {:.3g}, tolerance {:.3g}", error, mismatch.tolerance);
  } else {
    text += fmt::format(" within {:.3g}", mismatch.tolerance);
  }
  return text + fmt::format("; {} of {} elements {} wrong", mismatch.wrong, mismatch.elements,
                            mismatch.wrong == 1 ? "is" : "are");
}

CheckResult uncompared(const run::Run& run) {
  CheckResult result;
  result.evidence = run.evidence;
  result.printed = run.printed;
  result.launched = run.launched;
  return result;
}

/// Compares the outputs of a run that has no finding. The problem is moved into the comparison of a
/// product if it is not used afterwards.
template <class Problem>
CheckResult compared(run::Runner& runner, Problem&& problem, const run::Run& run) {
  CheckResult result = uncompared(run);
  if (!result.launched || !result.evidence.empty()) return result;
  Comparison comparison = is_product(problem.line)
                              ? compare_product(runner, std::forward<Problem>(problem), run)
                              : compare_tensors(runner, problem, run);
  result.error_over_bound = comparison.error_over_bound;
  result.sensitivity = comparison.sensitivity;
  if (!comparison.wrong) return result;
  run::Evidence& evidence = *comparison.wrong;
  evidence.printed = run.printed;
  const auto offset = static_cast<std::size_t>(evidence.finding.memory->offset);
  runner.locate(problem, {comparison.buffer, offset}, evidence);
  result.evidence.push_back(std::move(evidence));
  return result;
}

}  // namespace

run::Evidence wrong_element(const Placement& place, judge::Mismatch mismatch) {
  for (judge::WrongElement& worst : mismatch.worst) {
    worst.name = place.element(worst.row, worst.column);
  }
  run::Evidence evidence;
  evidence.element = place.element(mismatch.row, mismatch.column);
  evidence.finding.kind = FindingClass::wrong_result;
  evidence.finding.message = mismatch_text(mismatch, evidence.element);
  evidence.finding.memory = MemoryPlace{
      place.name, static_cast<std::ptrdiff_t>(place.byte_of(mismatch.row, mismatch.column)),
      size_of(place.type), true};
  evidence.mismatch = std::move(mismatch);
  return evidence;
}

run::Evidence wrong_element(const Placement& place, const judge::Judgement& judgement,
                            std::int64_t first_row, judge::Regions regions) {
  judge::Mismatch mismatch;
  mismatch.row = first_row + judgement.first->row;
  mismatch.column = judgement.first->column;
  mismatch.got = judgement.first->got;
  mismatch.expected = judgement.first->expected;
  mismatch.tolerance = judgement.first->tolerance;
  mismatch.wrong = judgement.wrong;
  mismatch.elements = judgement.elements;
  mismatch.regions = regions;
  mismatch.worst = judgement.worst.elements();
  for (judge::WrongElement& element : mismatch.worst) element.row += first_row;
  return wrong_element(place, std::move(mismatch));
}

CheckResult run_and_compare(run::Runner& runner, run::Problem problem) {
  const run::Run run = runner.run(problem);
  return compared(runner, std::move(problem), run);
}

CheckResult run_and_compare(run::Runner& runner, const run::Problem& problem, const run::Run& run) {
  return compared(runner, problem, run);
}

}  // namespace warpcheck::campaign::checks
