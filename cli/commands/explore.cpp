#include "workflows/explore/explore.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "base/parallel_for.hpp"
#include "base/paths.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/crash.hpp"
#include "cli/commands/devices.hpp"
#include "cli/commands/progress.hpp"
#include "cli/commands/reports.hpp"
#include "cli/options/exit_status.hpp"
#include "contract/read/requires_text.hpp"
#include "device/interruptible_device.hpp"
#include "device/virtual/virtual_device.hpp"
#include "report/console/exploration_text.hpp"
#include "report/json/exploration_json.hpp"
#include "workflows/targets/origins.hpp"
#include "workflows/targets/targets.hpp"

namespace warpcheck::cli {
namespace {

using workflows::explore::Correctness;
using workflows::explore::Exploration;
using workflows::targets::Target;

/// Writes the condition to `requires`. Throws InputError for a built-in variant, which has no file.
void write_requires(const Target& target, const Exploration& exploration, std::ostream& out) {
  const contract::KernelSource source =
      contract::read_kernel_source(target.variant.compiled->source_file);
  const std::string& variant = target.variant.contract.name;
  write_file(source.contract_file,
             contract::contract_text_with_requires(source, variant, exploration.requirements()));
  out << fmt::format("  wrote `requires` of {} to {}\n", variant, shown_path(source.contract_file));
}

void require_files(const std::vector<Target>& targets) {
  for (const Target& target : targets) {
    const contract::Contract& contract = target.variant.contract;
    if (!contract.instance_of.empty()) {
      throw request_error(
          fmt::format("--write: {} is an instance of {}: state a condition of all "
                      "instances in its `requires`",
                      contract.name, contract.instance_of));
    }
    if (!target.path.empty()) continue;
    throw request_error(
        fmt::format("--write: {} is built in: give the path of its .cu", contract.name));
  }
}

Exploration explore_with_progress(const contract::Variant& variant, device::Device& device,
                                  const workflows::explore::SearchOptions& options,
                                  CommandProgress& progress) {
  CasesInFlight in_flight;
  std::atomic<std::int64_t> cases = 0;
  Exploration exploration =
      workflows::explore::explore(variant, device, options, [&](const campaign::Case& problem) {
        in_flight.launching(problem);
        const std::int64_t begun = ++cases;
        progress.show(fmt::format("exploring {}: {} cases", variant.contract.name, begun), 0.0,
                      begun);
      });
  progress.erase();
  return exploration;
}

int explore_targets(const ExploreCommand& command, JsonOutput& json, std::string& done) {
  std::ostream& out = json.console();
  CommandProgress progress(out);
  const auto targets =
      workflows::targets::resolve_targets(std::vector{command.target}, progress.compiling());
  progress.erase();
  print_cache_note(targets);
  if (command.write) require_files(targets);
  workflows::targets::remember_origins(targets);
  const auto virtual_device =
      device::make_virtual_device({.mma_arch = command.common.virtual_device.mma_arch});
  device::InterruptibleDevice device(*virtual_device);
  json.start({.command = command.common.command_line,
              .seed = command.common.campaign.seed,
              .device = named(device)},
             targets);
  const workflows::explore::SearchOptions options{command.common.campaign.seed,
                                                  command.common.campaign.jobs, command.max_size};
  bool findings = false;
  bool unsupported = false;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Target& target = targets[i];
    done = fmt::format("{} of {} variants were explored", i, targets.size());
    const Exploration exploration =
        explore_with_progress(target.variant, device, options, progress);
    out << report::exploration_text(exploration, report::Paint(false));
    json.write(report::exploration_json(exploration));
    const bool writes = command.write && exploration.is_found();
    if (writes) write_requires(target, exploration, out);
    out << (targets.size() > 1 ? "\n" : "") << std::flush;
    unsupported |= exploration.correct == Correctness::unsupported;
    if (exploration.correct == Correctness::unsupported) continue;
    findings |= !exploration.is_found() || !exploration.remaining.empty() ||
                (exploration.declared.too_weak && !writes);
  }
  return findings ? kFindings : unsupported ? kEnvironment : kPassed;
}

}  // namespace

int run(const ExploreCommand& command) {
  return run_interruptibly(command.common.json, [&](JsonOutput& json, std::string& done) {
    return explore_targets(command, json, done);
  });
}

}  // namespace warpcheck::cli
