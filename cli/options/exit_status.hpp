// What the command's exit status says; scripts depend on it.
#pragma once

namespace warpcheck::cli {

inline constexpr int kPassed = 0;       // everything asked passed; never where nothing was asked
inline constexpr int kFindings = 1;     // a finding, or a pass that nobody should trust
inline constexpr int kInputError = 2;   // usage, contract, case line or source
inline constexpr int kEnvironment = 3;  // this machine cannot do it: no GPU, no nvcc

}  // namespace warpcheck::cli
