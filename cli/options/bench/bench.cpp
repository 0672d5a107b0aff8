#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

void add_bench(CLI::App& app, Command& chosen) {
  CommandApp& command = add_command(app, "bench", "time kernels, on a GPU beside cuBLAS");
  command.about =
      "Prints the median time of a launch, its spread, the rate of arithmetic, and the share of "
      "cuBLAS and of the GPU's peak; for another operation than a product of matrices, the bytes "
      "of its operands "
      "per "
      "second, and their share of the bandwidth of the memory. Launches of the variant and of "
      "cuBLAS "
      "alternate, and each takes other copies of the operands, so that none finds them in the L2 "
      "cache. Some elements of a product are checked before and after, and a small case of another "
      "operation before. On the virtual device it measures the device itself, on one host thread.";
  command.examples = {
      {"warpcheck bench --size 4096", "time all built-in variants for 4096 x 4096 x 4096"},
      {"warpcheck bench mine.cu --size 4096 --size 64x8192x8192 --svg ladder.svg",
       "time two sizes, and draw the shares of cuBLAS"},
      {"warpcheck bench mine.cu --case 'mine rows=8192 columns=8192'", "time one case"},
      {"warpcheck bench sgemm_tiled16 --device virtual", "measure the speed of the virtual device"},
  };
  command.status_0 = "all variants were timed, and their results are right";
  command.status_1 = "a result is wrong, or a launch failed";
  BenchCommand& bench = chosen_by<BenchCommand>(command, chosen);
  command.add_option("targets", bench.targets, kTargets)->option_text("TARGET...");
  auto* const line =
      command.add_option("--case", bench.line, "time this case line, with data=normal")
          ->option_text("CASE");
  const auto add = [&bench](const std::string& text) {
    const std::optional<ProblemSize> size = parse_size(text);
    if (!size) throw CLI::ValidationError("--size", "expected MxNxK or one number, found " + text);
    bench.sizes.push_back(*size);
  };
  command
      .add_option_function<std::string>(
          "--size", add,
          "m x n x k of products, or the nearest size that the contract allows; may be repeated "
          "(on a GPU "
          "4096, "
          "64x8192x8192 and 4095x4097x4099; on the virtual device 256)")
      ->option_text("MxNxK")
      ->trigger_on_parse()
      ->take_last()
      ->excludes(line);
  add_options(command, bench.common);
  add_parsed(command, "--rounds", bench.rounds, parse_integer<int, 1, 1'000'000>,
             "a number of launches from 1", "launches that count (30; on the virtual device 5)")
      .option_text("N");
  command.add_option("--svg", bench.svg, "write a plot of the shares of cuBLAS")
      ->option_text("FILE");
}

}  // namespace warpcheck::cli
