#include "campaign/generate/launch_cases.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>

#include "campaign/case/product.hpp"
#include "campaign/case/schema.hpp"

namespace warpcheck::campaign::generate {

void require_launches(const contract::Contract& contract) {
  if (!contract.is_launched) return;
  const contract::Expression& launched = *contract.is_launched;
  contract::Contract others = contract;
  std::erase_if(others.requires_, [&](const contract::Expression& condition) {
    return condition.text() == launched.text();
  });
  std::string condition;
  for (const CaseField& field : case_schema(contract).fields) {
    if (!field.is_output_extent()) continue;  // nothing may be launched for an empty output
    condition += fmt::format("{} > 0 and ", field.name);
  }
  others.requires_.push_back(contract::Expression::parse(
      fmt::format("{}not ({})", condition, launched.text()), launched.where()));
  Case least;
  least.variant = contract.name;
  const std::optional<Case> found = Solver(others).project(least);
  if (!found) return;
  throw InputError(Diagnostic{
      launched.where(),
      fmt::format("{}: no launch that writes the output applies to the case '{}': add a launch, or "
                  "exclude such cases in `requires`",
                  contract.name, to_line(*found)),
      {}});
}

LaunchCases::LaunchCases(const contract::Contract& contract) {
  for (const contract::LaunchStep& step : contract.launches) {
    if (!step.when) continue;
    contract::Contract narrowed = contract;
    narrowed.requires_.push_back(*step.when);
    auto domain = std::make_unique<Domain>(std::move(narrowed));
    Case target;
    target.variant = contract.name;
    if (domain->solver.project(target)) domains_.push_back(std::move(domain));
  }
}

std::optional<Case> LaunchCases::near(std::size_t index, const Case& target,
                                      const std::function<bool(const Case&)>& is_affordable) const {
  constexpr std::size_t kTurn = 3;  // one of three cases
  constexpr int kHalvings = 8;
  if (domains_.empty() || index % kTurn != 1) return std::nullopt;
  const Domain& domain = *domains_[index / kTurn % domains_.size()];
  if (domain.solver.admits(target)) return std::nullopt;
  Case goal = target;
  for (int i = 0; i < kHalvings; ++i) {
    reset_short_strides(domain.contract, goal);
    const std::optional<Case> found = domain.solver.project(goal);
    if (found && !launches_nothing(*found) && is_affordable(*found)) return found;
    for (const CaseField& field : domain.solver.schema().fields) {
      if (field.kind == CaseField::Kind::extent) field.set(goal, (field.get(goal) + 1) / 2);
    }
  }
  return std::nullopt;
}

}  // namespace warpcheck::campaign::generate
