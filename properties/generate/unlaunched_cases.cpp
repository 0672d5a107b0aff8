#include "properties/generate/unlaunched_cases.hpp"

#include <fmt/format.h>

#include "properties/generate/sampling/solver.hpp"

namespace warpcheck::properties::generate {

void require_launches(const contract::Contract& contract) {
  if (!contract.is_launched) return;
  const contract::Expression& launched = *contract.is_launched;
  contract::Contract others = contract;
  std::erase_if(others.requires_, [&](const contract::Expression& condition) {
    return condition.text() == launched.text();
  });
  others.requires_.push_back(contract::Expression::parse(
      fmt::format("m > 0 and n > 0 and not ({})", launched.text()), launched.where()));
  Case target;
  target.variant = contract.name;
  target.m = target.n = target.k = 1;
  const std::optional<Case> found = Solver(others).project(target);
  if (!found) return;
  throw InputError(Diagnostic{
      launched.where(),
      fmt::format("{}: no launch that writes the output applies to the case '{}': add a launch, or "
                  "exclude such cases in `requires`",
                  contract.name, to_line(*found)),
      {}});
}

}  // namespace warpcheck::properties::generate
