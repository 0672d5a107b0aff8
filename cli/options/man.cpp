#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

void add_man(CLI::App& app, Command& chosen) {
  CommandApp& command = add_command(app, "man", "the manual page of a command, for man", true);
  command.about =
      "Prints the page in the language of man(7). An installed warpcheck has its pages where man "
      "looks.";
  command.examples = {{"warpcheck man check | man -l -", "the page of check, without installing"}};
  command.status_0 = "the page was printed";
  ManCommand& man = chosen_by<ManCommand>(command, chosen);
  command.add_option("command", man.command, "a command; nothing: the program itself")
      ->option_text("COMMAND");
  command.add_option("--date", man.date, "of the page, yyyy-mm-dd")->option_text("DATE");
  command.add_option("--all", man.all, "write all pages into this folder, each as NAME.1")
      ->option_text("FOLDER");
}

}  // namespace warpcheck::cli
