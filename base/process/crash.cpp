#include "base/process/crash.hpp"

#include <sys/resource.h>

#include <csignal>

namespace warpcheck {

void end_by_signal_on_crash() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, SIG_DFL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
}

}  // namespace warpcheck
