#include "workflows/diff/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/parallel_for.hpp"
#include "base/process/interruption.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/checks/comparison.hpp"
#include "campaign/generate/cases.hpp"
#include "campaign/minimize_and_confirm.hpp"
#include "campaign/programs.hpp"
#include "campaign/run/devices/metered_device.hpp"
#include "campaign/shrink/shrink.hpp"
#include "workflows/diff/domain_intersection.hpp"

namespace warpcheck::workflows::diff {
namespace {

constexpr std::size_t kMostFindings = 3;    // most findings that are reported for one variant
constexpr std::int64_t kDrawsPerCase = 20;  // most draws per requested case of both domains
constexpr double kNegligible = 1e-3;        // least error in the comparison, in units of the bound
constexpr double kMarkedly = 1.5;           // see docs/comparing.md

/// Result of one variant on one case.
struct VariantRun {
  campaign::checks::CheckResult result;
  std::vector<campaign::run::Output> outputs;  // empty: the run did not complete
  std::vector<device::InstructionCounts> counts;

  [[nodiscard]] bool completed() const { return result.launched && !outputs.empty(); }
};

/// Results of both variants on one case, without the matrices.
struct CaseComparison {
  campaign::checks::CheckResult before;
  campaign::checks::CheckResult after;
  bool both_completed = false;
  Cost cost_before;
  Cost cost_after;
  std::optional<ElementDifference> difference;
  std::exception_ptr error;
};

class Comparison {
 public:
  Comparison(const campaign::run::Context& before, const campaign::run::Context& after,
             const DifferenceOptions& options)
      : before_(before),
        after_(after),
        options_(options),
        joint_(before.variant.contract, after.variant.contract) {}

  DifferenceReport report() {
    report_.device = before_.device.name();
    report_.before.variant = before_.variant.contract.name;
    report_.after.variant = after_.variant.contract.name;
    report_.output = campaign::case_schema(before_.variant.contract).name_of_outputs;
    report_.remarks = joint_.remarks();
    const std::vector<campaign::Case> cases = generated_cases();
    const std::vector<CaseComparison> results = compared(cases);
    for (std::size_t i = 0; i < cases.size(); ++i) add(cases[i], results[i]);
    finish_errors();
    report_.before.findings = findings(before_, failures_before_);
    report_.after.findings = findings(after_, failures_after_);
    report_.drift =
        report_.before.failed == 0 && report_.after.failed == 0 && report_.error_ratio > kMarkedly;
    if (first_differing_) {
      report_.smallest =
          compared(options_.shrink ? shrunk(*first_differing_) : *first_differing_).difference;
    }
    return std::move(report_);
  }

 private:
  /// Returns the first cases of the joint contract that lie in both domains.
  [[nodiscard]] std::vector<campaign::Case> generated_cases() const {
    const campaign::generate::CaseGenerator generator(
        joint_.contract(), {options_.seed, before_.device.is_sparse(), 0, options_.sizes});
    std::vector<campaign::Case> cases;
    const std::int64_t most = kDrawsPerCase * options_.cases;
    for (std::int64_t i = 0; i < most && std::ssize(cases) < options_.cases; ++i) {
      throw_if_interrupted();
      campaign::Case problem = generator.draw(i).problem;
      if (joint_.contains(problem)) cases.push_back(std::move(problem));
    }
    if (!cases.empty()) return cases;
    throw InputError(
        Diagnostic{after_.variant.contract.where,
                   fmt::format("found no case that satisfies `requires` of {} and of {}",
                               before_.variant.contract.name, after_.variant.contract.name),
                   {}});
  }

  [[nodiscard]] std::vector<CaseComparison> compared(
      const std::vector<campaign::Case>& cases) const {
    std::vector<CaseComparison> results(cases.size());
    const auto errors = parallel_try(results.size(), options_.jobs,
                                     [&](std::size_t i) { results[i] = compared(cases[i]); });
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (errors[i]) results[i].error = errors[i];
    }
    return results;
  }

