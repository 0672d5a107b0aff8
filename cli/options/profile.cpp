#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

void add_profile(CLI::App& app, Command& chosen) {
  CommandApp& command = add_command(
      app, "profile", "what Nsight Compute users look for, counted on the virtual device");
  command.about =
      "Sectors per request, bank conflicts, divergence, occupancy, a roofline and the "
      "coverage of the source, with the lines that waste most first. The counts are the "
      "same on every run and with any number of threads.";
  command.examples = {
      {"warpcheck profile sgemm_tiled16", "one product of 128 x 128 x 128"},
      {"warpcheck profile mine.cu --size 1024x1024x64 --lines 5",
       "of a size of your own; the five worst lines"},
      {"warpcheck profile mine.cu --cases 50",
       "which lines and branches do the cases of check reach?"},
  };
  command.status_0 = "the launches ended, and were counted";
  command.status_1 = "a launch ended with a finding";
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
