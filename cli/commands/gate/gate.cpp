#include <fmt/ranges.h>

#include <chrono>
#include <filesystem>
#include <ostream>
#include <set>
#include <system_error>

#include "base/parallel_for.hpp"
#include "base/process/interruption.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/devices.hpp"
#include "cli/commands/gate/gate_shards.hpp"
#include "cli/commands/progress.hpp"
#include "cli/commands/proofs.hpp"
#include "cli/commands/reports.hpp"
#include "cli/options/exit_status.hpp"
#include "report/console/gate_text.hpp"
#include "report/requirements/gate_requirements.hpp"
#include "workflows/gate/gate_run.hpp"
#include "workflows/gate/policy_file.hpp"
#include "workflows/regressions/regressions.hpp"
#include "workflows/settings/table.hpp"
#include "workflows/targets/origins.hpp"

namespace warpcheck::cli {
namespace {

using workflows::gate::Date;
using workflows::gate::GateOptions;
using workflows::gate::GatePolicy;
using workflows::gate::GateRun;
using workflows::targets::Target;

/// The options that a replay command needs to run a case as the gate did.
void use_rules(const GatePolicy& policy, std::span<const Target> targets, Common& common) {
  common.device = "virtual";
  Strictness& strict = common.campaign.strict;
  strict = {true, true};
  for (const Target& target : targets) {
    const workflows::gate::GateRules rules = policy.rules_of(target.variant.contract.name);
    if (rules.devices != std::vector<std::string>{"virtual"}) {
      common.device = "auto";
    }
    strict.races = strict.races && rules.settings.campaign.strict.races;
    strict.barriers = strict.barriers && rules.settings.campaign.strict.barriers;
  }
}

/// Uses the policy's report files of the formats for which the command line names none, and creates
/// their folders.
void use_report_files(const GatePolicy& policy, Common& common) {
  for (const workflows::settings::Option& option : workflows::settings::options()) {
    std::string* const file = report_file(option, common);
    if (file == nullptr || !file->empty()) continue;
    const auto found = policy.reports.find(std::string(option.name.substr(2)));
    if (found == policy.reports.end()) continue;
    *file = found->second;
    if (*file == kStandardOutput) continue;
    *file = path_in_policy(policy, *file);
    const std::filesystem::path folder = std::filesystem::path(*file).parent_path();
    std::error_code ignored;  // opening the file reports the error
    if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
  }
}

/// The names of all devices on which the gate runs a target.
std::string devices_of(const GatePolicy& policy, std::span<const Target> targets) {
  std::set<std::string> names;
  for (const Target& target : targets) {
    const workflows::gate::GateRules rules = policy.rules_of(target.variant.contract.name);
    names.insert(rules.devices.begin(), rules.devices.end());
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

GateOptions gate_options(const Common& common, const Date& today) {
  GateOptions options;
  options.open_device = [&common](const std::string& name) {
    Common chosen = common;
    chosen.device = name;
    return choose_device(chosen, job_count(common.campaign.jobs), 1).device;
  };
  options.known_text = report::known_failure_text;
  options.today = today;
  options.jobs = common.campaign.jobs;
  options.sizes = common.campaign.sizes;
  options.map_errors = !common.html.empty();
  options.interrupted = &interruptible();
  options.use_cache = !common.no_cache;
  options.count_coverage = !common.lcov.empty() || !common.html.empty();
  return options;
}

/// Writes all reports, if a device cannot be opened, before it throws EnvironmentError.
GateRun run_or_report(const GatePolicy& policy, std::span<const Target> targets,
                      const GateOptions& options, const std::vector<contract::TargetError>& errors,
                      report::Report& reports) {
  try {
    for (const Target& target : targets) {
      if (!policy.rules_of(target.variant.contract.name).prove.empty()) require_solver();
    }
    return run_gate(policy, targets, options, reports);
  } catch (const EnvironmentError& error) {
    campaign::CampaignReport totals;
    totals.errors = errors;
    totals.not_run = error.what();
    reports.summary(totals);
    throw;
  }
}

}  // namespace

int run(const GateCommand& command) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const GatePolicy policy = workflows::gate::read_policy(command.policy);
  const Date today = command.today.empty() ? workflows::gate::today()
                                           : *workflows::gate::parse_date(command.today);
  Common common = command.common;
  require_shardable(command, policy);
  if (!is_shard(command)) use_report_files(policy, common);
  const auto found = resolve_for_reports(
      common, {.seed = policy.rules.settings.campaign.seed},
      [&](const contract::CompileProgress& progress) { return policy_targets(policy, progress); });
  if (!found) return kInterrupted;
  const workflows::targets::ResolvedTargets& resolved = *found;
  const std::vector<Target>& targets = resolved.targets;
  print_cache_note(targets);
  use_rules(policy, targets, common);
  remember_origins(targets);
  const auto reports = make_gate_reports(
      common, targets,
      {.seed = policy.rules.settings.campaign.seed, .device = devices_of(policy, targets)});
  report_targets(resolved, *reports);
  GateShards shards(command, targets);
  GateOptions options = gate_options(common, today);
  options.shard = common.campaign.shard;
  options.journal_of = [&shards](auto variants, const auto& device, const auto& campaign) {
    return shards.journal_of(variants, device, campaign);
  };
  std::vector<contract::TargetError> errors = resolved.errors;
  options.regressions = read_each_regression(targets, "", {}, *reports, errors);
  options.proved = [&reports](const auto& result) { reports->proved(result); };
  GateRun gate = run_or_report(policy, targets, options, errors, *reports);
  campaign::CampaignReport& totals = gate.totals;
  totals.errors.insert(totals.errors.begin(), errors.begin(), errors.end());
  if (is_interrupted()) return report_interruption(common, *reports, totals);
  if (is_shard(command)) return finish_shard(command, totals);
  const workflows::gate::GateResults results{gate.outcomes, resolved.without_contract,
                                             totals.errors.empty()};
  const workflows::gate::Judgement judgement = workflows::gate::judge(policy, results, today);
  const report::Requirements requirements = report::gate_requirements(policy, results, judgement);
  reports->evaluated(requirements);
  reports->summary(totals);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  console(common) << report::gate_text(policy, results, judgement, totals, seconds,
                                       report::Paint(on_a_color_terminal(common)))
                  << std::flush;
  return exit_status(totals, requirements);
}

}  // namespace warpcheck::cli
