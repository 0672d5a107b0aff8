#include <fmt/format.h>
#include <unistd.h>

#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/crash.hpp"
#include "cli/commands/devices.hpp"
#include "cli/commands/diff_operands.hpp"
#include "cli/commands/json_output.hpp"
#include "cli/commands/reports.hpp"
#include "cli/options/exit_status.hpp"
#include "report/console/failure_block.hpp"
#include "report/difference.hpp"
#include "workflows/diff/difference.hpp"
#include "workflows/diff/speed.hpp"

namespace warpcheck::cli {
namespace {

using properties::Case;
using properties::campaign::FindingReport;

/// One argument and two revisions, one argument and one (the other is the file as it lies here), or
/// two arguments.
std::pair<Side, Side> sides_of(const DiffCommand& command, DiffOperands& sides) {
  const std::vector<std::string>& revisions = command.revisions;
  if (command.what.size() + revisions.size() < 2 || command.what.size() > 2 ||
      (command.what.size() == 2 && !revisions.empty()) || revisions.size() > 2) {
    throw InputError(
        Diagnostic{{}, "expected OLD and NEW, or one file with one --rev or two of them", {}});
  }
  const std::string& first = command.what.front();
  if (revisions.empty()) {
    Side before = sides.resolve(first);
    return {std::move(before), sides.resolve(command.what.back())};
  }
  Side before = sides.at_revision(revisions.front(), first);
  return {std::move(before), revisions.size() == 2 ? sides.at_revision(revisions.back(), first)
                                                   : sides.resolve(first)};
}

void tell(const DiffCommand& command, const Side& side, const Target& target,
          const std::vector<FindingReport>& findings, const report::Paint& paint,
          std::ostream& out) {
  for (const FindingReport& finding : findings) {
    const std::string replay = side.revision.empty()
                                   ? replay_command(command.common, target.path, finding.smallest)
                                   : std::string();
    out << '\n' << report::failure_block(finding, replay, paint);
  }
}

std::optional<workflows::diff::Speed> speed_of(const DiffCommand& command, const Target& before,
                                               const Target& after, device::Device& device) {
  if (device.name() != "cuda") return std::nullopt;
  Case wish;
  wish.m = command.size.m;
  wish.n = command.size.n;
  wish.k = command.size.k;
  wish.data = properties::Recipe::normal;
  return workflows::diff::measure_speed(before.variant, after.variant, device, wish, command.runs);
}

bool is_worse(const workflows::diff::DifferenceReport& report, bool bits) {
  return report.after.failed != 0 || report.drift || (bits && report.differing != 0);
}

}  // namespace

int run(const DiffCommand& command) {
  DiffOperands sides;
  const auto [before, after] = sides_of(command, sides);
  const auto compared = pairs(before, after);
  const ChosenDevice chosen = choose_device(command.common, host_threads(command.common.jobs), 1);
  JsonOutput json(command.common.json);
  std::ostream& out = json.console();
  workflows::diff::DifferenceOptions options;
  options.cases = command.cases;
  options.seed = command.seed;
  options.jobs = command.common.jobs;
  options.strict_races = command.common.strict_races;
  options.before_launch = [&](const Case& problem) {
    CasesInFlight().launching(problem);
    if (command.common.verbose) out << to_line(problem) + "\n" << std::flush;
  };
  const report::Paint paint(on_a_colour_terminal(command.common));
  out << chosen.sentence << '\n' << std::flush;
  bool worse = false;
  for (const auto& [one, other] : compared) {
    report::Difference difference{
        before.label, after.label,
        workflows::diff::compare_variants(one.variant, other.variant, *chosen.device, options),
        speed_of(command, one, other, *chosen.device)};
    workflows::diff::DifferenceReport& report = difference.report;
    for (FindingReport& finding : report.before.findings) {
      name_by_revision(finding, before.worktree, before.revision);
    }
    for (FindingReport& finding : report.after.findings) {
      name_by_revision(finding, after.worktree, after.revision);
    }
    worse = worse || is_worse(report, command.bits);
    out << '\n' << report::text(difference, paint);
    tell(command, before, one, report.before.findings, paint, out);
    tell(command, after, other, report.after.findings, paint, out);
    out << std::flush;
    json.write(report::json(difference) + "\n");
  }
  return worse ? kFindings : kPassed;
}

}  // namespace warpcheck::cli
