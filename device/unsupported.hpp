// Unsupported: an instruction that a kernel reached and that the device cannot execute, or a limit
// of the device that a launch exceeds. It is no finding, because it does not show that the kernel
// is wrong.
#pragma once

#include <optional>
#include <string>

#include "device/finding.hpp"

namespace warpcheck::device {

struct Unsupported {
  // Mnemonic and modifiers, "wgmma.fence.sync.aligned", or the amount that exceeds a limit,
  // "1000000000 blocks".
  std::string form;
  std::string reason;  // one sentence; lower case, no period
  // The section of the PTX ISA manual, version 9.0, that describes it; empty: unknown.
  std::string section;
  SourcePlace source;
  UserOption option = UserOption::none;   // limit that the launch exceeds
  std::optional<Finding> undecided = {};  // the finding that it would be if the reason did not hold
};

}  // namespace warpcheck::device
