#include "workflows/mutate/mutate.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/commands/json_output.hpp"
#include "cli/commands/reports.hpp"
#include "cli/options/exit_status.hpp"
#include "report/console/mutation_text.hpp"
#include "report/json/mutation_json.hpp"
#include "workflows/targets/targets.hpp"

namespace warpcheck::cli {
namespace {

/// Updates a progress line in place. Empty if the standard output is not a terminal.
workflows::mutate::MutationProgress live_line(const std::string& variant, std::ostream& out) {
  if (isatty(STDOUT_FILENO) != 1) return {};
  return [variant, &out](std::size_t done, std::size_t mutants) {
    out << fmt::format("\r\033[K{}: {} of {} mutants", variant, done, mutants);
    if (done == mutants) out << "\r\033[K";
    out << std::flush;
  };
}

}  // namespace

int run(const MutateCommand& command) {
  const workflows::targets::ResolvedTargets resolved =
      workflows::targets::resolve_each_target(std::vector{command.target});
  const auto& targets = resolved.targets;
  print_cache_note(targets);
  JsonOutput json(command.json);
  json.start({.command = command.command_line, .seed = command.seed, .device = "virtual"}, targets);
  std::ostream& out = json.console();
  workflows::mutate::MutationOptions options;
  options.cases = command.cases;
  options.mutants = command.mutants;
  options.seed = command.seed;
  options.properties = command.properties;
  options.jobs = command.jobs;
  options.only_list = command.list;
  bool enough = true;
  for (const auto& [variant, path] : targets) {
    const std::string& name = variant.contract.name;
    const workflows::mutate::MutationReport report =
        workflows::mutate::mutate(variant, options, live_line(name, out));
    const report::Paint plain(false);
    out << (command.list ? report::mutant_list(report) : report::mutation_text(report, plain))
        << (targets.size() > 1 ? "\n" : "") << std::flush;
    json.write(report::mutation_json(report));
    enough = enough && (command.list || 100.0 * report.score.share() >= command.min_score);
  }
  print_errors(resolved.errors);
  if (!resolved.errors.empty()) return kInputError;
  return enough ? kPassed : kFindings;
}

}  // namespace warpcheck::cli
