#include "workflows/prove/prove.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/parallel_for.hpp"
#include "base/process/interruption.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/devices.hpp"
#include "cli/commands/progress.hpp"
#include "cli/commands/proofs.hpp"
#include "cli/commands/reports.hpp"
#include "cli/options/exit_status.hpp"
#include "device/interruptible_device.hpp"
#include "device/virtual/virtual_device.hpp"
#include "report/console/proof_text.hpp"
#include "report/requirements/proof_requirements.hpp"

namespace warpcheck::cli {
namespace {

using workflows::prove::VariantResult;
using workflows::targets::Target;

void make_folder(const std::string& folder) {
  if (folder.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw InputError(Diagnostic{{folder}, "cannot be created: " + error.message(), {}});
}

report::ProofStyle style_of(const Common& common, std::span<const Target> targets) {
  report::ProofStyle style;
  style.columns = console_columns(common);
  style.quiet = common.quiet;
  style.replay_command = [&common, targets](const campaign::Case& problem) {
    std::string path;
    for (const Target& target : targets) {
      if (target.variant.contract.name == problem.variant) path = target.path;
    }
    return replay_command(common, path, problem);
  };
  return style;
}

/// A refuted property is a finding of the variant.
campaign::VariantReport report_of(const VariantResult& result) {
  campaign::VariantReport report;
  report.variant = result.variant;
  report.device = "virtual";
  for (const workflows::prove::PropertyResult& property : result.properties) {
    report.seconds += property.proof.seconds;
    if (!property.refutation) continue;
    const campaign::FindingReport& found = *property.refutation;
    const bool is_known = std::ranges::any_of(report.findings, [&](const auto& known) {
      return to_line(known.smallest) == to_line(found.smallest);
    });
    if (!is_known) report.findings.push_back(found);
  }
  if (!report.findings.empty()) report.verdict = campaign::Verdict::finding;
  return report;
}

}  // namespace

int run(const ProveCommand& command) {
  require_solver();
  make_folder(command.options.query_folder);
  Common common = command.common;
  common.device = "virtual";  // cases are replayed there
  const auto start = std::chrono::steady_clock::now();
  const auto found =
      resolve_for_reports(common, {}, [&](const contract::CompileProgress& progress) {
        return workflows::targets::resolve_each_target(command.targets, progress,
                                                       workflows::targets::References::in_program);
      });
  if (!found) return kInterrupted;
  const workflows::targets::ResolvedTargets& resolved = *found;
  const std::vector<Target>& targets = resolved.targets;
  print_cache_note(targets);
  const auto virtual_device =
      device::make_virtual_device({.host_threads = job_count(common.campaign.jobs)});
  device::InterruptibleDevice device(*virtual_device);
  const auto reports = make_proof_reports(common, targets, {.device = named(device)});
  report_targets(resolved, *reports);
  const report::ProofStyle style = style_of(common, targets);
  std::vector<VariantResult> results;
  campaign::CampaignReport totals;
  workflows::prove::prove_variants(
      variants_of(targets),
      {command.options, !common.no_cache, command.search_conditions, common.campaign.jobs}, device,
      *reports, [&](std::size_t index, const VariantResult& result) {
        reports->started(targets[index].variant);
        reports->proved(result);
        totals.add(report_of(result));
        for (const campaign::FindingReport& finding : totals.variants.back().findings) {
          reports->found(finding);
        }
        console(common) << proof_text(result, style) << std::flush;
        results.push_back(result);
      });
  totals.errors = resolved.errors;
  totals.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (is_interrupted()) {
    return report_interruption(common, *reports, totals,
                               fmt::format("of {} variants", targets.size()));
  }
  report::Requirements requirements;
  add_proof_requirements(results, requirements);
  reports->evaluated(requirements);
  reports->summary(totals);
  if (!results.empty()) console(common) << proof_summary(results, style) << std::flush;
  return exit_status(totals, requirements);
}

}  // namespace warpcheck::cli
