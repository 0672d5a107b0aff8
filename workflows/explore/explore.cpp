#include "workflows/explore/explore.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "base/parallel_for.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/minimize_and_confirm.hpp"
#include "campaign/run_case.hpp"
#include "workflows/explore/declared.hpp"

namespace warpcheck::workflows::explore {
namespace {

using campaign::Case;
using contract::Variant;

constexpr std::size_t kOfAllProperties = 48;  // cases that check other properties and data

/// Runs one case for matches-reference. The device's checks are part of it.
Trial trial_of(const campaign::run::Context& context, const Case& problem) {
  if (!can_be_laid_out(context, problem) || violated(context.variant.contract, problem)) {
    return {Outcome::undecided, {}};
  }
  const properties::Law& property = properties::laws().front();
  const auto result = check_law(property, context, problem, false);
  if (!result.evidence.empty()) return {Outcome::failed, result.evidence.front().finding};
  if (result.unsupported) return {Outcome::unsupported, {}, result.unsupported};
  const double least = campaign::case_schema(context.variant.contract).decisive_sensitivity;
  const bool decides = !result.sensitivity || *result.sensitivity >= least;
  return {result.launched && decides ? Outcome::passed : Outcome::undecided, {}};
}

class Explorer {
 public:
  Explorer(const Variant& variant, device::Device& device, const SearchOptions& options,
           const std::function<void(const Case&)>& before_launch)
      : declared_(variant.contract),
        options_(options),
        variant_(without_requires(variant)),
        program_(device.load(variant.compiled->ptx, variant.compiled->ptx_file)),
        context_{variant_, device, *program_, before_launch},
        examples_(
            variant_.contract, [this](const Case& problem) { return trial_of(context_, problem); },
            options.jobs),
        search_(examples_, options) {}

