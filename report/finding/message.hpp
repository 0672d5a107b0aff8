// The message of a finding or of an unsupported launch, with the option that changes the result.
#pragma once

#include <string>

#include "device/finding.hpp"
#include "device/unsupported.hpp"

namespace warpcheck::report {

/// Returns the message, and the option: "the launch was still running after 1000 warp instructions,
/// its budget; `--limit instructions=N` changes it".
[[nodiscard]] std::string message_text(const Finding& finding);

/// Returns the reason, and the option that lets the device execute the launch.
[[nodiscard]] std::string reason_text(const device::Unsupported& what);

}  // namespace warpcheck::report
