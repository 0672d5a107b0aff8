#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

void add_man(CLI::App& app, Command& chosen) {
  CommandApp& command = add_command(app, "man", "print the manual page of a command", true);
  command.about = "Prints the page in the format of man(7). `cmake --install` installs all pages.";
  command.examples = {
      {"warpcheck man check | man -l -", "show the page of check without installing it"}};
  command.status_0 = "the page was printed";
  ManCommand& man = chosen_by<ManCommand>(command, chosen);
  command.add_option("command", man.command, "a command (the program itself)")
      ->option_text("COMMAND");
  command.add_option("--date", man.date, "date of the page, as yyyy-mm-dd")->option_text("DATE");
  command.add_option("--all", man.all, "write all pages to this folder, each as NAME.1")
      ->option_text("FOLDER");
}

}  // namespace warpcheck::cli
