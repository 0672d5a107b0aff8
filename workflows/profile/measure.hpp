// Runs cases on the virtual device and counts their instructions.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/listener.hpp"
#include "device/device.hpp"
#include "workflows/profile/profile.hpp"

namespace warpcheck::workflows::profile {

struct CaseFinding {
  campaign::Case problem;
  Finding finding;
};

struct Measurement {
  Profile profile;                    // profile without resources; counts the cases that completed
  std::vector<CaseFinding> findings;  // ordered as the cases
  std::vector<campaign::UnsupportedForm> unsupported;  // forms that the device could not execute
};

/// Notifies the listener of each launch.
[[nodiscard]] Measurement measure(const contract::Variant& variant,
                                  std::span<const campaign::Case> cases, device::Device& device,
                                  campaign::Listener& listener);

/// Reads the resources of kernels from ptxas. Assembles each PTX file once.
class ResourceReader {
 public:
  /// Sets `resources`, or `no_resources` if ptxas is absent or reports nothing.
  void add_resources(const contract::Variant& variant, Profile& profile);

 private:
  std::map<std::string, std::string> outputs_;  // keyed by PTX file
};

}  // namespace warpcheck::workflows::profile
