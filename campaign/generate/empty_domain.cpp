#include "campaign/generate/empty_domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "campaign/case/domain.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;

/// Throws InputError for an extent without a value in a case of ordinary sizes.
void require_defined_extents(const Contract& contract) {
  Case ordinary;
  case_schema(contract).set_extents(ordinary, 64);
  const contract::Bindings names = bindings(contract, ordinary);
  for (const contract::LaunchStep& step : contract.launches) {
    for (const auto* extents : {&step.grid, &step.block}) {
      for (const contract::Expression& extent : *extents) {
        const auto undefined = extent.undefined_part(names);
        if (!undefined) continue;
        throw InputError(
            Diagnostic{undefined->where,
                       fmt::format("'{}' {} in every case", undefined->text, undefined->reason),
                       {}});
      }
    }
  }
}

std::string conjunction(const std::vector<contract::Expression>& expressions) {
  std::vector<std::string> texts;
  std::transform(expressions.begin(), expressions.end(), std::back_inserter(texts),
                 [](const contract::Expression& expression) { return expression.text(); });
  return fmt::to_string(fmt::join(texts, " and "));
}

}  // namespace

void throw_empty_domain(const Contract& contract, const std::optional<Conflict>& conflict) {
  if (conflict && conflict->conjuncts.empty()) {
    throw InputError(Diagnostic{contract.launches.front().grid.front().where(),
                                fmt::format("{}: no case can be generated, because {}",
                                            contract.name, fmt::join(conflict->rules, " and ")),
                                {}});
  }
  if (!conflict) {
    require_defined_extents(contract);
    throw InputError(Diagnostic{contract.where,
                                fmt::format("{}: found no case that satisfies `requires`: {}",
                                            contract.name, conjunction(contract.requires_)),
                                {}});
  }
  std::string message =
      fmt::format("{}: no case satisfies {}", contract.name, conjunction(conflict->conjuncts));
  if (!conflict->rules.empty()) {
    message += fmt::format(", because {}", fmt::join(conflict->rules, " and "));
  }
  throw InputError(Diagnostic{conflict->conjuncts.front().where(), std::move(message), {}});
}

}  // namespace warpcheck::campaign::generate
