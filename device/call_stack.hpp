// Calls of the host program, as evidence of a finding.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpcheck::device {

/// A call on the stack of the host. `offset` is in bytes from the start of the file `object`.
struct HostFrame {
  std::string object;
  std::uint64_t offset = 0;
  std::string function;  // empty: unknown
  std::string file;      // source file; unknown: empty, and line 0
  unsigned line = 0;
};

using HostStack = std::vector<HostFrame>;  // the innermost call comes first

/// A stack with its role: "launched by", "allocation 2 freed by".
struct RelatedStack {
  std::string title;
  HostStack frames;
};

inline constexpr const char* kLaunchedBy = "launched by";  // title of the call stack of a launch

}  // namespace warpcheck::device
