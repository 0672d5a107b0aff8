#include "cli/arguments/options.hpp"
#include "cli/arguments/subcommands.hpp"

namespace warpcheck::cli {

void add_profile(CLI::App& app, Command& chosen) {
  CLI::App& command = *app.add_subcommand(
      "profile", "what Nsight Compute users look for, counted on the virtual device");
  ProfileCommand& profile = chosen_by<ProfileCommand>(command, chosen);
  command.add_option("target", profile.target, "a variant, a glob, a .cu file or a folder")
      ->required()
      ->option_text("TARGET");
  auto* const line =
      command.add_option("--case", profile.line, "this case line")->option_text("CASE");
  auto* const size = add_size(command, profile.size,
                              "m x n x k, or the nearest that the contract allows (128x128x128)");
  add_cases(command, profile.cases, "this many drawn cases instead, for coverage")
      ->excludes(line)
      ->excludes(size);
  line->excludes(size);
  add_seed(command, profile.seed, "the drawn cases follow from it (0)");
  add_parsed(command, "--lines", profile.lines, parse_integer<std::size_t, 0>,
             "a number of lines from 0", "source lines that are printed, at most (20; 0: all)")
      .option_text("N");
  add_mma_arch(command, profile.mma_arch);
  add_jobs(command, profile.jobs);
  add_json(command, profile.json);
}

}  // namespace warpcheck::cli