  [[nodiscard]] campaign::run::Problem problem_of(const campaign::run::Context& context,
                                                  const campaign::Case& problem) const {
    const campaign::Case line = normalized_for(context.variant.contract, problem);
    return campaign::run::make_problem(context.variant, line, joint_.operands(problem),
                                       campaign::run::usual_poison(line));
  }

  [[nodiscard]] VariantRun run(const campaign::run::Context& context,
                               campaign::run::Problem& problem) const {
    if (context.before_launch) context.before_launch(problem.line);
    problem.job.count = true;
    campaign::run::Runner runner(context, false);
    VariantRun result;
    campaign::run::Run finished;
    bool has_outputs = false;
    try {
      finished = runner.run(problem);
      has_outputs = finished.launched && finished.evidence.empty();
      result.result = campaign::checks::run_and_compare(runner, problem, finished);
    } catch (const campaign::run::UnsupportedRun&) {
      result.result.launched = true;
    }
    result.result.unsupported = runner.unsupported();
    if (has_outputs) {
      result.outputs = std::move(finished.other_outputs);
      result.outputs.push_back(std::move(finished.output));
    }
    result.counts = std::move(finished.counts);
    return result;
  }

  [[nodiscard]] CaseComparison compared(const campaign::Case& line) const {
    throw_if_interrupted();
    campaign::run::Problem before = problem_of(before_, line);
    campaign::run::Problem after = problem_of(after_, line);
    VariantRun one = run(before_, before);
    VariantRun other = run(after_, after);
    CaseComparison result;
    result.both_completed = one.completed() && other.completed();
    if (result.both_completed) {
      result.difference = largest_difference(before, one.outputs, other.outputs);
      result.cost_before.add(one.counts);
      result.cost_after.add(other.counts);
    }
    result.before = std::move(one.result);
    result.after = std::move(other.result);
    return result;
  }

  void add(const campaign::Case& line, const CaseComparison& result) {
    if (result.error) std::rethrow_exception(result.error);
    ++report_.cases;
    add_failures(before_, line, result.before, report_.before, failures_before_);
    add_failures(after_, line, result.after, report_.after, failures_after_);
    add_errors(line, result);
    if (!result.both_completed) return;
    ++report_.compared;
    add_cost(report_.before.cost, result.cost_before);
    add_cost(report_.after.cost, result.cost_after);
    if (!result.difference) return;
    ++report_.differing;
    if (!first_differing_) first_differing_ = line;
    if (!report_.largest || result.difference->over_bound > report_.largest->over_bound) {
      report_.largest = result.difference;
    }
  }

  void add_cost(Cost& sum, const Cost& cost) {
    sum.instructions += cost.instructions;
    sum.global_requests += cost.global_requests;
    sum.global_sectors += cost.global_sectors;
    sum.shared_requests += cost.shared_requests;
    sum.bank_conflicts += cost.bank_conflicts;
    report_.counted = report_.counted || cost.instructions != 0;
  }

  static void add_failures(const campaign::run::Context& context, const campaign::Case& line,
                           const campaign::checks::CheckResult& result, SideReport& side,
                           std::vector<campaign::Failure>& failures) {
    if (!result.evidence.empty()) ++side.failed;
    if (result.unsupported) {
      campaign::add(side.unsupported,
                    {*result.unsupported, normalized_for(context.variant.contract, line)});
    }
    for (const campaign::run::Evidence& evidence : result.evidence) {
      const bool known =
          std::any_of(failures.begin(), failures.end(), [&](const campaign::Failure& other) {
            return campaign::same_finding(evidence.finding, other.evidence.finding);
          });
      if (known || failures.size() == kMostFindings) continue;
      failures.push_back(
          {normalized_for(context.variant.contract, line), &properties::laws().front(), evidence});
    }
  }

