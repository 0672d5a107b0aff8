#include <CLI/CLI.hpp>

#include "cli/help/command_app.hpp"
#include "cli/options/duration.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"
#include "device/gpu_model.hpp"

namespace warpcheck::cli {
namespace {

constexpr unsigned kMostMultiprocessors = 1024;
constexpr unsigned kMostSchedules = 64;
constexpr int kMostStatus = 255;
constexpr int kOldestCapability = 70;  // threads of a warp make progress independently

void add_launches(CLI::App& command, runtime::ExecOptions& options) {
  const OptionGroup group(command, "Launches");
  command
      .add_option("--kernel", options.kernels,
                  "run only kernels whose name matches; the others are counted as not executed (*)")
      ->option_text("GLOB");
  add_parsed(command, "--launch-skip", options.skip, parse_integer<std::uint64_t, 0>,
             "a number of launches from 0", "skip this many launches of these kernels (0)")
      .option_text("N");
  add_parsed(command, "--launch-count", options.count, parse_integer<std::uint64_t, 1>,
             "a number of launches from 1", "then run this many, and skip the others (all)")
      .option_text("N");
  add_parsed(command, "--launches-per-kernel", options.launches_per_kernel,
             parse_integer<std::uint64_t, 1>, "a number of launches from 1",
             "run this many launches of each kernel, and the first one of each other grid (all); "
             "if others are skipped, the result is undecided")
      .option_text("N");
  add_parsed(command, "--time-per-launch", options.seconds, parse_duration,
             "a time such as 90, 10m or 1h", "end a launch after this time (none)")
      .option_text("TIME");
  add_parsed(command, "--time-per-test", options.test_seconds, parse_duration,
             "a time such as 90, 10m or 1h",
             "end the launches of a test of pytest after this time in all (none)")
      .option_text("TIME");
  // Not in the table of options: this seed does not determine cases.
  add_parsed(command, "--seed", options.seed, parse_integer<std::uint64_t, 0>,
             "a number from 0 to 2^64 - 1", "seed of the schedules (0)")
      .option_text("S");
  add_parsed(command, "--seeds", options.schedules, parse_integer<unsigned, 1, kMostSchedules>,
             "a number from 1 to 64",
             "schedules of a launch whose kernel may observe the order of its threads (4)")
      .option_text("N");
  std::vector<Choice<std::string>> models;
  for (const device::GpuModel& model : device::gpu_models()) {
    if (model.capability >= kOldestCapability) models.push_back({model.name, model.name});
  }
  add_choice(command, "--device-model", options.gpu, models,
             "the GPU whose properties and limits the device has (h100)");
  add_parsed(command, "--sms", options.multiprocessors,
             parse_integer<unsigned, 1, kMostMultiprocessors>, "a number from 1 to 1024",
             "multiprocessors of the device (those of the model)")
      .option_text("N");
}

}  // namespace

void add_exec(CLI::App& app, Command& chosen) {
  CommandApp& command =
      add_command(app, "exec", "run a CUDA program on the virtual device, all checks on");
  command.about =
      "Runs a program unchanged on a machine without a GPU: its kernels execute on the virtual "
      "device. The program must use the shared CUDA runtime (`nvcc -cudart shared`) and contain "
      "PTX, as by default. Compile it with -lineinfo, so that findings have lines, and with -g for "
      "the lines of the host.";
  command.examples = {
      {"warpcheck exec ./program input.txt", "check a program"},
      {"warpcheck exec --leak-check --kernel 'reduce*' -- ./program",
       "check some kernels, and report memory that is not freed"},
  };
  command.status_0 = "the program exited with 0, and there are no findings";
  command.status_1 =
      "findings, unless --error-exitcode changes it; without findings, the status is that of the "
      "program";
  const auto exec = std::make_shared<ExecCommand>();
  // Words from the program's name on are the program's, also those that start with a dash. This
  // argument takes none of them: it is for the help, and lets CLI11 accept `--`.
  command.prefix_command();
  command.validate_positionals();
  command.add_option("program", exec->program, "the program, and what follows it on the line")
      ->option_text("PROGRAM [ARGUMENTS]...")
      ->check([](const std::string&) { return std::string("is the program's"); });
  command.callback([exec, &command, &chosen] {
    exec->program = command.remaining();
    if (!exec->program.empty() && exec->program.front() == "--") {
      exec->program.erase(exec->program.begin());
    }
    if (exec->program.empty()) throw CLI::RequiredError("PROGRAM");
    if (exec->program.front().starts_with('-')) {
      throw CLI::ExtrasError(command.get_name(), exec->program);
    }
    chosen = *exec;
  });
  command.add_flag("--leak-check", exec->options.leaks,
                   "report memory that the program does not free");
  command.add_flag(
      "--sticky-errors", exec->options.sticky_errors,
      "after an invalid access of a kernel, the calls of the program return its error, "
      "as on a GPU; by default, the program goes on");
  command.add_flag(
      "--track-origins", exec->options.origins,
      "report where the undefined value of an uninitialized read was loaded, allocated "
      "and copied; launches are slower");
  add_parsed(command, "--error-exitcode", exec->error_status, parse_integer<int, 0, kMostStatus>,
             "a number from 0 to 255", "exit status if there are findings (1)")
      .option_text("N");
  command
      .add_option("--suppressions", exec->suppressions,
                  "accept the findings that this TOML file lists; they are counted as known")
      ->option_text("FILE");
  command
      .add_option("--save", exec->save,
                  "write the findings to this file, for --suppressions of later runs")
      ->option_text("FILE");
  add_launches(command, exec->options);
  add_options(command, exec->common);
}

}  // namespace warpcheck::cli
