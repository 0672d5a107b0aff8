// Requests of the user to end early: SIGINT (Ctrl-C), SIGTERM and SIGHUP.
#pragma once

#include <atomic>
#include <exception>

namespace warpcheck {

/// An interruption ended the work before it was complete.
class Interrupted : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

/// Handles these signals after the first call: the first signal only sets the returned flag, the
/// next one ends the process. A signal that the process ignores, as under nohup, stays ignored.
[[nodiscard]] const std::atomic<bool>& interruptible();

/// True after such a signal.
[[nodiscard]] bool is_interrupted();

/// Throws Interrupted if is_interrupted(), for long work without launches.
void throw_if_interrupted();

/// True after a call of interruptible().
[[nodiscard]] bool is_interruptible();

}  // namespace warpcheck
