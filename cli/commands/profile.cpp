#include <fmt/format.h>

#include <ostream>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/parallel_for.hpp"
#include "base/paths.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/crash.hpp"
#include "cli/commands/devices.hpp"
#include "cli/commands/progress.hpp"
#include "cli/options/exit_status.hpp"
#include "device/interruptible_device.hpp"
#include "device/virtual/virtual_device.hpp"
#include "report/console/profile_text.hpp"
#include "report/finding/message.hpp"
#include "report/json/profile_json.hpp"
#include "report/unsupported_text.hpp"
#include "workflows/profile/cases.hpp"
#include "workflows/profile/measure.hpp"
#include "workflows/targets/targets.hpp"

namespace warpcheck::cli {
namespace {

using campaign::Case;
using campaign::UnsupportedForm;
using contract::Variant;
using workflows::profile::CaseFinding;
using workflows::profile::Measurement;
using workflows::targets::Target;

std::vector<Case> profiled_cases(const ProfileCommand& command, const Variant& variant) {
  if (!command.line.empty()) return {campaign::parse_case(command.line)};
  const campaign::CampaignOptions& generated = command.common.campaign;
  if (generated.cases != 0) {
    return workflows::profile::generated_cases(variant, generated.seed, generated.cases);
  }
  const ProblemSize& size = command.size;
  return {workflows::profile::case_near(variant.contract, size.m, size.n, size.k)};
}

void print_finding(const Variant& variant, const CaseFinding& found, std::ostream& out) {
  const SourcePlace& source = found.finding.source;
  out << fmt::format("{}: {}\n  {}\n  {}\n", variant.contract.name, name(found.finding.kind),
                     report::message_text(found.finding), to_line(found.problem));
  if (source.line != 0) out << fmt::format("  {}:{}\n", shown_path(source.file), source.line);
}

int profile_targets(const ProfileCommand& command, JsonOutput& json, std::string& done) {
  std::ostream& out = json.console();
  const std::vector<Target> targets =
      resolve_with_progress(std::vector{command.target}, command.line, out);
  const auto virtual_device =
      device::make_virtual_device({.host_threads = job_count(command.common.campaign.jobs),
                                   .races = false,
                                   .mma_arch = command.common.virtual_device.mma_arch});
  device::InterruptibleDevice device(*virtual_device);
  json.start({.command = command.common.command_line,
              .seed = command.common.campaign.seed,
              .device = named(device)},
             targets);
  std::size_t profiled = 0;
  CasesInFlight listener;
  workflows::profile::ResourceReader resources;
  int status = kPassed;
  for (const auto& [variant, path] : targets) {
    done = fmt::format("{} of {} variants were profiled", profiled++, targets.size());
    Measurement measured =
        workflows::profile::measure(variant, profiled_cases(command, variant), device, listener);
    for (const CaseFinding& found : measured.findings) print_finding(variant, found, out);
    for (const UnsupportedForm& form : measured.unsupported) {
      out << report::unsupported_block(variant.contract.name, device.name(), form, "",
                                       report::Paint(false));
    }
    if (!measured.unsupported.empty()) status = worse_status(status, kEnvironment);
    if (!measured.findings.empty()) status = worse_status(status, kFindings);
    if (measured.profile.cases.empty()) {
      if (!measured.findings.empty() || !measured.unsupported.empty()) continue;
      throw InputError(Diagnostic{variant.contract.where, "nothing was run", {}});
    }
    resources.add_resources(variant, measured.profile);
    out << report::profile_text(measured.profile, command.lines) << std::flush;
    if (targets.size() > 1) out << '\n';
    json.write(report::profile_json(measured.profile) + "\n");
  }
  return status;
}

}  // namespace

int run(const ProfileCommand& command) {
  return run_interruptibly(command.common.json, [&](JsonOutput& json, std::string& done) {
    return profile_targets(command, json, done);
  });
}

}  // namespace warpcheck::cli
