#include "workflows/prove/prove.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/parallel_for.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/crash.hpp"
#include "cli/commands/devices.hpp"
#include "cli/commands/progress.hpp"
#include "cli/commands/reports.hpp"
#include "cli/options/exit_status.hpp"
#include "device/interruptible_device.hpp"
#include "device/virtual/virtual_device.hpp"
#include "report/console/proof_text.hpp"
#include "report/json/proof_json.hpp"
#include "workflows/targets/targets.hpp"

namespace warpcheck::cli {
namespace {

using workflows::prove::Status;
using workflows::prove::VariantResult;
using workflows::targets::Target;

void require_solver() {
  if (proof::has_solver()) return;
  throw EnvironmentError(
      "this build of warpcheck has no solver: install z3 (Debian: libz3-dev) and build again");
}

void make_folder(const std::string& folder) {
  if (folder.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw InputError(Diagnostic{{folder}, "cannot be created: " + error.message(), {}});
}

int status_of(const std::array<std::size_t, 3>& counts) {
  if (counts[static_cast<std::size_t>(Status::refuted)] != 0) return kFindings;
  return counts[static_cast<std::size_t>(Status::unknown)] != 0 ? kEnvironment : kPassed;
}

int prove_targets(const ProveCommand& command, JsonOutput& json, std::string& done) {
  std::ostream& out = json.console();
  CommandProgress progress(out);
  const std::vector<Target> targets =
      workflows::targets::resolve_targets(command.targets, progress.compiling());
  progress.erase();
  print_cache_note(targets);
  const auto virtual_device =
      device::make_virtual_device({.host_threads = job_count(command.common.campaign.jobs)});
  device::InterruptibleDevice device(*virtual_device);
  json.start({.command = command.common.command_line, .seed = 0, .device = named(device)}, targets);
  CasesInFlight in_flight;
  std::array<std::size_t, 3> counts{};
  for (std::size_t i = 0; i < targets.size(); ++i) {
    done = fmt::format("{} of {} variants are done", i, targets.size());
    const VariantResult result =
        workflows::prove::prove_variant(targets[i].variant, command.options, device, in_flight);
    for (const auto& property : result.properties) {
      ++counts[static_cast<std::size_t>(property.status())];
    }
    out << report::proof_text(result) << std::flush;
    json.write(report::proof_json(result));
  }
  out << fmt::format("\n{} properties of {} variants: {} proved, {} refuted, {} unknown\n{}\n",
                     counts[0] + counts[1] + counts[2], targets.size(), counts[0], counts[1],
                     counts[2], proof::theorem());
  return status_of(counts);
}

}  // namespace

int run(const ProveCommand& command) {
  require_solver();
  make_folder(command.options.query_folder);
  return run_interruptibly(command.common.json, [&](JsonOutput& json, std::string& done) {
    return prove_targets(command, json, done);
  });
}

}  // namespace warpcheck::cli
