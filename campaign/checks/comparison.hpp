// Comparison of the outputs of a problem with the reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "campaign/checks/check_result.hpp"
#include "campaign/judge/judge.hpp"

namespace warpcheck::campaign::checks {

/// The evidence of a wrong element, without a diagnosis: "C[3, 4] is 1, expected 2: off by 1,
/// tolerance 1e-05; 3 of 9 elements are wrong".
[[nodiscard]] run::Evidence wrong_element(const Placement& place, judge::Mismatch mismatch);

/// The same for the first wrong element of some rows, the first of which has this number.
[[nodiscard]] run::Evidence wrong_element(const Placement& place, const judge::Judgement& judgement,
                                          std::int64_t first_row, judge::Regions regions);

/// A finished run without a finding beside the reference.
struct Comparison {
  double error_over_bound = 0.0;
  std::optional<run::Evidence> wrong;  // the first wrong output in the order of its definition
  std::size_t buffer = 0;              // the number of that output's buffer
  std::optional<double> sensitivity;   // empty if an output is wrong
};

/// Runs the problem once and compares the outputs with the reference.
[[nodiscard]] CheckResult run_and_compare(run::Runner& runner, run::Problem problem);

/// Compares the outputs of a finished run. The runner may repeat the run to locate a wrong element.
[[nodiscard]] CheckResult run_and_compare(run::Runner& runner, const run::Problem& problem,
                                          const run::Run& run);

}  // namespace warpcheck::campaign::checks