  Exploration run() {
    result_.variant = variant_.contract.name;
    result_.max_size = options_.max_size;
    result_.seed = options_.seed;
    const std::vector<Case> declared_cases =
        cases_of_declared(declared_, options_.seed, options_.max_size);
    (void)examples_.add(declared_cases);
    const SearchResult found = search_.run();
    result_.share = found.random_share;
    result_.correct = correctness_of(found);
    conditions_ = found.conditions;
    if (result_.is_found()) {
      report_conditions();
      report_exceptions();
      check_all_properties();
    }
    report_counterexamples();
    result_.declared = compare(declared_, examples_, conditions_, result_.is_found());
    if (result_.declared.too_weak) locate(*result_.declared.too_weak);
    result_.cases = static_cast<std::int64_t>(examples_.all().size());
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool is_smaller(const Example& one, const Example& other) const {
    return size_measure(one.problem) < size_measure(other.problem);
  }

  static Variant without_requires(Variant variant) {
    variant.contract.clear_declared_requires();
    variant.contract.is_launched.reset();  // cases outside the declared domain need no launch
    return variant;
  }

  [[nodiscard]] Correctness correctness_of(const SearchResult& found) const {
    const auto any = [&](Outcome outcome) {
      return std::any_of(examples_.all().begin(), examples_.all().end(),
                         [&](const Example& example) { return example.trial.outcome == outcome; });
    };
    if (any(Outcome::unsupported)) return Correctness::unsupported;
    if (!found.any_passed) return Correctness::never;
    if (!found.is_complete) return Correctness::unknown;
    if (found.conditions.empty()) return Correctness::always;
    return found.is_necessary ? Correctness::exactly : Correctness::sufficient;
  }

  void report_conditions() {
    for (std::size_t i = 0; i < conditions_.size(); ++i) {
      Conjunction others = conditions_;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      ConditionReport report;
      report.text = to_text(conditions_[i], examples_.quantities());
      std::set<std::string> classes;
      const Example* smallest = nullptr;
      for (const Example& example : examples_.all()) {
        const bool violates_only_this =
            holds(others, example.values) && !conditions_[i].holds(example.values);
        if (!violates_only_this) continue;
        report.passed += example.passed() && example.is_regular() ? 1 : 0;
        if (!example.failed()) continue;
        ++report.failed;
        classes.emplace(name(example.trial.finding->kind));
        if (smallest == nullptr || is_smaller(example, *smallest)) smallest = &example;
      }
      report.classes.assign(classes.begin(), classes.end());
      if (smallest != nullptr) report.smallest = located(*smallest);
      result_.conditions.push_back(std::move(report));
    }
    for (const Example& example : examples_.all()) {
      const bool is_inside = holds(conditions_, example.values);
      result_.inside += is_inside && (example.passed() || example.failed()) ? 1 : 0;
      if (!is_inside && example.passed() && example.is_regular() && !result_.passes_outside) {
        result_.passes_outside = example.problem;
      }
    }
  }

  /// Counts the passes outside the conditions by the value that makes the case degenerate.
  void report_exceptions() {
    for (std::size_t i = 0; i < examples_.quantities().size(); ++i) {
      for (const double value : {0.0, 1.0}) {
        Exception exception;
        for (const Example& example : examples_.all()) {
          if (example.values[i] != value || example.degenerate != std::uint64_t{1} << i) continue;
          if (holds(conditions_, example.values)) continue;
          exception.cases += example.passed() || example.failed() ? 1 : 0;
          exception.passed += example.passed() ? 1 : 0;
        }
        if (exception.passed == 0) continue;
        exception.text = fmt::format("{} == {}", examples_.quantities()[i].name, value);
        result_.exceptions.push_back(exception);
      }
    }
  }

  /// Checks all properties, with data of all kinds, inside the conditions.
  void check_all_properties() {
    Variant confirmed = variant_;  // properties do not leave its domain
    for (const Condition& condition : conditions_) {
      confirmed.contract.requires_.push_back(
          contract::Expression::parse(to_text(condition, examples_.quantities()), declared_.where));
    }
    const campaign::run::Context context{confirmed, context_.device, *program_,
                                         context_.before_launch};
    const std::vector<Case> cases = search_.inside(conditions_, kOfAllProperties, true);
    const campaign::PropertyRotation rotation({}, confirmed.contract);
    std::vector<campaign::CaseResult> results(cases.size());
    parallel_for(cases.size(), options_.jobs, [&](std::size_t i) {
      if (!can_be_laid_out(context, cases[i])) return;
      results[i] =
          campaign::run_case(context, rotation.laws(static_cast<std::int64_t>(i)), {cases[i], {}});
    });
    for (const auto& result : results) {
      for (const campaign::Failure& failure : result.failures) {
        add_remaining(context, failure);
      }
    }
  }

  void add_remaining(const campaign::run::Context& context, const campaign::Failure& failure) {
    const bool is_known =
        std::any_of(result_.remaining.begin(), result_.remaining.end(), [&](const auto& known) {
          return known.property == failure.property->name &&
                 known.finding.kind == failure.evidence.finding.kind;
        });
    if (is_known) return;
    const auto located = check_law(*failure.property, context, failure.problem, true);
    const auto& evidence = located.evidence.empty() ? failure.evidence : located.evidence.front();
    result_.remaining.push_back(report_of(context, *failure.property, failure.problem, evidence));
  }

  void report_counterexamples() {
    constexpr std::size_t kMost = 3;
    if (result_.is_found()) return;
    std::vector<const Example*> failing;
    for (const Example& example : examples_.all()) {
      if (example.trial.unsupported) {
        add(result_.unsupported, {*example.trial.unsupported, example.problem});
      }
      if (example.failed() && holds(conditions_, example.values)) failing.push_back(&example);
    }
    std::stable_sort(failing.begin(), failing.end(), [&](const Example* one, const Example* other) {
      return is_smaller(*one, *other);
    });
    for (const Example* example : failing) {
      if (result_.counterexamples.size() == kMost) break;
      result_.counterexamples.push_back(located(*example));
    }
    for (const Condition& condition : conditions_) {
      result_.conditions.push_back({to_text(condition, examples_.quantities()), 0, 0, {}, {}});
    }
  }

  FailingCase located(const Example& example) {
    FailingCase failing{example.problem, *example.trial.finding};
    locate(failing);
    return failing;
  }

  /// Runs the case again to find the source line of a wrong result.
  void locate(FailingCase& failing) {
    if (failing.finding.source.line != 0) return;
    const auto& property = properties::laws().front();
    const auto result = check_law(property, context_, failing.problem, true);
    if (!result.evidence.empty()) failing.finding = result.evidence.front().finding;
  }

  const contract::Contract& declared_;
  SearchOptions options_;
  Variant variant_;
  std::shared_ptr<const device::Program> program_;
  campaign::run::Context context_;
  Examples examples_;
  Search search_;
  Conjunction conditions_;
  Exploration result_;
};

}  // namespace

std::string_view name(Correctness correct) {
  switch (correct) {
    case Correctness::always:
      return "always";
    case Correctness::exactly:
      return "exactly";
    case Correctness::sufficient:
      return "sufficient";
    case Correctness::unknown:
      return "unknown";
    case Correctness::never:
      return "never";
    case Correctness::unsupported:
      return "unsupported";
  }
  return {};
}

std::vector<std::string> Exploration::requirements() const {
  std::vector<std::string> all;
  for (const ConditionReport& condition : conditions) all.push_back(condition.text);
  all.insert(all.end(), declared.unexamined.begin(), declared.unexamined.end());
  return all;
}

Exploration explore(const Variant& variant, device::Device& device, const SearchOptions& options,
                    const std::function<void(const Case&)>& before_launch) {
  const auto start = std::chrono::steady_clock::now();
  Exploration result = Explorer(variant, device, options, before_launch).run();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace warpcheck::workflows::explore
