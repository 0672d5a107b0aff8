#include "properties/vocabulary.hpp"

#include <cmath>
#include <utility>

#include "campaign/checks/other_layouts.hpp"

namespace warpcheck::properties {

namespace {

/// True if the products with sums of small integers are exact.
bool is_exact_factor(double factor) { return factor == std::round(2.0 * factor) / 2.0; }

}  // namespace

Case with_exact_sums(const Contract&, const Case& problem) {
  Case changed = problem;
  changed.data = Recipe::lattice;
  for (const campaign::LineField& field : line_fields(problem)) {
    const bool is_factor = field.kind == campaign::FieldKind::factor;
    if (is_factor && !is_exact_factor(problem.number(field.name))) {
      changed.set_value(field.name, 1.5);
    }
  }
  return changed;
}

Case repeatable(const Contract& contract, const Case& problem) {
  return contract.deterministic ? problem : with_exact_sums(contract, problem);
}

Case with_padding(const Contract& contract, const Case& problem) {
  return campaign::checks::with_padding(contract, repeatable(contract, problem));
}

Case wider_and_shifted(const Contract& contract, const Case& problem) {
  return campaign::checks::with_shifted_bases(contract,
                                              campaign::checks::with_padding(contract, problem));
}

Case without_beta(const Contract& contract, const Case& problem) {
  Case changed = repeatable(contract, problem);
  changed.set_value("beta", 0.0);
  return changed;
}

Case without_alpha(const Contract& contract, const Case& problem) {
  Case changed = repeatable(contract, problem);
  changed.set_value("alpha", 0.0);
  return changed;
}

Inputs::Inputs(run::Runner& runner, const Case& problem)
    : runner_(runner),
      problem_(problem),
      operands_(run::operands(runner.variant().contract, problem)) {}

run::Problem Inputs::with(const run::Poison& poison) const {
  return run::make_problem(runner_.variant(), problem_, operands_, poison);
}

run::Problem Inputs::with(run::Operands operands) const {
  return run::make_problem(runner_.variant(), problem_, std::move(operands), usual_poison());
}

run::Problem Inputs::in_layout(const Case& other) const {
  return run::make_problem(runner_.variant(), other, operands_, run::usual_poison(other));
}

CheckResult same_bits(run::Runner& runner, Run first, Run second, Relation relation) {
  relation.first = std::move(first.feature);
  relation.second = std::move(second.feature);
  return campaign::checks::compare(runner, first.problem, second.problem, relation);
}

CheckResult right_values(run::Runner& runner, run::Problem problem) {
  return campaign::checks::run_and_compare(runner, std::move(problem));
}

std::shared_ptr<const reference::ExpectedTensors> expected_outputs(const run::Runner& runner,
                                                                   const run::Problem& problem) {
  const reference::TensorProblem tensors = run::tensor_problem(problem);
  const run::ReferenceCache* const cache = runner.references();
  const auto known = cache == nullptr ? nullptr : cache->find(tensors);
  if (known) return {known, &known->outputs};
  return std::make_shared<const reference::ExpectedTensors>(reference::evaluate(tensors));
}

CheckResult sound_accesses(run::Runner& runner, const run::Problem& problem) {
  run::Run run = runner.run(problem);
  CheckResult result;
  result.evidence = std::move(run.evidence);
  result.printed = std::move(run.printed);
  result.launched = run.launched;
  return result;
}

}  // namespace warpcheck::properties
