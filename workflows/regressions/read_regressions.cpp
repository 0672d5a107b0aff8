#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/diagnostic.hpp"
#include "campaign/case/domain.hpp"
#include "properties/law.hpp"
#include "workflows/regressions/regression_file.hpp"
#include "workflows/regressions/regressions.hpp"
#include "workflows/regressions/stale_files.hpp"
#include "workflows/targets/case_lines.hpp"

namespace warpcheck::workflows::regressions {
namespace {

using campaign::Regression;
using contract::Contract;
using properties::Law;
using targets::LocatedCase;
using targets::Target;

std::string place(const Location& where) { return fmt::format("{}:{}", where.file, where.line); }

[[noreturn]] void refuse(const LocatedCase& located, const std::string& message) {
  throw InputError(Diagnostic{located.where, message, located.text});
}

const properties::Law& property_of(const LocatedCase& located) {
  try {
    return properties::law(located.problem.property);
  } catch (const InputError& error) {
    refuse(located, error.diagnostics().front().message);
  }
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Checks one line against today's contract. Empty if the campaign does not run the case.
std::optional<Regression> regression_of(const LocatedCase& located, const Contract& contract,
                                        const std::vector<std::string>& properties,
                                        std::vector<Warning>& warnings) {
  if (located.problem.variant != contract.name) {
    refuse(located, fmt::format("found a case of {}, expected one of {}", located.problem.variant,
                                contract.name));
  }
  targets::require_no_ignored_field(contract, located);
  const properties::Law& property = property_of(located);
  if (!properties.empty() && !contains(properties, property.name)) return std::nullopt;
  const std::string where = place(located.where);
  if (!property.applies(contract)) {
    warnings.push_back(
        {where, fmt::format("not run: {} does not apply to {}", property.name, contract.name)});
    return std::nullopt;
  }
  const auto problem = properties::adapted(property, contract, located.problem);
  if (const auto broken = campaign::violated(contract, problem)) {
    warnings.push_back({where, fmt::format("not run: outside the domain of {}, which requires {}",
                                           contract.name, *broken)});
    return std::nullopt;
  }
  return Regression{problem, where};
}

}  // namespace

RegressionFiles read_regressions(std::span<const Target> targets, const std::string& folder,
                                 const std::vector<std::string>& properties) {
  RegressionFiles files;
  std::vector<Diagnostic> errors;
  const auto collect_errors = [&](const auto& read) {
    try {
      read();
    } catch (const InputError& error) {
      errors.insert(errors.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  };
  for (const Target& target : targets) {
    const Contract& contract = target.variant.contract;
    std::vector<LocatedCase> lines;
    collect_errors([&] { lines = targets::read_case_file(regression_file(target, folder)); });
    for (const LocatedCase& located : lines) {
      collect_errors([&] {
        const auto regression = regression_of(located, contract, properties, files.warnings);
        if (regression) files.regressions[contract.name].push_back(*regression);
      });
    }
  }
  if (!errors.empty()) throw InputError(std::move(errors));
  if (folder.empty()) {
    std::vector<Warning> stale = find_stale_files(targets);
    std::move(stale.begin(), stale.end(), std::back_inserter(files.warnings));
  }
  return files;
}

}  // namespace warpcheck::workflows::regressions
