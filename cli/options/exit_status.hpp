// The exit statuses of the program. Scripts depend on them.
#pragma once

namespace warpcheck::cli {

inline constexpr int kPassed = 0;      // everything passed, and at least one case ran
inline constexpr int kFindings = 1;    // a finding, or a mistrusted pass
inline constexpr int kInputError = 2;  // error in usage, contract, case line or source
// This machine or device cannot do it: no GPU, no nvcc, or an unsupported instruction and nothing
// else wrong.
inline constexpr int kEnvironment = 3;
inline constexpr int kInterrupted = 130;  // SIGINT or SIGTERM ended the command early

/// The status of two results together: errors in the input, then findings, then what could not be
/// done, then passes.
[[nodiscard]] constexpr int worse_status(int one, int other) {
  for (const int status : {kInputError, kFindings, kEnvironment}) {
    if (one == status || other == status) return status;
  }
  return kPassed;
}

}  // namespace warpcheck::cli
