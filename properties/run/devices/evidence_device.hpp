// A device that adds evidence to findings.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "device/forwarding_device.hpp"

namespace warpcheck::properties::run {

/// Runs a job with an uninitialized read or a barrier divergence once more, with
/// Job::track_origins, unless it takes long.
class EvidenceDevice final : public device::ForwardingDevice {
 public:
  using ForwardingDevice::ForwardingDevice;

  [[nodiscard]] device::Outcome run(const device::Program& program,
                                    const device::Job& job) override {
    device::Outcome outcome = inner().run(program, job);
    const auto has_more = [](const Finding& finding) {
      return finding.kind == FindingClass::uninitialized_read ||
             finding.kind == FindingClass::barrier_divergence;
    };
    if (outcome.warp_instructions > kMostInstructions) return outcome;
    if (std::none_of(outcome.findings.begin(), outcome.findings.end(), has_more)) {
      return outcome;
    }
    device::Job tracked = job;
    tracked.count = tracked.cover = tracked.digest = false;
    tracked.track_origins = true;
    device::Outcome again = inner().run(program, tracked);
    for (Finding& finding : outcome.findings) {
      if (!has_more(finding)) continue;
      const auto same =
          std::find_if(again.findings.begin(), again.findings.end(),
                       [&](const Finding& other) { return same_places(finding, other); });
      if (same == again.findings.end()) continue;
      finding.origin = std::move(same->origin);
      finding.groups = std::move(same->groups);
    }
    return outcome;
  }

 private:
  static constexpr std::uint64_t kMostInstructions = std::uint64_t{1} << 18;  // of warps
};

}  // namespace warpcheck::properties::run
