#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"
#include "workflows/gate/date.hpp"

namespace warpcheck::cli {

void add_gate(CLI::App& app, Command& chosen) {
  CommandApp& command =
      add_command(app, "gate", "hold a repository's kernels against its policy, for CI");
  command.about =
      "Reads warpcheck.toml, which names the kernels of a repository and says what is demanded "
      "of them: cases, devices, the least power, coverage and mutation score; and which failures "
      "are known, for what reason and until when. A known failure that shows no more, or that is "
      "past its day, fails the gate like any other. One exit status says whether all is as the "
      "policy demands.";
  command.examples = {
      {"warpcheck gate", "warpcheck.toml of this folder, or of the root of the repository"},
      {"warpcheck gate ci/nightly.toml --junit gate.xml --lcov cov.info",
       "another policy; with reports"},
      {"warpcheck gate --today 2027-01-01", "whether it will be passed on that day"},
  };
  command.status_0 = "all is as the policy demands";
  command.status_1 = "it is not";
  GateCommand& gate = chosen_by<GateCommand>(command, chosen);
  command
      .add_option("policy", gate.policy,
                  "a policy or its folder; nothing: warpcheck.toml here, or in the root of the "
                  "repository")
      ->option_text("PATH");
  add_jobs(command, gate.common.jobs);
  add_report_options(command, gate.common);
  add_lcov(command, gate.common.lcov);
  add_verbose(command, gate.common.verbose);
  const auto take = [&gate](const std::string& text) {
    if (!workflows::gate::parse_date(text)) {
      throw CLI::ValidationError("--today",
                                 "expected a day such as 2026-12-31, found '" + text + "'");
    }
    gate.today = text;
  };
  command
      .add_option_function<std::string>(
          "--today", take, "the day on which known failures are judged (that of the clock)")
      ->option_text("DATE");
}

}  // namespace warpcheck::cli
