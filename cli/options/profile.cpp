#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

void add_profile(CLI::App& app, Command& chosen) {
  CommandApp& command =
      add_command(app, "profile", "count the metrics of Nsight Compute on the virtual device");
  command.about =
      "Prints sectors per request, bank conflicts, divergence, occupancy, a roofline and source "
      "coverage, and the source lines with the most excess memory traffic. The counts are the "
      "same on every run and for any number of threads.";
  command.examples = {
      {"warpcheck profile sgemm_tiled16", "profile one product of 128 x 128 x 128"},
      {"warpcheck profile mine.cu --size 1024x1024x64 --lines 5",
       "profile another size, and print the five worst lines"},
      {"warpcheck profile mine.cu --cases 50",
       "measure which lines and branches the cases of check reach"},
  };
  command.status_0 = "all launches completed and were counted";
  command.status_1 = "a launch ended with a finding";
  ProfileCommand& profile = chosen_by<ProfileCommand>(command, chosen);
  command.add_option("target", profile.target, "a variant, a glob, a .cu or .ptx file or a folder")
      ->required()
      ->option_text("TARGET");
  auto* const line =
      command.add_option("--case", profile.line, "profile this case line")->option_text("CASE");
  auto* const size =
      add_size(command, profile.size,
               "m x n x k, or the nearest size that the contract allows (128x128x128)");
  add_options(command, profile.common);
  command.get_option("--cases")->excludes(line)->excludes(size);
  line->excludes(size);
  add_parsed(command, "--lines", profile.lines, parse_integer<std::size_t, 0>,
             "a number of lines from 0", "most source lines to print (20; 0: all)")
      .option_text("N");
}

}  // namespace warpcheck::cli
