#include "report/progress/progress_display.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <thread>

namespace warpcheck::report {
namespace {

using namespace std::chrono_literals;

/// Written by the thread of the display, read after its end.
std::string heartbeats(ProgressOptions options, std::chrono::milliseconds time) {
  std::ostringstream terminal;
  std::ostringstream log;
  {
    ProgressDisplay display(terminal, log, options);
    display.show({"[1/2] sgemm: 5 of 100 cases", 61.0});
    display.erase();
    std::this_thread::sleep_for(time);
  }
  EXPECT_EQ(terminal.str(), "");
  return log.str();
}

TEST(ProgressText, HasTheClockTheRateAndTheTimeLeft) {
  ProgressState state{"[3/56] sgemm: 40 of 100 cases", 12.0, 102, 0.4};
  EXPECT_EQ(progress_text(state), "0:12 (0:18 left) [3/56] sgemm: 40 of 100 cases, 8.5 cases/s");
  EXPECT_EQ(progress_text(state, 5.0),
            "0:17 (0:13 left) [3/56] sgemm: 40 of 100 cases, 6.0 cases/s");
  state.left = 4.0;
  EXPECT_EQ(progress_text(state), "0:12 (0:04 left) [3/56] sgemm: 40 of 100 cases, 8.5 cases/s");
  state.cases = 1200;
  state.share = 0.0;
  state.left.reset();
  EXPECT_EQ(progress_text(state), "0:12 [3/56] sgemm: 40 of 100 cases, 100 cases/s");
}

TEST(ProgressText, ShowsHoursAndNoTimeLeftAtTheStart) {
  EXPECT_EQ(progress_text({"compiling [1/2] x.cu", 1.0, 0, 0.5}), "0:01 compiling [1/2] x.cu");
  EXPECT_EQ(progress_text({"exploring x", 3723.0}), "1:02:03 exploring x");
}

TEST(ProgressText, HasNoControlCharacters) {
  EXPECT_EQ(progress_text({"compiling [1/2] a\033[2Jb.cu"}), "0:00 compiling [1/2] a?[2Jb.cu");
}

TEST(ProgressDisplay, PrintsAHeartbeatWithoutATerminal) {
  ProgressOptions options;
  options.heartbeat = 5ms;
  std::string log;
  for (auto time = 20ms; log.empty() && time < 10s; time *= 2) log = heartbeats(options, time);
  EXPECT_THAT(log, testing::StartsWith("warpcheck: 1:01 [1/2] sgemm: 5 of 100 cases\n"));
}

TEST(ProgressDisplay, PrintsNothingInAShortRunOrIfQuiet) {
  EXPECT_EQ(heartbeats({}, 5ms), "");
  ProgressOptions options;
  options.heartbeat = 1ms;
  options.quiet = true;
  EXPECT_EQ(heartbeats(options, 10ms), "");
}

TEST(ProgressDisplay, RedrawsTheClockOnATerminal) {
  ProgressOptions options;
  options.live = true;
  options.redraw = 1ms;
  std::ostringstream terminal;
  std::ostringstream log;
  {
    ProgressDisplay display(terminal, log, options);
    display.show({"sgemm"});
    std::this_thread::sleep_for(1100ms);
  }
  EXPECT_THAT(terminal.str(), testing::StartsWith("\r\033[K0:00 sgemm\r\033[K0:00 sgemm"));
  EXPECT_THAT(terminal.str(), testing::EndsWith("\r\033[K0:01 sgemm\r\033[K"));
  EXPECT_EQ(log.str(), "");
}

TEST(ProgressDisplay, CutsNoCharacterInTwo) {
  ProgressOptions options;
  options.live = true;
  options.columns = 9;
  std::ostringstream terminal;
  std::ostringstream log;
  ProgressDisplay(terminal, log, options).show({"Zo\xc3\xab"});
  EXPECT_EQ(terminal.str(), "\r\033[K0:00 Zo\r\033[K");
}

}  // namespace
}  // namespace warpcheck::report
