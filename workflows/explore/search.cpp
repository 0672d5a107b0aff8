#include "workflows/explore/search.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/hash.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/case/schema.hpp"
#include "workflows/explore/sources.hpp"

namespace warpcheck::workflows::explore {
namespace {

using campaign::Case;
using Kind = Condition::Kind;

constexpr std::size_t kRandomCases = 120;  // random cases of all shapes
constexpr std::size_t kSmallCases = 2000;  // most small cases that are tried until one passes
constexpr std::size_t kSmallCasesAtOnce = 250;
constexpr int kRounds = 40;
constexpr int kQuietRounds = 2;            // rounds without a contradiction that end the search
constexpr std::size_t kViolations = 4;     // cases per condition and round
constexpr std::size_t kAlternatives = 32;  // cases per round
constexpr std::size_t kInside = 12;        // random cases per round
constexpr std::size_t kConfirmInside = 48;
constexpr std::size_t kConfirmViolations = 12;  // cases per condition
constexpr int kTries = 2;                       // queries about each alternative condition
constexpr int kAttempts = 6;                    // starting points for one case

/// The data of cases that decide: every partial sum is exact, and no element is zero. Factors are
/// whole: expressions of a contract have no value otherwise.
Case with_exact_data(const campaign::CaseSchema& schema, Case problem) {
  problem.data = campaign::Recipe::lattice;
  for (const std::size_t factor : schema.fields_of_kind(campaign::CaseField::Kind::factor)) {
    const campaign::CaseField& field = schema.fields[factor];
    const double value = field.number(problem);
    if (value != std::trunc(value)) field.set_number(problem, 2.0);
  }
  problem.property.clear();
  return problem;
}

double half_of(const Case& problem, const Quantity& quantity) {
  return std::floor(campaign::conditions::value_of(problem, quantity) / 2.0);
}

Conjunction without(const Conjunction& conditions, std::size_t removed) {
  Conjunction rest = conditions;
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(removed));
  return rest;
}

}  // namespace

Search::Search(Examples& examples, const SearchOptions& options)
    : examples_(examples),
      options_(options),
      schema_(campaign::case_schema(examples.contract())),
      random_(mixed(options.seed, std::uint64_t{1})),
      repair_(examples.contract(), examples.quantities(), options.max_size, random_),
      generator_(examples.contract(), {options.seed, false, options.max_size}) {}

double Search::work(const Case& problem) const {
  const auto work = schema_.work.evaluate(campaign::bindings(examples_.contract(), problem));
  return work ? static_cast<double>(*work) : HUGE_VAL;
}

SearchResult Search::run() {
  SearchResult result;
  std::vector<Case> random;
  while (random.size() < kRandomCases)
    random.push_back(with_exact_data(schema_, generator_.draw(generated_++).problem));
  double passed = 0.0;
  double decided = 0.0;
  for (const std::size_t i : examples_.add(random)) {
    passed += examples_[i].passed() ? 1.0 : 0.0;
    decided += examples_[i].passed() || examples_[i].failed() ? 1.0 : 0.0;
  }
  result.random_share = decided == 0.0 ? 0.0 : passed / decided;
  (void)examples_.add(friendly_cases(examples_.contract(), schema_));
  const auto any = [&](bool (*passes)(const Example&)) {
    return std::any_of(examples_.all().begin(), examples_.all().end(), passes);
  };
  const auto is_regular_pass = [](const Example& example) {
    return example.passed() && example.is_regular();
  };
  for (std::size_t i = 0; i < kSmallCases && !any(is_regular_pass); i += kSmallCasesAtOnce) {
    (void)examples_.add(small_cases(examples_.contract(), schema_, random_, kSmallCasesAtOnce));
  }
  result.any_passed = any([](const Example& example) { return example.passed(); });
  if (!result.any_passed) return result;
  examples_.accept_common_degeneracy();
  vary_passing_cases();

  constexpr std::size_t kMostAssumptions = 3;
  Conjunction assumed;
  refine(assumed);
  Hypothesis hypothesis = infer(examples_.all(), examples_.quantities(), assumed);
  while (!hypothesis.unexplained.empty() && assumed.size() < kMostAssumptions) {
    const auto assumption = best_assumption(examples_.all(), examples_.quantities(), hypothesis);
    if (!assumption) break;
    assumed.push_back(*assumption);
    refine(assumed);
    hypothesis = infer(examples_.all(), examples_.quantities(), assumed);
  }
  result.is_complete = hypothesis.unexplained.empty();
  result.conditions = without_redundant(
      with_attained_limits(hypothesis.conditions, examples_.all()), examples_.all());
  result.is_necessary =
      std::none_of(examples_.all().begin(), examples_.all().end(), [&](const Example& example) {
        return example.passed() && example.is_regular() &&
               !holds(result.conditions, example.values);
      });
  return result;
}

