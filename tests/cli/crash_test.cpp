#include "cli/commands/crash.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <thread>

namespace warpcheck::cli {
namespace {

void launch(const char* line) { CasesInFlight().launching(campaign::parse_case(line)); }

TEST(CrashDeathTest, AbortPrintsTheCaseInFlightOfItsThread) {
  EXPECT_EXIT(
      {
        install_crash_handler();
        launch("first m=1");
        launch("second m=2");
        std::abort();
      },
      testing::KilledBySignal(SIGABRT), "internal error.*\n  second m=2 n=1 k=1 [^\n]*\n$");
}

TEST(CrashDeathTest, ThreadWithoutACasePrintsTheCasesOfAllThreads) {
  EXPECT_EXIT(
      {
        install_crash_handler();
        std::thread([] { launch("elsewhere m=3"); }).join();
        std::abort();
      },
      testing::KilledBySignal(SIGABRT), "\n  elsewhere m=3 ");
}

TEST(CrashDeathTest, TooLongCaseLineIsTruncated) {
  EXPECT_EXIT(
      {
        install_crash_handler();
        launch((std::string(10'000, 'x') + " m=1").c_str());
        std::abort();
      },
      testing::KilledBySignal(SIGABRT), "\n  x*\n$");
}

}  // namespace
}  // namespace warpcheck::cli
