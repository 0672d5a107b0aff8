#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

void add_completion(CLI::App& app, Command& chosen) {
  CommandApp& command =
      add_command(app, "completion", "a script that lets a shell complete command lines");
  command.about =
      "Prints the script. It completes commands, options, their values, the names of variants and "
      "properties, and files. An installed warpcheck has put it where the shells look.";
  command.examples = {
      {"source <(warpcheck completion bash)", "in ~/.bashrc"},
      {"source <(warpcheck completion zsh)", "in ~/.zshrc, after compinit"},
      {"warpcheck completion fish > ~/.config/fish/completions/warpcheck.fish", "once"},
  };
  command.status_0 = "the script was printed";
  CompletionCommand& completion = chosen_by<CompletionCommand>(command, chosen);
  add_choice(command, "shell", completion.shell,
             {{"bash", Shell::bash}, {"zsh", Shell::zsh}, {"fish", Shell::fish}}, "the shell")
      .required();
}

void add_complete(CLI::App& app, Command& chosen) {
  CommandApp& command = add_command(app, "complete", "what may stand for the last word", true);
  command.about =
      "The scripts of `warpcheck completion` ask this. A candidate a line, with its description "
      "after a tab; the line :files or :folders stands for those of the machine.";
  command.examples = {{"warpcheck complete -- check --dev", "prints --device"}};
  command.status_0 = "the candidates were printed, if there are any";
  CompleteCommand& complete = chosen_by<CompleteCommand>(command, chosen);
  command.add_option("word", complete.words, "the words after warpcheck, the last one begun")
      ->option_text("WORD...");
}

}  // namespace warpcheck::cli
