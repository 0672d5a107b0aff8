#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

void add_prove(CLI::App& app, Command& chosen) {
  CommandApp& command =
      add_command(app, "prove", "prove properties of kernels for every case of their contracts");
  command.about =
      "Proves from the PTX that no access is out of bounds or misaligned, that no index overflows, "
      "that no threads race, that barriers are uniform, and that each element is written once, for "
      "every size that the contract admits. A property is proved, refuted by a case that has the "
      "finding on the virtual device, or unknown, with a reason.";
  command.examples = {
      {"warpcheck prove mine.cu", "prove all properties of your kernel"},
      {"warpcheck prove mine.cu --only overflow", "prove that no index overflows"},
      {"warpcheck prove sgemm_tiled16 --smt2 queries", "write the queries of the proofs"},
  };
  command.status_0 = "every property was proved";
  command.status_1 = "a property was refuted";
  ProveCommand& prove = chosen_by<ProveCommand>(command, chosen);
  command.add_option("targets", prove.targets, kTargets)->option_text("TARGET...");
  std::vector<std::string_view> known;
  for (const proof::Property property : proof::all_properties()) known.push_back(name(property));
  command
      .add_option_function<std::vector<std::string>>(
          "--only",
          [&prove, known](const std::vector<std::string>& words) {
            for (const std::string& word : words) {
              const auto property = proof::property_named(word);
              if (!property) {
                throw CLI::ValidationError(
                    "--only", not_one_of(fmt::format("{}", fmt::join(known, "|")), word, known));
              }
              prove.options.only.push_back(*property);
            }
          },
          fmt::format("prove this property alone: {}; may be repeated", fmt::join(known, ", ")))
      ->option_text("PROPERTY")
      ->allow_extra_args(false);
  command.add_flag_callback(
      "--no-conditions", [&prove] { prove.search_conditions = false; },
      "do not search for conditions of `requires` with which an open property is proved");
  command
      .add_option("--smt2", prove.options.query_folder,
                  "write each query of the solver to this folder, as SMT-LIB 2")
      ->option_text("FOLDER");
  add_options(command, prove.common);
}

}  // namespace warpcheck::cli
