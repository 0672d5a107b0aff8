#include "cli/reports.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "cli/crash.hpp"
#include "cli/exit_status.hpp"
#include "cli/shell.hpp"
#include "report/console.hpp"
#include "report/json_lines.hpp"

namespace warpcheck::cli {
namespace {

/// As no-color.org has it: set and not empty.
bool colours_are_unwanted() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return (no_color != nullptr && *no_color != '\0') ||
         (terminal != nullptr && std::string_view(terminal) == "dumb");
}

std::size_t terminal_columns() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : 80;
}

std::string_view spelling(DeviceChoice choice) {
  switch (choice) {
    case DeviceChoice::virtual_device:
      return "virtual";
    case DeviceChoice::cuda:
      return "cuda";
    case DeviceChoice::automatic:
      break;
  }
  return "auto";
}

/// Prints the command that shows a case again, from the same folder.
class ReplayCommands {
 public:
  ReplayCommands(const Common& common, std::span<const Target> targets) : command_(common.program) {
    command_ += " replay";
    if (common.device != DeviceChoice::automatic) {
      command_ += " --device ";
      command_ += spelling(common.device);
    }
    if (common.mma_arch != 0) command_ += fmt::format(" --mma-arch sm_{}", common.mma_arch);
    if (!common.races) command_ += " --no-races";
    if (common.strict_races) command_ += " --strict-races";
    for (const Target& target : targets) paths_[target.variant.contract.name] = target.path;
  }

  std::string operator()(const properties::Case& problem) const {
    std::string line = command_;
    const auto path = paths_.find(problem.variant);
    if (path != paths_.end() && !path->second.empty()) line += " --in " + shell_word(path->second);
    return line + " " + shell_word(to_line(problem));
  }

 private:
  std::string command_;
  std::map<std::string, std::string> paths_;  // by variant; empty: built in
};

}  // namespace

std::unique_ptr<report::Reports> make_reports(const Common& common,
                                              std::span<const Target> targets) {
  report::ConsoleOptions options;
  options.live = isatty(STDOUT_FILENO) == 1;
  options.colours = options.live && !colours_are_unwanted();
  options.cases = common.verbose;
  options.columns = terminal_columns();
  options.name_width = 0;
  for (const Target& target : targets) {
    options.name_width = std::max(options.name_width, target.variant.contract.name.size());
  }
  options.replay_command = ReplayCommands(common, targets);

  auto reports = std::make_unique<report::Reports>();
  reports->add(std::make_unique<CasesInFlight>());
  reports->add(std::make_unique<report::Console>(std::cout, std::move(options)));
  if (!common.json.empty()) reports->add(report::JsonLines::to_file(common.json, !common.races));
  return reports;
}

int exit_status(const properties::CampaignReport& totals) {
  return totals.failed == 0 && totals.mistrusted == 0 ? kPassed : kFindings;
}

}  // namespace warpcheck::cli
