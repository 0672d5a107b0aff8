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
  std::string function;  // empty: not known
  std::string file;      // empty, and line 0: not known
  unsigned line = 0;
};

using HostStack = std::vector<HostFrame>;  // the innermost call first

/// A stack with its role: "launched by", "allocation 2 freed by".
struct RelatedStack {
  std::string title;
  HostStack frames;
};

inline constexpr const char* kLaunchedBy = "launched by";  // the title of the calls of a launch

}  // namespace warpcheck::device
