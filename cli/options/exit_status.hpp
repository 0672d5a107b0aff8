// The exit statuses of the program. Scripts depend on them.
#pragma once

namespace warpcheck::cli {

inline constexpr int kPassed = 0;       // everything passed, and at least one case ran
inline constexpr int kFindings = 1;     // a finding, or a mistrusted pass
inline constexpr int kInputError = 2;   // error in usage, contract, case line or source
inline constexpr int kEnvironment = 3;  // this machine cannot run the command: no GPU, no nvcc

}  // namespace warpcheck::cli
