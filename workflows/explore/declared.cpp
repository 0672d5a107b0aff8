#include "workflows/explore/declared.hpp"

#include <span>

#include "base/diagnostic.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/generate/cases.hpp"

namespace warpcheck::workflows::explore {
namespace {

using campaign::Case;

constexpr std::int64_t kCases = 40;
constexpr int kEnoughPasses = 3;

bool holds(const contract::Expression& expression, const contract::Contract& contract,
           const Case& problem) {
  return expression.evaluate(campaign::bindings(contract, problem)).value_or(0) != 0;
}

}  // namespace

std::vector<Case> cases_of_declared(const contract::Contract& declared, std::uint64_t seed,
                                    std::int64_t max_size) {
  std::vector<Case> cases;
  if (declared.requires_.empty()) return cases;
  try {
    const campaign::generate::CaseGenerator generator(declared, {seed, false, max_size});
    for (std::int64_t i = 0; i < kCases; ++i) {
      Case problem = generator.draw(i).problem;
      problem.data = campaign::Recipe::lattice;
      cases.push_back(std::move(problem));
    }
  } catch (const InputError&) {
    cases.clear();  // `check` reports an empty domain; explore infers the domain without it
  }
  return cases;
}

DeclaredDomain compare(const contract::Contract& declared, const Examples& examples,
                       const Conjunction& conditions, bool is_found) {
  DeclaredDomain domain;
  std::vector<contract::Expression> expressions;
  const std::size_t count = declared.requires_.size() - declared.implied;
  for (const contract::Expression& requirement : std::span(declared.requires_).first(count)) {
    for (const contract::Expression& conjunct : requirement.conjuncts()) {
      expressions.push_back(conjunct);
    }
  }
  for (const contract::Expression& expression : expressions) {
    int violated = 0;
    int passed_inside = 0;
    for (const Example& example : examples.all()) {
      if (holds(expression, declared, example.problem)) continue;
      ++violated;
      passed_inside +=
          example.passed() && campaign::conditions::holds(conditions, example.values) ? 1 : 0;
    }
    domain.conditions.push_back(expression.text());
    if (violated == 0) domain.unexamined.push_back(expression.text());
    if (is_found && passed_inside >= kEnoughPasses) domain.needless.push_back(expression.text());
  }
  const Example* smallest = nullptr;
  for (const Example& example : examples.all()) {
    if (!example.failed() || campaign::violated(declared, example.problem)) continue;
    if (smallest == nullptr || size_measure(example.problem) < size_measure(smallest->problem)) {
      smallest = &example;
    }
  }
  if (smallest != nullptr)
    domain.too_weak = FailingCase{smallest->problem, *smallest->trial.finding};
  return domain;
}

}  // namespace warpcheck::workflows::explore
