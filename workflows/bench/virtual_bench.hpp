// Times the virtual device.
#pragma once

#include <string>

#include "campaign/report.hpp"
#include "contract/compile/variant.hpp"
#include "device/device.hpp"
#include "workflows/bench/result.hpp"

namespace warpcheck::workflows::bench {

struct VirtualOptions {
  int rounds = 5;                      // measured runs; one warm-up run precedes them
  campaign::FindingSentence sentence;  // describes a finding that ends the measurement
};

/// The name of this machine's processor, or "unknown processor".
[[nodiscard]] std::string processor();

/// Times the launches of a case on the device, which uses one host thread. Throws
/// std::runtime_error if the kernel has a finding or an instruction that the device does not
/// support.
[[nodiscard]] Result measure_virtual(const contract::Variant& variant, const campaign::Case& line,
                                     device::Device& device, const VirtualOptions& options);

}  // namespace warpcheck::workflows::bench
