#include "workflows/diff/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/parallel_for.hpp"
#include "properties/campaign/minimize_and_confirm.hpp"
#include "properties/campaign/programs.hpp"
#include "properties/checks/run_and_compare.hpp"
#include "properties/generate/cases.hpp"
#include "properties/shrink/shrink.hpp"
#include "workflows/diff/domain_intersection.hpp"

namespace warpcheck::workflows::diff {
namespace {

constexpr std::size_t kMostFindings = 3;    // of a variant
constexpr std::int64_t kDrawsPerCase = 20;  // in search of one that lies in both domains
constexpr double kNegligible = 1e-3;        // in units of the bound
constexpr double kMarkedly = 1.5;           // see docs/comparing.md

/// What one of the two made of a case.
struct Ran {
  properties::checks::PropertyResult answer;
  properties::run::Output output;
  std::vector<device::InstructionCounts> counts;

  [[nodiscard]] bool completed() const { return answer.launched && !output.bytes.empty(); }
};

/// What a case led to, without the matrices.
struct Compared {
  properties::checks::PropertyResult before;
  properties::checks::PropertyResult after;
  bool both_completed = false;
  Cost cost_before;
  Cost cost_after;
  std::optional<ElementDifference> difference;
  std::exception_ptr error;
};

class Comparison {
 public:
  Comparison(const properties::campaign::RunContext& before,
             const properties::campaign::RunContext& after, const DifferenceOptions& options)
      : before_(before),
        after_(after),
        options_(options),
        joint_(before.variant.contract, after.variant.contract) {}

  DifferenceReport report() {
    report_.device = before_.device.name();
    report_.before.variant = before_.variant.contract.name;
    report_.after.variant = after_.variant.contract.name;
    report_.remarks = joint_.remarks();
    const std::vector<properties::Case> cases = drawn();
    const std::vector<Compared> results = compared(cases);
    for (std::size_t i = 0; i < cases.size(); ++i) add(cases[i], results[i]);
    finish_errors();
    report_.before.findings = findings(before_, suspects_before_);
    report_.after.findings = findings(after_, suspects_after_);
    report_.drift =
        report_.before.failed == 0 && report_.after.failed == 0 && report_.error_ratio > kMarkedly;
    if (first_differing_) report_.smallest = smallest(*first_differing_);
    return std::move(report_);
  }

 private:
  /// The first cases of the joint contract's that lie in both domains.
  [[nodiscard]] std::vector<properties::Case> drawn() const {
    const bool sparse = before_.device.is_sparse();
    const properties::generate::CaseGenerator generator(joint_.contract(), options_.seed, sparse);
    std::vector<properties::Case> cases;
    const std::int64_t most = kDrawsPerCase * options_.cases;
    for (std::int64_t i = 0; i < most && std::ssize(cases) < options_.cases; ++i) {
      properties::Case problem = generator.draw(i).problem;
      if (joint_.contains(problem)) cases.push_back(std::move(problem));
    }
    if (!cases.empty()) return cases;
    throw InputError(
        Diagnostic{after_.variant.contract.where,
                   fmt::format("found no case that satisfies `requires` of {} and of {}",
                               before_.variant.contract.name, after_.variant.contract.name),
                   {}});
  }

  [[nodiscard]] std::vector<Compared> compared(const std::vector<properties::Case>& cases) const {
    std::vector<Compared> results(cases.size());
    const auto errors = parallel_try(results.size(), options_.jobs,
                                     [&](std::size_t i) { results[i] = compared(cases[i]); });
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (errors[i]) results[i].error = errors[i];
    }
    return results;
  }

  [[nodiscard]] properties::run::Problem problem_of(const properties::campaign::RunContext& bench,
                                                    const properties::Case& problem) const {
    const properties::Case line = normalized_for(bench.variant.contract, problem);
    return properties::run::make_problem(bench.variant, line, joint_.operands(problem),
                                         properties::run::usual_poison(line));
  }

  [[nodiscard]] Ran ran(const properties::campaign::RunContext& bench,
                        properties::run::Problem& problem) const {
    if (bench.before_launch) bench.before_launch(problem.line);
    problem.job.count = true;
    properties::run::Runner runner(bench.variant, bench.device, bench.program, false,
                                   bench.strict_races);
    properties::run::Run run = runner.run(problem);
    Ran result;
    result.answer = properties::checks::judged(runner, problem, run);
    result.output = std::move(run.output);
    result.counts = std::move(run.counts);
    return result;
  }

  [[nodiscard]] Compared compared(const properties::Case& line) const {
    properties::run::Problem before = problem_of(before_, line);
    properties::run::Problem after = problem_of(after_, line);
    Ran one = ran(before_, before);
    Ran other = ran(after_, after);
    Compared result;
    result.both_completed = one.completed() && other.completed();
    if (result.both_completed) {
      result.difference = largest_difference(before, one.output, other.output);
      result.cost_before.add(one.counts);
      result.cost_after.add(other.counts);
    }
    result.before = std::move(one.answer);
    result.after = std::move(other.answer);
    return result;
  }

