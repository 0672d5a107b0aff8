// Replay of one case.
#pragma once

#include <string>

#include "campaign/listener.hpp"
#include "device/device.hpp"

namespace warpcheck::campaign {

/// Result of one case that is run once under its property, without shrinking or confirmation.
struct ReplayReport {
  VariantReport report;      // report of this one case
  std::string outside;       // conjunct of `requires` that the case violates; the case runs anyway
  std::string printed;       // output of the kernel
  std::string not_launched;  // the reason that nothing was launched, "m is 0"; empty: a kernel was
};

/// Throws InputError for an unknown property and for a case that has no valid layout: a leading
/// dimension below the row length, or a size too large for memory.
[[nodiscard]] ReplayReport replay(const contract::Variant& variant, const Case& problem,
                                  device::Device& device, Listener& listener,
                                  const Strictness& strict = {});

}  // namespace warpcheck::campaign
