#include "properties/conditions/separation.hpp"

#include <algorithm>

#include "properties/conditions/learner.hpp"

namespace warpcheck::properties::conditions {
namespace {

// The fewest failing, and the fewest passing cases that support one condition, and two.
constexpr std::int64_t kLeastCases = 8;
constexpr std::int64_t kLeastCasesOfTwo = 20;

Example example_of(const SeenCase& seen, const std::vector<Quantity>& quantities) {
  Example example = example_of(seen.problem, quantities);
  example.trial.outcome = seen.failed ? Outcome::failed : Outcome::passed;
  return example;
}

/// The conditions under which a kernel may have nothing to compute, so that it passes.
std::vector<Condition> exceptions(const std::vector<Quantity>& quantities) {
  std::vector<Condition> all;
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    const bool is_extent = quantities[i].kind == Quantity::Kind::extent;
    if (!is_extent && quantities[i].name != "alpha") continue;
    Condition condition;
    condition.x = i;
    all.push_back(condition);  // == 0
    condition.constant = 1.0;
    if (is_extent) all.push_back(condition);
  }
  return all;
}

/// True if the conditions, or the exception, hold in every passing case and in no failing one.
bool separates(const Conjunction& conditions, const Condition* exception,
               const std::vector<Example>& examples) {
  return std::all_of(examples.begin(), examples.end(), [&](const Example& example) {
    const bool is_exception = exception != nullptr && exception->holds(example.values);
    return (holds(conditions, example.values) || is_exception) == example.passed();
  });
}

}  // namespace

std::optional<Separation> separating_condition(const std::vector<SeenCase>& cases) {
  const std::vector<Quantity> quantities = case_quantities();
  std::vector<Example> examples;
  for (const SeenCase& seen : cases) examples.push_back(example_of(seen, quantities));
  Separation found;
  found.failing = std::count_if(cases.begin(), cases.end(),
                                [](const SeenCase& seen) { return seen.failed; });
  found.passing = std::ssize(cases) - found.failing;
  const std::int64_t fewest = std::min(found.failing, found.passing);
  if (fewest < kLeastCases) return std::nullopt;
  const Hypothesis hypothesis = infer(examples, quantities, {});
  const std::size_t most = fewest < kLeastCasesOfTwo ? 1 : 2;
  if (!hypothesis.unexplained.empty() || hypothesis.conditions.empty() ||
      hypothesis.conditions.size() > most) {
    return std::nullopt;
  }
  found.condition = to_text(hypothesis.conditions, quantities);
  if (separates(hypothesis.conditions, nullptr, examples)) return found;
  for (const Condition& exception : exceptions(quantities)) {
    if (!separates(hypothesis.conditions, &exception, examples)) continue;
    found.condition += " or " + to_text(exception, quantities);
    return found;
  }
  return std::nullopt;
}

}  // namespace warpcheck::properties::conditions
