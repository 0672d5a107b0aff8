#include "properties/campaign/minimize_and_confirm.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <utility>

#include "base/diagnostic.hpp"
#include "properties/campaign/map_cases.hpp"
#include "properties/campaign/same_cause.hpp"
#include "properties/case/domain.hpp"
#include "properties/case/layout.hpp"
#include "properties/run/problem.hpp"
#include "properties/run/source.hpp"
#include "properties/shrink/shrink.hpp"

namespace warpcheck::properties::campaign {
namespace {

constexpr unsigned kConfirmations = 3;
constexpr unsigned kRateRuns = 10;  // if a finding is flaky

/// Returns the evidence of the same finding as the failure's, if the result contains it.
std::optional<run::Evidence> matching_failure(const checks::PropertyResult& property_result,
                                              const Failure& failure) {
  const auto found = std::find_if(property_result.evidence.begin(), property_result.evidence.end(),
                                  [&](const run::Evidence& evidence) {
                                    return same_finding(evidence.finding, failure.evidence.finding);
                                  });
  if (found == property_result.evidence.end()) return std::nullopt;
  return *found;
}

struct Confirmation {
  unsigned failed = 0;
  unsigned runs = 0;
  std::optional<run::Evidence> evidence;  // of the first run that failed
};

/// Counts the runs that fail for the cause. The first of them also locates the source line; its
/// evidence is reported.
Confirmation confirm(const RunContext& context, const checks::Property& property,
                     const shrink::Signature& cause, const Case& problem, std::int64_t* launches) {
  Confirmation result;
  unsigned planned = kConfirmations;
  while (result.runs < planned) {
    ++result.runs;
    checks::PropertyResult run =
        check_property(context, property, problem, !result.evidence, launches);
    const auto found =
        std::find_if(run.evidence.begin(), run.evidence.end(), [&](const run::Evidence& evidence) {
          return shrink::same_after_shrinking(cause, shrink::signature_of(problem, evidence));
        });
    if (found != run.evidence.end()) {
      ++result.failed;
      if (!result.evidence) result.evidence = std::move(*found);
    } else {
      planned = kRateRuns;
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

checks::PropertyResult check_property(const RunContext& context, const checks::Property& property,
                                      const Case& problem, bool locate, std::int64_t* launches) {
  if (context.before_launch) context.before_launch(problem);
  run::Runner runner(context.variant, context.device, context.program, locate, context.strict_races,
                     context.limits_only, context.map_errors);
  checks::PropertyResult property_result = checks::run_property(property, runner, problem);
  if (launches != nullptr) *launches += runner.launches();
  return property_result;
}

FindingReport report_of(const RunContext& context, const checks::Property& property,
                        const Case& problem, const run::Evidence& evidence) {
  FindingReport report;
  report.variant = context.variant.contract.name;
  report.device = context.device.name();
  report.property = property.name;
  report.finding = evidence.finding;
  report.element = evidence.element;
  report.mismatch = evidence.mismatch;
  report.diagnosis = evidence.diagnosis;
  report.printed = evidence.printed;
  report.excerpt = run::excerpt(context.variant, evidence.finding.source);
  report.original = problem;
  report.smallest = problem;
  report.confirmed = 1;
  report.confirmations = 1;
  return report;
}

bool can_be_laid_out(const RunContext& context, const Case& problem) {
  try {
    const Layouts layouts = lay_out(context.variant.contract, problem, run::kBufferLimitBytes);
    return context.device.is_sparse() || !layouts.any_packed();
  } catch (const InputError&) {
    return false;
  }
}

shrink::Signature signature_of(const FindingReport& report) {
  Case smallest = report.smallest;
  smallest.property = report.property;
  return shrink::signature_of(smallest, {report.finding, report.element, report.mismatch,
                                         report.diagnosis, report.printed});
}

FindingReport minimize_and_confirm(const RunContext& context, const Failure& failure,
                                   const RunOptions& options, std::vector<Failure>* others) {
  std::int64_t launches = 0;
  RunContext shrinking = context;
  shrinking.limits_only = run::was_refused(failure.evidence.finding);
  Case smallest = failure.problem;
  const shrink::Signature original = shrink::signature_of(failure.problem, failure.evidence);
  shrink::Signature cause = original;
  if (options.shrink) {
    const auto budget = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(options.shrink_seconds));
    SameCause fails(shrinking, failure, launches);
    smallest = shrink::shrink(context.variant.contract, failure.problem, std::ref(fails),
                              {std::chrono::steady_clock::now() + budget, options.shrink_launches});
    cause = fails.cause();
    if (others != nullptr) {
      others->insert(others->end(), fails.others().begin(), fails.others().end());
    }
  }
  Confirmation confirmation = confirm(context, *failure.property, cause, smallest, &launches);
  if (confirmation.failed == 0 && smallest != failure.problem) {
    smallest = failure.problem;
    confirmation = confirm(context, *failure.property, original, smallest, &launches);
  }
  FindingReport report = report_of(context, *failure.property, smallest,
                                   confirmation.evidence.value_or(failure.evidence));
  report.original = failure.problem;
  report.confirmed = confirmation.failed;
  report.confirmations = confirmation.runs;
  report.shrink_launches = launches;
  return report;
}

std::optional<judge::ErrorMap> error_map(const RunContext& context, const Failure& failure) {
  const FindingClass kind = failure.evidence.finding.kind;
  if (kind != FindingClass::wrong_result && kind != FindingClass::nondeterministic) return {};
  RunContext mapping = context;
  mapping.map_errors = true;
  const contract::Contract& contract = context.variant.contract;
  for (const Case& candidate : cases_to_map(contract, failure.problem)) {
    const std::optional<Case> problem =
        checks::adapted_to_domain(*failure.property, contract, candidate);
    if (!problem || violated(contract, *problem)) continue;
    auto evidence =
        matching_failure(check_property(mapping, *failure.property, *problem, false), failure);
    if (!evidence || !evidence->map) continue;
    evidence->map->line = to_line(*problem);
    return std::move(evidence->map);
  }
  return std::nullopt;
}

}  // namespace warpcheck::properties::campaign
