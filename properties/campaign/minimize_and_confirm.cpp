#include "properties/campaign/minimize_and_confirm.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/diagnostic.hpp"
#include "properties/campaign/map_cases.hpp"
#include "properties/case/domain.hpp"
#include "properties/case/layout.hpp"
#include "properties/run/problem.hpp"
#include "properties/run/source.hpp"
#include "properties/shrink/shrink.hpp"

namespace warpcheck::properties::campaign {
namespace {

constexpr unsigned kConfirmations = 3;
constexpr unsigned kRateRuns = 10;  // of a flaky finding

/// The sight of the suspect's finding among an answer's.
std::optional<run::Evidence> matching_failure(const checks::PropertyResult& answer,
                                              const Failure& suspect) {
  const auto found = std::find_if(answer.evidence.begin(), answer.evidence.end(),
                                  [&](const run::Evidence& evidence) {
                                    return same_finding(evidence.finding, suspect.evidence.finding);
                                  });
  if (found == answer.evidence.end()) return std::nullopt;
  return *found;
}

struct Confirmation {
  unsigned seen = 0;
  unsigned runs = 0;
  std::optional<run::Evidence> evidence;  // the last sight
};

/// The runs locate as well: what they bring to light is what is reported.
Confirmation confirm(const RunContext& bench, const Failure& suspect, const Case& problem,
                     std::int64_t* launches) {
  Confirmation result;
  unsigned wanted = kConfirmations;
  while (result.runs < wanted) {
    ++result.runs;
    auto evidence = matching_failure(
        ask(bench, *suspect.property, problem, !result.evidence, launches), suspect);
    if (evidence) {
      ++result.seen;
      if (!result.evidence) result.evidence = std::move(evidence);
    } else {
      wanted = kRateRuns;
    }
  }
  return result;
}

}  // namespace

bool same_finding(const Finding& one, const Finding& other) {
  if (one.kind != other.kind) return false;
  if (one.source.line == 0 || other.source.line == 0 || same_places(one, other)) return true;
  return one.source.line == other.source.line && one.source.file == other.source.file;
}

checks::PropertyResult ask(const RunContext& bench, const checks::Property& property,
                           const Case& problem, bool locate, std::int64_t* launches) {
  if (bench.before_launch) bench.before_launch(problem);
  run::Runner runner(bench.variant, bench.device, bench.program, locate, bench.strict_races,
                     bench.limits_only, bench.map_errors);
  checks::PropertyResult answer = checks::ask_property(property, runner, problem);
  if (launches != nullptr) *launches += runner.launches();
  return answer;
}

FindingReport report_of(const RunContext& bench, const checks::Property& property,
                        const Case& problem, const run::Evidence& evidence) {
  FindingReport report;
  report.variant = bench.variant.contract.name;
  report.device = bench.device.name();
  report.property = property.name;
  report.finding = evidence.finding;
  report.element = evidence.element;
  report.mismatch = evidence.mismatch;
  report.diagnosis = evidence.diagnosis;
  report.printed = evidence.printed;
  report.excerpt = run::excerpt(bench.variant, evidence.finding.source);
  report.original = problem;
  report.smallest = problem;
  report.confirmed = 1;
  report.confirmations = 1;
  return report;
}

bool can_be_laid_out(const RunContext& bench, const Case& problem) {
  try {
    const Layouts layouts = lay_out(bench.variant.contract, problem, run::kBufferLimitBytes);
    return bench.device.is_sparse() || !layouts.any_packed();
  } catch (const InputError&) {
    return false;
  }
}

FindingReport minimize_and_confirm(const RunContext& bench, const Failure& suspect,
                                   const MinimizeLimits& limits) {
  const contract::Contract& contract = bench.variant.contract;
  std::int64_t launches = 0;
  RunContext shrinking = bench;
  shrinking.limits_only = run::was_refused(suspect.evidence.finding);
  const auto fails = [&](const Case& candidate) {
    const std::optional<Case> problem =
        checks::adapted_to_domain(*suspect.property, contract, candidate);
    // Conditions that change the candidate would name another case than the one that was run.
    if (!problem || *problem != candidate || !can_be_laid_out(bench, candidate)) return false;
    return matching_failure(ask(shrinking, *suspect.property, candidate, false, &launches), suspect)
        .has_value();
  };
  Case smallest = suspect.problem;
  if (limits.shrink) {
    const auto budget = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(limits.seconds));
    smallest = shrink::shrink(contract, suspect.problem, fails,
                              {std::chrono::steady_clock::now() + budget, limits.launches});
  }
  Confirmation confirmation = confirm(bench, suspect, smallest, &launches);
  if (confirmation.seen == 0 && smallest != suspect.problem) {
    smallest = suspect.problem;
    confirmation = confirm(bench, suspect, smallest, &launches);
  }
  FindingReport report = report_of(bench, *suspect.property, smallest,
                                   confirmation.evidence.value_or(suspect.evidence));
  report.original = suspect.problem;
  report.confirmed = confirmation.seen;
  report.confirmations = confirmation.runs;
  report.shrink_launches = launches;
  return report;
}

std::optional<judge::ErrorMap> error_map(const RunContext& bench, const Failure& suspect) {
  const FindingClass kind = suspect.evidence.finding.kind;
  if (kind != FindingClass::wrong_result && kind != FindingClass::nondeterministic) return {};
  RunContext mapping = bench;
  mapping.map_errors = true;
  const contract::Contract& contract = bench.variant.contract;
  for (const Case& candidate : cases_to_map(contract, suspect.problem)) {
    const std::optional<Case> problem =
        checks::adapted_to_domain(*suspect.property, contract, candidate);
    if (!problem || violated(contract, *problem)) continue;
    auto seen = matching_failure(ask(mapping, *suspect.property, *problem, false), suspect);
    if (!seen || !seen->map) continue;
    seen->map->line = to_line(*problem);
    return std::move(seen->map);
  }
  return std::nullopt;
}

}  // namespace warpcheck::properties::campaign
