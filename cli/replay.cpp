#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "cli/commands.hpp"
#include "cli/devices.hpp"
#include "cli/origins.hpp"
#include "cli/reports.hpp"
#include "cli/targets.hpp"
#include "properties/campaign.hpp"
#include "properties/layout.hpp"

namespace warpcheck::cli {
namespace {

using properties::Case;

struct LocatedCase {
  Case problem;
  Location where;
  std::string text;
};

/// One case line, or a file of them; empty lines and lines that open with '#' are skipped. Reports
/// the errors of all lines at once.
std::vector<LocatedCase> read_cases(const std::string& what) {
  std::error_code ignored;  // a case line may be too long for the name of a file
  if (!std::filesystem::is_regular_file(what, ignored)) {
    return {{properties::parse_case(what), Location{"case", 1, 1}, what}};
  }
  std::vector<LocatedCase> cases;
  std::vector<Diagnostic> errors;
  std::ifstream in(what);
  std::string line;
  for (unsigned number = 1; std::getline(in, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    try {
      cases.push_back(
          {properties::parse_case(line, what, number), Location{what, number, 1}, line});
    } catch (const InputError& error) {
      errors.insert(errors.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!errors.empty()) throw InputError(std::move(errors));
  if (cases.empty())
    throw InputError(Diagnostic{{what}, "found no case line, expected one or more", {}});
  return cases;
}

/// The variants that a case line may name: those of `--in`, or else the built-in ones, or else
/// those of the path from which a variant of that name was last checked.
std::vector<Target> candidates(const std::string& variant, const std::string& in) {
  if (!in.empty()) return resolve_targets(std::vector{in});
  std::vector<Target> targets = resolve_targets({});
  const auto has_name = [&](const Target& target) {
    return target.variant.contract.name == variant;
  };
  if (std::any_of(targets.begin(), targets.end(), has_name)) return targets;
  const auto origin = origin_of(variant);
  return origin ? resolve_targets(std::vector{origin->string()}) : std::vector<Target>();
}

Target find_variant(const LocatedCase& located, const std::string& in) {
  const std::string& variant = located.problem.variant;
  for (Target& target : candidates(variant, in)) {
    if (target.variant.contract.name == variant) return std::move(target);
  }
  throw InputError(Diagnostic{
      located.where,
      in.empty()
          ? fmt::format("no built-in variant is called {}, and none of that name was checked "
                        "here before; name its .cu file or folder with --in",
                        variant)
          : fmt::format("{} has no variant called {}", in, variant),
      {}});
}

/// What the kernel is not handed would be dropped, and another case replayed than was asked.
void require_no_ignored_field(const kernels::Contract& contract, const LocatedCase& located) {
  const std::string_view field = properties::ignored_field(contract, located.problem);
  if (field.empty()) return;
  Location where = located.where;
  const std::size_t at = located.text.find(fmt::format(" {}=", field));
  if (at != std::string::npos) where.column = static_cast<unsigned>(at + 2);
  throw InputError(Diagnostic{
      where, fmt::format("{} is given, but no argument of {} takes it", field, contract.name),
      located.text});
}

void explain(const properties::ReplayReport& replayed) {
  if (!replayed.launched) std::cout << "nothing was launched: m or n is 0\n";
  if (!replayed.outside.empty()) {
    std::cout << "outside the contract's domain, which requires " << replayed.outside << '\n';
  }
  if (replayed.report.findings.empty() && !replayed.printed.empty()) {
    std::cout << "the kernel printed:\n" << replayed.printed << '\n';
  }
}

}  // namespace

int run(const ReplayCommand& command) {
  const std::vector<LocatedCase> cases = read_cases(command.what);
  std::map<std::string, Target> found;  // by name: a file of many lines has few variants
  std::vector<Target> targets;
  for (const LocatedCase& located : cases) {
    const std::string& variant = located.problem.variant;
    if (!found.contains(variant)) found.emplace(variant, find_variant(located, command.in));
    targets.push_back(found.at(variant));
    require_no_ignored_field(targets.back().variant.contract, located);
  }
  const ChosenDevice chosen = choose_device(command.common, 1, host_threads(command.common.jobs));
  const auto reports = make_reports(command.common, targets);
  std::cout << chosen.sentence << '\n' << std::flush;

  properties::CampaignReport totals;
  bool launched = false;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const properties::ReplayReport replayed =
        properties::replay(targets[i].variant, cases[i].problem, *chosen.device, *reports,
                           command.common.strict_races);
    const properties::VariantReport& report = replayed.report;
    for (const properties::FindingReport& finding : report.findings) reports->found(finding);
    for (const properties::FindingReport& note : report.notes) reports->noted(note);
    explain(replayed);
    reports->finished(report);
    launched = launched || replayed.launched;
    totals.variants.push_back(report);
    totals.failed += report.verdict == properties::Verdict::finding;
    totals.mistrusted += report.verdict == properties::Verdict::mistrusted;
    totals.cases += report.cases;
    totals.seconds += report.seconds;
  }
  reports->summary(totals);
  if (!launched) throw InputError(Diagnostic{cases.front().where, "nothing was run", {}});
  return exit_status(totals);
}

}  // namespace warpcheck::cli
