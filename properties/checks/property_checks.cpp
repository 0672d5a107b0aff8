#include "properties/checks/property_checks.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "properties/checks/check_model.hpp"
#include "properties/checks/comparison.hpp"
#include "properties/checks/relations.hpp"

namespace warpcheck::properties::checks {
namespace {

using contract::Contract;

run::Problem ordinary(run::Runner& runner, const Case& line) {
  const Contract& contract = runner.variant().contract;
  return run::make_problem(runner.variant(), line, run::operands(contract, line),
                           run::usual_poison(line));
}

/// Runs the problem only for the findings of the device and the checks of its bytes.
PropertyResult accounts(run::Runner& runner, const run::Problem& problem) {
  run::Run run = runner.run(problem);
  PropertyResult result;
  result.evidence = std::move(run.evidence);
  result.printed = std::move(run.printed);
  result.launched = run.launched;
  return result;
}

}  // namespace

Case with_padding(const Contract& contract, Case problem) {
  return model_of<CheckModel>(contract).with_padding(contract, std::move(problem));
}

run::Problem poisoned(run::Runner& runner, const Case& line, run::Operands operands,
                      const run::Poison& poison) {
  return run::make_problem(runner.variant(), line, std::move(operands), poison);
}

namespace check {

PropertyResult matches_reference(run::Runner& runner, const Case& line) {
  return run_and_compare(runner, ordinary(runner, line));
}

PropertyResult writes_every_element(run::Runner& runner, const Case& line) {
  run::Poison nan;
  run::Poison large;
  large.output = run::kLargePoison;
  const run::Operands operands = run::operands(runner.variant().contract, line);
  const run::Problem first = poisoned(runner, line, operands, nan);
  return compare(runner, first, poisoned(runner, line, operands, large),
                 {FindingClass::wrong_result,
                  first.c_has_values() ? "small numbers in C" : "NaN in D beforehand",
                  "a large number in D beforehand",
                  {},
                  {}});
}

PropertyResult writes_only_its_matrix(run::Runner& runner, const Case& line) {
  // Two poisons are necessary: an element that the kernel writes as poison counts as unchanged.
  run::Poison poison = run::usual_poison(line);
  run::Operands operands = run::operands(runner.variant().contract, line);
  PropertyResult result = accounts(runner, poisoned(runner, line, operands, poison));
  if (!result.evidence.empty() || !result.launched) return result;
  poison.padding = run::kLargePoison;
  return accounts(runner, poisoned(runner, line, std::move(operands), poison));
}

PropertyResult reads_only_its_operands(run::Runner& runner, const Case& line) {
  const run::Poison nan = run::usual_poison(line);
  run::Poison large = nan;
  large.padding = run::kLargePoison;
  const run::Operands operands = run::operands(runner.variant().contract, line);
  return compare(runner, poisoned(runner, line, operands, nan),
                 poisoned(runner, line, operands, large),
                 {FindingClass::uninitialized_read,
                  "NaN between the lines of the matrices",
                  "a large number between them",
                  {},
                  {}});
}

PropertyResult leaves_inputs_alone(run::Runner& runner, const Case& line) {
  // Twice, as a change that needs a first one (a counter, a swap) shows only then. A workspace that
  // must hold zeros holds them once only.
  run::Problem problem = ordinary(runner, line);
  const auto& workspaces = runner.variant().contract.workspaces;
  if (std::none_of(workspaces.begin(), workspaces.end(),
                   [](const contract::Workspace& workspace) { return workspace.zeroed; })) {
    const std::vector<device::Launch> once = problem.job.launches;
    problem.job.launches.insert(problem.job.launches.end(), once.begin(), once.end());
  }
  return accounts(runner, problem);
}

PropertyResult same_bits_twice(run::Runner& runner, const Case& line) {
  run::Problem problem = ordinary(runner, line);
  const run::Run first = runner.run(problem);
  const std::uint64_t seed = problem.job.schedule_seed;
  PropertyResult result;
  for (const std::uint64_t other : {~seed, seed ^ kGoldenRatio, seed + 1}) {
    problem.job.schedule_seed = other;
    result = compare(runner, first, problem,
                     {FindingClass::nondeterministic,
                      "the first order",
                      "another order of blocks and warps",
                      {},
                      {}});
    if (!result.evidence.empty() || !result.launched) break;
  }
  return result;
}

PropertyResult second_call(run::Runner& runner, const Case& line) {
  Case other = line;
  other.seed = line.seed + 1;
  return run_and_compare(runner,
                         run::with_earlier_call(ordinary(runner, other), ordinary(runner, line)));
}

}  // namespace check
}  // namespace warpcheck::properties::checks