  /// Cases on which neither variant has an error, such as exact sums, do not enter the comparison.
  void add_errors(const campaign::Case& line, const CaseComparison& result) {
    if (!result.before.error_over_bound || !result.after.error_over_bound) return;
    const double before = *result.before.error_over_bound;
    const double after = *result.after.error_over_bound;
    if (before == 0.0 && after == 0.0) return;
    ++report_.erring;
    const auto measured = [](double error) { return std::clamp(error, kNegligible, 1.0); };
    log_ratios_ += std::log(measured(after) / measured(before));
    add_error(report_.before.error, before, normalized_for(before_.variant.contract, line));
    add_error(report_.after.error, after, normalized_for(after_.variant.contract, line));
  }

  static void add_error(ErrorSummary& summary, double error, const campaign::Case& line) {
    summary.mean += error;
    if (summary.worst && error <= summary.largest) return;
    summary.largest = error;
    summary.worst = line;
  }

  void finish_errors() {
    if (report_.erring == 0) return;
    for (SideReport* side : {&report_.before, &report_.after}) {
      side->error.mean /= static_cast<double>(report_.erring);
    }
    report_.error_ratio = std::exp(log_ratios_ / static_cast<double>(report_.erring));
  }

  /// Minimizes the failures. If the variants ran on operands that their own cases do not generate,
  /// the failures cannot be repeated and are reported as they are.
  [[nodiscard]] std::vector<campaign::FindingReport> findings(
      const campaign::run::Context& context, const std::vector<campaign::Failure>& failures) const {
    std::vector<campaign::FindingReport> reports;
    for (const campaign::Failure& failure : failures) {
      reports.push_back(
          joint_.same_values()
              ? campaign::minimize_and_confirm(context, failure, options_)
              : campaign::report_of(context, *failure.property, failure.problem, failure.evidence));
    }
    return reports;
  }

  /// Each attempt runs both variants.
  [[nodiscard]] campaign::Case shrunk(const campaign::Case& first) {
    campaign::run::WorkBudget work(options_.shrink_work, options_.shrink_brake_seconds);
    campaign::run::MeteredDevice metered(before_.device, work);
    const campaign::run::Context before = before_.on(metered);
    const campaign::run::Context after = after_.on(metered);
    const Comparison limited(before, after, options_);
    const auto differs = [&](const campaign::Case& candidate) {
      try {
        return joint_.contains(candidate) && campaign::can_be_laid_out(before_, candidate) &&
               limited.compared(candidate).difference.has_value();
      } catch (const campaign::run::StoppedRun&) {
        return false;  // it takes too long to be tried
      }
    };
    campaign::Case smallest = campaign::shrink::shrink(
        joint_.contract(), first, differs,
        {options_.shrink_launches / 2, [&] { return work.is_used_up(); }, true});
    report_.fully_shrunk = !work.is_braked();
    return smallest;
  }

  const campaign::run::Context& before_;
  const campaign::run::Context& after_;
  const DifferenceOptions& options_;
  DomainIntersection joint_;
  DifferenceReport report_;
  std::vector<campaign::Failure> failures_before_;
  std::vector<campaign::Failure> failures_after_;
  std::optional<campaign::Case> first_differing_;
  double log_ratios_ = 0.0;
};

}  // namespace

void Cost::add(const std::vector<device::InstructionCounts>& counts) {
  for (const device::InstructionCounts& instruction : counts) {
    instructions += instruction.warps;
    global_requests += instruction.global_requests;
    global_sectors += instruction.global_sectors;
    shared_requests += instruction.shared_requests;
    bank_conflicts += instruction.shared_wavefronts - instruction.shared_ideal;
  }
}

DifferenceReport compare_variants(const contract::Variant& before, const contract::Variant& after,
                                  device::Device& device, const DifferenceOptions& options) {
  campaign::Programs programs(device);
  const campaign::run::Context one{before, device, programs.of(before), options.before_launch,
                                   options.strict};
  const campaign::run::Context other{after, device, programs.of(after), options.before_launch,
                                     options.strict};
  return Comparison(one, other, options).report();
}

}  // namespace warpcheck::workflows::diff
