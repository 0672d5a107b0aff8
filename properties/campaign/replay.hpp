// One case, run again.
#pragma once

#include <string>

#include "device/device.hpp"
#include "properties/campaign/listener.hpp"

namespace warpcheck::properties::campaign {

/// One case line, run and judged once under its property, neither shrunk nor confirmed.
struct ReplayReport {
  VariantReport report;  // of one case
  std::string outside;   // the conjunct of `requires` that the case breaks; it was run all the same
  std::string printed;   // by the kernel
  bool launched = true;  // false: m or n is 0, and there is nothing to do
};

/// Throws InputError where the case cannot be laid out: a leading dimension below its row's length,
/// a size too large for memory, an unknown property.
[[nodiscard]] ReplayReport replay(const contract::Variant& variant, const Case& problem,
                                  device::Device& device, Listener& listener,
                                  bool strict_races = false);

}  // namespace warpcheck::properties::campaign
