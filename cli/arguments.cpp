#include "cli/arguments.hpp"

#include <CLI/CLI.hpp>

#include "cli/arguments/subcommands.hpp"
#include "cli/exit_status.hpp"

namespace warpcheck::cli {
namespace {

constexpr const char* kFooter =
    "Exit status: 0 everything asked passed; 1 findings; 2 usage, contract or source error;\n"
    "3 this machine cannot do it (no GPU for --device cuda, no nvcc).";

}  // namespace

Command parse_arguments(int argc, const char* const* argv) {
  Command chosen;
  CLI::App app("Proves CUDA kernels right, with and without a GPU.", "warpcheck");
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("warpcheck ") + WARPCHECK_VERSION);
  app.require_subcommand(1);

  add_list(app, chosen);
  add_check(app, chosen);
  add_replay(app, chosen);
  add_profile(app, chosen);
  add_diff(app, chosen);
  add_mutate(app, chosen);
  add_merge(app, chosen);
  add_bisect(app, chosen);
  add_fuzz(app, chosen);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return Leave{app.exit(error) == 0 ? kPassed : kInputError};
  }

  const std::string program = argc > 0 ? argv[0] : "warpcheck";
  std::visit(
      [&program](auto& command) {
        if constexpr (requires { command.common; }) command.common.program = program;
      },
      chosen);
  return chosen;
}

}  // namespace warpcheck::cli
