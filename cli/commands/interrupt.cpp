#include "cli/commands/interrupt.hpp"

#include <csignal>

namespace warpcheck::cli {
namespace {

// A signal handler takes no argument but the signal.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void interrupt(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& interruptible() {
  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);
  return interrupted;
}

}  // namespace warpcheck::cli
