// The case lines in flight, printed when the program itself fails.
#pragma once

#include "report/report.hpp"

namespace warpcheck::cli {

/// Records the last case line of each thread for the crash handler.
class CasesInFlight final : public report::Report {
 public:
  void launching(const campaign::Case& problem) override;
};

/// Installs a handler for abort (a failed internal check, an unexpected exception) and for faults
/// of the program itself. It prints the case lines in flight to the standard error, then lets the
/// signal end the process.
void install_crash_handler();

}  // namespace warpcheck::cli
