#include "cli/commands/crash.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace warpcheck::cli {
namespace {

// A signal handler takes no argument but the signal, so the lines are in static storage. Each
// thread takes its own slot at its first launch; the lines of threads beyond the last slot are not
// recorded.
constexpr std::size_t kLongestLine = 512;
using Slot = std::array<char, kLongestLine>;  // ends with a zero; empty: no case
std::array<Slot, 64> slots{};
std::atomic<std::size_t> slots_taken{0};
thread_local Slot* own_slot = nullptr;
thread_local bool slot_requested = false;

Slot* slot_of_this_thread() {
  if (!slot_requested) {
    slot_requested = true;
    const std::size_t index = slots_taken.fetch_add(1);
    if (index < slots.size()) own_slot = &slots[index];
  }
  return own_slot;
}

void write_out(std::string_view text) {
  // There is no other place for the text if the standard error is closed.
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
}

void write_case(const Slot& slot) {
  if (slot.front() == '\0') return;
  write_out("  ");
  write_out(slot.data());
  write_out("\n");
}

/// Calls only functions that are safe in a signal handler (signal-safety(7)).
void print_cases_in_flight(int signal) {
  write_out(
      "warpcheck: internal error; the case in flight, for `warpcheck replay` and a bug report:\n");
  if (own_slot != nullptr) {
    write_case(*own_slot);
  } else {
    const std::size_t taken = std::min(slots_taken.load(), slots.size());
    for (std::size_t i = 0; i < taken; ++i) write_case(slots[i]);
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// The sanitizers print more about a fault than this handler.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::array kSignals = {SIGABRT};
#else
constexpr std::array kSignals = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
#endif

}  // namespace

void CasesInFlight::launching(const campaign::Case& problem) {
  Slot* const slot = slot_of_this_thread();
  if (slot == nullptr) return;
  const std::string line = to_line(problem);
  const std::size_t length = std::min(line.size(), slot->size() - 1);
  std::memcpy(slot->data(), line.data(), length);
  (*slot)[length] = '\0';
}

void install_crash_handler() {
  for (const int signal : kSignals) std::signal(signal, print_cases_in_flight);
}

}  // namespace warpcheck::cli
