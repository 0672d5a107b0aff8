#include "cli/commands/bisect_step.hpp"

#include <fmt/format.h>

#include <string_view>

#include "base/diagnostic.hpp"
#include "base/parallel_for.hpp"
#include "cli/commands/crash.hpp"
#include "cli/commands/devices.hpp"
#include "report/path.hpp"

namespace warpcheck::cli {
namespace {

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

std::string place_of(const properties::campaign::FindingReport& report) {
  const SourcePlace& source = report.finding.source;
  if (source.line == 0) return "";
  return fmt::format(" at {}:{}", report::shown_path(source.file), source.line);
}

Step asked(const Common& common, const std::vector<LocatedCase>& cases,
           const std::vector<Target>& targets) {
  const ChosenDevice chosen = choose_device(common, 1, job_count(common.jobs));
  CasesInFlight in_flight;
  Step step;
  bool launched = false;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    properties::campaign::ReplayReport replayed = properties::campaign::replay(
        targets[i].variant, cases[i].problem, *chosen.device, in_flight, common.strict_races);
    if (!replayed.outside.empty()) {
      return {kSkip, fmt::format("outside the domain, which requires {}", replayed.outside), {}};
    }
    launched = launched || replayed.launched;
    for (properties::campaign::FindingReport& finding : replayed.report.findings) {
      step.findings.push_back(std::move(finding));
    }
  }
  if (!launched) return {kSkip, "nothing is launched: m or n is 0", {}};
  step.verdict = step.findings.empty() ? kGood : kBad;
  if (!step.findings.empty()) {
    step.reason =
        std::string(name(step.findings.front().finding.kind)) + place_of(step.findings.front());
  }
  return step;
}

}  // namespace

Step ask_here(const Common& common, const std::vector<LocatedCase>& cases, const std::string& in) {
  try {
    return asked(common, cases, targets_of(cases, in));
  } catch (const InputError& error) {
    return {kSkip, first_line(error.diagnostics().front().message), {}};
  }
}

}  // namespace warpcheck::cli
