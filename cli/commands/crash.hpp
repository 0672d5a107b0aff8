// What the tool leaves behind when it is itself at fault: the case lines in flight.
#pragma once

#include "report/report.hpp"

namespace warpcheck::cli {

/// Remembers the last case line of each thread for the handler.
class CasesInFlight final : public report::Report {
 public:
  void launching(const properties::Case& problem) override;
};

/// On abort (a failed internal check, an exception nobody expected) and on faults of the tool
/// itself: prints the case lines in flight to the standard error, then lets the signal end the
/// process.
void install_crash_handler();

}  // namespace warpcheck::cli
