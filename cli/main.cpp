#include <cstdlib>
#include <exception>
#include <iostream>
#include <variant>

#include "base/diagnostic.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/crash.hpp"
#include "cli/exit_status.hpp"
#include "device/cuda/worker.hpp"
#include "report/path.hpp"

namespace {

using namespace warpcheck;
using namespace warpcheck::cli;

int run_command(const Command& command) {
  if (const auto* leave = std::get_if<Leave>(&command)) return leave->status;
  if (const auto* list = std::get_if<ListCommand>(&command)) return run(*list);
  if (const auto* check = std::get_if<CheckCommand>(&command)) return run(*check);
  if (const auto* profile = std::get_if<ProfileCommand>(&command)) return run(*profile);
  if (const auto* diff = std::get_if<DiffCommand>(&command)) return run(*diff);
  if (const auto* mutate = std::get_if<MutateCommand>(&command)) return run(*mutate);
  if (const auto* merge = std::get_if<MergeCommand>(&command)) return run(*merge);
  if (const auto* bisect = std::get_if<BisectCommand>(&command)) return run(*bisect);
  if (const auto* fuzz = std::get_if<FuzzCommand>(&command)) return run(*fuzz);
  return run(std::get<ReplayCommand>(command));
}

}  // namespace

int main(int argc, char** argv) {
  // A CUDA device runs its launches in a process of their own: this program, called by itself.
  device::cuda::maybe_run_worker(argc, argv);
  install_crash_handler();
  try {
    return run_command(parse_arguments(argc, argv));
  } catch (const InputError& error) {
    std::cout << std::flush;
    for (Diagnostic diagnostic : error.diagnostics()) {
      diagnostic.where.file = report::shown_path(diagnostic.where.file);
      std::cerr << render(diagnostic);
    }
    return kInputError;
  } catch (const EnvironmentError& error) {
    std::cout << std::flush;
    std::cerr << "warpcheck: " << error.what() << '\n';
    return kEnvironment;
  } catch (const std::exception& error) {
    std::cout << std::flush;
    std::cerr << "warpcheck: " << error.what() << '\n';
    std::abort();  // the crash handler prints the case in flight
  }
}
