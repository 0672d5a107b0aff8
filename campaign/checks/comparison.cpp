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

CheckResult run_and_compare(run::Runner& runner, run::Problem problem) {
  const run::Run run = runner.run(problem);
  if (is_product(problem.line)) return compare_product(runner, std::move(problem), run);
  return compare_tensors(runner, problem, run);
}

CheckResult run_and_compare(run::Runner& runner, const run::Problem& problem, const run::Run& run) {
  return is_product(problem.line) ? compare_product(runner, problem, run)
                                  : compare_tensors(runner, problem, run);
}

}  // namespace warpcheck::campaign::checks
