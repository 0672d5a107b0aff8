#include <cstdlib>
#include <exception>
#include <iostream>
#include <variant>

#include "base/diagnostic.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/crash.hpp"
#include "cli/options/arguments.hpp"
#include "cli/options/exit_status.hpp"
#include "device/cuda/worker.hpp"
#include "report/path.hpp"

namespace {

using namespace warpcheck;
using namespace warpcheck::cli;

int run(const Leave& leave) { return leave.status; }

int run_command(const Command& command) {
  return std::visit([](const auto& chosen) { return run(chosen); }, command);
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
