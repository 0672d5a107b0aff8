#include "properties/mutate/mutate.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "cli/commands.hpp"
#include "cli/exit_status.hpp"
#include "cli/targets.hpp"
#include "report/mutation.hpp"

namespace warpcheck::cli {
namespace {

/// On a terminal, a line that lives while mutants are run.
properties::MutationProgress live_line(const std::string& variant) {
  if (isatty(STDOUT_FILENO) != 1) return {};
  return [variant](std::size_t done, std::size_t mutants) {
    std::cout << fmt::format("\r\033[K{}: {} of {} mutants", variant, done, mutants);
    if (done == mutants) std::cout << "\r\033[K";
    std::cout << std::flush;
  };
}

}  // namespace

int run(const MutateCommand& command) {
  const std::vector<Target> targets = resolve_targets(std::vector{command.target});
  std::ofstream json;
  if (!command.json.empty()) {
    json.open(command.json);
    if (!json) throw InputError(Diagnostic{{command.json}, "cannot be written", {}});
  }
  properties::MutateOptions options;
  options.cases = command.cases;
  options.mutants = command.mutants;
  options.seed = command.seed;
  options.properties = command.properties;
  options.jobs = command.jobs;
  options.only_list = command.list;
  bool enough = true;
  for (const Target& target : targets) {
    const std::string& name = target.variant.contract.name;
    const properties::MutationReport report =
        properties::mutate(target.variant, options, live_line(name));
    const report::Paint plain(false);
    std::cout << (command.list ? report::list(report) : report::text(report, plain))
              << (targets.size() > 1 ? "\n" : "") << std::flush;
    if (json.is_open()) json << report::json(report) << std::flush;
    enough = enough && (command.list || 100.0 * report.score.share() >= command.min_score);
  }
  return enough ? kPassed : kFindings;
}

}  // namespace warpcheck::cli