  void add(const properties::Case& line, const Compared& result) {
    if (result.error) std::rethrow_exception(result.error);
    ++report_.cases;
    take_suspects(before_, line, result.before, report_.before, suspects_before_);
    take_suspects(after_, line, result.after, report_.after, suspects_after_);
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

  static void take_suspects(const properties::campaign::RunContext& bench,
                            const properties::Case& line,
                            const properties::checks::PropertyResult& answer, SideReport& side,
                            std::vector<properties::campaign::Failure>& suspects) {
    if (!answer.evidence.empty()) ++side.failed;
    for (const properties::run::Evidence& evidence : answer.evidence) {
      const bool known = std::any_of(
          suspects.begin(), suspects.end(), [&](const properties::campaign::Failure& other) {
            return properties::campaign::same_finding(evidence.finding, other.evidence.finding);
          });
      if (known || suspects.size() == kMostFindings) continue;
      suspects.push_back({normalized_for(bench.variant.contract, line),
                          &properties::checks::properties().front(), evidence});
    }
  }

  /// Cases on which neither errs, as those whose sums are exact, say nothing of which errs more.
  void add_errors(const properties::Case& line, const Compared& result) {
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

  static void add_error(ErrorSummary& summary, double error, const properties::Case& line) {
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

  /// Where the two are handed operands that neither draws by itself, there is nothing to repeat.
  [[nodiscard]] std::vector<properties::campaign::FindingReport> findings(
      const properties::campaign::RunContext& bench,
      const std::vector<properties::campaign::Failure>& suspects) const {
    std::vector<properties::campaign::FindingReport> reports;
    for (const properties::campaign::Failure& suspect : suspects) {
      reports.push_back(
          joint_.same_values()
              ? properties::campaign::minimize_and_confirm(
                    bench, suspect,
                    {options_.shrink, options_.shrink_seconds, options_.shrink_launches})
              : properties::campaign::report_of(bench, *suspect.property, suspect.problem,
                                                suspect.evidence));
    }
    return reports;
  }

  [[nodiscard]] std::optional<ElementDifference> smallest(const properties::Case& first) const {
    properties::Case found = first;
    if (options_.shrink) {
      const auto budget = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
          std::chrono::duration<double>(options_.shrink_seconds));
      const auto differs = [&](const properties::Case& candidate) {
        return joint_.contains(candidate) &&
               properties::campaign::can_be_laid_out(before_, candidate) &&
               compared(candidate).difference.has_value();
      };
      found = properties::shrink::shrink(
          joint_.contract(), first, differs,
          {std::chrono::steady_clock::now() + budget, options_.shrink_launches / 2});
    }
    return compared(found).difference;
  }

  const properties::campaign::RunContext& before_;
  const properties::campaign::RunContext& after_;
  const DifferenceOptions& options_;
  DomainIntersection joint_;
  DifferenceReport report_;
  std::vector<properties::campaign::Failure> suspects_before_;
  std::vector<properties::campaign::Failure> suspects_after_;
  std::optional<properties::Case> first_differing_;
  double log_ratios_ = 0.0;
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double seconds_of(device::Device& device, const device::Program& program,
                  const properties::run::Problem& problem) {
  const device::Outcome outcome = device.run(program, problem.job);
  if (outcome.findings.empty()) return outcome.seconds;
  throw request_error(fmt::format("{} cannot be timed: {}: {}", properties::to_line(problem.line),
                                  name(outcome.findings.front().kind),
                                  outcome.findings.front().message));
}

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
  properties::campaign::Programs programs(device);
  const properties::campaign::RunContext one{before, device, programs.of(before),
                                             options.before_launch, options.strict_races};
  const properties::campaign::RunContext other{after, device, programs.of(after),
                                               options.before_launch, options.strict_races};
  return Comparison(one, other, options).report();
}

Speed measure_speed(const contract::Variant& before, const contract::Variant& after,
                    device::Device& device, const properties::Case& wish, unsigned runs) {
  const DomainIntersection joint(before.contract, after.contract);
  const auto nearest = properties::generate::Solver(joint.contract())
                           .project(normalized_for(joint.contract(), wish));
  if (!nearest || !joint.contains(*nearest)) {
    throw request_error(
        fmt::format("found no case near m={} n={} k={} in both domains", wish.m, wish.n, wish.k));
  }
  const auto problem_of = [&](const contract::Variant& variant) {
    const properties::Case line = normalized_for(variant.contract, *nearest);
    return properties::run::make_problem(variant, line, joint.operands(*nearest),
                                         properties::run::usual_poison(line));
  };
  const properties::run::Problem one = problem_of(before);
  const properties::run::Problem other = problem_of(after);
  properties::campaign::Programs programs(device);
  std::vector<double> one_seconds;
  std::vector<double> other_seconds;
  for (unsigned i = 0; i <= runs; ++i) {
    const double first = seconds_of(device, programs.of(before), one);
    const double second = seconds_of(device, programs.of(after), other);
    if (i == 0) continue;
    one_seconds.push_back(first);
    other_seconds.push_back(second);
  }
  return {one.line, runs, median(std::move(one_seconds)), median(std::move(other_seconds))};
}

}  // namespace warpcheck::workflows::diff
