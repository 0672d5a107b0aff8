#include "campaign/minimize_and_confirm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "base/diagnostic.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/operand_layout.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/interpret/interpret.hpp"
#include "campaign/judge/map_cases.hpp"
#include "campaign/run/devices/evidence_device.hpp"
#include "campaign/run/devices/metered_device.hpp"
#include "campaign/run/problem.hpp"
#include "campaign/run/source.hpp"
#include "campaign/shrink/same_cause.hpp"
#include "campaign/shrink/shrink.hpp"
#include "campaign/zero_factors.hpp"

namespace warpcheck::campaign {
namespace {

constexpr unsigned kConfirmations = 3;
constexpr unsigned kRateRuns = 10;         // runs that measure the rate of a flaky finding
constexpr std::uint64_t kOtherValues = 4;  // cases that must confirm a diagnosis
// A launch that times out takes all of its budget of instructions, or of its time on a GPU. While a
// timeout is shrunk, launches have 1 / kTimeoutDivisor of it.
constexpr std::uint64_t kTimeoutDivisor = 8;

/// Returns the evidence of the same finding as the failure's, if the result contains it.
std::optional<run::Evidence> matching_failure(const campaign::checks::CheckResult& property_result,
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
  std::optional<run::Evidence> evidence;  // evidence of the first run that failed
};

/// Counts the runs that fail for the cause. The first of them also locates the source line and adds
/// evidence; its evidence is reported.
Confirmation confirm(const run::Context& context, const properties::Law& property,
                     const shrink::Signature& cause, const Case& problem, std::int64_t& launches) {
  run::EvidenceDevice device(context.device);
  const run::Context tracking = context.on(device);
  Confirmation result;
  unsigned planned = kConfirmations;
  while (result.runs < planned) {
    ++result.runs;
    const bool is_first = !result.evidence;
    campaign::checks::CheckResult run =
        check_law(property, is_first ? tracking : context, problem, is_first);
    launches += run.jobs;
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

/// The same problem with other values. If one term or one factor is by chance the difference of a
/// value, the other values differ by something else.
std::vector<Case> with_other_values(const contract::Contract& contract,
                                    const properties::Law& property, const Case& problem) {
  std::vector<Case> all;
  for (std::uint64_t i = 1; i <= kOtherValues; ++i) {
    Case other = problem;
    other.seed += i;
    if (i % 2 == 0) other.data = Recipe::lattice;
    distinguish_factors(other);
    const std::optional<Case> adapted = properties::adapted_to_domain(property, contract, other);
    if (adapted && *adapted == other) all.push_back(std::move(other));
  }
  return all;
}

/// Returns the mistake that explains the wrong results of the problem with other values; none if
/// they have no common explanation.
judge::Cause common_cause(const run::Context& context, const properties::Law& property,
                          const Case& problem, std::int64_t& launches) {
  std::optional<judge::Cause> common;
  for (const Case& other : with_other_values(context.variant.contract, property, problem)) {
    const campaign::checks::CheckResult result = check_law(property, context, other, false);
    launches += result.jobs;
    for (const run::Evidence& evidence : result.evidence) {
      if (evidence.finding.kind != FindingClass::wrong_result) continue;
      if (common && *common != evidence.diagnosis.cause) return {};
      common = evidence.diagnosis.cause;
    }
  }
  return common.value_or(judge::Cause{});
}

}  // namespace

bool same_finding(const Finding& one, const Finding& other) {
  if (one.kind != other.kind) return false;
  if (one.source.line == 0 || other.source.line == 0 || same_places(one, other)) return true;
  return one.source.line == other.source.line && one.source.file == other.source.file;
}

namespace {

/// The stride from line to line that the kernel takes; empty if it takes none.
std::optional<OperandLayout::Stride> stride_of_lines(const contract::Contract& contract,
                                                     const Case& problem, const Placement& place) {
  for (const OperandLayout& operand : operand_layouts(contract, problem)) {
    if (operand.place.name != place.name || !place.axis_of_lines()) continue;
    const OperandLayout::Stride* const stride = operand.stride_of(*place.axis_of_lines());
    if (stride != nullptr && stride->field.is_taken) return *stride;
  }
  return std::nullopt;
}

/// Returns the distance of the lines of an operand in expressions of the contract: "lda", or "k" if
/// A is always tight.
std::string line_distance_name(const OperandShape& operand,
                               const std::optional<OperandLayout::Stride>& stride) {
  if (stride) return stride->name;
  const std::string& length = operand.dimensions.back().text();
  return length.find(' ') == std::string::npos ? length : fmt::format("({})", length);
}

/// Returns the case with `gap` more elements between the lines of an operand; empty if they are
/// always adjacent.
std::optional<Case> with_gaps(const contract::Contract& contract, const Case& problem,
                              const Placement& place, std::int64_t gap) {
  const auto stride = stride_of_lines(contract, problem, place);
  if (!stride) return std::nullopt;
  Case other = problem;
  stride->field.set(other, place.line_distance() + gap);
  return other;
}

/// The contract can require the alignment that a wide access needs. Empty if neither the first
/// element nor the leading dimension alone explains the address.
Advice advice_on_alignment(const contract::Contract& contract, const FindingReport& report) {
  const auto& memory = report.finding.memory;
  if (report.finding.kind != FindingClass::misaligned || !memory) return {};
  const Layouts layouts = lay_out(contract, report.smallest, run::kBufferLimitBytes);
  const Placement* const place = layouts.find(memory->name);
  if (place == nullptr || place->batch != 1 || !place->has_lines() || memory->offset < 0) return {};
  const auto size = static_cast<std::int64_t>(size_of(place->type));
  const auto width = static_cast<std::int64_t>(memory->bytes);
  const std::int64_t distance = place->line_distance() * size;
  const std::int64_t line = memory->offset / distance;
  const std::int64_t in_line = memory->offset % distance;
  if (width <= size || in_line % width != 0) return {};
  const bool is_line_misaligned = line * distance % width != 0;
  const bool is_base_misaligned = place->offset * size % width != 0;
  if (is_line_misaligned == is_base_misaligned) return {};
  const CaseSchema schema = case_schema(contract);
  const OperandShape& operand = *schema.operand(place->name);
  const std::string condition =
      is_base_misaligned
          ? fmt::format("aligned({}, {})", operand.argument, width)
          : fmt::format(
                "{} % {} == 0",
                line_distance_name(operand, stride_of_lines(contract, report.smallest, *place)),
                width / size);
  // A contract has only one key `requires`.
  return {Advice::Kind::if_intended, contract.requires_.empty()
                                         ? fmt::format("requires = [\"{}\"]", condition)
                                         : fmt::format("\"{}\" (in `requires`)", condition)};
}

/// Lines of an operand without gaps are adjacent: the element behind a line is the first one of the
/// next line. The same case with gaps shows which of them the thread accesses.
void describe_with_gaps(const run::Context& context, const properties::Law& property,
                        FindingReport& report) {
  constexpr std::int64_t kGap = 64;  // elements; a multiple of it keeps most alignments
  const Finding& finding = report.finding;
  if (finding.kind != FindingClass::out_of_bounds || !finding.memory || !finding.thread) return;
  const contract::Contract& contract = context.variant.contract;
  const Layouts layouts = lay_out(contract, report.smallest, run::kBufferLimitBytes);
  const Placement* const place = layouts.find(finding.memory->name);
  if (place == nullptr || place->vector || place->line_distance() != place->line().extent) return;
  const auto end = static_cast<std::ptrdiff_t>(place->extent().bytes());
  if (finding.memory->offset < end) return;
  const auto beyond =
      (finding.memory->offset - end) / static_cast<std::ptrdiff_t>(size_of(place->type));
  const std::optional<Case> gaps =
      with_gaps(contract, report.smallest, *place, kGap * (2 + beyond / kGap));
  if (!gaps || properties::adapted_to_domain(property, contract, *gaps) != gaps) return;
  if (!can_be_laid_out(context, *gaps)) return;
  for (const run::Evidence& evidence : check_law(property, context, *gaps, false).evidence) {
    const Finding& other = evidence.finding;
    const bool is_same = same_places(other, finding) && other.memory && other.thread &&
                         other.memory->name == finding.memory->name &&
                         other.thread->thread == finding.thread->thread &&
                         other.thread->block == finding.thread->block;
    if (!is_same) continue;
    report.element = evidence.element;
    report.index_outside = evidence.index_outside;
  }
}

/// Interpretations are tried for errors that a wrong contract causes. Races only depend on what it
/// promises of the data.
Advice advice_on_contract(const run::Context& context, const FindingReport& report) {
  const FindingClass kind = report.finding.kind;
  const bool wrong = kind == FindingClass::wrong_result || kind == FindingClass::out_of_bounds ||
                     kind == FindingClass::uninitialized_read ||
                     kind == FindingClass::guard_overwritten ||
                     kind == FindingClass::input_modified;
  const properties::Law& base = properties::laws().front();
  if (!(wrong || kind == FindingClass::race) || report.property != base.name) return {};
  const auto is_correct = [&](const contract::Variant& variant, const Case& problem) {
    const run::Context other{.variant = variant,
                             .device = context.device,
                             .program = context.program,
                             .before_launch = context.before_launch,
                             .stop = context.stop};
    if (!can_be_laid_out(other, problem)) return false;
    const campaign::checks::CheckResult result = check_law(base, other, problem, false);
    return result.evidence.empty() && result.sensitivity.value_or(0.0) > 0.0;
  };
  const auto found =
      interpret::correct_interpretation(context.variant, is_correct, kind == FindingClass::race);
  if (!found) return {};
  return {Advice::Kind::correct_with, found->change, found->cases};
}

}  // namespace

FindingReport report_of(const run::Context& context, const properties::Law& property,
                        const Case& problem, const run::Evidence& evidence) {
  FindingReport report;
  report.variant = context.variant.contract.name;
  report.device = context.device.name();
  report.property = property.name;
  report.finding = evidence.finding;
  report.element = evidence.element;
  report.index_outside = evidence.index_outside;
  report.mismatch = evidence.mismatch;
  report.diagnosis = evidence.diagnosis;
  report.printed = evidence.printed;
  report.excerpt = run::excerpt(context.variant, evidence.finding.source);
  if (evidence.finding.other) {
    report.other_excerpt = run::excerpt(context.variant, evidence.finding.other->source);
  }
  report.original = problem;
  report.smallest = problem;
  report.confirmed = 1;
  report.confirmations = 1;
  const contract::Contract& contract = context.variant.contract;
  report.advice = advice_on_zero_factors(contract, report);
  if (report.advice.kind == Advice::Kind::none) {
    report.advice = advice_on_alignment(contract, report);
  }
  return report;
}

bool can_be_laid_out(const run::Context& context, const Case& problem) {
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

namespace {

/// A candidate that the property would change again is not the case that was run.
shrink::CandidateChecks checks_of_candidates(const run::Context& context,
                                             const properties::Law& property,
                                             std::int64_t& launches) {
  return {[&](const Case& candidate) {
            const std::optional<Case> problem =
                properties::adapted_to_domain(property, context.variant.contract, candidate);
            return problem && *problem == candidate && can_be_laid_out(context, candidate);
          },
          [&](const Case& candidate) -> std::vector<run::Evidence> {
            try {
              campaign::checks::CheckResult result = check_law(property, context, candidate, true);
              launches += result.jobs;
              return std::move(result.evidence);
            } catch (const run::StoppedRun&) {
              return {};  // this candidate takes too long
            }
          }};
}

struct Minimized {
  Case smallest;
  shrink::Signature cause;
};

/// Shrinks the case within the budgets of the options. Launches have 1 / `budget_divisor` of their
/// budget.
class Minimizer {
 public:
  Minimizer(const run::Context& context, const Failure& failure, const RunOptions& options,
            std::vector<Failure>* others)
      : context_(context),
        failure_(failure),
        options_(options),
        others_(others),
        work_(options.shrink_work, options.shrink_brake_seconds) {}

  [[nodiscard]] Minimized minimize(std::uint64_t budget_divisor, std::int64_t& launches) {
    run::MeteredDevice metered(context_.device, work_);
    run::Context shrinking = context_.on(metered);
    shrinking.budget_divisor = budget_divisor;
    shrinking.limits_only = run::was_refused(failure_.evidence.finding);
    shrink::SameCause fails(context_.variant.contract, {failure_.problem, failure_.evidence},
                            checks_of_candidates(shrinking, *failure_.property, launches));
    Case smallest = shrink::shrink(context_.variant.contract, failure_.problem, std::ref(fails),
                                   {options_.shrink_launches, [this] { return work_.is_used_up(); },
                                    failure_.evidence.finding.kind == FindingClass::wrong_result});
    for (const shrink::FailingCase& other : fails.others()) {
      const bool within_budget =
          budget_divisor == 1 || other.evidence.finding.kind != FindingClass::timeout;
      if (others_ == nullptr || !within_budget) continue;
      others_->push_back({other.problem, failure_.property, other.evidence, failure_.number});
    }
    return {std::move(smallest), fails.cause()};
  }

  [[nodiscard]] const run::WorkBudget& work() const { return work_; }

 private:
  const run::Context& context_;
  const Failure& failure_;
  const RunOptions& options_;
  std::vector<Failure>* others_;
  run::WorkBudget work_;
};

}  // namespace

FindingReport minimize_and_confirm(const run::Context& context, const Failure& failure,
                                   const RunOptions& options, std::vector<Failure>* others) {
  std::int64_t launches = 0;
  const Minimized original{failure.problem,
                           shrink::signature_of(failure.problem, failure.evidence)};
  std::vector<std::uint64_t> budget_divisors;
  if (options.shrink) budget_divisors = {1};
  if (options.shrink && failure.evidence.finding.kind == FindingClass::timeout) {
    budget_divisors = {kTimeoutDivisor, 1};
  }
  Minimizer minimizer(context, failure, options, others);
  Minimized least = original;
  Confirmation confirmation;
  for (const std::uint64_t divisor : budget_divisors) {
    if (confirmation.failed != 0) break;
    least = minimizer.minimize(divisor, launches);
    confirmation = confirm(context, *failure.property, least.cause, least.smallest, launches);
  }
  if (confirmation.failed == 0 && (budget_divisors.empty() || least.smallest != failure.problem)) {
    least = original;
    confirmation = confirm(context, *failure.property, least.cause, least.smallest, launches);
  }
  FindingReport report = report_of(context, *failure.property, least.smallest,
                                   confirmation.evidence.value_or(failure.evidence));
  if (options.shrink && judge::is_from_value(report.diagnosis.cause.kind)) {
    report.diagnosis.cause = common_cause(context, *failure.property, least.smallest, launches);
  }
  if (options.shrink) describe_with_gaps(context, *failure.property, report);
  report.original = failure.problem;
  report.confirmed = confirmation.failed;
  report.confirmations = confirmation.runs;
  report.shrink_launches = launches;
  report.shrink_work = minimizer.work().used();
  report.fully_shrunk = !minimizer.work().is_braked();
  if (options.shrink && report.advice.kind == Advice::Kind::none) {
    report.advice = advice_on_contract(context, report);
  }
  return report;
}

std::optional<judge::ErrorMap> error_map(const run::Context& context, const Failure& failure) {
  const FindingClass kind = failure.evidence.finding.kind;
  if (kind != FindingClass::wrong_result && kind != FindingClass::nondeterministic) return {};
  run::Context mapping = context;
  mapping.map_errors = true;
  const contract::Contract& contract = context.variant.contract;
  const auto& memory = failure.evidence.finding.memory;
  const std::string output = memory ? memory->name : std::string();
  for (const Case& candidate : judge::cases_to_map(contract, failure.problem, output)) {
    const std::optional<Case> problem =
        properties::adapted_to_domain(*failure.property, contract, candidate);
    if (!problem || violated(contract, *problem)) continue;
    auto evidence =
        matching_failure(check_law(*failure.property, mapping, *problem, false), failure);
    if (!evidence || !evidence->map) continue;
    evidence->map->line = to_line(*problem);
    if (evidence->mismatch) evidence->map->worst = std::move(evidence->mismatch->worst);
    return std::move(evidence->map);
  }
  return std::nullopt;
}

}  // namespace warpcheck::campaign
