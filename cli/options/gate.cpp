#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"
#include "workflows/gate/date.hpp"

namespace warpcheck::cli {
void add_gate(CLI::App& app, Command& chosen) {
  CommandApp& command =
      add_command(app, "gate", "check the kernels of a repository against its policy, for CI");
  command.about =
      "Reads warpcheck.toml, the policy of a repository. It names the kernels and the required "
      "cases, devices, sensitivity, coverage and mutation score. It also lists known failures, "
      "each with a reason and a last day. A known failure that no longer occurs or is past its "
      "last day fails the gate, as does any other violation.";
  command.examples = {
      {"warpcheck gate", "use warpcheck.toml in this folder or in the root of the repository"},
      {"warpcheck gate ci/nightly.toml --junit gate.xml --lcov cov.info",
       "use another policy, and write reports"},
      {"warpcheck gate --shard 3/16 --history 3.db", "run the third of 16 parts of the cases"},
      {"warpcheck gate --merge 1.db 2.db", "decide, and write the reports, from two shards"},
      {"warpcheck gate --today 2027-01-01", "judge the known failures as of that day"},
  };
  command.status_0 = "the kernels meet the policy";
  command.status_1 = "they do not";
  GateCommand& gate = chosen_by<GateCommand>(command, chosen);
  command
      .add_option("policy", gate.policy,
                  "a policy file or its folder (warpcheck.toml in this folder, or else in the root "
                  "of the repository)")
      ->option_text("PATH");
  add_options(command, gate.common);
  CLI::Option* const history = command.get_option("--history");
  CLI::Option* const shard = command.get_option("--shard");
  shard->needs(history);
  history->needs(shard);
  command
      .add_option("--merge", gate.from,
                  "decide from the histories of all shards, which ran the same policy")
      ->option_text("FILE...")
      ->excludes(history);
  const auto take = [&gate](const std::string& text) {
    if (!workflows::gate::parse_date(text)) {
      throw CLI::ValidationError("--today",
                                 "expected a day such as 2026-12-31, found '" + text + "'");
    }
    gate.today = text;
  };
  command
      .add_option_function<std::string>(
          "--today", take, "date for the last days of known failures (the current day)")
      ->option_text("DATE");
}

}  // namespace warpcheck::cli
