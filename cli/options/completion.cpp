#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

void add_completion(CLI::App& app, Command& chosen) {
  CommandApp& command = add_command(app, "completion", "print a script for shell completion");
  command.about =
      "Prints a script that completes commands, options, their values, the names of variants and "
      "properties, and files. `cmake --install` installs the scripts.";
  command.examples = {
      {"source <(warpcheck completion bash)", "load it in ~/.bashrc"},
      {"source <(warpcheck completion zsh)", "load it in ~/.zshrc, after compinit"},
      {"warpcheck completion fish > ~/.config/fish/completions/warpcheck.fish",
       "install it for fish"},
  };
  command.status_0 = "the script was printed";
  CompletionCommand& completion = chosen_by<CompletionCommand>(command, chosen);
  add_choice(command, "shell", completion.shell,
             {{"bash", Shell::bash}, {"zsh", Shell::zsh}, {"fish", Shell::fish}}, "the shell")
      .required();
}

void add_complete(CLI::App& app, Command& chosen) {
  CommandApp& command = add_command(app, "complete", "print candidates for the last word", true);
  command.about =
      "The scripts of `warpcheck completion` call this command. Each line is a candidate, with its "
      "description after a tab. The line :files or :folders requests names of files or folders.";
  command.examples = {{"warpcheck complete -- check --dev", "print --device"}};
  command.status_0 = "the candidates were printed";
  CompleteCommand& complete = chosen_by<CompleteCommand>(command, chosen);
  command
      .add_option("word", complete.words, "the words after warpcheck; the last one is incomplete")
      ->option_text("WORD...");
}

}  // namespace warpcheck::cli
