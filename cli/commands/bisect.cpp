#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/parallel_for.hpp"
#include "base/process/interruption.hpp"
#include "base/text/shell_word.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/crash.hpp"
#include "cli/commands/devices.hpp"
#include "cli/commands/progress.hpp"
#include "cli/commands/reports.hpp"
#include "cli/options/exit_status.hpp"
#include "report/console/bisection_text.hpp"
#include "report/json/bisection_json.hpp"
#include "workflows/bisect/bisector.hpp"
#include "workflows/repository/repository.hpp"
#include "workflows/settings/table.hpp"

namespace warpcheck::cli {
namespace {

namespace fs = std::filesystem;

using workflows::bisect::Bisection;
using workflows::bisect::BisectOptions;
using workflows::bisect::Commit;
using workflows::bisect::Step;
using workflows::bisect::StepOptions;

StepOptions step_options(const BisectCommand& command, CasesInFlight& listener) {
  const auto open_device = [&common = command.common] {
    return choose_device(common, 1, job_count(common.campaign.jobs)).device;
  };
  return {open_device, command.common.campaign.strict, listener};
}

/// This program with `--step`, for `git bisect run`.
std::vector<std::string> step_command(const BisectCommand& command, const std::string& path) {
  std::vector<std::string> words = {fs::read_symlink("/proc/self/exe").string(), "bisect", "--step",
                                    "--in", path};
  for (const std::string& word : workflows::settings::replay_words(command.common))
    words.push_back(word);
  if (command.common.campaign.jobs != 0) {
    words.emplace_back("--jobs");
    words.push_back(fmt::format("{}", command.common.campaign.jobs));
  }
  std::error_code ignored;  // a case line may be too long for a file name
  const bool is_file = fs::is_regular_file(command.line_or_file, ignored);
  words.push_back(is_file ? fs::absolute(command.line_or_file).string() : command.line_or_file);
  return words;
}

std::string diff_command(const BisectCommand& command, const Bisection& bisection) {
  const std::string hash = bisection.bad.front().short_hash();
  return fmt::format("{} diff {} {}", command.common.program,
                     shell_word(fmt::format("{}^:{}", hash, bisection.path)),
                     shell_word(fmt::format("{}:{}", hash, bisection.path)));
}

void print_step(const Commit& commit, const Step& step) {
  std::cerr << report::step_text(commit, step) << std::flush;
}

int run_step(const BisectCommand& command) {
  (void)interruptible();
  try {
    const workflows::repository::Repository repository(".");
    const auto cases = workflows::targets::read_cases(command.line_or_file);
    CasesInFlight listener;
    const Step step =
        workflows::bisect::run_step(cases, command.in, step_options(command, listener));
    const std::string hash = repository.commit("HEAD");
    print_step({hash, repository.describe(hash, "%s"), "", ""}, step);
    return workflows::bisect::git_bisect_status(step.verdict);
  } catch (const Interrupted&) {
    return workflows::bisect::kAbortBisection;
  } catch (const std::exception& error) {
    std::cerr << "warpcheck: " << error.what() << '\n';
    return workflows::bisect::kAbortBisection;
  }
}

int bisect_revisions(const BisectCommand& command, JsonOutput& json, std::string& done) {
  done = "the first revision that fails was not found";
  // The lines of the steps are on the terminal, so that there is no progress line.
  report::ProgressDisplay heartbeat(json.console(), std::cerr, {});
  heartbeat.show({fmt::format("bisecting {}..{}", command.good, command.bad)});
  json.start({.command = command.common.command_line}, {});
  CasesInFlight listener;
  const auto step_words = [&](const std::string& path) { return step_command(command, path); };
  Bisection bisection =
      workflows::bisect::bisect(workflows::targets::read_cases(command.line_or_file),
                                {command.good, command.bad, command.in,
                                 step_options(command, listener), step_words, print_step});
  if (bisection.bad.size() == 1) bisection.diff_command = diff_command(command, bisection);
  json.console() << report::bisection_text(bisection,
                                           report::Paint(on_a_color_terminal(command.common)))
                 << std::flush;
  json.write(report::bisection_json(bisection) + "\n");
  return bisection.bad.size() == 1 ? kPassed : kFindings;
}

}  // namespace

int run(const BisectCommand& command) {
  if (command.step) return run_step(command);
  if (command.good.empty()) {
    throw request_error("--good is missing: expected a revision that passes");
  }
  return run_interruptibly(command.common.json, [&](JsonOutput& json, std::string& done) {
    return bisect_revisions(command, json, done);
  });
}

}  // namespace warpcheck::cli
