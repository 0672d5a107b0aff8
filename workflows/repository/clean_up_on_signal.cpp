#include "workflows/repository/clean_up_on_signal.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <utility>

namespace warpcheck::workflows::repository {
namespace {

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  return set;
}

}  // namespace

CleanUpOnSignal::CleanUpOnSignal(std::function<void()> clean_up) : clean_up_(std::move(clean_up)) {
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = signalfd(-1, &set, SFD_CLOEXEC);
  done_ = eventfd(0, EFD_CLOEXEC);
  thread_ = std::thread([this] { wait(); });
}

CleanUpOnSignal::~CleanUpOnSignal() {
  const std::uint64_t one = 1;
  (void)!write(done_, &one, sizeof one);
  thread_.join();
  close(signals_);
  close(done_);
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void CleanUpOnSignal::wait() {
  std::array<pollfd, 2> waiting = {{{signals_, POLLIN, 0}, {done_, POLLIN, 0}}};
  while (poll(waiting.data(), waiting.size(), -1) < 0 && errno == EINTR) {
  }
  if ((waiting[0].revents & POLLIN) == 0) return;
  signalfd_siginfo received{};
  if (read(signals_, &received, sizeof received) != sizeof received) return;
  clean_up_();
  const auto signal = static_cast<int>(received.ssi_signo);
  std::signal(signal, SIG_DFL);
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  std::raise(signal);
}

}  // namespace warpcheck::workflows::repository
