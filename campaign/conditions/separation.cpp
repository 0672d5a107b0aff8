#include "campaign/conditions/separation.hpp"

#include <algorithm>
#include <utility>

#include "campaign/conditions/learner.hpp"
#include "campaign/conditions/quantity.hpp"

namespace warpcheck::campaign::conditions {
namespace {

// The fewest failing, and the fewest passing cases that support one condition, and two.
constexpr std::int64_t kLeastCases = 8;
constexpr std::int64_t kLeastCasesOfTwo = 20;

Example example_of(const SeenCase& seen, const std::vector<Quantity>& quantities) {
  Example example = example_of(seen.problem, quantities);
  example.trial.outcome = seen.failed ? Outcome::failed : Outcome::passed;
  return example;
}

std::vector<Quantity> quantities_of(const std::vector<SeenCase>& cases) {
  std::vector<Case> problems;
  for (const SeenCase& seen : cases) problems.push_back(seen.problem);
  return quantities_of_cases(problems);
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

/// Returns the text of conditions that hold in every passing case and in no failing one.
std::optional<std::string> holds_if_passing(const std::vector<Example>& examples,
                                            const std::vector<Quantity>& quantities,
                                            std::size_t most) {
  const Hypothesis hypothesis = infer(examples, quantities, {});
  const Conjunction& conditions = hypothesis.conditions;
  if (!hypothesis.unexplained.empty() || conditions.empty() || conditions.size() > most) {
    return std::nullopt;
  }
  const std::string text = to_text(conditions, quantities);
  if (separates(conditions, nullptr, examples)) return text;
  for (const Condition& exception : exceptions(quantities)) {
    if (separates(conditions, &exception, examples)) {
      return text + " or " + to_text(exception, quantities);
    }
  }
  return std::nullopt;
}

/// Returns "m % 8 != 0" if the multiples of 8, and no others, fail. The learner has no such
/// condition, but its contrary.
std::optional<std::string> differs_if_passing(std::vector<Example> examples,
                                              const std::vector<Quantity>& quantities) {
  for (Example& example : examples) {
    example.trial.outcome = example.passed() ? Outcome::failed : Outcome::passed;
  }
  const Conjunction conditions = infer(examples, quantities, {}).conditions;
  if (conditions.size() != 1 || conditions.front().kind != Condition::Kind::congruent ||
      !separates(conditions, nullptr, examples)) {
    return std::nullopt;
  }
  std::string text = to_text(conditions, quantities);
  return text.replace(text.find("=="), 2, "!=");
}

}  // namespace

std::optional<Separation> separating_condition(const std::vector<SeenCase>& cases,
                                               const Case& smallest) {
  const std::vector<Quantity> quantities = quantities_of(cases);
  std::vector<Example> examples;
  for (const SeenCase& seen : cases) examples.push_back(example_of(seen, quantities));
  examples.push_back(example_of(SeenCase{smallest, true}, quantities));
  const std::int64_t failing =
      std::count_if(cases.begin(), cases.end(), [](const SeenCase& seen) { return seen.failed; });
  const std::int64_t passing = std::ssize(cases) - failing;
  const std::int64_t fewest = std::min(failing, passing);
  if (fewest < kLeastCases) return std::nullopt;
  auto condition = holds_if_passing(examples, quantities, fewest < kLeastCasesOfTwo ? 1 : 2);
  if (!condition) condition = differs_if_passing(std::move(examples), quantities);
  if (!condition) return std::nullopt;
  return Separation{*condition, failing, passing};
}

}  // namespace warpcheck::campaign::conditions
