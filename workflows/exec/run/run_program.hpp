// Runs a CUDA program on the virtual device.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/events/event.hpp"
#include "runtime/events/options.hpp"

namespace warpcheck::workflows::exec {

struct ProgramResult {
  int status = 0;            // exit status of the program; 128 + number of the signal that ended it
  int signal = 0;            // number of the signal that ended it; 0: it exited
  bool has_runtime = false;  // a process of the program loaded the CUDA runtime
  bool timed_out = false;    // it was ended because of its time limit
  runtime::TotalsEvent totals;  // sums over all processes
};

/// Takes an event, and returns the reply to a finding or an unsupported form.
using EventReader = std::function<std::optional<runtime::Reply>(runtime::Event)>;

/// Runs `command`, with the standard streams of this process, and calls `happened` for each event
/// while the program runs. The files of `options` are set here. If `interrupted` becomes true, or
/// after `seconds` (0: no limit), the program and the processes that it started receive SIGTERM,
/// and SIGKILL two seconds later. Throws InputError if the program cannot use the runtime.
[[nodiscard]] ProgramResult run_program(const std::vector<std::string>& command,
                                        runtime::ExecOptions options, double seconds,
                                        const std::atomic<bool>& interrupted,
                                        const EventReader& happened);

}  // namespace warpcheck::workflows::exec