/// Varies the smallest passing case. If an extent passes with hardly any value, tries all small
/// ones.
void Search::vary_passing_cases() {
  constexpr std::size_t kFewValues = 2;
  const std::optional<Case> first = anchor();
  if (!first) return;
  const Case passing = reduced(*first);
  (void)examples_.add(
      variations(examples_.contract(), passing, examples_.quantities(), options_.max_size));
  for (std::size_t i = 0; i < examples_.quantities().size(); ++i) {
    if (examples_.quantities()[i].kind != Quantity::Kind::extent) continue;
    std::set<double> values;
    for (const Example& example : examples_.all()) {
      if (example.passed()) values.insert(example.values[i]);
    }
    if (values.size() > kFewValues) continue;
    (void)examples_.add(dense_variations(examples_.contract(), passing, examples_.quantities()[i],
                                         options_.max_size));
  }
}

/// Returns the passing case with the least work, if possible one that is not degenerate.
std::optional<Case> Search::anchor() {
  const Example* best = nullptr;
  const auto rank = [&](const Example& example) {
    return std::pair(!example.is_regular(), work(example.problem));
  };
  for (std::size_t i = 0; i < examples_.all().size(); ++i) {
    const Example& example = examples_[i];
    if (!example.passed() || (best != nullptr && rank(*best) <= rank(example))) continue;
    examples_.confirm_pass(i);
    if (examples_[i].passed()) best = &examples_[i];
  }
  if (best == nullptr) return std::nullopt;
  return with_exact_data(schema_, best->problem);
}

/// Halves extents and removes paddings and offsets as long as the case passes and stays regular.
Case Search::reduced(Case passing) {
  const auto passes = [&](const Case& candidate) {
    const Example& example = examples_[examples_.add({candidate}).front()];
    return example.passed() && example.is_regular();
  };
  for (const Quantity& quantity : examples_.quantities()) {
    if (quantity.kind == Quantity::Kind::extent) {
      for (double half = half_of(passing, quantity); half >= 2.0; half = std::floor(half / 2.0)) {
        Case smaller = passing;
        set_value(smaller, quantity, half);
        if (!passes(smaller)) break;
        passing = smaller;
      }
    } else if (quantity.is_integer() && quantity.kind != Quantity::Kind::batch) {
      Case simpler = passing;
      set_value(simpler, quantity, 0.0);
      if (simpler != passing && passes(simpler)) passing = simpler;
    }
  }
  return passing;
}

/// Learns, and runs cases that could contradict the result, until none does.
void Search::refine(const Conjunction& assumed) {
  tried_.clear();
  int quiet = 0;
  for (int round = 0; round < kRounds && quiet < kQuietRounds; ++round) {
    const Hypothesis hypothesis = infer(examples_.all(), examples_.quantities(), assumed);
    std::vector<Case> cases = queries(hypothesis);
    const bool has_open_limit = query_limits(hypothesis.conditions, cases);
    const std::vector<std::size_t> places = examples_.add(cases);
    const bool is_contradicted = contradicted(hypothesis.conditions, assumed, places);
    quiet = is_contradicted || has_open_limit ? 0 : quiet + 1;
    const bool is_last = quiet == kQuietRounds;
    if (is_last && is_contradicted_by_new_cases(hypothesis, assumed)) quiet = 0;
  }
}

/// Confirms the hypothesis with more cases on both sides of each condition.
bool Search::is_contradicted_by_new_cases(const Hypothesis& hypothesis,
                                          const Conjunction& assumed) {
  std::vector<Case> cases = inside(hypothesis.conditions, kConfirmInside);
  for (std::size_t i = 0; i < hypothesis.conditions.size(); ++i) {
    for (Case& violation : violations(hypothesis.conditions, i, kConfirmViolations)) {
      cases.push_back(std::move(violation));
    }
  }
  return contradicted(hypothesis.conditions, assumed, examples_.add(cases));
}

bool Search::contradicted(const Conjunction& conditions, const Conjunction& assumed,
                          const std::vector<std::size_t>& places) {
  bool any = false;
  for (const std::size_t i : places) {
    const bool is_inside = holds(conditions, examples_[i].values);
    if (!is_inside) examples_.confirm_pass(i);
    const Example& example = examples_[i];
    const bool eliminated =
        holds(assumed, example.values) &&
        std::any_of(conditions.begin(), conditions.end(),
                    [&](const Condition& condition) { return eliminates(example, condition); });
    any = any || (is_inside && example.failed()) || eliminated;
  }
  return any;
}

