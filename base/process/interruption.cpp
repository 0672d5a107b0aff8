#include "base/process/interruption.hpp"

#include <array>
#include <csignal>

namespace warpcheck {
namespace {

constexpr std::array kEndingSignals = {SIGINT, SIGTERM, SIGHUP};

// A signal handler takes no argument but the signal.
std::atomic<bool> interrupted{false};
std::atomic<bool> has_handler{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void interrupt(int /*signal*/) {
  interrupted = true;
  for (const int signal : kEndingSignals) std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& interruptible() {
  if (has_handler.exchange(true)) return interrupted;
  for (const int signal : kEndingSignals) {
    if (std::signal(signal, interrupt) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
  return interrupted;
}

bool is_interrupted() { return interrupted; }

void throw_if_interrupted() {
  if (interrupted) throw Interrupted();
}

bool is_interruptible() { return has_handler; }

}  // namespace warpcheck
