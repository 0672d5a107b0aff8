// Finds undefined values that are loaded from a buffer.
#pragma once

#include <string_view>

#include "device/finding.hpp"

namespace warpcheck::device {

/// True if the undefined value of a finding is known to be loaded from this buffer.
[[nodiscard]] inline bool loads_undefined(const Finding& finding, std::string_view buffer) {
  return finding.kind == FindingClass::uninitialized_read && finding.origin &&
         finding.origin->memory && finding.origin->memory->name == buffer;
}

}  // namespace warpcheck::device
