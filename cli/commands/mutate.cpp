#include "workflows/mutate/mutate.hpp"

#include <fmt/format.h>

#include <ostream>
#include <string>
#include <vector>

#include "base/process/interruption.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/progress.hpp"
#include "cli/commands/reports.hpp"
#include "cli/options/exit_status.hpp"
#include "report/console/mutation_text.hpp"
#include "report/json/mutation_json.hpp"
#include "workflows/targets/targets.hpp"

namespace warpcheck::cli {
namespace {

using workflows::mutate::MutationReport;

workflows::mutate::MutationOptions mutation_options(const MutateCommand& command) {
  workflows::mutate::MutationOptions options;
  static_cast<campaign::RunOptions&>(options) = command.common.campaign;
  options.cases = command.common.campaign.cases;
  options.mutants = command.mutants;
  options.only_list = command.list;
  return options;
}

MutationReport mutate_with_progress(const contract::Variant& variant, const MutateCommand& command,
                                    CommandProgress& progress) {
  const std::string& name = variant.contract.name;
  progress.show(name + ": running the cases without a defect", 0.0);
  MutationReport report = workflows::mutate::mutate(
      variant, mutation_options(command), [&](std::size_t done, std::size_t mutants) {
        progress.show(fmt::format("{}: {} of {} mutants", name, done, mutants),
                      static_cast<double>(done) / static_cast<double>(mutants));
      });
  progress.erase();
  return report;
}

int mutate_targets(const MutateCommand& command, JsonOutput& json, std::string& done) {
  std::ostream& out = json.console();
  CommandProgress progress(out);
  const workflows::targets::ResolvedTargets resolved =
      workflows::targets::resolve_each_target(std::vector{command.target}, progress.compiling());
  progress.erase();
  const auto& targets = resolved.targets;
  print_cache_note(targets);
  json.start({.command = command.common.command_line,
              .seed = command.common.campaign.seed,
              .device = "virtual"},
             targets);
  bool enough = true;
  for (const auto& [variant, path] : targets) {
    const MutationReport report = mutate_with_progress(variant, command, progress);
    done = fmt::format("{} of {} mutants of {} were run", report.score.run(), report.mutants.size(),
                       report.variant);
    if (report.interrupted && report.score.run() == 0) throw Interrupted();
    const report::Paint plain(false);
    out << (command.list ? report::mutant_list(report) : report::mutation_text(report, plain))
        << (targets.size() > 1 ? "\n" : "") << std::flush;
    json.write(report::mutation_json(report));
    if (report.interrupted) throw Interrupted();
    enough = enough && (command.list || 100.0 * report.score.share() >= command.min_score);
  }
  print_errors(resolved.errors);
  if (!resolved.errors.empty()) return kInputError;
  return enough ? kPassed : kFindings;
}

}  // namespace

int run(const MutateCommand& command) {
  return run_interruptibly(command.common.json, [&](JsonOutput& json, std::string& done) {
    return mutate_targets(command, json, done);
  });
}

}  // namespace warpcheck::cli