std::vector<Case> Search::queries(const Hypothesis& hypothesis) {
  std::vector<Case> cases;
  for (std::size_t i = 0; i < hypothesis.conditions.size(); ++i) {
    for (Case& violation : violations(hypothesis.conditions, i, kViolations)) {
      cases.push_back(std::move(violation));
    }
  }
  query_alternatives(hypothesis, cases);
  for (Case& problem : inside(hypothesis.conditions, kInside)) cases.push_back(std::move(problem));
  return cases;
}

/// Bisects between the last passing value and the first failing one of each comparison. Returns
/// true if it added a case.
bool Search::query_limits(const Conjunction& conditions, std::vector<Case>& cases) {
  const Conjunction attained = with_attained_limits(conditions, examples_.all());
  const std::size_t before = cases.size();
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const auto [inner, outer] = std::minmax(attained[i].constant, conditions[i].constant);
    if (inner == outer) continue;
    const Quantity& quantity = examples_.quantities()[conditions[i].x];
    for (const double value : {std::floor((inner + outer) / 2.0), conditions[i].constant}) {
      for (int attempt = 0; attempt < kAttempts; ++attempt) {
        Case near = smallest_pass();
        set_value(near, quantity, value);
        const auto problem = new_case(near, conditions, kMostLimitWork);
        if (!problem) continue;
        const double reached = value_of(examples_.contract(), *problem, quantity);
        if (reached < inner || reached > outer || reached == attained[i].constant) continue;
        cases.push_back(*problem);
        break;
      }
    }
  }
  return cases.size() != before;
}

/// Adds cases inside the hypothesis that an alternative condition would exclude.
void Search::query_alternatives(const Hypothesis& hypothesis, std::vector<Case>& cases) {
  Conjunction alternatives = hypothesis.possible;
  std::stable_sort(alternatives.begin(), alternatives.end(),
                   [&](const Condition& one, const Condition& other) {
                     return cost(one, examples_.quantities()) < cost(other, examples_.quantities());
                   });
  std::size_t added = 0;
  for (const Condition& alternative : alternatives) {
    if (added == kAlternatives) return;
    int& tries = tried_[to_text(alternative, examples_.quantities())];
    if (tries == kTries) continue;
    for (const Condition& negation : negations(alternative, examples_.quantities())) {
      Conjunction wanted = hypothesis.conditions;
      wanted.push_back(negation);
      const std::optional<Case> problem = new_case(base(), wanted);
      if (!problem) continue;
      cases.push_back(*problem);
      ++added;
      break;
    }
    ++tries;
  }
}

/// Returns the regular passing case with the least work, or a random case.
Case Search::smallest_pass() {
  const Example* best = nullptr;
  for (const Example& example : examples_.all()) {
    if (!example.passed() || !example.is_regular()) continue;
    if (best == nullptr || work(example.problem) < work(best->problem)) best = &example;
  }
  return best == nullptr ? base() : with_exact_data(schema_, best->problem);
}

/// Returns a passing case or a random one.
Case Search::base() {
  const std::size_t start = random_.below(examples_.all().size());
  if (random_.below(3) != 0) {
    for (std::size_t i = 0; i < examples_.all().size(); ++i) {
      const Example& example = examples_[(start + i) % examples_.all().size()];
      if (example.passed() && example.is_regular())
        return with_exact_data(schema_, example.problem);
    }
  }
  return with_exact_data(schema_, generator_.draw(generated_++).problem);
}

/// Returns a case that was not run before; it may have been chosen in this round.
std::optional<Case> Search::new_case(const Case& near, const Conjunction& conditions,
                                     double most_work) {
  std::optional<Case> problem = repair_.satisfy(near, conditions);
  if (!problem || examples_.contains(*problem) || work(*problem) > most_work) return std::nullopt;
  return problem;
}

std::vector<Case> Search::violations(const Conjunction& conditions, std::size_t violated,
                                     std::size_t count) {
  std::vector<Case> cases;
  Conjunction wanted = without(conditions, violated);
  wanted.emplace_back();
  const std::vector<Condition> all = negations(conditions[violated], examples_.quantities());
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    for (const Condition& negation : all) {
      if (cases.size() == count) return cases;
      wanted.back() = negation;
      Case near = base();
      std::optional<Case> problem = new_case(near, wanted);
      if (problem && std::find(cases.begin(), cases.end(), *problem) == cases.end()) {
        cases.push_back(std::move(*problem));
      }
    }
  }
  return cases;
}

std::vector<Case> Search::inside(const Conjunction& conditions, std::size_t count, bool any_data) {
  std::vector<Case> cases;
  for (std::size_t attempt = 0; attempt < 3 * count && cases.size() < count; ++attempt) {
    Case near = generator_.draw(generated_++).problem;
    if (!any_data) near = with_exact_data(schema_, std::move(near));
    if (auto problem = new_case(near, conditions)) cases.push_back(std::move(*problem));
  }
  return cases;
}

}  // namespace warpcheck::workflows::explore
