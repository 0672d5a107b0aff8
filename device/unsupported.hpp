// Unsupported: an instruction that a kernel reached and that the device cannot execute. It is no
// finding, because it does not show that the kernel is wrong.
#pragma once

#include <string>

#include "device/finding.hpp"

namespace warpcheck::device {

struct Unsupported {
  std::string form;     // mnemonic and modifiers: "wgmma.fence.sync.aligned"
  std::string reason;   // one sentence; lower case, no period
  std::string section;  // of the PTX ISA manual, version 9.0, that describes it; empty: unknown
  SourcePlace source;
};

}  // namespace warpcheck::device
