#include <fmt/format.h>
#include <sys/resource.h>

#include <optional>
#include <ostream>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/parallel_for.hpp"
#include "base/paths.hpp"
#include "base/process/interruption.hpp"
#include "base/text/visible_text.hpp"
#include "campaign/campaign.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/devices.hpp"
#include "cli/commands/progress.hpp"
#include "cli/commands/proofs.hpp"
#include "cli/commands/reports.hpp"
#include "cli/options/exit_status.hpp"
#include "cli/run/campaign_config.hpp"
#include "contract/compile/compile_cache.hpp"
#include "device/interruptible_device.hpp"
#include "device/virtual/virtual_device.hpp"
#include "report/coverage_text.hpp"
#include "report/requirements/check_requirements.hpp"
#include "workflows/coverage/campaign_coverage.hpp"
#include "workflows/history/history.hpp"
#include "workflows/prove/prove.hpp"
#include "workflows/regressions/regressions.hpp"
#include "workflows/targets/origins.hpp"

namespace warpcheck::cli {
namespace {

using campaign::CampaignOptions;
using campaign::CampaignReport;
using campaign::VariantReport;
using workflows::targets::Target;

/// Throws InputError if the counts would not be the coverage of the whole campaign.
void require_complete_coverage(const CheckCommand& command, const device::Device& device) {
  const auto refuse = [](const char* message) { throw request_error(message); };
  if (device.name() != "virtual") {
    refuse("only the virtual device counts coverage: expected --device virtual");
  }
  if (command.common.resume) {
    refuse(
        "found --resume with --lcov or --min-coverage: a resumed campaign has no coverage of the "
        "cases that ran before");
  }
  if (command.common.campaign.shard.of > 1 && command.common.min_coverage.is_required()) {
    refuse(
        "found --min-coverage with --shard: one shard has only a part of the campaign's coverage; "
        "join the --lcov files of all shards with `lcov -a`");
  }
}

void print_coverage(const CampaignReport& totals, std::ostream& out) {
  const auto total = workflows::coverage::total_coverage(totals);
  if (!total.files.empty()) out << "coverage: " << report::covered(total) << '\n' << std::flush;
}

/// The variants below the minimum coverage, in one line; empty if there is none.
std::string shortfalls(const CampaignReport& totals,
                       const workflows::coverage::MinimumCoverage& minimum) {
  if (!minimum.is_required()) return {};
  std::string text;
  for (const VariantReport* variant : workflows::coverage::below_minimum(totals, minimum)) {
    text +=
        (text.empty() ? "" : "; ") + variant->variant + " " + report::shortfall(*variant, minimum);
  }
  return text.empty() ? text : "too little coverage: " + text + "\n";
}

/// Prints the compiler of each file, and the reason if it was not NVRTC.
void print_compilers(std::span<const Target> targets, std::ostream& out) {
  const contract::Compiled* last = nullptr;
  for (const Target& target : targets) {
    const contract::Compiled* const compiled = target.variant.compiled.get();
    if (compiled == nullptr || compiled == last) continue;
    last = compiled;
    const std::string compiler = contract::compiler_of(compiled->ptx_file);
    if (compiler.empty()) continue;  // a .ptx, or compiled by the build
    out << fmt::format("{}: compiled by {}\n", shown_path(compiled->source_file), compiler);
  }
}

void keep_regressions(const CheckCommand& command, std::span<const Target> targets,
                      const CampaignReport& totals) {
  for (const auto& [file, line] :
       workflows::regressions::keep_regressions(targets, command.common.regressions, totals)) {
    console(command.common) << fmt::format("added to {}: {}\n", visible(file), line);
  }
}

/// The cases that refute a property become regressions of the campaign.
void prove_targets(const Common& common, std::span<const Target> targets, report::Report& reports,
                   campaign::Regressions& regressions) {
  const auto virtual_device =
      device::make_virtual_device({.host_threads = job_count(common.campaign.jobs)});
  device::InterruptibleDevice device(*virtual_device);
  workflows::prove::prove_variants(
      variants_of(targets), {.use_cache = !common.no_cache, .jobs = common.campaign.jobs}, device,
      reports, [&](std::size_t /*index*/, const workflows::prove::VariantResult& result) {
        add_refutations(result, regressions);
        reports.proved(result);
      });
}

report::Requirements check_requirements(const CheckCommand& command, const CampaignReport& totals,
                                        const std::vector<workflows::history::Drift>& drifts) {
  report::Requirements requirements;
  add_coverage_requirements(totals, command.common.min_coverage, requirements);
  if (command.common.fail_on_drift) add_drift_requirements(totals, drifts, requirements);
  return requirements;
}

/// The error of a campaign without a case, at the contract if there is only one.
contract::TargetError no_case(std::span<const Target> targets, const CampaignReport& totals,
                              const CampaignOptions& options) {
  contract::TargetError error{"campaign", campaign::no_case_error(totals, options).diagnostics()};
  if (targets.size() != 1) return error;
  error.target = targets.front().variant.contract.name;
  for (Diagnostic& one : error.diagnostics) one.where = targets.front().variant.contract.where;
  return error;
}

/// Prints the largest resident memory of this process after a long campaign.
void print_memory(const CampaignReport& totals, unsigned threads, std::ostream& out) {
  constexpr std::int64_t kLong = 10'000;  // cases
  rusage usage{};
  if (totals.cases < kLong || getrusage(RUSAGE_SELF, &usage) != 0) return;
  const double megabytes = static_cast<double>(usage.ru_maxrss) / 1024.0;
  out << fmt::format("peak memory {:.0f} MB, {:.0f} MB for each of {} threads\n", megabytes,
                     megabytes / threads, threads);
}

}  // namespace

int run(const CheckCommand& command) {
  const Common& common = command.common;
  const auto found = resolve_for_reports(
      common, {.seed = common.campaign.seed}, [&](const contract::CompileProgress& progress) {
        return workflows::targets::resolve_each_target(command.targets, progress);
      });
  if (!found) return kInterrupted;
  const workflows::targets::ResolvedTargets& resolved = *found;
  if (resolved.targets.empty()) {
    return report_errors(common, resolved, {.seed = common.campaign.seed});
  }
  const std::vector<Target>& targets = resolved.targets;
  print_cache_note(targets);
  const ChosenDevice chosen = prepared(common, resolved, {.seed = common.campaign.seed}, [&] {
    if (common.prove) require_solver();
    return choose_device(common, job_count(common.campaign.jobs), 1);
  });
  remember_origins(targets);
  CampaignOptions options = campaign_options(command, *chosen.device);
  if (requires_coverage(command)) require_complete_coverage(command, *chosen.device);

  const auto reports = make_reports(
      common, targets, {.seed = common.campaign.seed, .device = named(*chosen.device)});
  std::ostream& out = console(common);
  if (!common.quiet) out << chosen.sentence << '\n' << std::flush;
  if (common.verbose) print_compilers(targets, out);
  report_targets(resolved, *reports);
  std::vector<contract::TargetError> errors = resolved.errors;
  options.regressions = read_each_regression(targets, common.regressions,
                                             common.campaign.properties, *reports, errors);
  if (common.prove) prove_targets(common, targets, *reports, options.regressions);
  std::optional<workflows::history::History> history;
  workflows::history::Recording recording;
  if (!common.history.empty()) {
    history.emplace(common.history);
    recording =
        history->record(campaign_config(common, options, *chosen.device, targets), common.resume);
    if (!recording.sentence.empty() && !common.quiet) {
      out << recording.sentence << '\n' << std::flush;
    }
  }
  CampaignReport totals = campaign::run_campaign(variants_of(targets), *chosen.device, options,
                                                 *reports, recording.journal.get());
  totals.errors.insert(totals.errors.begin(), errors.begin(), errors.end());
  if (*options.interrupted) {
    // A part of a campaign shows nothing about the measures of the whole.
    const int status = report_interruption(
        common, *reports, totals,
        fmt::format("of {} variants, up to {} cases each,", targets.size(), options.cases));
    if (common.keep) keep_regressions(command, targets, totals);
    return status;
  }
  const bool is_empty = totals.cases == 0 && totals.errors.empty();
  if (is_empty) {
    totals.errors.push_back(no_case(targets, totals, options));
    reports->not_checked(totals.errors.back());
  }
  std::vector<workflows::history::Drift> drifts;
  if (history) {
    drifts = history->drifts(recording.campaign);
    reports->compared(history->pasts(recording.campaign));
  }
  for (const workflows::history::Drift& drift : drifts) reports->drifted(drift);
  const report::Requirements requirements = check_requirements(command, totals, drifts);
  reports->evaluated(requirements);
  reports->summary(totals);
  if (requires_coverage(command)) print_coverage(totals, out);
  if (common.keep) keep_regressions(command, targets, totals);
  if (!common.quiet) print_memory(totals, options.jobs, out);
  out << shortfalls(totals, common.min_coverage) << std::flush;
  const int status = exit_status(totals, requirements);
  return is_empty && common.allow_empty && status == kInputError ? kPassed : status;
}

}  // namespace warpcheck::cli
