#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <string>
#include <variant>

#include "base/diagnostic.hpp"
#include "base/process/freed_memory.hpp"
#include "base/process/interruption.hpp"
#include "base/text/visible_text.hpp"
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

void print_error(const std::exception& error) {
  std::cout << std::flush;
  std::cerr << "warpcheck: " << visible(error.what(), true) << '\n';
}

/// The status of a command, unless its output could not be written: a report in a pipe or on a full
/// disk would be incomplete.
int status_of_output(int status) {
  errno = 0;
  std::cout << std::flush;
  if (std::cout.good() && std::fflush(stdout) == 0) return status;
  const std::string reason = errno == 0 ? "" : std::string(": ") + std::strerror(errno);
  std::cerr << "warpcheck: the standard output cannot be written" << reason << '\n';
  return kEnvironment;
}

int run_command(const Command& command) {
  return std::visit([](const auto& chosen) { return run(chosen); }, command);
}

}  // namespace

int main(int argc, char** argv) {
  // A CUDA device runs its launches in a process of their own: this program, called by itself.
  device::cuda::maybe_run_worker(argc, argv);
  install_crash_handler();
  keep_freed_memory();
  std::signal(SIGXFSZ, SIG_IGN);  // writing beyond a limit is then an error, as on a full disk
  try {
    return status_of_output(run_command(parse_arguments(argc, argv)));
  } catch (const InputError& error) {
    std::cout << std::flush;
    for (Diagnostic diagnostic : error.diagnostics()) {
      diagnostic.where.file = report::relative_path(diagnostic.where.file);
      std::cerr << render(diagnostic);
    }
    return kInputError;
  } catch (const Interrupted&) {
    std::cout << std::flush;
    std::cerr << "warpcheck: interrupted\n";
    return kInterrupted;
  } catch (const EnvironmentError& error) {
    print_error(error);
    return kEnvironment;
  } catch (const std::exception& error) {
    print_error(error);
    std::abort();  // the crash handler prints the case in flight
  }
}
