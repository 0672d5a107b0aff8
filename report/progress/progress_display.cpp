#include "report/progress/progress_display.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <utility>

#include "base/text/visible_text.hpp"

namespace warpcheck::report {
namespace {

/// "0:07", "12:30", "1:02:03"
std::string clock_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::max(seconds, 0.0));
  const std::uint64_t hours = whole / 3600;
  return hours == 0 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                    : fmt::format("{}:{:02}:{:02}", hours, whole / 60 % 60, whole % 60);
}

/// The seconds until the work is done at its speed so far, or until the time limit.
std::optional<double> seconds_left(const ProgressState& state, double later) {
  constexpr double kLeastSeconds = 2.0;  // a speed that was measured for less varies widely
  std::optional<double> left;
  if (state.share > 0.0 && state.seconds >= kLeastSeconds) {
    left = state.seconds * (1.0 - state.share) / state.share;
  }
  if (state.left && (!left || *state.left < *left)) left = state.left;
  if (left) *left = std::max(*left - later, 0.0);
  return left;
}

}  // namespace

std::string progress_text(const ProgressState& state, double later) {
  const double seconds = state.seconds + later;
  std::string text = clock_text(seconds);
  if (const auto left = seconds_left(state, later)) {
    text += fmt::format(" ({} left)", clock_text(std::round(*left)));
  }
  text += " " + printable(state.text);
  if (state.cases != 0 && seconds > 0.0) {
    const double rate = static_cast<double>(state.cases) / seconds;
    text += fmt::format(", {:.{}f} cases/s", rate, rate < 9.95 ? 1 : 0);
  }
  return text;
}

ProgressDisplay::ProgressDisplay(std::ostream& terminal, std::ostream& log, ProgressOptions options)
    : terminal_(terminal), log_(log), options_(options) {}

ProgressDisplay::~ProgressDisplay() {
  thread_.request_stop();
  erase();
}

void ProgressDisplay::show(ProgressState state) {
  if (options_.quiet) return;
  const std::lock_guard lock(mutex_);
  state_ = std::move(state);
  shown_at_ = Clock::now();
  if (options_.live && (!is_visible_ || shown_at_ - redrawn_at_ >= options_.pause)) draw();
  if (!thread_.joinable()) {
    thread_ = std::jthread([this](const std::stop_token& stop) { repeat(stop); });
  }
}

void ProgressDisplay::erase() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(is_visible_, false)) terminal_ << "\r\033[K" << std::flush;
}

std::string ProgressDisplay::text() const {
  return progress_text(*state_, std::chrono::duration<double>(Clock::now() - shown_at_).count());
}

void ProgressDisplay::draw() {
  // Some terminals wrap when the last column is written, so it stays free.
  const std::size_t most = std::max<std::size_t>(options_.columns, 2) - 1;
  std::string line = text().substr(0, most);
  while (!is_utf8(line)) line.pop_back();
  terminal_ << "\r\033[K" << line << std::flush;
  is_visible_ = true;
  redrawn_at_ = Clock::now();
}

void ProgressDisplay::repeat(const std::stop_token& stop) {
  const auto period = options_.live ? options_.redraw : options_.heartbeat;
  std::unique_lock lock(mutex_);
  for (;;) {
    (void)stopped_.wait_for(lock, stop, period, [] { return false; });
    if (stop.stop_requested()) return;
    if (options_.live && is_visible_) draw();
    if (!options_.live) log_ << "warpcheck: " << text() << '\n' << std::flush;
  }
}

}  // namespace warpcheck::report
