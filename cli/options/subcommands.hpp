// The subcommands. Each function is in a file of its own and adds a command with its options, help
// and examples to the program. If that command is called, `chosen` becomes its options.
#pragma once

#include <CLI/App.hpp>

#include "cli/options/arguments.hpp"

namespace warpcheck::cli {

void add_list(CLI::App& app, Command& chosen);
void add_check(CLI::App& app, Command& chosen);
void add_replay(CLI::App& app, Command& chosen);
void add_profile(CLI::App& app, Command& chosen);
void add_prove(CLI::App& app, Command& chosen);
void add_bench(CLI::App& app, Command& chosen);
void add_diff(CLI::App& app, Command& chosen);
void add_mutate(CLI::App& app, Command& chosen);
void add_explore(CLI::App& app, Command& chosen);
void add_merge(CLI::App& app, Command& chosen);
void add_submit(CLI::App& app, Command& chosen);
void add_bisect(CLI::App& app, Command& chosen);
void add_fuzz(CLI::App& app, Command& chosen);
void add_gate(CLI::App& app, Command& chosen);
void add_exec(CLI::App& app, Command& chosen);
void add_init(CLI::App& app, Command& chosen);
void add_completion(CLI::App& app, Command& chosen);
void add_complete(CLI::App& app, Command& chosen);
void add_man(CLI::App& app, Command& chosen);

}  // namespace warpcheck::cli
