#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

void add_init(CLI::App& app, Command& chosen) {
  CommandApp& command = add_command(app, "init", "guess a contract for each kernel of a file");
  command.about =
      "Prints a contract for each __global__ function of a .cu file. It is guessed from the names "
      "and types of the parameters, the launches in host code and the constants of the kernel. "
      "Then "
      "each contract is checked on the virtual device; if it fails, alternatives are tried: matrix "
      "products, and common operations on elements and rows. A comment marks each guess. The file "
      "may have host code, and may include headers that this machine lacks.";
  command.examples = {
      {"warpcheck init mine.cu", "print the contract and the result of its check"},
      {"warpcheck init mine.cu --write", "write it to mine.toml"},
      {"warpcheck init mine.cu --no-check", "guess only"},
  };
  command.status_0 = "each contract passes its check, or --no-check was given";
  command.status_1 = "a contract fails its check, or no kernel has a complete one";
  InitCommand& init = chosen_by<InitCommand>(command, chosen);
  command.add_option("file", init.file, "a .cu file")->required()->option_text("FILE");
  CLI::Option* const write =
      command.add_flag("--write", init.write, "write the contract to the .toml file next to FILE");
  command.add_flag("--embed", init.embed, "write the contract to a comment at the top of FILE")
      ->excludes(write);
  command.add_flag("--force", init.force, "replace an existing contract");
  command.add_flag("--no-check", init.no_check, "guess only: run no case");
  add_options(command, init.common);
}

}  // namespace warpcheck::cli
