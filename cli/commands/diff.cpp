#include <fmt/format.h>

#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/parallel_for.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/crash.hpp"
#include "cli/commands/devices.hpp"
#include "cli/commands/progress.hpp"
#include "cli/commands/reports.hpp"
#include "cli/options/exit_status.hpp"
#include "device/interruptible_device.hpp"
#include "report/console/difference_text.hpp"
#include "report/failure_block.hpp"
#include "report/finding/message.hpp"
#include "report/json/difference_json.hpp"
#include "report/unsupported_text.hpp"
#include "workflows/diff/difference.hpp"
#include "workflows/diff/operands.hpp"
#include "workflows/diff/speed.hpp"
#include "workflows/repository/revision_names.hpp"

namespace warpcheck::cli {
namespace {

using campaign::Case;
using campaign::FindingReport;
using workflows::diff::DifferenceOptions;
using workflows::diff::DifferenceReport;
using workflows::diff::Operand;
using workflows::diff::SideReport;
using workflows::targets::Target;

DifferenceOptions difference_options(const DiffCommand& command, std::ostream& out) {
  DifferenceOptions options;
  static_cast<campaign::RunOptions&>(options) = command.common.campaign;
  options.cases = command.common.campaign.cases;
  options.before_launch = [verbose = command.common.verbose, &out](const Case& problem) {
    CasesInFlight().launching(problem);
    if (verbose) out << to_line(problem) + "\n" << std::flush;
  };
  return options;
}

std::optional<workflows::diff::Speed> measure_speed(const DiffCommand& command,
                                                    const Target& before, const Target& after,
                                                    device::Device& device) {
  if (device.name() != "cuda") return std::nullopt;
  const std::vector<campaign::NamedValue> sizes = {{"m", static_cast<double>(command.size.m)},
                                                   {"n", static_cast<double>(command.size.n)},
                                                   {"k", static_cast<double>(command.size.k)}};
  return workflows::diff::measure_speed(before.variant, after.variant, device, sizes, command.runs,
                                        report::message_text);
}

void name_files_by_revision(const Operand& operand, SideReport& side) {
  for (FindingReport& finding : side.findings) {
    workflows::repository::name_by_revision(finding, operand.worktree, operand.revision);
  }
}

void print_findings(const DiffCommand& command, const Operand& operand, const Target& target,
                    const SideReport& side, std::string_view device, const report::Paint& paint,
                    std::ostream& out) {
  for (const FindingReport& finding : side.findings) {
    const std::string replay = operand.revision.empty()
                                   ? replay_command(command.common, target.path, finding.smallest)
                                   : std::string();
    out << '\n' << report::failure_block(finding, replay, paint);
  }
  for (const campaign::UnsupportedForm& form : side.unsupported) {
    const std::string replay = operand.revision.empty()
                                   ? replay_command(command.common, target.path, form.problem)
                                   : std::string();
    out << '\n' << report::unsupported_block(side.variant, device, form, replay, paint);
  }
}

bool is_worse(const DifferenceReport& report, bool bits) {
  return report.after.failed != 0 || report.drift || (bits && report.differing != 0);
}

int diff_operands(const DiffCommand& command, JsonOutput& json, std::string& done) {
  workflows::diff::DiffOperands operands;
  const auto [before, after] = operands.resolve_both(command.operands, command.revisions);
  const auto pairs = pair_variants(before, after);
  const ChosenDevice chosen =
      choose_device(command.common, job_count(command.common.campaign.jobs), 1);
  device::InterruptibleDevice device(*chosen.device);
  std::size_t compared = 0;
  std::vector<Target> targets;
  for (const auto& [old_target, new_target] : pairs) {
    targets.insert(targets.end(), {old_target, new_target});
  }
  json.start({.command = command.common.command_line,
              .seed = command.common.campaign.seed,
              .device = named(device)},
             targets);
  std::ostream& out = json.console();
  const DifferenceOptions options = difference_options(command, out);
  const report::Paint paint(on_a_color_terminal(command.common));
  out << chosen.sentence << '\n' << std::flush;
  int status = kPassed;
  for (const auto& [old_target, new_target] : pairs) {
    done = fmt::format("{} of {} pairs of variants were compared", compared++, pairs.size());
    report::Difference difference{
        before.label, after.label,
        workflows::diff::compare_variants(old_target.variant, new_target.variant, device, options),
        measure_speed(command, old_target, new_target, device)};
    DifferenceReport& report = difference.report;
    name_files_by_revision(before, report.before);
    name_files_by_revision(after, report.after);
    if (is_worse(report, command.bits)) status = worse_status(status, kFindings);
    if (!report.before.unsupported.empty() || !report.after.unsupported.empty()) {
      status = worse_status(status, kEnvironment);
    }
    out << '\n' << report::difference_text(difference, paint);
    print_findings(command, before, old_target, report.before, report.device, paint, out);
    print_findings(command, after, new_target, report.after, report.device, paint, out);
    out << std::flush;
    json.write(report::difference_json(difference) + "\n");
  }
  return status;
}

}  // namespace

int run(const DiffCommand& command) {
  return run_interruptibly(command.common.json, [&](JsonOutput& json, std::string& done) {
    return diff_operands(command, json, done);
  });
}

}  // namespace warpcheck::cli
