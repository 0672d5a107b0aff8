// The progress of a command that takes long: a line that is redrawn on a terminal, elsewhere a line
// on the standard error every half minute.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace warpcheck::report {

/// The progress of a command.
struct ProgressState {
  std::string text;                 // "[3/56] sgemm: 40 of 100 cases, 1 finding, checking"
  double seconds = 0.0;             // time since the command began
  std::int64_t cases = 0;           // cases that were run in this time; 0: no rate is shown
  double share = 0.0;               // share of the work that is done, up to 1; 0: unknown
  std::optional<double> left = {};  // seconds until a time limit; empty: none
};

/// "0:12 (0:18 left) [3/56] sgemm: 40 of 100 cases, 1 finding, checking, 8.5 cases/s": the state,
/// `later` seconds after it was reported.
[[nodiscard]] std::string progress_text(const ProgressState& state, double later = 0.0);

struct ProgressOptions {
  bool live = false;                     // the output is a terminal that can erase a line
  bool quiet = false;                    // shows nothing
  std::size_t columns = 100;             // width of the terminal
  std::chrono::milliseconds pause{100};  // least pause between two states on a terminal
  std::chrono::milliseconds redraw{1'000};
  std::chrono::milliseconds heartbeat{30'000};
};

/// show() and erase() may be called from any thread, but only one writes to the terminal: between
/// erase() and the next show(), this object does not.
class ProgressDisplay {
 public:
  /// The line appears on `terminal`; without a terminal, the heartbeat goes to `log`. Both outlive
  /// the display.
  ProgressDisplay(std::ostream& terminal, std::ostream& log, ProgressOptions options);
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;
  ~ProgressDisplay();

  void show(ProgressState state);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  void repeat(const std::stop_token& stop);
  void draw();
  [[nodiscard]] std::string text() const;

  std::ostream& terminal_;
  std::ostream& log_;
  ProgressOptions options_;
  std::mutex mutex_;
  std::condition_variable_any stopped_;
  std::optional<ProgressState> state_;
  Clock::time_point shown_at_;  // time of the last call of show()
  bool is_visible_ = false;
  Clock::time_point redrawn_at_;
  std::jthread thread_;  // starts with the first state
};

}  // namespace warpcheck::report
